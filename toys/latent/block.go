package latent

import (
	"math"

	"breadboard/chains"
)

// Block is the distribution of a factor of a LowRank given the other one: its entries that belong to different data, or to different
// columns, are independent, and all of these have one precision, hence one Cholesky factor. It belongs to the model that has made it,
// until that makes another one.
type Block struct {
	factor *cholesky
	white  []float64 // the whitened means, a datum or a column after another
	row    []float64 // room for the K entries of one of them
}

// newBlock returns room for the distribution of n times K entries.
func newBlock(k, n int) Block { return Block{newCholesky(k), make([]float64, n*k), make([]float64, k)} }

// given makes b the distribution of x in y ~ N(x'other, noise/power), a row of y for each K entries of x, where x ~ N(0, variance) and
// other has K rows as long as those of y. It takes O(K^2 (columns + rows) + K columns rows).
func (b *Block) given(y, other [][]float64, variance, noise, power float64) {
	k := b.factor.k
	gram(b.factor.l, power/noise, 1/variance, other)
	b.factor.factorise()
	b.white = b.white[:len(y)*k]
	products(b.white, power/noise, y, other)
	for i := range y {
		b.factor.forward(b.white[i*k : i*k+k])
	}
}

// Row returns the distribution of the K entries of datum or column i.
func (b *Block) Row(i int) Gaussian {
	k := b.factor.k
	return Gaussian{b.factor, b.white[i*k : i*k+k]}
}

// logMarginal returns the log density of y with x integrated out, where x and y are as given takes them with the power one, in nats. It
// leaves the distribution of x given y in b. Since p(y) = p(y, x)/p(x | y) at every x, it is taken at the mean, where no digits are lost;
// rest is room for a row.
func (b *Block) logMarginal(y, other [][]float64, variance, noise float64, rest []float64) float64 {
	b.given(y, other, variance, noise, 1)
	rest = rest[:len(other[0])]
	left, size := 0.0, 0.0
	for i, row := range y {
		b.Row(i).Mean(b.row)
		left += residual(rest, row, b.row, other)
		size += dot(b.row, b.row)
	}
	n, k := len(y), b.factor.k
	return logNormal(n*len(rest), left, noise) + logNormal(n*k, size, variance) - float64(n)*b.logTop()
}

// logTop returns the logarithm of the density of the K entries of a datum or column at their mean.
func (b *Block) logTop() float64 {
	return b.factor.logRoot() - float64(b.factor.k)/2*math.Log(2*math.Pi)
}

// Sample draws all entries into dst, which has K rows, a column for each datum or column of the data.
func (b *Block) Sample(c chains.RealChooser, dst [][]float64) {
	for i := range len(b.white) / b.factor.k {
		b.Row(i).Sample(c, b.row)
		for k, v := range b.row {
			dst[k][i] = v
		}
	}
}

// LogDensity returns the logarithm of the density of all entries at x, which has the shape of what Sample writes, in nats.
func (b *Block) LogDensity(x [][]float64) float64 {
	n := len(b.white) / b.factor.k
	logs := float64(n) * b.logTop()
	for i := range n {
		b.gather(x, i)
		logs -= b.Row(i).square(b.row) / 2
	}
	return logs
}

// gather copies the K entries of datum or column i.
func (b *Block) gather(x [][]float64, i int) {
	for k := range b.row {
		b.row[k] = x[k][i]
	}
}
