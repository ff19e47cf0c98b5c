package models

import (
	"math"

	"breadboard/grid"
)

// Binary is a model of binary attributes with K = len(Pi) features, which are integrated out: z_ik ~ Bernoulli(Pi_k), a_kj ~ N(0,
// FeatureVariance), y_ij ~ N(sum_k z_ik a_kj, NoiseVariance). Axis iK + k of its space is z_ik.
//
// Source: Grosse, Ghahramani and Adams 2015, section 6.
type Binary struct {
	Y               [][]float64 // the data, a row each
	Pi              []float64   // the probability of each attribute, between 0 and 1
	FeatureVariance float64
	NoiseVariance   float64
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
func (m *Binary) Space() *grid.Lattice { return mustLattice(equalSides(len(m.Y)*len(m.Pi), 2)) }

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
				out[x] += math.Log(p)
			}
		}
	}
	return out
}

// LogLikelihood implements Model. With A = I/sa2 + b Z'Z/sn2 and c = b Z'Y/sn2, the log likelihood of a state Z is
//
//	-b N D/2 log(2 pi sn2) - D/2 (log|A| + K log sa2) - b sum Y^2/(2 sn2) + tr(c' A^-1 c)/2.
//
// It takes N K (K + D) + K^2 (K + D) operations a state.
func (m *Binary) LogLikelihood(b float64) []float64 {
	space := m.Space()
	n, d, k := len(m.Y), len(m.Y[0]), len(m.Pi)
	constant := -b * float64(n*d) / 2 * math.Log(2*math.Pi*m.NoiseVariance)
	for _, row := range m.Y {
		for _, y := range row {
			constant -= b * y * y / (2 * m.NoiseVariance)
		}
	}
	out := make([]float64, space.States())
	a, c := make([]float64, k*k), make([]float64, k*d)
	for x := range out {
		m.gather(space, x, b, a, c)
		logDet, trace := factored(a, c, k, d)
		out[x] = constant - float64(d)/2*(logDet+float64(k)*math.Log(m.FeatureVariance)) + trace/2
	}
	return out
}

// gather writes A and c of a state (see LogLikelihood), by rows.
func (m *Binary) gather(space *grid.Lattice, x int, b float64, a, c []float64) {
	d, k := len(m.Y[0]), len(m.Pi)
	clear(a)
	clear(c)
	for p := range k {
		a[p*k+p] = 1 / m.FeatureVariance
	}
	for i, row := range m.Y {
		for p := range k {
			if space.Coord(x, i*k+p) == 0 {
				continue
			}
			for q := range k {
				a[p*k+q] += b * float64(space.Coord(x, i*k+q)) / m.NoiseVariance
			}
			for j, y := range row {
				c[p*d+j] += b * y / m.NoiseVariance
			}
		}
	}
}

// factored overwrites a positive definite k by k matrix A with its Cholesky factor L and a k by d matrix c with L^-1 c, and returns
// log|A| and tr(c' A^-1 c).
func factored(a, c []float64, k, d int) (logDet, trace float64) {
	for p := range k {
		for q := range p + 1 {
			sum := a[p*k+q]
			for r := range q {
				sum -= a[p*k+r] * a[q*k+r]
			}
			if p == q {
				a[p*k+p] = math.Sqrt(sum)
				logDet += math.Log(sum)
			} else {
				a[p*k+q] = sum / a[q*k+q]
			}
		}
		for j := range d {
			sum := c[p*d+j]
			for r := range p {
				sum -= a[p*k+r] * c[r*d+j]
			}
			c[p*d+j] = sum / a[p*k+p]
			trace += c[p*d+j] * c[p*d+j]
		}
	}
	return logDet, trace
}
