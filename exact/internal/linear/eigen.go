package linear

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"
	lapack "gonum.org/v1/gonum/lapack/gonum"

	"breadboard/exact/internal/lanes"
)

// ErrEigenvalues is the error if an iteration does not find the eigenvalues.
var ErrEigenvalues = errors.New("the eigenvalues were not found")

// Eigenvalues returns all eigenvalues of a symmetric matrix, the smallest first, which it
// overwrites. Row i holds the columns up to i. They are right to some units in the last place of
// the largest one, times the number of rows; numbers far below 2^-900 count as zero. It calls watch
// for each row. Time is O(rows^3).
//
// Source: Householder's reduction to a matrix of three diagonals, one reflection after another, as
// in Golub and Van Loan 2013, algorithm 8.3.1; its eigenvalues are then found by the QL iteration
// of LAPACK.
func Eigenvalues(rows [][]float64, watch func() error) ([]float64, error) {
	n := len(rows)
	diagonal := make([]float64, n)
	beside := make([]float64, max(0, n-1))
	unit := lanes.Widest()
	now := newReflection(n)
	next := newReflection(n)
	for k := n - 1; k >= 0; k-- {
		// the rows from k on are as they will be, but for the reflection at hand, which is about
		// all up to k
		if err := watch(); err != nil {
			return nil, err
		}
		last := rows[k]
		for j := range last {
			last[j] -= now.v[k]*now.w[j] + now.w[k]*now.v[j]
		}
		diagonal[k] = last[k]
		if k == 0 {
			break
		}
		beside[k-1] = next.setReflection(last[:k])
		image := next.w[:k]
		clear(image)
		for i, row := range rows[:k] {
			image[i] = unit.Fold(row[:i], now.v[:i], now.w[:i], next.v[:i], image[:i], now.v[i], now.w[i], next.v[i])
			row[i] -= 2 * now.v[i] * now.w[i]
			image[i] += row[i] * next.v[i]
		}
		next.applyMatrix(k)
		now, next = next, now
	}
	// LAPACK scales blocks far from one by themselves, in which gonum's version indexes out of
	// range.
	_, size := math.Frexp(max(floats.Norm(diagonal, math.Inf(1)), floats.Norm(beside, math.Inf(1))))
	for _, list := range [][]float64{diagonal, beside} {
		for i, v := range list {
			list[i] = math.Ldexp(v, -size)
			if math.Abs(list[i]) < 0x1p-300 {
				list[i] = 0
			}
		}
	}
	if !(lapack.Implementation{}).Dsterf(n, diagonal, beside) {
		return nil, ErrEigenvalues
	}
	for i, v := range diagonal {
		diagonal[i] = math.Ldexp(v, size)
	}
	return diagonal, nil
}

// reflection is H = 1 - v v'/t for a vector v of square 2t. A symmetric matrix A becomes H A H = A
// - v w' - w v'.
type reflection struct {
	v, w []float64
	t    float64
}

func newReflection(n int) *reflection {
	return &reflection{v: make([]float64, n), w: make([]float64, n), t: 1}
}

// setReflection makes the reflection that turns x to a multiple of the last unit vector, and
// returns the multiple. If x is one already v is zero.
func (r *reflection) setReflection(x []float64) float64 {
	last := len(x) - 1
	end := x[last]
	length := floats.Norm(x[:last], 2)
	v := r.v[:len(x)]
	clear(v)
	r.t = 1
	if length < 0x1p-900 { // the digits of smaller numbers do not make a reflection
		return end
	}
	turned := -math.Copysign(math.Hypot(end, length), end)
	for i, a := range x {
		v[i] = a / turned
	}
	v[last]--
	r.t = 1 - end/turned
	return turned
}

// applyMatrix makes w of A v, which stands there, for a matrix of k rows.
func (r *reflection) applyMatrix(k int) {
	v := r.v[:k]
	w := r.w[:k]
	scale(w, 1/r.t)
	add(w, -Dot(v, w)/(2*r.t), v)
}
