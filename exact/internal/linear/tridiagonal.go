package linear

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/lapack/gonum"
)

// tridiagonal is a symmetric tridiagonal matrix of k rows: the diagonal, and the k - 1 entries beside it.
type tridiagonal struct{ diagonal, beside []float64 }

// below returns the number of eigenvalues below x, by the signs of the pivots of T - x (Sturm).
func (t tridiagonal) below(x float64) int {
	count, pivot := 0, 1.0
	for i, a := range t.diagonal {
		square := 0.0
		if i > 0 {
			square = t.beside[i-1] * t.beside[i-1]
		}
		pivot = a - x - square/pivot
		if pivot == 0 {
			pivot = -0x1p-1000
		}
		if pivot < 0 {
			count++
		}
	}
	return count
}

// extreme returns the smallest eigenvalue (index 0) or the largest (index k - 1), to all digits that T itself gives, by
// bisection. Time is O(k).
func (t tridiagonal) extreme(index int) float64 {
	low, high := math.Inf(1), math.Inf(-1)
	for i, a := range t.diagonal { // Gershgorin
		radius := 0.0
		if i > 0 {
			radius += math.Abs(t.beside[i-1])
		}
		if i < len(t.beside) {
			radius += math.Abs(t.beside[i])
		}
		low, high = min(low, a-radius), max(high, a+radius)
	}
	for range 1100 { // float64 has no more halves than that
		middle := low + (high-low)/2
		if middle <= low || middle >= high {
			break
		}
		if t.below(middle) > index {
			high = middle
		} else {
			low = middle
		}
	}
	return low
}

// vector returns the unit eigenvector of an eigenvalue, by inverse iteration.
func (t tridiagonal) vector(value float64) []float64 {
	n := len(t.diagonal)
	v := slices.Repeat([]float64{1 / math.Sqrt(float64(n))}, n)
	diagonal, under, over := make([]float64, n), make([]float64, n), make([]float64, n)
	norm := 0.0
	for i, a := range t.diagonal {
		norm = max(norm, math.Abs(a))
		if i < len(t.beside) {
			norm = max(norm, math.Abs(t.beside[i]))
		}
	}
	// The matrix T - value is singular to within rounding, and a solution of its system is nearly the eigenvector. Where a
	// pivot is exactly zero, the value is changed by what rounding leaves open.
	shift, more := value, 0x1p-53*norm
	for tries, solved := 0, 0; solved < 3 && tries < 60; tries++ {
		for i, a := range t.diagonal {
			diagonal[i] = a - shift
		}
		copy(under, t.beside)
		copy(over, t.beside)
		regular := (gonum.Implementation{}).Dgtsv(n, 1, under[:n-1], diagonal, over[:n-1], v, 1)
		largest := 0.0
		for _, a := range v {
			largest = max(largest, math.Abs(a)) // NaN where a is
		}
		if !regular || !(largest < 0x1p1000) {
			shift, more = shift-more, 2*more
			for i := range v {
				v[i] = 1 / math.Sqrt(float64(n))
			}
			if norm == 0 {
				break // all vectors are eigenvectors of zero
			}
			continue
		}
		solved++
		scale(v, 1/largest)
		scale(v, 1/Norm(v))
	}
	return v
}
