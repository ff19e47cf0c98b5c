package latent

import (
	"math"

	"breadboard/chains"
	"breadboard/chains/number"
)

// cholesky is the lower triangular factor L of a positive definite matrix A = L L' of K rows, a row
// after another.
type cholesky struct {
	k       int
	l       []float64
	inverse []float64 // one over the diagonal of l
}

// newCholesky returns room for the factor of a matrix of k rows.
func newCholesky(k int) *cholesky {
	return &cholesky{k: k, l: make([]float64, k*k), inverse: make([]float64, k)}
}

// factorise puts the factor instead of a positive definite matrix, of which it reads l up to the
// diagonal. A square on the diagonal of the factor that is below the rounding of the entry of the
// matrix has no digits left. It becomes that rounding, which makes the factor that of a matrix
// within rounding of the given one, and keeps what is solved by it from growing without bound.
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
		logs += number.Log(c.l[i*c.k+i])
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

// Gaussian is the normal distribution of K numbers whose precision, the inverse of their
// covariance, is L L'. It holds L and the whitened mean L' mean, because the mean itself is not
// needed to draw: a sample is L'^-1 (L' mean + n) with K standard normal n.
type Gaussian struct {
	factor *cholesky
	white  []float64
}

// writeMean writes the mean to dst, which has K entries.
func (g Gaussian) writeMean(dst []float64) {
	copy(dst, g.white)
	g.factor.backward(dst)
}

// sample draws numbers into dst, which has K entries.
func (g Gaussian) sample(c chains.RealChooser, dst []float64) {
	for k, w := range g.white {
		dst[k] = w + c.Normal()
	}
	g.factor.backward(dst)
}

// LogDensity returns the logarithm of the density at x, in nats. It takes O(K^2).
func (g Gaussian) LogDensity(x []float64) float64 {
	return g.factor.logRoot() - float64(g.factor.k)/2*number.Log(2*math.Pi) - g.squaredDistance(x)/2
}

// squaredDistance returns the squared distance of x from the mean, in the metric of the precision.
func (g Gaussian) squaredDistance(x []float64) float64 {
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

// Block is the distribution of one factor of a LowRank given the other. The entries of different
// rows or columns of the data are independent and have the same precision, so that one Cholesky
// factor serves all. It is valid until its model makes another one.
type Block struct {
	factor *cholesky
	white  []float64 // the whitened means, a datum or a column after another
	row    []float64 // room for the K entries of one of them
}

// newBlock returns room for the distribution of n times K entries.
func newBlock(k, n int) Block { return Block{newCholesky(k), make([]float64, n*k), make([]float64, k)} }

// setConditional makes b the distribution of x in y ~ N(x'other, noise/power), a row of y for each
// K entries of x, where x ~ N(0, variance) and other has K rows as long as those of y. It takes
// O(K^2 (columns + rows) + K columns rows).
func (b *Block) setConditional(y, other [][]float64, variance, noise, power float64) {
	k := b.factor.k
	gram(b.factor.l, power/noise, 1/variance, other)
	b.factor.factorise()
	b.white = b.white[:len(y)*k]
	products(b.white, power/noise, y, other)
	for i := range y {
		b.factor.forward(b.white[i*k : i*k+k])
	}
}

// RowLaw returns the distribution of the K entries of datum or column i.
func (b *Block) RowLaw(i int) Gaussian {
	k := b.factor.k
	return Gaussian{b.factor, b.white[i*k : i*k+k]}
}

// logMarginal returns the log density of y with x integrated out, where x and y are as given takes
// them with the power one, in nats. It leaves the distribution of x given y in b. Since p(y) = p(y,
// x)/p(x | y) at every x, it is taken at the mean, if no digits are lost; rest is room for a row.
func (b *Block) logMarginal(y, other [][]float64, variance, noise float64, rest []float64) float64 {
	b.setConditional(y, other, variance, noise, 1)
	rest = rest[:len(other[0])]
	left := 0.0
	size := 0.0
	for i, row := range y {
		b.RowLaw(i).writeMean(b.row)
		left += residual(rest, row, b.row, other)
		size += dot(b.row, b.row)
	}
	n := len(y)
	k := b.factor.k
	return logNormal(n*len(rest), left, noise) + logNormal(n*k, size, variance) - float64(n)*b.logTop()
}

// logTop returns the logarithm of the density of the K entries of a datum or column at their mean.
func (b *Block) logTop() float64 {
	return b.factor.logRoot() - float64(b.factor.k)/2*number.Log(2*math.Pi)
}

// Sample draws all entries into dst, which has K rows, with one entry for each row or column of the
// data.
func (b *Block) Sample(c chains.RealChooser, dst [][]float64) {
	for i := range len(b.white) / b.factor.k {
		b.RowLaw(i).sample(c, b.row)
		for k, v := range b.row {
			dst[k][i] = v
		}
	}
}

// LogDensity returns the logarithm of the density of all entries at x, which has the shape of what
// Sample writes, in nats.
func (b *Block) LogDensity(x [][]float64) float64 {
	n := len(b.white) / b.factor.k
	logs := float64(n) * b.logTop()
	for i := range n {
		b.copyEntries(x, i)
		logs -= b.RowLaw(i).squaredDistance(b.row) / 2
	}
	return logs
}

// copyEntries copies the K entries of datum or column i.
func (b *Block) copyEntries(x [][]float64, i int) {
	for k := range b.row {
		b.row[k] = x[k][i]
	}
}
