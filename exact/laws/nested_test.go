package laws_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/laws"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// newNested returns the distribution of nested sampling, or fails the test.
func newNested(on *laws.Target, o estimators.NestedOptions) laws.Law {
	return longtest.Sure(laws.NewNestedLaw(context.Background(), on, o, 1))
}

// TestNestedZero: if the likelihood is zero wherever the prior is not, so is every estimate; if
// it may be, log Z-hat has no mean.
func TestNestedZero(t *testing.T) {
	zero := math.Inf(-1)
	// Only the state without a prior has a likelihood.
	path := longtest.Sure(paths.NewArithmetic([]float64{0, 0, zero}, []float64{zero, zero, 0}))
	a := longtest.Sure(chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: grid.MustNew(3)}, 2))
	for _, o := range []estimators.NestedOptions{{Particles: 2}, {Particles: 2, Ties: estimators.TiesStrict},
		{Particles: 2, Ties: estimators.TiesTogether, Moves: 1}} {
		law := newNested(laws.NewTarget(a), o)
		m := momentsOfTrials(law, 1)
		if !math.IsInf(m.Mean, -1) || !math.IsInf(m.LogMean, -1) || !math.IsNaN(m.SD) || m.Note == "" {
			t.Errorf("%+v: %+v", o, m)
		}
		if p, err := law.Above(context.Background(), -1e6); err != nil || p.Low != 0 || p.High != 0 {
			t.Errorf("%+v: P(log Z-hat > -1e6) is in %+v, %v", o, p, err)
		}
		for _, outcome := range enumeratedNested(a, o) {
			if !math.IsInf(outcome.Value, -1) {
				t.Errorf("%+v: the estimator returns %v", o, outcome.Value)
			}
		}
	}
}

// TestNestedAboveFar: thresholds that a float64 cannot hold are not decided. Here log Z-hat is log
// r times the deaths, some 2 x 1000 of them, and about as often above as below -1000 log(3/2) x 2.
func TestNestedAboveFar(t *testing.T) {
	zero := math.Inf(-1)
	law := newNested(laws.NewTarget(nestedOnLine(t, []float64{0, -1000}, []float64{zero, 1000})),
		estimators.NestedOptions{Particles: 2})
	m := momentsOfTrials(law, 1)
	p, err := law.Above(context.Background(), m.Mean)
	if err != nil || p.Low > 0.4 || p.High < 0.6 {
		t.Errorf("P(log Z-hat > E log Z-hat) is in %+v, %v", p, err)
	}
	if want := 2000 * math.Log(1.5) * math.Log(1.5); math.Abs(m.SD*m.SD/want-1) > 1e-12 {
		t.Errorf("the variance is %v, want %v", m.SD*m.SD, want)
	}
}

// TestNestedAboveEnds: the smallest and largest thresholds, and one that is none.
func TestNestedAboveEnds(t *testing.T) {
	on := laws.NewTarget(nestedOnLine(t, make([]float64, 4), []float64{math.Inf(-1), 1, 2, 3}))
	for _, c := range []struct {
		o        estimators.NestedOptions
		positive float64
	}{{estimators.NestedOptions{Particles: 2}, 1},
		{estimators.NestedOptions{Particles: 2, Ties: estimators.TiesTogether}, 15.0 / 16}} {
		law := newNested(on, c.o)
		for at, want := range map[float64]float64{
			math.Inf(-1): c.positive, -1e9: c.positive, 3 - on.Offset: 0, math.Inf(1): 0} {
			p, err := law.Above(context.Background(), at)
			if err != nil || math.Abs(p.Low-want) > 1e-14 || math.Abs(p.High-want) > 1e-14 {
				t.Errorf("%+v: P(log Z-hat > %v) is in %+v, %v; want %v", c.o, at, p, err, want)
			}
		}
		longtest.Refuses(law.Above(context.Background(), math.NaN()))(t, "NaN", c.o)
	}
}

// TestNestedTooLarge: if the pairs take too much memory or time, the distribution says so at
// once.
func TestNestedTooLarge(t *testing.T) {
	for _, c := range []struct {
		states, moves int
	}{{1500, 1}, {200, 100_000_000}} {
		logL := make([]float64, c.states)
		for x := range logL {
			logL[x] = float64(x) / 100
		}
		law := longtest.Sure(laws.NewNestedMoves(
			context.Background(),
			laws.NewTarget(nestedOnLine(t, make([]float64, c.states), logL)),
			c.moves,
			estimators.VolumePaper,
			1,
		))
		m := momentsOfTrials(law, 1)
		p, err := law.Above(context.Background(), 0)
		if err != nil || m.Method != laws.MethodNone || !math.IsNaN(m.LogMean) ||
			!strings.Contains(m.Note, "take a smaller space or fewer moves") ||
			!math.IsNaN(p.High) || !math.IsNaN(law.Work().Evaluations) {
			t.Errorf("%d states, %d moves: %+v, %+v, %+v, %v", c.states, c.moves, m, p, law.Work(), err)
		}
	}
}

// TestNestedErrors: settings that are none are refused in words, and so is a kernel that leaves the
// states above a level.
func TestNestedErrors(t *testing.T) {
	on := nestedTarget("barrier", "metropolis")
	for _, c := range []struct {
		o    estimators.NestedOptions
		want string
	}{
		{estimators.NestedOptions{Particles: 1}, "K = 1 particles; give a whole number from 2"},
		{estimators.NestedOptions{Particles: 2, Ties: 3}, "label, strict or together"},
		{estimators.NestedOptions{Particles: 2, Volume: -1}, "paper, unbiased or exp"},
		{estimators.NestedOptions{Particles: 2, Moves: 1}, "draws exactly"},
		{estimators.NestedOptions{Particles: 2, Ties: estimators.TiesTogether, Moves: -1}, "M = -1 moves"},
	} {
		longtest.Refuses(laws.NewNestedLaw(context.Background(), on, c.o, 1))(t, c.want, c.o)
	}
	law := newNested(on, estimators.NestedOptions{Particles: 3, Ties: estimators.TiesTogether, Moves: 1})
	longtest.Refuses(law.Moments(context.Background(), 0))(t, "0 trials")
	m := momentsOfTrials(law, 1)
	p, err := law.Above(context.Background(), 0)
	if err != nil || m.Method != laws.MethodNone || m.Note == "" || !math.IsNaN(m.Mean) ||
		!math.IsNaN(p.Low) || !math.IsNaN(law.Work().Evaluations) {
		t.Errorf("three particles that move: %+v, %+v, %+v", m, p, law.Work())
	}
	leaving := laws.NewTarget(exacttest.Build(t, nil, []float64{0, 1, 2}, schedules.Linear{}, wandering{}, 2))
	longtest.Refuses(laws.NewNestedMoves(context.Background(), leaving, 1, estimators.VolumePaper, 1))(t,
		"where f is zero")
	stopped, stop := context.WithCancel(context.Background())
	stop()
	if _, err := laws.NewNestedMoves(stopped, on, 1, estimators.VolumePaper, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("the context has ended: %v", err)
	}
}

// wandering is a kernel that goes anywhere.
type wandering struct{}

func (wandering) Move(c chains.Chooser, logf []float64, _ int) int { return c.Uniform(len(logf)) }
