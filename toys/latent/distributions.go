package latent

import (
	"math"

	"breadboard/chains"
	"breadboard/chains/number"
)

// unit returns a uniform number between 0 and 1. It is the probability that a pair of standard
// normal numbers lies farther from zero than the pair that it draws, so that small numbers keep all
// of their digits.
func unit(c chains.RealChooser) float64 {
	x, y := c.Normal(), c.Normal()
	return math.Exp(-(x*x + y*y) / 2)
}

// gamma returns a number of the Gamma distribution of a shape of at least 1, with scale one. It
// takes about one normal number and one flip.
//
// Source: Marsaglia and Tsang 2000, A simple method for generating gamma variables.
func gamma(c chains.RealChooser, shape float64) float64 {
	d := shape - 1.0/3
	width := 1 / math.Sqrt(9*d)
	for {
		x := c.Normal()
		root := 1 + width*x
		if root <= 0 {
			continue
		}
		v := root * root * root
		if c.Flip(math.Exp(min(0, x*x/2+d*(1-v+number.Log(v))))) {
			return d * v
		}
	}
}

// truncatedNormal returns a number of N(mean, sd^2) given that it lies between lo and hi, where lo
// < hi; either may be infinite. In a tail the number is a distance from the near end of the
// interval, so that it keeps its digits however far the interval is from the mean.
//
// It proposes from the normal distribution itself, from the uniform one, or in a tail from an
// exponential one, and accepts at least about half of the proposals.
//
// Source: Robert 1995, Simulation of truncated normal variables, section 2.
func truncatedNormal(c chains.RealChooser, mean, sd, lo, hi float64) float64 {
	a := (lo - mean) / sd
	b := (hi - mean) / sd
	width := (hi - lo) / sd
	switch {
	case a >= 0:
		return lo + sd*tailBeyond(c, a, width)
	case b <= 0:
		return hi - sd*tailBeyond(c, -b, width)
	case width < 2.5: // about sqrt(2 pi), where the two ways accept equally often
		return mean + sd*uniformWithin(c, a, b)
	}
	for {
		if x := c.Normal(); x >= a && x <= b {
			return mean + sd*x
		}
	}
}

// uniformWithin returns a standard normal number between a and b. It proposes uniform numbers.
func uniformWithin(c chains.RealChooser, a, b float64) float64 {
	for {
		if x := a + (b-a)*unit(c); c.Flip(math.Exp(-x * x / 2)) {
			return x
		}
	}
}

// tailBeyond returns by how much a standard normal number exceeds a, given that it does so by at
// most the width; a is not negative. It proposes exponential numbers at Robert's rate, given that
// they do not exceed the width.
func tailBeyond(c chains.RealChooser, a, width float64) float64 {
	rate := (a + math.Hypot(a, 2)) / 2
	far := 1 / rate // which is rate - a
	mass := -math.Expm1(-rate * width)
	for {
		e := -math.Log1p(-mass*unit(c)) / rate
		if c.Flip(math.Exp(-(e - far) * (e - far) / 2)) {
			return e
		}
	}
}

// InverseGamma is the inverse gamma distribution of a positive number, usually a variance, with
// density in proportion to x^(-Shape-1) exp(-Scale/x). The shape is at least 1.
type InverseGamma struct{ Shape, Scale float64 }

// Sample draws a number.
func (d InverseGamma) Sample(c chains.RealChooser) float64 { return d.Scale / gamma(c, d.Shape) }

// LogDensity returns the logarithm of the density at x, in nats: -Inf if x is not positive.
func (d InverseGamma) LogDensity(x float64) float64 {
	if x <= 0 {
		return math.Inf(-1)
	}
	return d.Shape*number.Log(d.Scale) - logGamma(d.Shape) - (d.Shape+1)*number.Log(x) - d.Scale/x
}

// Beta is the beta distribution of a probability, with density in proportion to x^(A-1)
// (1-x)^(B-1). Both numbers are at least 1.
type Beta struct{ A, B float64 }

// sample draws a probability.
func (d Beta) sample(c chains.RealChooser) float64 {
	x, y := gamma(c, d.A), gamma(c, d.B)
	return x / (x + y)
}

// dirichlet is the Dirichlet distribution of K probabilities that sum to one, with density in
// proportion to the product of x_k^(a_k - 1). It holds the a_k, each of which is at least 1.
type dirichlet []float64

// sample draws probabilities into dst, which has K entries.
func (d dirichlet) sample(c chains.RealChooser, dst []float64) {
	total := 0.0
	for k, a := range d {
		dst[k] = gamma(c, a)
		total += dst[k]
	}
	for k := range dst {
		dst[k] /= total
	}
}

func logGamma(x float64) float64 {
	v, _ := math.Lgamma(x)
	return v
}

// Categorical is a distribution on 0..K-1 that is known up to a constant.
type Categorical struct {
	// the logarithms of the probabilities, each plus the same constant; at least one is above -Inf
	Logs []float64
	p    []float64 // room for the probabilities
}

// newCategorical returns a distribution on that many numbers, all of which are as likely.
func newCategorical(k int) *Categorical { return &Categorical{make([]float64, k), make([]float64, k)} }

// Sample draws a number.
func (l *Categorical) Sample(c chains.Chooser) int {
	copy(l.p, l.Logs)
	chains.Normalize(l.p)
	return c.Choose(l.p)
}

// LogDensity returns the log probability of a number, in nats.
func (l *Categorical) LogDensity(k int) float64 { return l.Logs[k] - number.LogSumExp(l.Logs) }

// Bernoulli is a distribution on 0 and 1, given by log P(1) - log P(0).
type Bernoulli float64

// Sample draws 0 or 1.
func (l Bernoulli) Sample(c chains.Chooser) int {
	if c.Flip(1 / (1 + math.Exp(-float64(l)))) {
		return 1
	}
	return 0
}

// LogDensity returns the log probability of 0 or 1, in nats.
func (l Bernoulli) LogDensity(v int) float64 {
	if v == 1 {
		l = -l
	}
	if l > 0 { // -log(1 + exp(l)), where exp(l) may overflow
		return -float64(l) - math.Log1p(math.Exp(-float64(l)))
	}
	return -math.Log1p(math.Exp(float64(l)))
}
