package placement

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact"
	"breadboard/exact/gradient"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

func searchOn(t *testing.T, toy string) *search {
	t.Helper()
	y := longtest.Must(toys.Parse(toy))(t)
	path := longtest.Must(paths.NewGeometric(nil, y.G))(t)
	return &search{ctx: context.Background(), path: path, kernel: kernels.Metropolis{Space: y.Space}, objective: gradient.ObjectiveB, o: Options{Iterations: 10}}
}

// TestVanishedIncrementsComeBack: an increment of nothing between large steps comes back with a ten-thousandth of the mean
// one, as the objective is better for it, and the vector is a unit vector again.
func TestVanishedIncrementsComeBack(t *testing.T) {
	s := searchOn(t, "easy")
	theta := []float64{math.Sqrt(0.5), 0, math.Sqrt(0.5)}
	if !s.revive(theta) || s.err != nil {
		t.Fatal(theta, s.err)
	}
	if norm := floats.Norm(theta, 2); !(math.Abs(norm-1) < 1e-15) || !(math.Abs(theta[1]*theta[1]*3/1e-4-1) < 1e-3) {
		t.Errorf("%v has norm %v", theta, norm)
	}
}

// TestNothingToGainIsSmall: a B of 1e-28 is zero but for rounding, the square of one, and one of twice as much is not. Of a
// target that is flat but for e at one of two states B is about e^2/4 with two distributions.
func TestNothingToGainIsSmall(t *testing.T) {
	for e, nothing := range map[float64]bool{1.6e-14: true, 4e-14: false} {
		y := longtest.Must(toys.Parse("random:1:0:2"))(t)
		path := longtest.Must(paths.NewGeometric(nil, []float64{0, e}))(t)
		a := longtest.Must(chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: y.Space}, 2))(t)
		sol, err := exact.Solve(context.Background(), a, exact.Options{})
		if err != nil || (sol.B < 1e-28) != nothing {
			t.Fatalf("B = %v, %v", sol.B, err)
		}
		if _, err := Optimize(context.Background(), path, a.Kernel(), 2, gradient.ObjectiveB, Options{}); errors.Is(err, ErrNothingToGain) != nothing {
			t.Errorf("B = %v: %v", sol.B, err)
		}
	}
}
