package exact_test

import (
	"context"
	"errors"
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
)

// cancelling is a kernel that ends a context at its k-th row or move, and counts those that it is asked for.
type cancelling struct {
	kernels.Metropolis
	at     int64
	cancel context.CancelFunc
	asked  *atomic.Int64 // several goroutines may ask
}

func (k cancelling) count() {
	if k.asked.Add(1) == k.at {
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

// TestInterruptedWithinAStage: where the context ends within the rows of a stage, nothing goes on for more than a row
// or a run of Move, whatever is computed and however the kernel is made of others.
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
			asked := new(atomic.Int64)
			a := longtest.Must(chains.NewAnnealing(path, schedules.Linear{}, kernel(cancelling{kernels.Metropolis{Space: space}, at, cancel, asked}), 3))(t)
			if err := compute(ctx, a); !errors.Is(err, context.Canceled) || asked.Load() > 2*at {
				t.Errorf("%s by %s: %v after %d rows or moves; the context ended at %d", what, kind, err, asked.Load(), at)
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
