package averages

import (
	"context"
	"math"
	"math/big"
	"testing"

	"breadboard/chains/kernels"
	"breadboard/exact/internal/powers"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

// libraryChain returns the chain of a kernel on a toy, given their selectors.
func libraryChain(t testing.TB, toy, kernel string) *Chain {
	t.Helper()
	on := longtest.Must(toys.Parse(toy))(t)
	k := longtest.Must(kernels.Parse(kernel, on.Space))(t)
	return longtest.Must(New(t.Context(), k, on.G))(t)
}

// wideMatrix is a square matrix with so many digits that rounding does not matter.
type wideMatrix [][]*big.Float

const wideBits = 240

func wide(v float64) *big.Float { return new(big.Float).SetPrec(wideBits).SetFloat64(v) }

func newWide(rows, cols int) wideMatrix {
	m := make(wideMatrix, rows)
	for i := range m {
		m[i] = make([]*big.Float, cols)
		for j := range m[i] {
			m[i][j] = wide(0)
		}
	}
	return m
}

// wideTransitions returns the transition matrix whose entries are those of m, apart from the largest of each row, which is exactly
// what the others lack of one.
func wideTransitions(m *powers.Matrix) wideMatrix {
	w := newWide(m.N, m.N)
	for x := range m.N {
		at := 0
		for y, p := range m.Row(x) {
			if p > m.Row(x)[at] {
				at = y
			}
		}
		left := wide(1)
		for y, p := range m.Row(x) {
			if y != at {
				w[x][y].SetFloat64(p)
				left.Sub(left, w[x][y])
			}
		}
		w[x][at] = left
	}
	return w
}

// times returns the product of two matrices.
func (m wideMatrix) times(b wideMatrix) wideMatrix {
	out := newWide(len(m), len(b[0]))
	term := wide(0)
	for i := range m {
		for k, v := range m[i] {
			if v.Sign() == 0 {
				continue
			}
			for j := range b[k] {
				if b[k][j].Sign() != 0 {
					out[i][j].Add(out[i][j], term.Mul(v, b[k][j]))
				}
			}
		}
	}
	return out
}

// farthest returns the largest relative difference of an entry of m from that of w.
func farthest(m *powers.Matrix, w wideMatrix) float64 {
	worst := 0.0
	for x := range m.N {
		for y, p := range m.Row(x) {
			if w[x][y].Sign() == 0 {
				worst = max(worst, p)
				continue
			}
			q, _ := new(big.Float).Quo(new(big.Float).Sub(wide(p), w[x][y]), w[x][y]).Float64()
			worst = max(worst, math.Abs(q))
		}
	}
	return worst
}

// TestPowersKeepDigits holds the powers to arithmetic of 240 bits, on chains with a spectral gap down to 1e-10.
func TestPowersKeepDigits(t *testing.T) {
	for _, test := range []struct {
		toy, kernel string
		squarings   int
		only        bool // with -long: powers of large matrices in 240 bits take seconds
	}{
		{"hard", "metropolis", 40, true}, {"barrier", "metropolis", 30, true}, {"easy", "heatbath-scan", 12, true},
		{"random:10:1:4x4", "metropolis", 40, false}, {"random:3:1:5x5", "heatbath-scan", 8, false},
	} {
		t.Run(test.toy, func(t *testing.T) {
			if test.only {
				longtest.Only(t)
			}
			t.Parallel()
			c := libraryChain(t, test.toy, test.kernel)
			m := powers.New(c.Rows)
			w, worst := wideTransitions(m), 0.0
			for k := 1; k <= test.squarings; k++ {
				next := m.Empty()
				longtest.NoError(t, next.Multiply(t.Context(), m, m))
				m, w = next, w.times(w)
				off := farthest(m, w)
				worst = max(worst, off/powers.Rounding(m.N, k))
			}
			if !(worst < 1 && worst > 0.1) {
				t.Errorf("the errors are up to %v of the estimate", worst)
			}
		})
	}
}

func TestPowersStopWithTheContext(t *testing.T) {
	c := libraryChain(t, "easy", "metropolis")
	m := powers.New(c.Rows)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := m.Empty().Multiply(ctx, m, m); err != context.Canceled {
		t.Errorf("error %v", err)
	}
}
