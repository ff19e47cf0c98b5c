package latent

import (
	"math"

	"breadboard/chains"
)

// cholesky is the lower triangular factor L of a positive definite matrix A = L L' of K rows, a row after another.
type cholesky struct {
	k       int
	l       []float64
	inverse []float64 // one over the diagonal of l
}

// newCholesky returns room for the factor of a matrix of k rows.
func newCholesky(k int) *cholesky {
	return &cholesky{k: k, l: make([]float64, k*k), inverse: make([]float64, k)}
}

// factorise puts the factor in the place of a positive definite matrix, of which it reads l up to the diagonal. A square on the diagonal of the
// factor that is below the rounding of the entry of the matrix has no digits left. It becomes that rounding, which makes the factor that of a
// matrix within rounding of the given one, and keeps what is solved by it from growing without bound.
func (c *cholesky) factorise() {
	for i := range c.k {
		row := c.l[i*c.k : i*c.k+i+1]
		rounding := 0x1p-52 * float64(c.k) * row[i]
		for j := range i {
			other := c.l[j*c.k : j*c.k+j]
			row[j] = (row[j] - dot(row[:j], other)) * c.inverse[j]
		}
		row[i] = math.Sqrt(max(rounding, row[i]-dot(row[:i], row[:i])))
		c.inverse[i] = 1 / row[i]
	}
}

// forward replaces x by the solution of L z = x.
func (c *cholesky) forward(x []float64) {
	for i := range x {
		x[i] = (x[i] - dot(c.l[i*c.k:i*c.k+i], x[:i])) * c.inverse[i]
	}
}

// backward replaces x by the solution of L' z = x.
func (c *cholesky) backward(x []float64) {
	for i := len(x) - 1; i >= 0; i-- {
		x[i] *= c.inverse[i]
		for j, l := range c.l[i*c.k : i*c.k+i] {
			x[j] -= l * x[i]
		}
	}
}

// logRoot returns half of the logarithm of the determinant of the matrix.
func (c *cholesky) logRoot() float64 {
	logs := 0.0
	for i := range c.k {
		logs += math.Log(c.l[i*c.k+i])
	}
	return logs
}

// dot returns the sum of the products of numbers at the same places. The slices are of one length.
func dot(x, y []float64) float64 {
	total := 0.0
	for i, v := range x {
		total += v * y[i]
	}
	return total
}

// Gaussian is the normal distribution of K numbers whose precision, the inverse of their covariance, is L L'. It holds L and the
// whitened mean L' mean, because the mean itself is not needed to draw: a sample is L'^-1 (L' mean + n) with K standard normal n.
type Gaussian struct {
	factor *cholesky
	white  []float64
}

// Mean writes the mean to dst, which has K entries.
func (g Gaussian) Mean(dst []float64) {
	copy(dst, g.white)
	g.factor.backward(dst)
}

// Sample draws numbers into dst, which has K entries.
func (g Gaussian) Sample(c chains.RealChooser, dst []float64) {
	for k, w := range g.white {
		dst[k] = w + c.Normal()
	}
	g.factor.backward(dst)
}

// LogDensity returns the logarithm of the density at x, in nats. It takes O(K^2).
func (g Gaussian) LogDensity(x []float64) float64 {
	return g.factor.logRoot() - float64(g.factor.k)/2*math.Log(2*math.Pi) - g.square(x)/2
}

// square returns the squared distance of x from the mean, in the metric of the precision.
func (g Gaussian) square(x []float64) float64 {
	k, l := g.factor.k, g.factor.l
	square := 0.0
	for i, w := range g.white {
		d := -w
		for j := i; j < k; j++ {
			d += l[j*k+i] * x[j]
		}
		square += d * d
	}
	return square
}
