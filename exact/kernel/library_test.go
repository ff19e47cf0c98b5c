package kernel_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/kernel"
	"breadboard/grid/longtest"
)

// TestLibraryRows checks every kernel of the library on random spaces: enumerated rows are the
// closed forms, the distribution is invariant, and the time reversal is one.
func TestLibraryRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := exacttest.SmallLattice(t, 12)
		logf := exacttest.DrawLogF(t, "log f", l.States(), true)
		selector := rapid.SampledFrom(exacttest.Library()).Draw(t, "kernel")
		k := longtest.Must(kernels.Parse(selector, l))(t)
		rows := longtest.Must(kernel.NewRows(context.Background(), k, logf))(t)
		if _, ok := k.(chains.Rower); !ok {
			t.Fatalf("%s has no rows in closed form", selector)
		}
		walked := longtest.Must(kernel.NewRows(context.Background(), exacttest.MoveOnly{Kernel: k}, logf))(t)
		reversal := rows
		if r, ok := k.(chains.Reverser); ok {
			reversal = longtest.Must(kernel.NewRows(context.Background(), r.Reversal(), logf))(t)
		}
		moved := make([]float64, len(logf))
		for x := range logf {
			for y := range logf {
				p := rows.EntryAt(x, y)
				// Combined kernels add up hundreds of branches.
				if w := walked.EntryAt(x, y); math.Abs(p-w) > 1e-15 &&
					(!strings.ContainsAny(selector, "+23") || math.Abs(p-w) > 1e-13) {
					t.Fatalf("%s: T(%d,%d) = %v, enumerated %v", selector, x, y, p, w)
				}
				moved[y] += math.Exp(logf[x]) * p
				there := math.Exp(logf[x]) * p
				back := math.Exp(logf[y]) * reversal.EntryAt(y, x)
				if math.Abs(there-back) > 1e-13*max(there, back)+1e-18 {
					t.Fatalf("%s: from %d to %d flows %v, and %v in the reversal", selector, x, y, there, back)
				}
			}
		}
		for y, v := range logf {
			if !exacttest.Same(moved[y], math.Exp(v), 1e-13, 500) {
				t.Fatalf("%s: state %d has mass %v, after a move %v", selector, y, math.Exp(v), moved[y])
			}
		}
	})
}
