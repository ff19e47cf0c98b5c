package kernels

import (
	"math"

	"breadboard/chains"
	"breadboard/grid"
)

// rule gives a probability for a proposed move from log f = from to log f = to.
type rule func(from, to float64) float64

func metropolisAccept(from, to float64) float64 {
	switch {
	case math.IsInf(to, -1): // also from one zero to another, where the ratio is undefined
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
	if l, is := space.(*grid.Lattice); is { // the hot loop of Monte Carlo: calls through the interface take some 3% longer
		y, inside = l.Neighbour(x, c.Uniform(l.Directions()))
	} else {
		y, inside = space.Neighbour(x, c.Uniform(space.Directions()))
	}
	if inside && c.Flip(accept(logf[x], logf[y])) {
		return y
	}
	return x
}

// appendLocalRow sums the probability to stay from what is refused: one minus the rest would lose the
// digits of a small one.
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
