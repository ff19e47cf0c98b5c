package planted

import (
	"math"

	"breadboard/chains"
	"breadboard/grid"
)

// acceptance returns the probability with which Metropolis accepts a proposal: 1 from a zero of f
// to another state, and 0 to a zero.
func acceptance(logf []float64, x, y int) float64 {
	switch {
	case math.IsInf(logf[y], -1):
		return 0
	case math.IsInf(logf[x], -1):
		return 1
	}
	return math.Exp(min(0, logf[y]-logf[x]))
}

// propose draws a direction and returns the neighbour there; off the edge it is no state of the
// space.
func propose(space grid.Graph, c chains.Chooser, x int) (y int, inside bool) {
	return space.Neighbour(x, c.Uniform(space.Directions()))
}

// accepted returns y with the given probability, and else x. A proposal off the edge is refused.
func accepted(c chains.Chooser, x, y int, inside bool, p func() float64) int {
	if inside && c.Flip(p()) {
		return y
	}
	return x
}

// Redrawn is Metropolis' kernel with a bug: a proposal off the edge is drawn again until one is
// inside, without a Hastings term.
type Redrawn struct{ Space grid.Graph }

// Move draws among the neighbours inside, which has the same distribution as drawing again.
func (k Redrawn) Move(c chains.Chooser, logf []float64, x int) int {
	inside := neighbours(k.Space, x)
	if len(inside) == 0 {
		return x
	}
	y := inside[c.Uniform(len(inside))]
	return accepted(c, x, y, true, func() float64 { return acceptance(logf, x, y) })
}

// neighbours returns the neighbours of a state in all directions in which there is one.
func neighbours(space grid.Graph, x int) []int {
	var list []int
	for d := range space.Directions() {
		if y, inside := space.Neighbour(x, d); inside {
			list = append(list, y)
		}
	}
	return list
}

// UntilAccepted is Metropolis' kernel with a bug: proposals are drawn until one is accepted, so
// that rejected ones do not count.
type UntilAccepted struct{ Space grid.Graph }

// Move draws a neighbour with a probability proportional to that of its acceptance, which has the
// distribution of the loop. It stays if no neighbour can be accepted: the loop would never end.
func (k UntilAccepted) Move(c chains.Chooser, logf []float64, x int) int {
	to := neighbours(k.Space, x)
	p := make([]float64, len(to))
	total := 0.0
	for i, y := range to {
		p[i] = acceptance(logf, x, y)
		total += p[i]
	}
	if total == 0 {
		return x
	}
	for i := range p {
		p[i] /= total
	}
	return to[c.Choose(p)]
}

// Skewed is Metropolis' kernel with a bug: the first direction is proposed twice as often as any
// other.
type Skewed struct{ Space grid.Graph }

// Move proposes the first direction for two of n + 1 equally likely draws.
func (k Skewed) Move(c chains.Chooser, logf []float64, x int) int {
	n := k.Space.Directions()
	y, inside := k.Space.Neighbour(x, c.Uniform(n+1)%n)
	return accepted(c, x, y, inside, func() float64 { return acceptance(logf, x, y) })
}

// RoundedEnds is Metropolis' kernel for the other values of an axis with a bug: the value is a
// rounded uniform number, so that both ends are half as likely as the values between them.
type RoundedEnds struct{ Space *grid.Lattice }

// Move draws an axis and one of the halves of its values.
func (k RoundedEnds) Move(c chains.Chooser, logf []float64, x int) int {
	axis := c.Uniform(k.Space.Dims())
	value := (c.Uniform(max(1, 2*k.Space.Side(axis)-2)) + 1) / 2
	y := x + (value-k.Space.Coord(x, axis))*k.Space.Stride(axis)
	return accepted(c, x, y, true, func() float64 { return acceptance(logf, x, y) })
}

// Truncated is Metropolis' kernel with a bug: it truncates log f to whole multiples of the grain.
type Truncated struct {
	Space grid.Graph
	Grain float64
}

// Move accepts by the truncated log f.
func (k Truncated) Move(c chains.Chooser, logf []float64, x int) int {
	y, inside := propose(k.Space, c, x)
	return accepted(c, x, y, inside, func() float64 {
		if math.IsInf(logf[x], -1) || math.IsInf(logf[y], -1) {
			return acceptance(logf, x, y)
		}
		return math.Exp(min(0, Truncate(logf[y], k.Grain)-Truncate(logf[x], k.Grain)))
	})
}

// Truncate rounds v towards zero to a whole multiple of the grain.
func Truncate(v, grain float64) float64 { return math.Trunc(v/grain) * grain }

// Rounded is Metropolis' kernel with a bug: its acceptance probabilities are rounded to whole
// multiples of the grain.
type Rounded struct {
	Space grid.Graph
	Grain float64
}

// Move accepts with the acceptance probability rounded to the nearest multiple of the grain.
func (k Rounded) Move(c chains.Chooser, logf []float64, x int) int {
	y, inside := propose(k.Space, c, x)
	return accepted(
		c,
		x,
		y,
		inside,
		func() float64 { return min(1, math.Round(acceptance(logf, x, y)/k.Grain)*k.Grain) },
	)
}

// AlwaysAccepted is Metropolis' kernel with a bug: every proposal inside the space is accepted.
type AlwaysAccepted struct{ Space grid.Graph }

// Move accepts every proposal.
func (k AlwaysAccepted) Move(c chains.Chooser, _ []float64, x int) int {
	if y, inside := propose(k.Space, c, x); inside {
		return y
	}
	return x
}

// TurnedRatio is Metropolis' kernel with a bug: it accepts with the probability of the reverse
// move.
type TurnedRatio struct{ Space grid.Graph }

// Move accepts by the inverse ratio.
func (k TurnedRatio) Move(c chains.Chooser, logf []float64, x int) int {
	y, inside := propose(k.Space, c, x)
	return accepted(c, x, y, inside, func() float64 { return acceptance(logf, y, x) })
}

// Floating rounds v, ties to even, to a binary floating-point format with a significand of the
// given bits and the smallest normal number 2^-least. Smaller numbers lose digits, as in IEEE 754,
// and numbers that round to 2^(least+2) or more become infinite. float16 has 11 bits and least 14,
// bfloat16 has 8 and 126, and float32 has 24 and 126.
func Floating(v float64, bits, least int) float64 {
	if v == 0 || math.IsInf(v, 0) || math.IsNaN(v) {
		return v
	}
	_, exponent := math.Frexp(v) // |v| is below 2^exponent and at least half of that
	unit := math.Ldexp(1, max(exponent, 1-least)-bits)
	rounded := math.RoundToEven(v/unit) * unit
	if math.Abs(rounded) >= math.Ldexp(1, least+2) {
		return math.Inf(int(math.Copysign(1, v)))
	}
	return rounded
}
