package kernels

import (
	"math"

	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/grid"
)

// Metropolis is the kernel of Grosse, Ancha and Roy (2016): propose one of the directions of the
// space with equal probability (2d of them on a grid of d axes), reject a direction that leads
// nowhere, accept with probability min(1, f(y)/f(x)).
//
// Source: Grosse, Ancha and Roy 2016, Appendix B.1.1; Metropolis et al. 1953.
type Metropolis struct{ Space grid.Graph }

// Move makes one proposal and accepts or rejects it. From a state of zero probability every
// proposal of positive probability is accepted, and every other one rejected.
func (k Metropolis) Move(c chains.Chooser, logf []float64, x int) int {
	return moveLocal(k.Space, c, logf, x, metropolisAccept)
}

// AppendRow appends at most one entry for every direction, and one for staying.
func (k Metropolis) AppendRow(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	return appendLocalRow(k.Space, dst, logf, x, acceptance{metropolisAccept, metropolisRefuse})
}

// States returns the number of states of the space.
func (k Metropolis) States() int { return k.Space.States() }

// String returns the selector "metropolis".
func (Metropolis) String() string { return "metropolis" }

func metropolisForm() kernelForm {
	return kernelForm{
		Syntax:  "metropolis",
		Doc:     "Metropolis with a uniform nearest-neighbour proposal, accepted with min(1, f(y)/f(x))",
		Example: "metropolis", Others: []string{
			"mh", "rw", "rwm", "rwmh", "metropolis-hastings", "random-walk", "random-walk-metropolis"},
		Replaces: []string{"adaptive-metropolis", "emcee", "ensemble", "stretch"}, Reversible: true,
		Parse: func(_ selector.Args, on Env) (chains.Kernel, error) { return Metropolis{on.Space}, nil },
	}
}

// Evaluations returns the number of evaluations of log f in a move: one, at the proposed state.
func (Metropolis) Evaluations() float64 { return 1 }

// rule returns the probability with which a proposed move is accepted, or that with which it is
// refused. Its arguments are log f, in nats, of the state before the move and of the proposed
// state.
type rule func(from, to float64) float64

// acceptance has the probabilities to accept a proposal and to refuse it, each with all its digits.
type acceptance struct{ accept, refuse rule }

func metropolisAccept(from, to float64) float64 {
	switch {
	case math.IsInf(to, -1): // this holds also if f is zero at both states and f(to)/f(from) is undefined
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
	if l, is := space.(*grid.Lattice); is {
		// Monte Carlo spends its time here; a call through the interface would cost some 3% more
		y, inside = l.Neighbour(x, c.Uniform(l.Directions()))
	} else {
		y, inside = space.Neighbour(x, c.Uniform(space.Directions()))
	}
	if inside && c.Flip(accept(logf[x], logf[y])) {
		return y
	}
	return x
}

// appendLocalRow appends the row of state x. The probability of staying is the sum of the
// probabilities of refused proposals: one minus the other entries would lose the digits of a small
// probability.
func appendLocalRow(space grid.Graph, dst []chains.Entry, logf []float64, x int,
	by acceptance) []chains.Entry {
	directions := space.Directions()
	each := 1 / float64(directions)
	from := logf[x]
	stay := 0.0
	for d := range directions {
		y, inside := space.Neighbour(x, d)
		if !inside {
			stay += each
			continue
		}
		to := logf[y]
		stay += each * by.refuse(from, to)
		if p := each * by.accept(from, to); p > 0 {
			dst = append(dst, chains.Entry{To: y, P: p})
		}
	}
	return appendStay(dst, x, stay)
}

// appendStay appends the entry for staying at x, if it has a probability.
func appendStay(dst []chains.Entry, x int, stay float64) []chains.Entry {
	if stay > 0 {
		dst = append(dst, chains.Entry{To: x, P: stay})
	}
	return dst
}

// Barker is the kernel that proposes like Metropolis and accepts with probability f(y)/(f(x)+f(y)).
//
// Source: Barker 1965.
type Barker struct{ Space grid.Graph }

// Move makes one proposal and accepts or rejects it.
func (k Barker) Move(c chains.Chooser, logf []float64, x int) int {
	return moveLocal(k.Space, c, logf, x, barkerAccept)
}

// AppendRow appends at most one entry for every direction, and one for staying.
func (k Barker) AppendRow(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	return appendLocalRow(k.Space, dst, logf, x, acceptance{barkerAccept, barkerRefuse})
}

// States returns the number of states of the space.
func (k Barker) States() int { return k.Space.States() }

// String returns the selector "barker".
func (Barker) String() string { return "barker" }

func barkerForm() kernelForm {
	return kernelForm{
		Syntax:     "barker",
		Doc:        "Barker with a uniform nearest-neighbour proposal, accepted with f(y)/(f(x)+f(y))",
		Example:    "barker",
		Reversible: true,
		Parse:      func(_ selector.Args, on Env) (chains.Kernel, error) { return Barker{on.Space}, nil },
	}
}

// Evaluations returns the number of evaluations of log f in a move: one, at the proposed state.
func (Barker) Evaluations() float64 { return 1 }

// Flip is the Metropolis kernel that draws an axis uniformly, proposes one of its other values,
// each with equal probability, and accepts with probability min(1, f(y)/f(x)). A proposal on an
// axis of side one, which has no other value, is rejected.
//
// On axes of two values, such as the spins of an Ising model, it proposes to turn one spin over.
// Metropolis draws a direction instead, and half of its directions lead into a wall there.
// Proposals are symmetric for any sides: every value of an axis has equally many other values. The
// order of the values, and whether an axis is a ring, do not matter.
//
// Source: Metropolis et al. 1953, with the proposals of single spins that are customary for the
// models of Ising and of Potts.
type Flip struct{ Space *grid.Lattice }

// Move makes one proposal and accepts or rejects it.
func (k Flip) Move(c chains.Chooser, logf []float64, x int) int {
	axis := c.Uniform(k.Space.Dims())
	side := k.Space.Side(axis)
	if side == 1 {
		return x
	}
	if y := (OtherValues{k.Space}).otherState(x, axis, c.Uniform(side-1)); c.Flip(metropolisAccept(logf[x], logf[y])) {
		return y
	}
	return x
}

// AppendRow appends at most one entry for every other value of an axis, and one for staying.
func (k Flip) AppendRow(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	perAxis := 1 / float64(k.Space.Dims())
	from := logf[x]
	stay := 0.0
	for axis := range k.Space.Dims() {
		side := k.Space.Side(axis)
		if side == 1 {
			stay += perAxis
			continue
		}
		each := 1 / float64(k.Space.Dims()*(side-1))
		for value := range side - 1 {
			y := OtherValues{k.Space}.otherState(x, axis, value)
			stay += each * metropolisRefuse(from, logf[y])
			if p := each * metropolisAccept(from, logf[y]); p > 0 {
				dst = append(dst, chains.Entry{To: y, P: p})
			}
		}
	}
	return appendStay(dst, x, stay)
}

// States returns the number of states of the space.
func (k Flip) States() int { return k.Space.States() }

// String returns the selector "flip".
func (Flip) String() string { return "flip" }

func flipForm() kernelForm {
	return kernelForm{
		Syntax:     "flip",
		Doc:        "Metropolis that proposes another value of one random axis; needs a grid",
		Example:    "flip",
		Others:     []string{"spin-flip", "single-spin-flip", "single-flip"},
		Reversible: true,
		Parse: onGrid("proposes another value of one axis",
			func(space *grid.Lattice) chains.Kernel { return Flip{space} }),
	}
}

// Evaluations returns the number of evaluations of log f in a move: one, at the proposed state.
func (Flip) Evaluations() float64 { return 1 }
