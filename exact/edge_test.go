package exact_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"sync/atomic"
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
		if _, err := exact.Solve(context.Background(), exacttest.Build(t, nil, g, schedules.Linear{}, k, 50), exact.Options{}); err == nil ||
			!strings.Contains(err.Error(), "spans") {
			t.Errorf("%v: error %v", g, err)
		}
	}
	if _, err := paths.NewGeometric([]float64{-1e308, 0}, []float64{1e308, 0}); err == nil {
		t.Error("a slope of 2e308 is accepted")
	}
}

func TestOneState(t *testing.T) {
	s := exacttest.Solve(t, exacttest.Build(t, nil, []float64{3}, schedules.Linear{}, kernels.Metropolis{Space: grid.MustNew(1)}, 10))
	if s.J != 0 || s.B != 0 || s.LogZRatio != 3 || s.MeanLogWForward != 3 || s.Notes != nil {
		t.Errorf("%+v", s)
	}
}

// TestWhatCancels solves a path whose two ends are the same distribution, and which leads thousands
// of nats away from it and back. A chain that never moves then has B = 0 exactly. The B that is
// computed is only rounding and may be below zero; a note must say so, and Check must allow for it.
func TestWhatCancels(t *testing.T) {
	g, middle := make([]float64, 9), make([]float64, 9)
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
			t.Errorf("T = %d: expected log weights %v and %v, error %v", T, s.MeanLogWForward, s.MeanLogWReverse, s.ErrorLogW)
		}
		if bad := exacttest.Failing(t, a, s); bad != nil {
			t.Errorf("T = %d: %v do not hold", T, bad)
		}
	}
}

// cancelling is a kernel that ends a context at its k-th row or move, and counts those that it is
// asked for.
type cancelling struct {
	kernels.Metropolis
	at     int64
	cancel context.CancelFunc
	calls  *atomic.Int64 // several goroutines may ask
}

func (k cancelling) count() {
	if k.calls.Add(1) == k.at {
		k.cancel()
	}
}

func (k cancelling) AppendRow(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	k.count()
	return k.Metropolis.AppendRow(dst, logf, x)
}

func (k cancelling) Move(c chains.Chooser, logf []float64, x int) int {
	k.count()
	return k.Metropolis.Move(c, logf, x)
}

// TestInterruptedWithinAStage: if the context ends within the rows of a stage, nothing goes on for
// more than a row or a run of Move, whatever is computed and however the kernel is made of others.
func TestInterruptedWithinAStage(t *testing.T) {
	const side, at = 20, 150 // of 400 rows
	space := grid.MustNew(side, side)
	g := make([]float64, space.States())
	for x := range g {
		g[x] = float64(x%7) / 3
	}
	path := longtest.Must(paths.NewGeometric(nil, g))(t)
	kinds := map[string]func(k cancelling) chains.Kernel{
		"rows":     func(k cancelling) chains.Kernel { return k },
		"moves":    func(k cancelling) chains.Kernel { return exacttest.MoveOnly{Kernel: k} },
		"repeat":   func(k cancelling) chains.Kernel { return kernels.Repeat(3, k) },
		"lazy":     func(k cancelling) chains.Kernel { return kernels.Lazy(0.5, k) },
		"sequence": func(k cancelling) chains.Kernel { return kernels.Lazy(0.5, kernels.Palindrome(kernels.Stay{}, k)) },
	}
	for kind, kernel := range kinds {
		ctx, cancel := context.WithCancel(context.Background())
		calls := new(atomic.Int64)
		a := longtest.Must(chains.NewAnnealing(path, schedules.Linear{}, kernel(cancelling{kernels.Metropolis{Space: space}, at, cancel, calls}), 3))(t)
		if _, err := exact.Solve(ctx, a, exact.Options{}); !errors.Is(err, context.Canceled) || calls.Load() > 2*at {
			t.Errorf("%s: %v after %d rows or moves; the context ended at %d", kind, err, calls.Load(), at)
		}
		cancel()
	}
}

// TestPartsBeyondFloat64: mass that moves through a state of probability exp(-2000) has a
// probability below what float64 holds in both directions, and none in a product of rows. The
// number was computed with 60 digits.
func TestPartsBeyondFloat64(t *testing.T) {
	space := grid.MustNew(3, 4)
	initial, target := make([]float64, 12), make([]float64, 12)
	initial[9], target[9], target[7] = 2000, 2000, 2000
	k := longtest.Must(kernels.Parse("heatbath-scan", space))(t)
	const want = 999.1041202653859724995937613208
	if s := exacttest.Solve(t, exacttest.Build(t, initial, target, schedules.Linear{}, k, 2)); !(math.Abs(s.J-want) <= 1e-12*want) {
		t.Errorf("J is %v, want %v", s.J, want)
	}
}
