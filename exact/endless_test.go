package exact_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains/kernels"
	"breadboard/chains/schedules"
	"breadboard/exact"
	"breadboard/exact/internal/exacttest"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// TestEndless: what is said to be +Inf at every T is, by solving at many; and where that is not said of J although T is large enough, J is finite or
// there are states that chains do not reach. Kernels that alternate leave zeros after some moves, or go to and fro among them.
func TestEndless(t *testing.T) {
	said, unsaid := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		l := grid.MustNew(rapid.IntRange(1, 2).Draw(t, "rows"), rapid.IntRange(2, 4).Draw(t, "columns"))
		logf := func(name string) []float64 {
			f := make([]float64, l.States())
			for x := range f {
				f[x] = rapid.SampledFrom([]float64{0, 1, -700, math.Inf(-1), math.Inf(-1)}).Draw(t, name)
			}
			return f
		}
		kernel := longtest.Must(kernels.Parse(rapid.SampledFrom([]string{"metropolis", "barker", "heatbath", "heatbath-scan", "heatbath-axis:1", "flip", "moore", "repeat:2:metropolis", "lazy:0.5", "independence"}).Draw(t, "kernel"), l))(t)
		initial, target := logf("initial"), logf("target")
		initial[0], target[0] = 0, 0 // or the distributions on the way have no mass
		zeros, largest := 0, 14
		for x := range target {
			if !math.IsInf(initial[x], -1) && math.IsInf(target[x], -1) {
				zeros++
			}
		}
		var J, B [15]bool
		var infinite [15]*exact.Solution
		for T := 2; T <= largest; T++ {
			a := exacttest.Build(t, initial, target, schedules.Linear{}, kernel, T)
			infinite[T] = exacttest.Solve(t, a)
			J[T], B[T] = exact.Endless(a, infinite[T])
		}
		for T := 2; T <= largest; T++ {
			for other := 2; other <= largest; other++ {
				if s := infinite[other]; J[T] && !math.IsInf(s.J, 1) || B[T] != math.IsInf(s.B, 1) {
					t.Fatalf("%s, %v to %v: at T = %d it is said of J %v and of B %v; at %d they are %v and %v", kernel, initial, target, T, J[T], B[T], other, s.J, s.B)
				}
			}
			switch {
			case J[T]:
				said++
			case math.IsInf(infinite[T].KLQP, 1) && T > zeros:
				t.Fatalf("%s, %v to %v: at T = %d nothing is said of KL(q||p) = +Inf", kernel, initial, target, T)
			case math.IsInf(infinite[T].KLQP, 1):
				unsaid++
			}
		}
	})
	if !testing.Short() && (said == 0 || unsaid == 0) {
		t.Errorf("said %d times, and not said %d times", said, unsaid)
	}
}

// TestEndlessWaits: on a line of four whose last three states are zeros of the target a walk may stay at the end. That is known from a T with as many
// steps as there are zeros, and the heat bath leaves them at once.
func TestEndlessWaits(t *testing.T) {
	l, no := grid.MustNew(1, 4), math.Inf(-1)
	start, target := []float64{0, 0, 0, 0}, []float64{0, no, no, no}
	for _, c := range []struct {
		kernel string
		T      int
		want   bool
	}{{"metropolis", 3, false}, {"metropolis", 4, true}, {"heatbath-axis:1", 4, false}} {
		a := exacttest.Build(t, start, target, schedules.Linear{}, longtest.Must(kernels.Parse(c.kernel, l))(t), c.T)
		if J, B := exact.Endless(a, exacttest.Solve(t, a)); J != c.want || !B {
			t.Errorf("%+v: %v %v", c, J, B)
		}
	}
	stays := exacttest.Build(t, start, target, exacttest.Points(t, 0, 0, 0, 0, 1), longtest.Must(kernels.Parse("metropolis", l))(t), 5)
	if J, _ := exact.Endless(stays, exacttest.Solve(t, stays)); J { // three of its four steps are made before there are zeros
		t.Error("steps at a beta of zero count")
	}
}
