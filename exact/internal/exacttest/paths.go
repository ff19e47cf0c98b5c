package exacttest

import (
	"context"
	"math"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/exact/geometry"
	"breadboard/exact/kernel"
)

// EachPath calls f once for every path that either chain can take, with its probability under the forward and under the
// reverse chain, its log weight and its last state. Time is O(n^T).
func EachPath(t *rapid.T, a *chains.Annealing, f func(forward, reverse, logw float64, last int)) {
	EachPathBetween(t, a, func(forward, reverse, logw float64, _, last int) { f(forward, reverse, logw, last) })
}

// EachPathBetween does what EachPath does, and gives f the first state of the path as well.
func EachPathBetween(t *rapid.T, a *chains.Annealing, f func(forward, reverse, logw float64, origin, last int)) {
	n, T := a.States(), a.Distributions()
	logf := make([][]float64, T+1)
	rows, reversed := make([]*kernel.Rows, T+1), make([]*kernel.Rows, T+1)
	for i := 1; i <= T; i++ {
		logf[i] = make([]float64, n)
		a.LogF(logf[i], i)
		var err error
		if rows[i], err = kernel.NewRows(context.Background(), a.Kernel(), logf[i]); err != nil {
			t.Fatal(err)
		}
		reversed[i] = rows[i]
		if r, ok := a.Kernel().(chains.Reverser); ok {
			if reversed[i], err = kernel.NewRows(context.Background(), r.Reversal(), logf[i]); err != nil {
				t.Fatal(err)
			}
		}
	}
	first, last := geometry.Distribution(a.Path(), 0), geometry.Distribution(a.Path(), 1)
	var walk func(i, origin, x int, forward, reverse, logw float64)
	walk = func(i, origin, x int, forward, reverse, logw float64) {
		if i == T {
			f(forward, reverse*last[x], logw, origin, x)
			return
		}
		step := logf[i+1][x] - logf[i][x]
		if math.IsNaN(step) {
			step = 0 // f is zero at both stages, which leaves the weight as it is
		}
		if math.IsInf(logw, 0) {
			step = 0
		}
		for y := range n {
			p, r := forward*rows[i+1].At(x, y), reverse*reversed[i+1].At(y, x)
			if p != 0 || r != 0 {
				walk(i+1, origin, y, p, r, logw+step)
			}
		}
	}
	for x := range n {
		walk(1, x, x, first[x], 1, 0)
	}
}
