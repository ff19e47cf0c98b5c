package exact_test

import (
	"context"
	"math"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact"
	"breadboard/exact/internal/exacttest"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// TestChecksAreNoFalseAlarms solves problems on which Check must allow for rounding. Six times 1/6
// is less than one in floating point, and probabilities that are pushed through such rows lose that
// much at every stage.
func TestChecksAreNoFalseAlarms(t *testing.T) {
	a := exacttest.Annealing(t, "random:30:2:3x3x3", "linear", "metropolis", exacttest.Longest(2000, 10_000, 20_000))
	if bad := exacttest.Failing(t, a, exacttest.Solve(t, a)); bad != nil {
		t.Errorf("%v do not hold", bad)
	}
	still := exacttest.MoveFunc(func(_ chains.Chooser, _ []float64, x int) int { return x })
	for _, g := range [][]float64{{0, 1000, 3000}, {0, 1.3, 7777.7}} {
		a := exacttest.Build(t, nil, g, schedules.Linear{}, still, 57)
		s := exacttest.Solve(t, a)
		if bad := exacttest.Failing(t, a, s); bad != nil || !exacttest.Same(s.J, s.B, 1e-12, s.J) {
			t.Errorf("a kernel that never moves has J = %v, B = %v; %v do not hold", s.J, s.B, bad)
		}
	}
}

func TestAbsurdRangesAreRefused(t *testing.T) {
	k := kernels.Metropolis{Space: grid.MustNew(1, 3)}
	for _, g := range [][]float64{{0, 1e200, -1e200}, {0, 1e5, -1e5}, {0, 1e20, 3}} {
		longtest.Refuses(exact.Solve(context.Background(), exacttest.Build(t, nil, g, schedules.Linear{}, k, 50),
			exact.Options{}))(t, "spans", g)
	}
	if _, err := paths.NewGeometric([]float64{-1e308, 0}, []float64{1e308, 0}); err == nil {
		t.Error("a slope of 2e308 is accepted")
	}
}

func TestOneState(t *testing.T) {
	s := exacttest.Solve(t, exacttest.Build(
		t,
		nil,
		[]float64{3},
		schedules.Linear{},
		kernels.Metropolis{Space: grid.MustNew(1)},
		10,
	))
	if s.J != 0 || s.B != 0 || s.LogZRatio != 3 || s.MeanLogWForward != 3 || s.Notes != nil {
		t.Errorf("%+v", s)
	}
}

// TestWhatCancels solves a path whose two ends are the same distribution, and which leads thousands
// of nats away from it and back. A chain that never moves then has B = 0 exactly. The B that is
// computed is only rounding and may be below zero; a note must say so, and Check must allow for it.
func TestWhatCancels(t *testing.T) {
	g := make([]float64, 9)
	middle := make([]float64, 9)
	for x := range g {
		g[x], middle[x] = math.Cos(float64(x)), 4000*math.Sin(float64(x))
	}
	path := longtest.Must(paths.NewPiecewise("via", g, middle, g, 0.5))(t)
	for _, T := range []int{3, 4, 5, 10} {
		a := longtest.Must(chains.NewAnnealing(path, schedules.Linear{}, kernels.Stay{}, T))(t)
		s := exacttest.Solve(t, a)
		if s.Numbers().B.Known() || !(math.Abs(s.B) <= s.ErrorB) || !(s.ErrorB < 1e-6) {
			t.Errorf("T = %d: B = %v, error %v, notes %q", T, s.B, s.ErrorB, s.Notes)
		}
		if math.Abs(s.MeanLogWForward) > s.ErrorLogW || math.Abs(s.MeanLogWReverse) > s.ErrorLogW {
			t.Errorf("T = %d: expected log weights %v and %v, error %v", T, s.MeanLogWForward,
				s.MeanLogWReverse, s.ErrorLogW)
		}
		if bad := exacttest.Failing(t, a, s); bad != nil {
			t.Errorf("T = %d: %v do not hold", T, bad)
		}
	}
}

// TestPartsBeyondFloat64: mass that moves through a state of probability exp(-2000) has a
// probability below what float64 holds in both directions, and none in a product of rows. The
// number was computed with 60 digits.
func TestPartsBeyondFloat64(t *testing.T) {
	space := grid.MustNew(3, 4)
	initial := make([]float64, 12)
	target := make([]float64, 12)
	initial[9], target[9], target[7] = 2000, 2000, 2000
	k := longtest.Must(kernels.Parse("heatbath-scan", space))(t)
	const want = 999.1041202653859724995937613208
	if s := exacttest.Solve(t,
		exacttest.Build(t, initial, target, schedules.Linear{}, k, 2)); !(math.Abs(s.J-want) <= 1e-12*want) {
		t.Errorf("J is %v, want %v", s.J, want)
	}
}
