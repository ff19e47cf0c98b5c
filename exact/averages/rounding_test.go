package averages_test

import (
	"context"
	"math"
	"math/big"
	"testing"

	"breadboard/exact/averages"
	"breadboard/grid/longtest"
)

// wide is a number of 400 bits.
func wide(v float64) *big.Float { return new(big.Float).SetPrec(400).SetFloat64(v) }

func wideProduct(a, b *big.Float) *big.Float { return wide(0).Mul(a, b) }

// wideChain is a chain on a line in numbers of 400 bits, which has the probabilities to move to a neighbour in common with a chain in
// float64. What remains is the probability to stay, and its law and its function follow from them.
type wideChain struct {
	n      int
	matrix []*big.Float // takes (1, V, W) from N samples to N + 1; see widely
	p      []*big.Float
}

// widely returns that chain. With D the diagonal matrix of h, E[1], V = E[S | x_1] and W = E[S^2 | x_1] follow (1, V, W) -> (T 1, D T 1 +
// T V, D^2 T 1 + 2 D T V + T W), which is one matrix of which powers are taken.
func widely(c *averages.Chain, g []float64) *wideChain {
	n := c.States()
	w := &wideChain{n: n, matrix: make([]*big.Float, 9*n*n), p: make([]*big.Float, n)}
	total := wide(0)
	for x := range n {
		w.p[x] = wide(1)
		if x > 0 { // detailed balance
			w.p[x] = wideProduct(w.p[x-1], wide(0).Quo(wide(c.Rows.At(x-1, x)), wide(c.Rows.At(x, x-1))))
		}
		total.Add(total, w.p[x])
	}
	mean, square := wide(0), wide(0)
	for x := range n {
		w.p[x].Quo(w.p[x], total)
		mean.Add(mean, wideProduct(w.p[x], wide(g[x])))
	}
	h := make([]*big.Float, n)
	for x := range n {
		h[x] = wide(0).Sub(wide(g[x]), mean)
		square.Add(square, wideProduct(w.p[x], wideProduct(h[x], h[x])))
	}
	for i := range w.matrix {
		w.matrix[i] = wide(0)
	}
	for x := range n {
		h[x].Quo(h[x], wide(0).Sqrt(square))
		stay := wide(1)
		for y := range n {
			if y != x {
				stay.Sub(stay, wide(c.Rows.At(x, y)))
			}
		}
		for y := range n {
			t := wide(c.Rows.At(x, y))
			if y == x {
				t = stay
			}
			once := wideProduct(h[x], t)
			for k := range 3 {
				w.matrix[(k*n+x)*3*n+k*n+y] = t
			}
			w.matrix[(n+x)*3*n+y] = once
			w.matrix[(2*n+x)*3*n+y] = wideProduct(h[x], once)
			w.matrix[(2*n+x)*3*n+n+y] = wideProduct(wide(2), once)
		}
	}
	return w
}

// square replaces the matrix by its square.
func (w *wideChain) square() {
	m := 3 * w.n
	out := make([]*big.Float, m*m)
	for i := range m {
		for j := range m {
			sum := wide(0)
			for k := range m {
				if a, b := w.matrix[i*m+k], w.matrix[k*m+j]; a.Sign() != 0 && b.Sign() != 0 {
					sum.Add(sum, wideProduct(a, b))
				}
			}
			out[i*m+j] = sum
		}
	}
	w.matrix = out
}

// meanSquares returns, for N = 1, 2, 4, ... the mean squared error of the mean from each state, and as the last from the target. These are
// the first columns of the powers, times ones.
func (w *wideChain) meanSquares(doublings int) (all [][]float64) {
	m := 3 * w.n
	for k := range doublings {
		if k > 0 {
			w.square()
		}
		out, target := make([]float64, w.n+1), wide(0)
		scale := wide(math.Ldexp(1, -2*k))
		for x := range w.n {
			sum := wide(0)
			for y := range w.n {
				sum.Add(sum, w.matrix[(2*w.n+x)*m+y])
			}
			sum.Mul(sum, scale)
			out[x], _ = sum.Float64()
			target.Add(target, wideProduct(w.p[x], sum))
		}
		out[w.n], _ = target.Float64()
		all = append(all, out)
	}
	return all
}

// TestRounding holds what is said of rounding to numbers of 400 bits, on slow chains: no error is larger than is said, and on each chain
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
		c := line(t, on.logf...)
		f := longtest.Must(c.Standardise(on.g))(t)
		doublings := 18
		if longtest.Short() {
			doublings = 10
		}
		want := widely(c, on.g).meanSquares(doublings)
		q := averages.Question{Function: f}
		for x := range c.States() {
			law := make([]float64, c.States())
			law[x] = 1
			q.Starts = append(q.Starts, law)
		}
		q.Starts = append(q.Starts, c.Target)
		for k := range doublings {
			q.N = append(q.N, 1<<k)
		}
		for _, variance := range []bool{false, true} {
			q.Variance = variance
			got := longtest.Must(c.Errors(context.Background(), q, averages.Recursion))(t)
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
		got := longtest.Must(c.Errors(context.Background(), q, averages.Lanczos))(t)
		nearly := on.lanczos
		if longtest.Short() {
			nearly = math.Inf(1)
		}
		roundingHolds(t, name+" by Lanczos", got, stationary, nearly)
	}
}

// roundingHolds compares errors with what is said of them.
func roundingHolds(t *testing.T, name string, got [][]averages.Errors, want [][]float64, nearly float64) {
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
