package averages

import (
	"context"
	"math"
	"testing"

	"breadboard/chains/kernels"
	"breadboard/exact/internal/powers"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// wideMeanSquares returns, for N = 1, 2, 4, ... the mean squared error of the mean of a function from each start, in 240 bits.
func wideMeanSquares(c *Chain, g []float64, starts [][]float64, doublings int) (all [][]float64) {
	T := wideTransitions(powers.New(c.Rows))
	w := newWideSeries(T, wideStandard(T, g), 2)
	for k := range doublings {
		if k > 0 {
			w = w.square()
		}
		var out []float64
		for _, start := range starts {
			out = append(out, w.errors(start, 1<<k)[1])
		}
		all = append(all, out)
	}
	return all
}

// TestRounding holds what is said of rounding to numbers of 240 bits, on slow chains: no error is larger than is said, and on each chain
// the largest comes within a factor of what is said where the function sees what is slow.
func TestRounding(t *testing.T) {
	for name, on := range map[string]struct {
		logf, g []float64
		// Of what is said, the largest error is at least one part in so many, by the recursion and by Lanczos.
		nearly, lanczos float64
	}{
		"barrier":  {[]float64{0.1, -11, 0.4}, []float64{0, 1, 2}, 20, math.Inf(1)},
		"barriers": {[]float64{0.1, 0.2, -7, 0.4, -9.5, 0.3, 0.7}, []float64{0, 1, 2, 3, 4, 5, 6}, 120, 400},
		"fast":     {[]float64{0, 0.5, 0.2, 1}, []float64{3, 1, 4, 1}, 40, 100},
		// This function does not see the barrier, and what is said supposes that rounding does.
		"symmetric": {[]float64{0, 0.3, -10, 0.3, 0}, []float64{1, 0, 0, 0, 1}, math.Inf(1), math.Inf(1)},
	} {
		c := longtest.Must(New(t.Context(), kernels.Metropolis{Space: grid.MustNew(len(on.logf))}, on.logf))(t)
		f := longtest.Must(c.Standardise(on.g))(t)
		doublings := 18
		if longtest.Short() {
			doublings = 10
		}
		q := Question{Function: f}
		for x := range c.States() {
			q.Starts = append(q.Starts, startOf(c, x))
		}
		q.Starts = append(q.Starts, c.Target)
		want := wideMeanSquares(c, on.g, q.Starts, doublings)
		for k := range doublings {
			q.N = append(q.N, 1<<k)
		}
		for _, variance := range []bool{false, true} {
			q.Variance = variance
			got := longtest.Must(c.Errors(context.Background(), q, Recursion))(t)
			nearly := on.nearly
			if variance {
				nearly = math.Inf(1) // what is said is of the variance then, which has no reference here
			}
			roundingHolds(t, name, got, want, nearly)
		}
		stationary := make([][]float64, doublings)
		for k := range want {
			stationary[k] = want[k][c.States():]
		}
		q.Variance, q.Starts = false, [][]float64{c.Target}
		got := longtest.Must(c.Errors(context.Background(), q, Lanczos))(t)
		nearly := on.lanczos
		if longtest.Short() {
			nearly = math.Inf(1)
		}
		roundingHolds(t, name+" by Lanczos", got, stationary, nearly)
	}
}

// roundingHolds compares errors with what is said of them.
func roundingHolds(t *testing.T, name string, got [][]Errors, want [][]float64, nearly float64) {
	t.Helper()
	largest, said := 0.0, 0.0
	for i := range got {
		for k, e := range got[i] {
			off := math.Abs(e.MSE/want[k][i] - 1)
			if !(off <= e.Rounding) {
				t.Errorf("%s, start %d, N = %d: off by %.3g, and %.3g is said", name, i, e.N, off, e.Rounding)
			}
			largest, said = max(largest, off), max(said, e.Rounding)
		}
	}
	if largest < said/nearly {
		t.Errorf("%s: no error is above %.3g, and %.3g is said", name, largest, said)
	}
}
