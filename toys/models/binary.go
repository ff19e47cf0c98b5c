package models

import (
	"math"
	"slices"

	"breadboard/chains/estimators"
	"breadboard/chains/number"
	"breadboard/chains/paths"
	"breadboard/grid"
)

// Binary is a model of binary attributes whose K features are integrated out. Axis iK + k of its
// space is z_ik.
type Binary struct {
	Y [][]float64 // the data, a row each
	estimators.Attributes
}

// Data implements Sequential.
func (m *Binary) Data() int { return len(m.Y) }

// First implements Sequential.
func (m *Binary) First(t int) Sequential {
	first := *m
	first.Y = m.Y[:t]
	return &first
}

// Space implements Model.
func (m *Binary) Space() *grid.Lattice {
	return mustLattice(slices.Repeat([]int{2}, len(m.Y)*len(m.Pi)))
}

// LogPrior implements Model.
func (m *Binary) LogPrior() []float64 {
	space := m.Space()
	out := make([]float64, space.States())
	for x := range out {
		for axis := range space.Dims() {
			p := m.Pi[axis%len(m.Pi)]
			if space.Coord(x, axis) == 0 {
				out[x] += math.Log1p(-p)
			} else {
				out[x] += number.Log(p)
			}
		}
	}
	return out
}

// LogLikelihood implements Model. With A = I/sa2 + b Z'Z/sn2 and c = b Z'Y/sn2, the log likelihood
// of a state Z is
//
//	-b N D/2 log(2 pi sn2) - D/2 (log|A| + K log sa2) - b sum Y^2/(2 sn2) + tr(c' A^-1 c)/2,
//
// computed from the singular values of Z (see Gaussian). It takes some 10 N K^2 + 4 N K D
// operations a state.
func (m *Binary) LogLikelihood(b float64) []float64 {
	return m.gaussian().logLikelihoodsOf(b, m.Space().States(), len(m.Pi), m.fitWriter())
}

// Tempered implements paths.Temperable.
func (m *Binary) Tempered() paths.Likelihood {
	return newTempered(m.gaussian(), m.Space().States(), len(m.Pi), m.fitWriter())
}

// gaussian returns what the likelihoods of all states share.
func (m *Binary) gaussian() Gaussian {
	return Gaussian{len(m.Y), len(m.Y[0]), m.NoiseVariance, m.Signal()}
}

// nothing bounds the eigenvalues of Z'Z that are zero but for rounding. The others are far larger:
// for r of them their product is a sum of squares of determinants of whole numbers that is not
// zero, hence at least 1, and their sum is at most N K <= 24, as the space has 2^(N K) states. So r
// <= min(N, K) <= 4, and none of them is below 24^-3 = 7e-5.
const nothing = 1e-6

// fitWriter returns the function that writes the fit of a state. The components belong to the
// singular vectors of Z.
func (m *Binary) fitWriter() func(x int, f *Fit) {
	space := m.Space()
	n := len(m.Y)
	columns := len(m.Y[0])
	k := len(m.Pi)
	w := make([][]float64, k)
	left := make([]float64, n*columns)
	for p := range w {
		w[p] = make([]float64, n)
	}
	return func(x int, f *Fit) {
		for p := range w {
			for i := range n {
				w[p][i] = float64(space.Coord(x, i*k+p))
			}
		}
		orthogonalize(w)
		for i, row := range m.Y {
			copy(left[i*columns:], row)
		}
		for p, v := range w {
			f.Eigenvalues[p], f.Size[p] = takeOut(v, left, columns)
		}
		f.Rest = 0
		for _, y := range left {
			f.Rest += y * y
		}
	}
}

// takeOut takes the component along a vector v out of every column of an n by d matrix, which is
// given by rows. It returns the square of the length of v, and the sum of the squares of the
// components.
func takeOut(v, y []float64, d int) (length, size float64) {
	length = dot(v, v)
	if length < nothing {
		return 0, 0
	}
	for j := range d {
		along := 0.0
		for i, vi := range v {
			along += vi * y[i*d+j]
		}
		along /= length
		for i, vi := range v {
			y[i*d+j] -= along * vi
		}
		size += along * along * length
	}
	return length, size
}

// orthogonalize turns vectors into orthogonal ones that span the same space, by rotations of two at
// a time. The matrix that has them as its columns then is the product of its singular vectors and
// its singular values: the squares of their lengths are the eigenvalues of their Gram matrix.
//
// Source: Hestenes 1958; the singular values come out to nearly full relative accuracy (Demmel and
// Veselic 1992).
func orthogonalize(w [][]float64) {
	for range maxSweeps {
		done := true
		for p := range w {
			for q := range p {
				done = !rotate(w[p], w[q]) && done
			}
		}
		if done {
			return
		}
	}
}

// maxSweeps bounds the sweeps over all pairs of vectors. The method converges quadratically, in
// five or six.
const maxSweeps = 30

// dust is the square of a length below which a vector is what rounding has left of one. It adds its
// square to the Gram matrix of the others, so that nothing is lost with it.
const dust = 1e-24

// rotate rotates two vectors in their plane so that they become orthogonal, and reports whether
// they were not before.
func rotate(v, w []float64) bool {
	a, b, c := dot(v, v), dot(w, w), dot(v, w)
	if a < dust || b < dust || math.Abs(c) <= 0x1p-52*math.Sqrt(a*b) {
		return false
	}
	cot := (b - a) / (2 * c) // the cotangent of twice the angle
	tan := math.Copysign(1, cot) / (math.Abs(cot) + math.Hypot(1, cot))
	cos := 1 / math.Hypot(1, tan)
	sin := cos * tan
	for i := range v {
		v[i], w[i] = cos*v[i]-sin*w[i], sin*v[i]+cos*w[i]
	}
	return true
}

func dot(v, w []float64) float64 {
	sum := 0.0
	for i, x := range v {
		sum += x * w[i]
	}
	return sum
}
