package latent

import (
	"math"

	"breadboard/chains"
	"breadboard/chains/number"
)

// Categorical is a law on 0..K-1 that is known up to a constant.
type Categorical struct {
	Logs []float64 // the logarithms of the probabilities, each plus the same constant; at least one is above -Inf
	p    []float64 // room for the probabilities
}

// NewCategorical returns a law on so many numbers, all of which are as likely.
func NewCategorical(k int) *Categorical { return &Categorical{make([]float64, k), make([]float64, k)} }

// Sample draws a number.
func (l *Categorical) Sample(c chains.Chooser) int {
	copy(l.p, l.Logs)
	chains.Normalize(l.p)
	return c.Choose(l.p)
}

// LogDensity returns the log probability of a number, in nats.
func (l *Categorical) LogDensity(k int) float64 { return l.Logs[k] - number.LogSumExp(l.Logs) }

// Bernoulli is a law on 0 and 1, given by log P(1) - log P(0).
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

// decider decides which value a latent variable takes, given its law. A scan asks one, so that drawing its moves and finding how likely
// they are is the same code.
type decider interface {
	category(law *Categorical) int
	bit(law Bernoulli) int
}

// drawn decides by a draw.
type drawn struct{ c chains.Chooser }

func (d *drawn) category(law *Categorical) int { return law.Sample(d.c) }
func (d *drawn) bit(law Bernoulli) int         { return law.Sample(d.c) }

// given decides as it has been told to, in the order of the scan, and adds up the log probability of all that.
type given struct {
	values []int // those that are left
	logP   float64
}

func (g *given) next() int {
	v := g.values[0]
	g.values = g.values[1:]
	return v
}

func (g *given) category(law *Categorical) int {
	v := g.next()
	g.logP += law.LogDensity(v)
	return v
}

func (g *given) bit(law Bernoulli) int {
	v := g.next()
	g.logP += law.LogDensity(v)
	return v
}

// levelDigits is how many binary digits of a log likelihood make a level. The rest is left to rounding, by which states whose likelihoods
// are equal, as those with their clusters renamed, may differ.
const levelDigits = 40

// levelOf returns the least number with so many digits that is not above a log likelihood.
func levelOf(logL float64) float64 {
	fraction, exponent := math.Frexp(logL)
	return math.Ldexp(math.Floor(math.Ldexp(fraction, levelDigits)), exponent-levelDigits)
}
