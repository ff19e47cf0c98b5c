package planted_test

import (
	"context"
	"math"
	"testing"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact/program"
	"breadboard/experiments/checks/planted"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// line returns a model of four states in a line, two of which have the same likelihood.
func line(t *testing.T) *estimators.Finite {
	t.Helper()
	space := longtest.Sure(grid.New(4))
	path := longtest.Sure(paths.NewGeometric(nil, []float64{0, 1.5, -1, 1.5}))
	a := longtest.Sure(chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: space}, 3))
	return longtest.Sure(estimators.NewFinite(a))
}

// lawOf returns the exact law of a program's result.
func lawOf(t *testing.T, f func(chains.Chooser) float64) *program.Law[float64] {
	t.Helper()
	return longtest.Sure(program.Enumerate(context.Background(), f, program.Options{}))
}

// mean returns the mean of exp(v) under a law, and of v.
func mean(l *program.Law[float64]) (z, log float64) {
	return l.Mean(math.Exp), l.Mean(func(v float64) float64 { return v })
}

// TestNestedWithoutABug has the law of the estimator of which it is a copy, and each bug another one.
func TestNestedWithoutABug(t *testing.T) {
	m := line(t)
	for _, particles := range []int{2, 3} {
		o := estimators.NestedOptions{Particles: particles, Ties: estimators.TiesTogether, Moves: 3 - particles}
		e := longtest.Sure(estimators.NewNested(m, o))
		wantZ, wantLog := mean(lawOf(t, e.Estimate))
		z, log := mean(lawOf(t, planted.NewNested(m, o).Estimate))
		if math.Abs(z-wantZ) > 1e-13 || math.Abs(log-wantLog) > 1e-13 {
			t.Errorf("%d particles: E Z-hat = %v and E log Z-hat = %v, want %v and %v", particles, z, log, wantZ, wantLog)
		}
		bugs := map[string]func(*planted.Nested){"volume": planted.VolumeByK}
		if particles == 3 {
			bugs["likeliest"] = planted.CopyOfLikeliest
		} else {
			bugs["moves out"] = planted.MovesOut
		}
		for name, bug := range bugs {
			with := planted.NewNested(m, o)
			bug(with)
			if _, log := mean(lawOf(t, with.Estimate)); math.Abs(log-wantLog) < 1e-3 {
				t.Errorf("%d particles, %s: E log Z-hat = %v as without the bug", particles, name, log)
			}
		}
	}
}

// TestModelWithoutABug draws as the model that it is made of, and each bug changes a law.
func TestModelWithoutABug(t *testing.T) {
	m := line(t)
	reverse := func(m estimators.Model[chains.Chooser, int]) float64 {
		e := longtest.Sure(estimators.NewReverseAnnealed(m, []chains.Place{chains.At(0), chains.At(0.5), chains.At(1)}))
		_, log := mean(lawOf(t, e.Estimate))
		return log
	}
	want := reverse(m)
	if got := reverse(planted.NewModel(m)); got != want {
		t.Errorf("E log Z-hat = %v, want %v", got, want)
	}
	for name, bug := range map[string]func(*planted.Model){"prior": planted.PriorForPosterior, "no reversal": planted.NoReversal} {
		with := planted.NewModel(m)
		bug(with)
		if got := reverse(with); math.Abs(got-want) < 1e-3 {
			t.Errorf("%s: E log Z-hat = %v as without the bug", name, got)
		}
	}
}

// TestOtherSideAnnealed: with two places E Z-hat is the mean of f_T/f_1 at draws that have moved under f_T.
func TestOtherSideAnnealed(t *testing.T) {
	m := line(t)
	places := []chains.Place{chains.At(0), chains.At(1)}
	z, _ := mean(lawOf(t, planted.OtherSideAnnealed[chains.Chooser, int]{Of: m, Places: places}.Estimate))
	want := lawOf(t, func(c chains.Chooser) float64 { return float64(m.Move(c, chains.At(1), m.Prior(c))) }).Mean(func(x float64) float64 {
		return math.Exp(m.LogLikelihood(chains.At(1), int(x)))
	})
	if math.Abs(z-want) > 1e-14 {
		t.Errorf("E Z-hat = %v, want %v", z, want)
	}
}
