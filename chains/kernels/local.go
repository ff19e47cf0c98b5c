package kernels

import (
	"math"

	"breadboard/chains"
	"breadboard/grid"
)

// rule returns the probability with which a proposed move is accepted, or that with which it is refused. Its arguments are
// log f, in nats, of the state before the move and of the proposed state.
type rule func(from, to float64) float64

func metropolisAccept(from, to float64) float64 {
	switch {
	case math.IsInf(to, -1): // this holds also where f is zero at both states and f(to)/f(from) is undefined
		return 0
	case to >= from:
		return 1
	}
	return math.Exp(to - from)
}

func metropolisRefuse(from, to float64) float64 {
	switch {
	case math.IsInf(to, -1):
		return 1
	case to >= from:
		return 0
	}
	return -math.Expm1(to - from)
}

func barkerAccept(from, to float64) float64 {
	if math.IsInf(to, -1) {
		return 0
	}
	return 1 / (1 + math.Exp(from-to))
}

func barkerRefuse(from, to float64) float64 {
	if math.IsInf(to, -1) {
		return 1
	}
	return 1 / (1 + math.Exp(to-from))
}

func moveLocal(space grid.Graph, c chains.Chooser, logf []float64, x int, accept rule) int {
	var y int
	var inside bool
	if l, is := space.(*grid.Lattice); is { // Monte Carlo spends its time here, and the interface would cost some 3% more
		y, inside = l.Neighbour(x, c.Uniform(l.Directions()))
	} else {
		y, inside = space.Neighbour(x, c.Uniform(space.Directions()))
	}
	if inside && c.Flip(accept(logf[x], logf[y])) {
		return y
	}
	return x
}

// appendLocalRow appends the row of state x. The probability of staying is the sum of the probabilities of refused
// proposals: one minus the other entries would lose the digits of a small probability.
func appendLocalRow(space grid.Graph, dst []chains.Entry, logf []float64, x int, accept, refuse rule) []chains.Entry {
	directions := space.Directions()
	each := 1 / float64(directions)
	from, stay := logf[x], 0.0
	for d := range directions {
		y, inside := space.Neighbour(x, d)
		if !inside {
			stay += each
			continue
		}
		to := logf[y]
		stay += each * refuse(from, to)
		if p := each * accept(from, to); p > 0 {
			dst = append(dst, chains.Entry{To: y, P: p})
		}
	}
	if stay > 0 {
		dst = append(dst, chains.Entry{To: x, P: stay})
	}
	return dst
}
