package weights

import (
	"math"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// TestSpread compares the spread by operators with that by rows, for kernels of all kinds,
// schedules with equal steps and with others, more stages than f is followed for, and targets that
// are flat, nearly so, steep, and those with zeros or of too wide a range, which are left to the
// rows.
func TestSpread(t *testing.T) {
	space := grid.MustNew(3, 2, 2)
	target := func(span float64) []float64 {
		logf := make([]float64, space.States())
		for x := range logf {
			logf[x] = span * math.Sin(float64(3*x*x+1))
		}
		return logf
	}
	zeros := target(3)
	zeros[4] = math.Inf(-1)
	names := []string{"metropolis", "compose:metropolis+independence", "barker", "heatbath-scan", "suwa-todo",
		"lazy:0.3:flip", "repeat:40:heatbath", "stay"}
	if !longtest.Enabled() {
		names = names[:2]
	}
	for _, name := range names {
		k := longtest.Must(kernels.Parse(name, space))(t)
		for i, g := range [][]float64{
			target(0), target(1e-13), target(3), target(37), zeros, target(400), target(1500)} {
			for _, schedule := range []chains.Schedule{schedules.Linear{}, schedules.Power{P: 2}} {
				a := longtest.Must(chains.NewAnnealing(
					longtest.Must(paths.NewGeometric(target(1), g))(t),
					schedule,
					k,
					70,
				))(t)
				for _, d := range []chains.Direction{chains.Forward, chains.Reverse} {
					got, applies, err := appliedSpread(t.Context(), a, d)
					longtest.NoError(t, err)
					if want := i < 4; applies != want && i != 5 {
						t.Fatalf("%s, target %d: by operators %v", name, i, applies)
					}
					if !applies {
						got = longtest.Must(SpreadOf(t.Context(), a, d))(t)
					}
					power := []float64{1, 2}
					if d == chains.Reverse {
						power = []float64{-1, -2}
					}
					c, l, err := CumulantsAndCGF(t.Context(), a, d, power)
					longtest.NoError(t, err)
					for _, v := range [][2]float64{{got.Variance, c.Variance}, {got.LogMean, l[0]},
						{got.Relative, math.Expm1(l[1] - 2*l[0])}} {
						if !(math.Abs(v[0]-v[1]) <= 1e-11*(1+math.Abs(v[1]))*max(1, math.Abs(l[1]))) &&
							!(math.IsNaN(v[0]) && math.IsNaN(v[1])) && v[0] != v[1] {
							t.Errorf("%s, target %d, %s: %v, by rows %v %v %v", name, i, d, got, c.Variance,
								l[0], math.Expm1(l[1]-2*l[0]))
							break
						}
					}
				}
			}
		}
	}
}

// TestSmallSpread: the relative variance of nearly equal weights has digits: that of w is 1/4 of
// the square of the span of two states, but for a part of the span.
func TestSmallSpread(t *testing.T) {
	for _, span := range []float64{1e-3, 1e-5, 1e-7, 1e-10} {
		path := longtest.Must(paths.NewGeometric(nil, []float64{0, span}))(t)
		a := longtest.Must(chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: grid.MustNew(2)}, 2))(t)
		for _, d := range []chains.Direction{chains.Forward, chains.Reverse} {
			got := longtest.Must(SpreadOf(t.Context(), a, d))(t)
			if want := span * span / 4; !(math.Abs(got.Relative-want) <= want*(span*span+1e-5)) {
				t.Errorf("span %v, %v: %v, want %v", span, d, got.Relative, want)
			}
		}
	}
}
