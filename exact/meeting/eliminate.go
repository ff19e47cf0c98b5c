package meeting

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// systems solve (I - Q^L) v = c.
type systems interface {
	// solve returns v, +Inf where the exit may never be reached, and by how much it may be off: an entry by no more than this times the entry of
	// (I - Q^L)^-1 1. So where no entry of c is below one, it bounds the relative error. It is 0 where rounding does not add up.
	solve(ctx context.Context, c []float64) (v []float64, off float64, err error)
}

// systems returns the systems for a lag: by elimination where there are few pairs, and else by iteration.
func (p *Pairs) systems(lag int) systems {
	if len(p.states) > MaxSolved {
		return p.iterate(lag)
	}
	return eliminate(p.power(lag))
}

// elimination solves systems of I - A for a matrix A of probabilities and the probabilities of its exits, which together are the rows of a
// chain. It adds, multiplies and divides numbers that are not negative, and never subtracts.
//
// Source: Grassmann, Taksar and Heyman 1985; O'Cinneide 1993 for the error, which is that of each entry of the input times the order.
type elimination struct {
	n      int
	a      []float64 // below the diagonal the rows over their pivots, above it the columns as they were eliminated
	pivots []float64
	lost   []bool // from where the exit is not reached with probability one: the solution is +Inf there
}

// eliminate factors I - A. It takes a, whose rows have n entries, for itself. Pairs from which no exit can be reached, and those from which
// such a pair can be reached, are left out.
func eliminate(a, exit []float64) *elimination {
	n := len(exit)
	e := &elimination{n: n, a: a, pivots: make([]float64, n)}
	e.lost = neverLeave(exit, func(i int, marked []bool) bool {
		for j, v := range a[i*n : (i+1)*n] {
			if v > 0 && marked[j] {
				return true
			}
		}
		return false
	})
	exit = append([]float64(nil), exit...)
	for k := n - 1; k >= 0; k-- {
		if e.lost[k] {
			continue
		}
		row := a[k*n : k*n+k]
		pivot := exit[k]
		for _, v := range row {
			pivot += v
		}
		e.pivots[k] = pivot
		for j := range row {
			row[j] /= pivot
		}
		exit[k] /= pivot
		for i := range k {
			if w := a[i*n+k]; w > 0 && !e.lost[i] {
				target := a[i*n : i*n+k]
				for j, v := range row {
					target[j] += w * v
				}
				exit[i] += w * exit[k]
			}
		}
	}
	return e
}

// neverLeave marks from where a chain may stay for ever: it can reach a place from which there is no way to an exit. The function reaches says
// whether a marked place can be reached from another in one move.
func neverLeave(exit []float64, reaches func(i int, marked []bool) bool) []bool {
	n := len(exit)
	leaves := make([]bool, n)
	for i, p := range exit {
		leaves[i] = p > 0
	}
	spread := func(marked []bool, from func(i int) bool) {
		for grown := true; grown; {
			grown = false
			for i := range n {
				if marked[i] || !from(i) {
					continue
				}
				marked[i], grown = true, true
			}
		}
	}
	spread(leaves, func(i int) bool { return reaches(i, leaves) })
	lost := make([]bool, n)
	for i := range lost {
		lost[i] = !leaves[i]
	}
	spread(lost, func(i int) bool { return reaches(i, lost) })
	return lost
}

// solve implements systems. For c of numbers that are not negative nothing is subtracted.
func (e *elimination) solve(_ context.Context, c []float64) ([]float64, float64, error) {
	v := append([]float64(nil), c...)
	for k := e.n - 1; k >= 0; k-- {
		if e.lost[k] {
			continue
		}
		v[k] /= e.pivots[k]
		for i := range k {
			if w := e.a[i*e.n+k]; w > 0 && !e.lost[i] {
				v[i] += w * v[k]
			}
		}
	}
	for k := range e.n {
		if e.lost[k] {
			v[k] = math.Inf(1)
			continue
		}
		for j, w := range e.a[k*e.n : k*e.n+k] {
			if w > 0 {
				v[k] += w * v[j]
			}
		}
	}
	return v, 0, nil
}

// dense returns Q with all its entries.
func (p *Pairs) dense() []float64 {
	n := len(p.states)
	a := make([]float64, n*n)
	for at := range n {
		for k := p.start[at]; k < p.start[at+1]; k++ {
			a[at*n+int(p.to[k])] += p.p[k]
		}
	}
	return a
}

// product returns the product of two square matrices of n rows.
func product(n int, a, b []float64) []float64 {
	c := make([]float64, n*n)
	matrix := func(data []float64) blas64.General { return blas64.General{Rows: n, Cols: n, Stride: n, Data: data} }
	blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, matrix(a), matrix(b), 0, matrix(c))
	return c
}

// apply returns a v.
func apply(n int, a, v []float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		for j, w := range a[i*n : (i+1)*n] {
			out[i] += w * v[j]
		}
	}
	return out
}

// power returns Q^L and its exits, the probabilities of meeting within L moves, by squaring: products and sums of positive numbers.
func (p *Pairs) power(lag int) (a, exit []float64) {
	n := len(p.states)
	square, left := p.dense(), append([]float64(nil), p.exit...)
	for rest := lag; ; {
		if rest&1 == 1 {
			if a == nil {
				a, exit = append([]float64(nil), square...), append([]float64(nil), left...)
			} else { // first the moves so far, and then as many as the square has
				for i, v := range apply(n, a, left) {
					exit[i] += v
				}
				a = product(n, a, square)
			}
		}
		if rest >>= 1; rest == 0 {
			return a, exit
		}
		for i, v := range apply(n, square, left) {
			left[i] += v
		}
		square = product(n, square, square)
	}
}
