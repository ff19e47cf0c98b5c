package evidence

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

// lawOf returns the exact distribution of a program's result.
func lawOf(t *testing.T, f func(chains.Chooser) float64) *program.Law[float64] {
	t.Helper()
	return longtest.Sure(program.Enumerate(context.Background(), f, program.Options{}))
}

// mean returns the mean of exp(v) under a distribution, and of v.
func mean(l *program.Law[float64]) (z, log float64) {
	return l.Mean(math.Exp), l.Mean(func(v float64) float64 { return v })
}

// TestNestedWithoutABug has the distribution of the estimator of which it is a copy, and each bug
// another one.
func TestNestedWithoutABug(t *testing.T) {
	m := line(t)
	for _, particles := range []int{2, 3} {
		o := estimators.NestedOptions{
			Particles: particles,
			Ties:      estimators.TiesTogether,
			Moves:     3 - particles,
		}
		e := longtest.Sure(estimators.NewNested(m, o))
		wantZ, wantLog := mean(lawOf(t, e.Estimate))
		z, log := mean(lawOf(t, newBuggyNested(m, o).Estimate))
		if math.Abs(z-wantZ) > 1e-13 || math.Abs(log-wantLog) > 1e-13 {
			t.Errorf("%d particles: E Z-hat = %v and E log Z-hat = %v, want %v and %v", particles, z, log,
				wantZ, wantLog)
		}
		bugs := map[string]func(*buggyNested){"volume": volumeByK}
		if particles == 3 {
			bugs["likeliest"] = copyOfLikeliest
		} else {
			bugs["moves out"] = movesOut
		}
		for name, bug := range bugs {
			with := newBuggyNested(m, o)
			bug(with)
			if _, log := mean(lawOf(t, with.Estimate)); math.Abs(log-wantLog) < 1e-3 {
				t.Errorf("%d particles, %s: E log Z-hat = %v as without the bug", particles, name, log)
			}
		}
	}
}
