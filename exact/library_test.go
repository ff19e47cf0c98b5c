package exact_test

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
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// library returns selectors of every kernel, simple and combined.
func library() []string {
	return []string{
		"metropolis", "moore", "flip", "barker", "jump:0.05", "jump:0", "jump:1", "independence", "heatbath", "heatbath-axis:0", "heatbath-scan",
		"suwa-todo", "suwa-todo-axis:0", "stay", "lazy:0.5", "lazy:0.25:suwa-todo", "repeat:3:metropolis", "repeat:2:heatbath-scan",
		"compose:metropolis+heatbath", "palindrome:metropolis+heatbath", "palindrome:suwa-todo+barker",
		"mixture:1*metropolis+3*heatbath-scan", "mixture:0.5*barker+0.5*jump:0.1", "lazy:0.1:compose:moore+barker",
	}
}

// TestLibraryRows checks every kernel of the library on random spaces: enumerated rows are the closed forms, the
// distribution is invariant, and the time reversal is one.
func TestLibraryRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := exacttest.SmallLattice(t, 12)
		logf := exacttest.DrawLogF(t, "log f", l.States(), true)
		selector := rapid.SampledFrom(library()).Draw(t, "kernel")
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
				p := rows.At(x, y)
				// Combined kernels add up hundreds of branches.
				if w := walked.At(x, y); math.Abs(p-w) > 1e-15 && (!strings.ContainsAny(selector, "+23") || math.Abs(p-w) > 1e-13) {
					t.Fatalf("%s: T(%d,%d) = %v, enumerated %v", selector, x, y, p, w)
				}
				moved[y] += math.Exp(logf[x]) * p
				there, back := math.Exp(logf[x])*p, math.Exp(logf[y])*reversal.At(y, x)
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

// TestLibrarySolves solves with every kernel and checks all identities.
func TestLibrarySolves(t *testing.T) {
	longtest.NotShort(t)
	for _, selector := range library() {
		for _, toy := range []string{"easy", "hard", "barrier"} {
			if selector == "compose:metropolis+heatbath" && toy == "hard" {
				continue
			}
			a := exacttest.Annealing(t, toy, "linear", selector, exacttest.Longest(4, 12, 25))
			if bad := exacttest.Failing(t, a, exacttest.Solve(t, a)); bad != nil {
				t.Errorf("%s on %s: %v do not hold", selector, toy, bad)
			}
		}
	}
}

// TestRejectionFree: on a line where no state has half of the mass, Suwa and Todo's kernel never stays at a state.
func TestRejectionFree(t *testing.T) {
	k := kernels.SuwaTodoAxis{Space: grid.MustNew(5), Axis: 0}
	rows := longtest.Must(kernel.NewRows(context.Background(), k, []float64{0, 0.3, -0.2, 0.5, 0.1}))(t)
	for x := range 5 {
		if p := rows.At(x, x); p != 0 {
			t.Errorf("state %d stays with probability %v", x, p)
		}
	}
}
