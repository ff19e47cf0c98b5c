package chains

import (
	"fmt"
	"math"
	"math/rand/v2"

	"breadboard/chains/errs"
	"breadboard/chains/number"
)

// Chooser makes the random choices of an algorithm. Code written against it can be sampled
// (Sampler), and enumerated exactly (package exact/program). Probabilities are plain numbers in
// [0, 1].
type Chooser interface {
	// Flip returns true with probability p.
	Flip(p float64) bool
	// Uniform returns each of 0..n-1 with probability 1/n; n is at least 1.
	Uniform(n int) int
	// Choose returns i with probability p[i]; the p sum to one.
	Choose(p []float64) int
}

// RealChooser is a Chooser that also draws real numbers. Only programs with real numbers ask for
// one. Such a program has no finite distribution. No enumerator is a RealChooser, so that
// enumerating it does not compile.
type RealChooser interface {
	Chooser
	// Normal returns a standard normal number.
	Normal() float64
}

// MaxChoices is the most choices that a move may make. A move that makes more is treated as one
// that never ends: the two cannot be told apart.
const MaxChoices = 1 << 12

// Sampler is the Chooser of Monte Carlo: it draws from a random number generator.
type Sampler struct{ rng *rand.Rand }

// NewSampler returns a Sampler that draws from src.
func NewSampler(src rand.Source) Sampler { return Sampler{rand.New(src)} }

// Flip returns true with probability p, up to the 2^-53 grain of the uniform draw.
func (s Sampler) Flip(p float64) bool { return s.rng.Float64() < p }

// Normal returns a standard normal number.
func (s Sampler) Normal() float64 { return s.rng.NormFloat64() }

// Uniform returns each of 0..n-1 with probability 1/n exactly.
func (s Sampler) Uniform(n int) int { return s.rng.IntN(n) }

// Choose returns i with probability p[i]. It panics if p has no entry, or none that is positive.
func (s Sampler) Choose(p []float64) int {
	u := s.rng.Float64()
	last := -1
	for i, pi := range p {
		if pi <= 0 {
			continue
		}
		if u < pi {
			return i
		}
		u -= pi
		last = i
	}
	if last < 0 {
		panic(fmt.Sprintf("chains: Choose among %d probabilities, none of them positive", len(p)))
	}
	return last // rounding has left the sum of p below the uniform draw
}

// choiceTolerance is how far the probabilities of a choice may be from summing to one.
const choiceTolerance = 1e-12

// A Sampler checks nothing, for speed. The Choosers that account for probabilities call the
// functions below first, so that all of them refuse the same choices with the same message.

// CheckFlip returns an error if p is not a probability, and nil if a Chooser can flip with it.
func CheckFlip(p float64) error {
	if p >= 0 && p <= 1 {
		return nil
	}
	return flipError(p)
}

// flipError is a function of its own so that CheckFlip is short enough for the compiler to inline
// it.
func flipError(p float64) error {
	if math.IsNaN(p) {
		return errs.New("Flip(NaN); a probability is from 0 to 1, and log f(y) - log f(x) is NaN if both are -Inf")
	}
	return errs.New("Flip(%v); a probability is from 0 to 1", p)
}

// CheckUniform returns an error if n is below 1, and nil otherwise.
func CheckUniform(n int) error {
	if n >= 1 {
		return nil
	}
	return uniformError(n)
}

func uniformError(n int) error { return errs.New("Uniform(%d); n must be at least 1", n) }

// CheckChoose returns an error if a Chooser cannot choose with the probabilities p, and nil
// otherwise. Each must be from 0 to 1, and they must sum to one within 1e-12.
func CheckChoose(p []float64) error {
	var total number.BlockSum
	for _, pi := range p {
		if !(pi >= 0 && pi <= 1) {
			return fmt.Errorf("Choose with a probability of %v", pi)
		}
		total.Add(pi)
	}
	if total := total.Value(); math.Abs(total-1) > choiceTolerance {
		return fmt.Errorf("Choose with probabilities that sum to %v", total)
	}
	return nil
}

// Normalize turns log f of each state into probabilities, in place. At least one state must have
// mass, log f > -Inf. It returns the logarithm of the sum of f over the states, in nats.
func Normalize(logf []float64) (logSum float64) {
	top := math.Inf(-1)
	for _, v := range logf {
		if v > top { // a third of the time of max, which looks for NaN and the sign of zero
			top = v
		}
	}
	var sum number.BlockSum // plain sums of millions lose digits
	for x, v := range logf {
		p := math.Exp(v - top)
		logf[x] = p
		sum.Add(p)
	}
	total := sum.Value()
	for x := range logf {
		logf[x] /= total
	}
	return top + number.Log(total)
}
