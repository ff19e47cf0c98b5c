// Package linear computes the ends of the spectrum of a large symmetric matrix, and solves linear
// systems, given only the product of the matrix and a vector. The start vectors of Lanczos come
// from a fixed generator with a seed in the code. Except for Stochastic, no matrix is formed.
//
// # Systems of chains with short moves
//
// NewBanded solves the linear systems of a reversible chain whose states have an order in which all
// moves are short. It factors by elimination without a subtraction, so that a slow chain costs no
// digits. It does not pivot, and is limited to a few hundred megabytes.
//
// # Powers of transition matrices
//
// NewStochastic is for powers of a transition matrix that keep the digits of small entries. It
// holds all pairs of states.
package linear

import (
	"math"
)

// Operator writes the product of a matrix and src to dst. The two do not overlap.
type Operator func(dst, src []float64) error

// Space is the space of vectors on which an operator is examined: those orthogonal to all vectors
// of a list, which are orthogonal to each other and of length one. The operator must map the space
// to itself.
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

// BiCGStab solves A h = c by stabilised biconjugate gradients, for a matrix that need not be
// symmetric. The preconditioner is linear and near the inverse of A; it is applied before A. It
// ends if the residual, as given by the recurrences, is no longer than the tolerance, after the
// given number of steps of two products each, or if the recurrences break down. It keeps only six
// vectors, so that it needs no restarts, and does not stagnate where GMRES does because of its
// restarts. Convergence is not guaranteed: callers compute the residual.
//
// Source: van der Vorst 1992.
func BiCGStab(apply, preconditioner Operator, c []float64, most int, tolerance float64) ([]float64, error) {
	n := len(c)
	vectors := make([][]float64, 6)
	for i := range vectors {
		vectors[i] = make([]float64, n)
	}
	h := vectors[0]
	direction := vectors[1]
	change := vectors[2]
	image := vectors[3]
	smooth := vectors[4]
	twice := vectors[5]
	left := append([]float64(nil), c...)
	copy(direction, left)
	both := func(dst, through, src []float64) error {
		if err := preconditioner(through, src); err != nil {
			return err
		}
		return apply(dst, through)
	}
	product := Dot(c, left)
	for range most {
		if err := both(image, change, direction); err != nil {
			return nil, err
		}
		step := product / Dot(c, image)
		if math.IsNaN(step) || math.IsInf(step, 0) {
			break
		}
		add(h, step, change)
		add(left, -step, image)
		if Norm(left) <= tolerance {
			break
		}
		if err := both(twice, smooth, left); err != nil {
			return nil, err
		}
		weight := Dot(twice, left) / Dot(twice, twice)
		if math.IsNaN(weight) || math.IsInf(weight, 0) {
			break
		}
		add(h, weight, smooth)
		add(left, -weight, twice)
		if Norm(left) <= tolerance {
			break
		}
		next := Dot(c, left)
		ratio := next / product * step / weight
		product = next
		for i, v := range left {
			direction[i] = v + float64(ratio*(direction[i]-float64(weight*image[i])))
		}
	}
	return h, nil
}

// Conjugate solves A h = c by conjugate gradients, for a matrix that is symmetric and positive
// definite on the space, in which c lies. It calls enough after every step, with the square of the
// length of the residual c - A h and with <c, h>, as given by the recurrences, and ends if that
// returns true, or after the given number of steps. The product <c, h> grows to <c, A^-1 c> from
// below. If you need the accuracy of h, compute the residual.
//
// Source: Hestenes and Stiefel 1952; the product is Gauss quadrature, Golub and Meurant 2010,
// section 9.
func Conjugate(apply Operator, space Space, c []float64, most int,
	enough func(square, product float64) bool) (h []float64, err error) {
	n := space.N
	h = make([]float64, n)
	residual := append([]float64(nil), c...)
	space.Project(residual)
	direction := append([]float64(nil), residual...)
	image := make([]float64, n)
	square := Dot(residual, residual)
	product := 0.0
	for range most {
		if square == 0 || enough(square, product) {
			break
		}
		if err := apply(image, direction); err != nil {
			return nil, err
		}
		curvature := Dot(direction, image)
		if !(curvature > 0) {
			break // the remaining direction is only rounding
		}
		step := square / curvature
		add(h, step, direction)
		add(residual, -step, image)
		space.Project(residual)
		product += step * square
		last := square
		square = Dot(residual, residual)
		ratio := square / last
		for i, r := range residual {
			direction[i] = r + float64(ratio*direction[i])
		}
	}
	space.Project(h)
	return h, nil
}

// independent is the least relative length of an image's part orthogonal to the other images for
// Within to use it: shorter parts are rounding.
const independent = 1e-8

// Within returns the combination h of some vectors for which c - A h is the shortest, and c - A h,
// which is computed anew. If the vectors are solutions of a smooth family of similar systems, the
// combination is far closer than each of them. Time is that of a product for each vector, and one.
func Within(apply Operator, space Space, known [][]float64, c []float64) (h, left []float64, err error) {
	h, left = make([]float64, space.N), append([]float64(nil), c...)
	space.Project(left)
	var vectors, images [][]float64
	for _, v := range known {
		vector := append([]float64(nil), v...)
		image := make([]float64, space.N)
		if err := apply(image, vector); err != nil {
			return nil, nil, err
		}
		space.Project(image)
		size := Norm(image)
		for range 2 {
			for j, other := range images {
				part := Dot(other, image)
				add(image, -part, other)
				add(vector, -part, vectors[j])
			}
		}
		length := Norm(image)
		if !(length > independent*size) {
			continue
		}
		scale(image, 1/length)
		scale(vector, 1/length)
		part := Dot(image, left)
		add(h, part, vector)
		add(left, -part, image)
		vectors, images = append(vectors, vector), append(images, image)
	}
	if len(images) == 0 {
		return h, left, nil
	}
	image := images[0]
	if err := apply(image, h); err != nil {
		return nil, nil, err
	}
	for i, v := range c {
		left[i] = v - image[i]
	}
	space.Project(left)
	return h, left, nil
}

// gmresVectors is the number of vectors that GMRES keeps before a restart.
const gmresVectors = 40

// gmresRounding is the relative size of rounding in a vector that has been made orthogonal to all
// others: some units in the last place for each of them.
const gmresRounding = gmresVectors * 0x1p-51

// GMRES solves A h = c by the generalised method of minimal residuals, restarted after every 40
// steps, for a matrix that need not be symmetric. It ends if the residual is no longer than the
// tolerance, after about the given number of steps, or if 40 steps no longer make the residual
// shorter. If the symmetric part of the matrix is positive definite on the space, every step makes
// it shorter, apart from rounding (Eisenstat, Elman and Schultz 1983). If you need the accuracy of
// h, compute the residual.
//
// Source: Saad and Schultz 1986.
func GMRES(apply Operator, space Space, c []float64, most int, tolerance float64) ([]float64, error) {
	h := make([]float64, space.N)
	image := make([]float64, space.N)
	left := append([]float64(nil), c...)
	space.Project(left)
	length := Norm(left)
	var basis [gmresVectors + 1][]float64 // the memory of all cycles
	for steps := 0; steps < most && length > tolerance; steps += gmresVectors {
		basis[0], basis[gmresVectors] = left, image // both are overwritten
		change, err := gmresCycle(apply, space, &basis, length, tolerance)
		if err != nil {
			return nil, err
		}
		add(change, 1, h)
		if err := apply(image, change); err != nil {
			return nil, err
		}
		for i, v := range c {
			image[i] = v - image[i]
		}
		space.Project(image)
		now := Norm(image)
		if !(now < length) {
			break
		}
		h, left, image, length = change, image, h, now
	}
	space.Project(h)
	return h, nil
}

// gmresCycle returns the vector in the span of left, A left, A^2 left, ... that best solves the
// system for left, which is the first vector of the basis. It overwrites the basis.
func gmresCycle(apply Operator, space Space, basis *[gmresVectors + 1][]float64,
	length, tolerance float64) ([]float64, error) {
	scale(basis[0], 1/length)
	var columns [][]float64 // of the triangular matrix
	var cosines, sines []float64
	right := []float64{length}
	for k := 0; k < gmresVectors && math.Abs(right[k]) > tolerance/2; k++ {
		if basis[k+1] == nil {
			basis[k+1] = make([]float64, space.N)
		}
		next := basis[k+1]
		if err := apply(next, basis[k]); err != nil {
			return nil, err
		}
		space.Project(next)
		size := Norm(next)
		column := make([]float64, k+1)
		for range 2 { // twice is enough to keep the vectors orthogonal
			for j, b := range basis[:k+1] {
				part := Dot(b, next)
				column[j] += part
				add(next, -part, b)
			}
			// the small part of a basis vector outside the space grows if the rest cancels
			space.Project(next)
		}
		below := Norm(next)
		for j := range k {
			column[j], column[j+1] = cosines[j]*column[j]+sines[j]*column[j+1],
				cosines[j]*column[j+1]-sines[j]*column[j]
		}
		radius := math.Hypot(column[k], below)
		if radius == 0 {
			break
		}
		cosine := column[k] / radius
		sine := below / radius
		column[k] = radius
		cosines, sines, columns = append(cosines, cosine), append(sines, sine), append(columns, column)
		right = append(right, -sine*right[k])
		right[k] *= cosine
		if below <= gmresRounding*size {
			break // the span holds the solution, and the rest of the vector is rounding
		}
		scale(next, 1/below)
	}
	if len(columns) == 0 {
		return make([]float64, space.N), nil
	}
	last := len(columns) - 1
	out := basis[last]
	for k := last; k >= 0; k-- { // back substitution
		weight := right[k] / columns[k][k]
		if k == last {
			scale(out, weight)
		} else {
			add(out, weight, basis[k])
		}
		for j := range k {
			right[j] -= weight * columns[k][j]
		}
	}
	basis[last] = nil
	return out, nil
}
