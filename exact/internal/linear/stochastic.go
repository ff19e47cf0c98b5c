package linear

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"breadboard/chains"
)

// Stochastic is a transition matrix with all its entries, row by row, whose small entries have
// relative digits.
//
// # Why the digits stay
//
// Every entry of a product of two such matrices is a sum of products of numbers that are not
// negative. It has the relative error of its factors and some 2^-53 for each state, however small
// it is. Without a correction the error of a power would still double with each squaring: a row
// whose entries are all too large by the same factor stays so, and its sum departs from one like
// 2^k. Therefore the largest entry of each row of a product is replaced by one minus the sum of the
// others. That entry is at least 1/n, so it loses no digits, and a row that sums to one has nothing
// in it that could grow. A chain that hardly ever leaves a set of states then has the small
// probability of leaving it to full relative accuracy in each power, and with it the spectral gap:
// the relative error of an entry of T^(2^k) is about k times that of one product, and not 2^k
// times. Xue and Ye 2013 show the same for the exponential of a matrix whose entries off the
// diagonal are not negative.
type Stochastic struct {
	N int       // the number of states
	V []float64 // the entry from x to y is V[x*N+y]
}

// NewStochastic returns the transition matrix of n states that makes one move after another, each
// given by its rows. Like in its powers, the largest entry of each row is computed from the others:
// if the diagonal were rounded by itself, the probability of moving would be off by the rounding of
// one, which is much if that probability is small. Time is O(n entries).
func NewStochastic(n int, moves ...func(x int) []chains.Entry) *Stochastic {
	m := &Stochastic{N: n, V: make([]float64, n*n)}
	for i, row := range slices.Backward(moves) {
		if i == len(moves)-1 {
			for x := range n {
				for _, e := range row(x) {
					m.V[x*n+e.To] += e.P
				}
			}
			m.Complete()
			continue
		}
		after := m
		m = after.Empty()
		for x := range n {
			to := m.Row(x)
			for _, e := range row(x) {
				for y, p := range after.Row(e.To) {
					to[y] += e.P * p
				}
			}
		}
		m.Complete()
	}
	return m
}

// Empty returns a matrix of the same size for the result of a product.
func (m *Stochastic) Empty() *Stochastic { return &Stochastic{N: m.N, V: make([]float64, len(m.V))} }

// Row returns the probabilities of all states one move after x.
func (m *Stochastic) Row(x int) []float64 { return m.V[x*m.N : (x+1)*m.N] }

// Complete replaces the largest entry of each row by one minus the others.
func (m *Stochastic) Complete() {
	for x := range m.N {
		row := m.Row(x)
		at := 0
		for y, p := range row {
			if p > row[at] {
				at = y
			}
		}
		row[at] = 0
		row[at] = 1 - pairwise(row)
	}
}

// pairwise adds numbers that are not negative with a relative error of some log2(n) roundings.
func pairwise(v []float64) float64 {
	if len(v) <= 8 {
		sum := 0.0
		for _, p := range v {
			sum += p
		}
		return sum
	}
	return pairwise(v[:len(v)/2]) + pairwise(v[len(v)/2:])
}

// Multiply makes m the product a b of two other transition matrices. It fails if the context ends.
// Time is O(states^3).
func (m *Stochastic) Multiply(ctx context.Context, a, b *Stochastic) error {
	clear(m.V)
	if err := AddProduct(ctx, m.V, a.V, b.V, m.N); err != nil {
		return err
	}
	m.Complete()
	return nil
}

// Push writes the distribution after a move by m from a distribution into out.
func (m *Stochastic) Push(out, law []float64) {
	clear(out)
	for x, q := range law {
		if q == 0 {
			continue
		}
		for y, p := range m.Row(x) {
			out[y] += q * p
		}
	}
}

// ProductBlock is about the number of multiplications between two checks of the context, some 30
// ms.
const ProductBlock = 1 << 26

// AddProduct adds the product a b of two square matrices of order n to c, a block of rows at a
// time. It fails if the context ends.
func AddProduct(ctx context.Context, c, a, b []float64, n int) error {
	rows := max(1, ProductBlock/(n*n))
	for first := 0; first < n; first += rows {
		if err := ctx.Err(); err != nil {
			return err
		}
		k := min(rows, n-first)
		blas64.Gemm(blas.NoTrans, blas.NoTrans, 1,
			blas64.General{Rows: k, Cols: n, Stride: n, Data: a[first*n : (first+k)*n]},
			blas64.General{Rows: n, Cols: n, Stride: n, Data: b},
			1, blas64.General{Rows: k, Cols: n, Stride: n, Data: c[first*n : (first+k)*n]})
	}
	return nil
}

// PowerRounding is about the relative error of the entries of a power of a transition matrix, given
// its number of states and of products. The rounding errors of a sum of n products partly cancel,
// and so do those of different products.
func PowerRounding(states, products int) float64 {
	return 4 * 0x1p-53 * math.Sqrt(float64(states)*float64(products+1))
}
