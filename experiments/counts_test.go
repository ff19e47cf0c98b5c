package experiments_test

import (
	"context"
	"errors"
	"testing"

	"breadboard/experiments"
	"breadboard/experiments/ais"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/logweights"
	"breadboard/experiments/particles"
	"breadboard/experiments/study"
	"breadboard/experiments/subjective"
	"breadboard/experiments/tightness"
	"breadboard/grid/longtest"
)

// stepsOf returns what a study says that its progress adds up to.
func stepsOf[O, R any](t *testing.T, s *study.Study[experiments.Case, O, R], cases []experiments.Case, o O) int {
	t.Helper()
	plan := longtest.Must(s.Plan(context.Background(), cases, &o))(t)
	return plan.Steps
}

// TestStepsByHand: what studies say their progress adds up to, for T = 5 and T = 11 on two toys: 2 (4 + 10) steps a sweep.
func TestStepsByHand(t *testing.T) {
	cases := casetest.MustCases(t, casetest.Selection([]int{5, 11}, "easy", "barrier"))
	for name, c := range map[string]struct{ got, want int }{
		"tightness":         {stepsOf(t, tightness.Study(), cases, tightness.Options{}), 28},
		"tightness, checks": {stepsOf(t, tightness.Study(), cases, tightness.Options{Check: true}), 4 * 28},
		"certificates":      {stepsOf(t, tightness.Study(), cases, tightness.Options{Certify: true}), 3 * 28},
		"chains":            {stepsOf(t, ais.Study(), cases, ais.Options{Chains: 10}), 2 * 10 * 28},
		"laws":              {stepsOf(t, logweights.Laws(), cases, logweights.Options{}), 4000},
		"particles":         {stepsOf(t, particles.Study(), cases, particles.Options{Particles: []int{3, 1}, Resample: []string{"multinomial"}, Thresholds: []float64{1}, Chains: 10}), (1+2*10*3)*28 + (1+2*10)*28},
		"subjective":        {stepsOf(t, subjective.Study(), cases, subjective.Options{References: []string{"uniform", "mode"}, Moves: []int{3, 7}}), 28 + 4*2*7},
	} {
		if c.got != c.want {
			t.Errorf("%s: %d steps, want %d", name, c.got, c.want)
		}
	}
}

// TestCasesReportOne: each case is reported once, when it is made.
func TestCasesReportOne(t *testing.T) {
	s := casetest.Selection([]int{5, 11}, "easy", "barrier")
	total := 0
	s.Progress = func(n int) { total += n }
	if cases, err := s.Cases(context.Background()); err != nil || len(cases) != 4 || total != 4 {
		t.Errorf("%d cases reported of %d, %v", total, len(cases), err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	s.Progress = func(int) { cancel() }
	if cases, err := s.Cases(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("%d cases after the context has ended, %v", len(cases), err)
	}
}
