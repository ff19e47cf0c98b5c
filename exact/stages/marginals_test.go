package stages_test

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/kernel"
	"breadboard/exact/stages"
	"breadboard/grid/longtest"
)

// TestMarginalsBruteForce compares the marginals of both chains at every stage with plain matrix products.
func TestMarginalsBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := exacttest.Problem(t, 12, 8)
		n, T := a.States(), a.Distributions()
		all := make([]int, T)
		for i := range all {
			all[i] = T - i
		}
		got := longtest.Must(stages.Marginals(context.Background(), a, all))(t)
		logf := make([]float64, n)
		rows := func(k chains.Kernel, i int) *kernel.Rows {
			a.LogF(logf, i)
			return longtest.Must(kernel.NewRows(context.Background(), k, logf))(t)
		}
		reversal := a.Kernel()
		if r, ok := reversal.(chains.Reverser); ok {
			reversal = r.Reversal()
		}
		q := stages.Distribution(a.Path(), 0)
		for i := 1; i <= T; i++ {
			if i > 1 {
				q = exacttest.PushRows(q, rows(a.Kernel(), i))
			}
			equal(t, "forward", i, got[T-i].Forward, q)
			equal(t, "p", i, got[T-i].P, stages.Distribution(a.Path(), a.Beta(i)))
		}
		q = stages.Distribution(a.Path(), 1)
		for i := T; i >= 1; i-- {
			equal(t, "reverse", i, got[T-i].Reverse, q)
			if i > 1 {
				q = exacttest.PushRows(q, rows(reversal, i))
			}
		}
	})
}

func equal(t *rapid.T, what string, stage int, got, want []float64) {
	for x := range want {
		if math.Abs(got[x]-want[x]) > 1e-13 {
			t.Fatalf("%s, stage %d: state %d has %v, want %v", what, stage, x, got[x], want[x])
		}
	}
}

func TestMarginalsErrors(t *testing.T) {
	a := exacttest.Annealing(t, "easy", "linear", "metropolis", 10)
	for _, stage := range []int{0, 11, -1} {
		if _, err := stages.Marginals(context.Background(), a, []int{stage}); err == nil {
			t.Errorf("stage %d is accepted", stage)
		}
	}
}
