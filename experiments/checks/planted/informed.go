package planted

import (
	"math"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/grid"
)

// Weigher proposes y from x with probability weight/Z(x): it returns the states, the probability of each, and log Z(x).
type Weigher interface {
	Proposals(logf []float64, x int) (to []int, p []float64, logZ float64)
}

// Informed is a kernel that weighs its proposals by f, with a bug: it accepts them by a rule of its own.
type Informed struct {
	Of Weigher
	// Accept returns the logarithm of the probability of accepting, which counts as 0 above that. It takes log f and log Z of both states.
	Accept func(from, to, fromZ, toZ float64) float64
}

// Move makes one proposal and accepts or refuses it.
func (k Informed) Move(c chains.Chooser, logf []float64, x int) int {
	to, p, here := k.Of.Proposals(logf, x)
	if len(to) == 0 {
		return x
	}
	y := to[c.Choose(p)]
	_, _, there := k.Of.Proposals(logf, y)
	return accepted(c, x, y, true, func() float64 { return math.Exp(min(0, k.Accept(logf[x], logf[y], here, there))) })
}

// Unbalanced proposes a neighbour in proportion to its f, which is the weight g(f(y)/f(x)) for g(t) = t: no balancing function.
type Unbalanced struct{ Space grid.Graph }

// Proposals returns the neighbours, the probability of each, and the logarithm of the sum of f(y)/f(x). Square roots of ratios of f^2 are ratios of f.
func (k Unbalanced) Proposals(logf []float64, x int) (to []int, p []float64, logZ float64) {
	squares := make([]float64, len(logf))
	for x, v := range logf {
		squares[x] = 2 * v
	}
	return kernels.Balanced{Space: k.Space, Rule: "sqrt"}.Proposals(squares, x)
}

// ShortDelayed is delayed rejection with a bug: its second stage is accepted as the first is, as if nothing had been refused before.
type ShortDelayed struct{ Space grid.Graph }

// Move makes one proposal, and a second one where that is refused.
func (k ShortDelayed) Move(c chains.Chooser, logf []float64, x int) int {
	over, inside := propose(k.Space, c, x)
	if !inside {
		return x
	}
	if c.Flip(acceptance(logf, x, over)) {
		return over
	}
	y, inside := propose(k.Space, c, over)
	return accepted(c, x, y, inside, func() float64 { return acceptance(logf, x, y) })
}
