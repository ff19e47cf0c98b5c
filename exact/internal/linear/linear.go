// Package linear answers: what are the ends of the spectrum of a large symmetric matrix, and what solves its linear
// systems, where the matrix is known only by what it does to a vector? It draws nothing at random: the start vectors of
// Lanczos come from a fixed generator, whose seed is part of the code. It never says how accurate a result is without
// the number to say so, and it never forms a matrix.
//
// # Systems of chains with short moves
//
// NewBanded answers: what solves the linear systems of a reversible chain whose states can be put into an order in
// which all moves are short? It factors by elimination without a subtraction, so that a chain that hardly mixes costs no
// digits. It never pivots, and takes no chain that it could not hold in a few hundred megabytes.
package linear

import (
	"math"
)

// Operator writes the product of a matrix and src to dst. The two do not overlap.
type Operator func(dst, src []float64) error

// Space is the space of vectors on which an operator is examined: those orthogonal to all vectors of a list, which are
// orthogonal to each other and of length one. The operator must map the space to itself.
type Space struct {
	N       int         // the length of a vector
	Without [][]float64 // the vectors to which all others are orthogonal
}

// Project makes v orthogonal to the vectors that the space is without.
func (s Space) Project(v []float64) {
	for _, u := range s.Without {
		part := Dot(u, v)
		for i, a := range u {
			v[i] -= part * a
		}
	}
}

// Dim returns the dimension of the space.
func (s Space) Dim() int { return s.N - len(s.Without) }

// Dot returns the inner product of two vectors. Its four partial sums are added in a fixed order.
func Dot(a, b []float64) float64 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float64
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += float64(a[i] * b[i])
		s1 += float64(a[i+1] * b[i+1])
		s2 += float64(a[i+2] * b[i+2])
		s3 += float64(a[i+3] * b[i+3])
	}
	for ; i < len(a); i++ {
		s0 += float64(a[i] * b[i])
	}
	return (s0 + s1) + (s2 + s3)
}

// Norm returns the length of a vector whose entries are not so large that their squares overflow.
func Norm(a []float64) float64 { return math.Sqrt(Dot(a, a)) }

// add adds s times b to a.
func add(a []float64, s float64, b []float64) {
	b = b[:len(a)]
	for i, v := range b {
		a[i] += float64(s * v)
	}
}

// scale multiplies a by s.
func scale(a []float64, s float64) {
	for i := range a {
		a[i] *= s
	}
}
