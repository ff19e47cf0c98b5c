package chains

import (
	"math"

	"breadboard/grid"
)

// Metropolis is the paper's kernel: propose one of the 2d directions with equal probability, reject what
// lands outside, accept with probability min(1, f(y)/f(x)).
//
// Source: Grosse, Ancha and Roy 2016, Appendix B.1.1; Metropolis et al. 1953.
type Metropolis struct{ Space *grid.Lattice }

// Move makes one proposal and accepts or rejects it. From a state of zero probability every proposal of
// positive probability is accepted, and every other one rejected.
func (k Metropolis) Move(c Chooser, logf []float64, x int) int {
	return moveLocal(k.Space, c, logf, x, metropolisAccept)
}

// AppendRow appends the 2d+1 possible moves at most; the probability to stay is summed from what is refused.
func (k Metropolis) AppendRow(dst []Entry, logf []float64, x int) []Entry {
	return appendLocalRow(k.Space, dst, logf, x, metropolisAccept, metropolisRefuse)
}

// States returns the number of states of the space.
func (k Metropolis) States() int { return k.Space.States() }

// String returns the selector "metropolis".
func (Metropolis) String() string { return "metropolis" }

// Barker is the kernel that proposes like Metropolis and accepts with probability f(y)/(f(x)+f(y)).
//
// Source: Barker 1965.
type Barker struct{ Space *grid.Lattice }

// Move makes one proposal and accepts or rejects it.
func (k Barker) Move(c Chooser, logf []float64, x int) int {
	return moveLocal(k.Space, c, logf, x, barkerAccept)
}

// AppendRow appends the 2d+1 possible moves at most; the probability to stay is summed from what is refused.
func (k Barker) AppendRow(dst []Entry, logf []float64, x int) []Entry {
	return appendLocalRow(k.Space, dst, logf, x, barkerAccept, barkerRefuse)
}

// States returns the number of states of the space.
func (k Barker) States() int { return k.Space.States() }

// String returns the selector "barker".
func (Barker) String() string { return "barker" }

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

func moveLocal(space *grid.Lattice, c Chooser, logf []float64, x int, accept rule) int {
	y, inside := space.Neighbour(x, c.Uniform(space.Directions()))
	if inside && c.Flip(accept(logf[x], logf[y])) {
		return y
	}
	return x
}

// appendLocalRow sums the probability to stay from what is refused: one minus the rest would lose the
// digits of a small one.
func appendLocalRow(space *grid.Lattice, dst []Entry, logf []float64, x int, accept, refuse rule) []Entry {
	directions := space.Directions()
	each := 1 / float64(directions)
	stay := 0.0
	for d := range directions {
		y, inside := space.Neighbour(x, d)
		if !inside {
			stay += each
			continue
		}
		stay += each * refuse(logf[x], logf[y])
		if p := each * accept(logf[x], logf[y]); p > 0 {
			dst = append(dst, Entry{y, p})
		}
	}
	if stay > 0 {
		dst = append(dst, Entry{x, stay})
	}
	return dst
}
