package planted

import (
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/grid"
)

// Informed is a kernel that weighs its proposals by f, with a bug: it accepts them with min(1,
// (f(y)/f(x))^Ratio (Z(x)/Z(y))^Constants). From a state where f is zero it accepts always.
type Informed struct {
	Of               kernels.Informed
	Squared          bool // weights are of f^2 instead of f: by sqrt they are f(y)/f(x), for g(t) = t, which is no balancing function
	Ratio, Constants float64
}

// Move makes one proposal and accepts or refuses it.
func (k Informed) Move(c chains.Chooser, logf []float64, x int) int {
	weighed := slices.Clone(logf)
	if k.Squared {
		for x := range weighed {
			weighed[x] *= 2
		}
	}
	to, p, here := k.Of.Proposals(weighed, x)
	if len(to) == 0 {
		return x
	}
	y := to[c.Choose(p)]
	return accepted(c, x, y, true, func() float64 {
		if math.IsInf(logf[x], -1) {
			return 1
		}
		_, _, there := k.Of.Proposals(weighed, y)
		return math.Exp(min(0, k.Ratio*(logf[y]-logf[x])+k.Constants*(here-there)))
	})
}

// ShortDelayed is delayed rejection with a bug: its second stage is accepted as the first is, as if
// nothing had been refused before.
type ShortDelayed struct{ Space grid.Graph }

// Move makes one proposal, and a second one if that is refused.
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
