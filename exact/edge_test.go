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
	"breadboard/exact/gradient"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/kernel"
	"breadboard/exact/stages"
	"breadboard/exact/weights"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

// TestConstantsInG adds constants to g that are far larger than its range: they change log Z and
// log w alone.
func TestConstantsInG(t *testing.T) {
	l := grid.MustNew(4, 4)
	for _, offset := range []float64{16384, -1 << 20, 1 << 30} {
		g, raised := make([]float64, 16), make([]float64, 16)
		for i := range g {
			g[i] = math.Round(192*math.Sin(float64(i*i+1))) / 64
			raised[i] = g[i] + offset // exact: both are multiples of 1/64
		}
		for _, T := range []int{100, exacttest.Longest(300, 1000, 3000)} {
			for _, k := range []chains.Kernel{kernels.Metropolis{Space: l}, kernels.Barker{Space: l}} {
				want := exacttest.Solve(t, exacttest.Build(t, nil, g, schedules.Linear{}, k, T))
				a := exacttest.Build(t, nil, raised, schedules.Linear{}, k, T)
				got := exacttest.Solve(t, a)
				if !exacttest.Same(got.J, want.J, 1e-14, want.J) || !exacttest.Same(got.B, want.B, 1e-14, want.B) {
					t.Errorf("%v, T = %d, g + %v: J %v, B %v; without %v, %v", k, T, offset, got.J, got.B, want.J, want.B)
				}
				if d := got.MeanLogWForward - want.MeanLogWForward - offset; math.Abs(d) > 1e-15*math.Abs(offset) {
					t.Errorf("%v, T = %d, g + %v: E_fwd[log w] is off by %v", k, T, offset, d)
				}
				if bad := exacttest.Failing(t, a, got); bad != nil {
					t.Errorf("%v, T = %d, g + %v: %v do not hold", k, T, offset, bad)
				}
			}
		}
	}
}

// TestRepeatedBetasAtZeros: if two stages are at one end of the path, a state that is zero at the
// other end has a ratio of 1, and not 0 times infinity.
func TestRepeatedBetasAtZeros(t *testing.T) {
	inf := math.Inf(-1)
	l := grid.MustNew(2, 2)
	k := kernels.Metropolis{Space: l}
	target, initial := []float64{0, 1, inf, 2}, []float64{inf, 0, 0, 1}
	two := exacttest.Solve(t, exacttest.Build(t, nil, target, exacttest.Points(t, 0, 1), k, 2))
	for name, a := range map[string]*chains.Annealing{
		"zeros of the target":       exacttest.Build(t, nil, target, exacttest.Points(t, 0, 0, 1), k, 3),
		"underflow":                 exacttest.Build(t, nil, target, schedules.Power{P: 100}, k, 3000),
		"zeros of the start":        exacttest.Build(t, initial, []float64{0, 1, 1, 2}, exacttest.Points(t, 0, 0.5, 1, 1), k, 4),
		"betas that round to one":   exacttest.Build(t, initial, []float64{0, 1, 1, 2}, schedules.Sigmoid{Delta: 100}, k, 100),
		"zeros of both, both twice": exacttest.Build(t, initial, target, exacttest.Points(t, 0, 0, 0.3, 1, 1), k, 5),
	} {
		s := exacttest.Solve(t, a)
		if bad := exacttest.Failing(t, a, s); bad != nil {
			t.Errorf("%s: %v do not hold", name, bad)
		}
		if name == "zeros of the target" && !exacttest.Same(s.KLPQ, two.KLPQ, 1e-15, 1) {
			t.Errorf("a move more at the uniform start, which it leaves as it is: KL(p||q) %v, without it %v", s.KLPQ, two.KLPQ)
		}
	}
}

// TestChecksOfInfinitiesCanFail gives Check made-up finite numbers where the true ones are
// infinite.
func TestChecksOfInfinitiesCanFail(t *testing.T) {
	inf := math.Inf(-1)
	a := exacttest.Build(t, nil, []float64{1, inf, inf}, schedules.Linear{}, kernels.Metropolis{Space: grid.MustNew(1, 3)}, 4)
	s := exacttest.Solve(t, a)
	if bad := exacttest.Failing(t, a, s); bad != nil {
		t.Errorf("%v do not hold", bad)
	}
	s.J, s.B, s.MeanLogWForward, s.LogZRatio = 1, 2, 5, 17
	if bad := exacttest.Failing(t, a, s); len(bad) < 5 {
		t.Errorf("of made-up numbers only %v do not hold", bad)
	}
}

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

func TestProgressOfCheck(t *testing.T) {
	longtest.Only(t)
	a := exacttest.Annealing(t, "easy", "linear", "metropolis", 1001)
	total := 0
	if _, err := exact.Check(context.Background(), a, exacttest.Solve(t, a), func(n int) { total += n }); err != nil || total != 3*1000 {
		t.Errorf("progress adds up to %d steps of %d (%v)", total, 3*1000, err)
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

// TestClassesOfWideRange: on classes the method without rows goes on up to 700 nats, as those of
// 2^1000 spins span, and agrees with the method of rows, for which no range is too wide.
func TestClassesOfWideRange(t *testing.T) {
	longtest.Only(t)
	for toy, method := range map[string]exact.Method{
		"curie-weiss:1000:0.5": exact.MethodApplied, "weight:1010:needle:3": exact.MethodApplied, "weight:1020:needle:3": exact.MethodGeneral,
	} {
		y := longtest.Must(toys.Parse(toy))(t)
		a := exacttest.Build(t, y.Members, y.G, schedules.Linear{}, longtest.Must(kernels.Parse("repeat:2:lazy:0.1:flip", y.Space))(t), 70)
		got, want := exacttest.Solve(t, a), exacttest.SolveWith(t, a, exact.Options{General: true})
		if got.Method != method {
			t.Errorf("%s: method %s, not %s", toy, got.Method, method)
		}
		for name, v := range map[string][2]float64{"J": {got.J, want.J}, "B": {got.B, want.B}, "kl_q_p": {got.KLQP, want.KLQP}, "kl_p_q": {got.KLPQ, want.KLPQ}} {
			if !(math.Abs(v[0]-v[1]) <= 1e-12*v[1]) {
				t.Errorf("%s: %s is %v, and %v by rows", toy, name, v[0], v[1])
			}
		}
		if failing := exacttest.Failing(t, a, got); len(failing) > 0 {
			t.Errorf("%s: %v do not hold", toy, failing)
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
	computed := map[string]func(ctx context.Context, a *chains.Annealing) error{
		"Solve": func(ctx context.Context, a *chains.Annealing) error {
			_, err := exact.Solve(ctx, a, exact.Options{})
			return err
		},
		"Gap": func(ctx context.Context, a *chains.Annealing) error {
			_, err := stages.GapByStage(ctx, a, nil)
			return err
		},
		"Law": func(ctx context.Context, a *chains.Annealing) error {
			_, err := weights.LawsOf(ctx, a, weights.Options{})
			return err
		},
		"Gradient": func(ctx context.Context, a *chains.Annealing) error {
			_, err := gradient.Differentiate(ctx, a, gradient.ObjectiveB, gradient.Options{})
			return err
		},
		"Moments": func(ctx context.Context, a *chains.Annealing) error {
			_, err := weights.CumulantsOf(ctx, a, chains.Reverse)
			return err
		},
		"Diagnose": func(ctx context.Context, a *chains.Annealing) error {
			_, err := kernel.Diagnose(ctx, a.Kernel(), g)
			return err
		},
		"Friction": func(ctx context.Context, a *chains.Annealing) error {
			_, err := stages.Friction(ctx, a.Path(), a.Kernel(), 0.5)
			return err
		},
	}
	for kind, kernel := range kinds {
		for what, compute := range computed {
			ctx, cancel := context.WithCancel(context.Background())
			calls := new(atomic.Int64)
			a := longtest.Must(chains.NewAnnealing(path, schedules.Linear{}, kernel(cancelling{kernels.Metropolis{Space: space}, at, cancel, calls}), 3))(t)
			if err := compute(ctx, a); !errors.Is(err, context.Canceled) || calls.Load() > 2*at {
				t.Errorf("%s by %s: %v after %d rows or moves; the context ended at %d", what, kind, err, calls.Load(), at)
			}
			cancel()
		}
	}
}

// TestLongProductsAreInterrupted: the context is looked at within the one row of 10,000 repeats.
func TestLongProductsAreInterrupted(t *testing.T) {
	ctx := longtest.EndsAfter(5)
	_, err := kernel.NewRows(ctx, kernels.Repeat(10_000, kernels.Metropolis{Space: grid.MustNew(7, 7)}), make([]float64, 49))
	if !errors.Is(err, context.Canceled) || ctx.Looks() != 1 {
		t.Errorf("%v, looked at %d times after its end", err, ctx.Looks())
	}
}
