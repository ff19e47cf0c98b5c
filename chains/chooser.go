package chains

import (
	"fmt"
	"math/rand/v2"
)

// Chooser makes the random choices of an algorithm. Code written against it can be sampled (Sampler), be enumerated exactly (package
// exact/program), or be run again with given outcomes and their probability (Scorer). Probabilities are plain numbers in [0, 1].
type Chooser interface {
	// Flip returns true with probability p.
	Flip(p float64) bool
	// Uniform returns each of 0..n-1 with probability 1/n; n is at least 1.
	Uniform(n int) int
	// Choose returns i with probability p[i]; the p sum to one.
	Choose(p []float64) int
}

// RealChooser is a Chooser that draws real numbers too. Only programs with real numbers in them ask for one: such a program has no
// finite law, and since nothing that enumerates is a RealChooser, enumerating it does not compile.
type RealChooser interface {
	Chooser
	// Normal returns a standard normal number.
	Normal() float64
}

// MaxChoices is the most choices that a move may make. A move that makes more is taken for one that never ends, since
// nobody can tell the two apart.
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

// Choose returns i with probability p[i]. It panics where p has no entry, or none that is positive.
func (s Sampler) Choose(p []float64) int {
	u, last := s.rng.Float64(), -1
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
