package kernels

import (
	"breadboard/chains"
	"breadboard/chains/internal/library"
	"breadboard/chains/selector"
	"breadboard/grid"
)

// Flip is the Metropolis kernel that draws an axis uniformly, proposes one of its other values, each with equal probability, and accepts
// with probability min(1, f(y)/f(x)). An axis of side one has no other value, so that what is proposed there is refused.
//
// On axes of two values, such as the spins of an Ising model, it proposes to turn one spin over. Metropolis draws a direction instead, and
// half of its directions lead into a wall there. Proposals are symmetric whatever the sides are: the other values of an axis are equally
// many from every value. What lies next to what, and whether an axis is a ring, is of no concern to it.
//
// Source: Metropolis et al. 1953, with the proposals of single spins that are customary for the models of Ising and of Potts.
type Flip struct{ Space *grid.Lattice }

// Move makes one proposal and accepts or rejects it.
func (k Flip) Move(c chains.Chooser, logf []float64, x int) int {
	axis := c.Uniform(k.Space.Dims())
	side, stride := k.Space.Side(axis), k.Space.Stride(axis)
	if side == 1 {
		return x
	}
	here := k.Space.Coord(x, axis)
	value := c.Uniform(side - 1)
	if value >= here {
		value++ // skip the value that the axis has already
	}
	if y := x + stride*(value-here); c.Flip(metropolisAccept(logf[x], logf[y])) {
		return y
	}
	return x
}

// AppendRow appends at most one entry for every other value of an axis, and one for staying; the probability of staying is
// the sum of the probabilities of refused proposals.
func (k Flip) AppendRow(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	perAxis := 1 / float64(k.Space.Dims())
	from, stay := logf[x], 0.0
	for axis := range k.Space.Dims() {
		side, stride := k.Space.Side(axis), k.Space.Stride(axis)
		if side == 1 {
			stay += perAxis
			continue
		}
		each := 1 / float64(k.Space.Dims()*(side-1))
		here := k.Space.Coord(x, axis)
		first := x - stride*here
		for value := range side {
			if value == here {
				continue
			}
			y := first + stride*value
			stay += each * metropolisRefuse(from, logf[y])
			if p := each * metropolisAccept(from, logf[y]); p > 0 {
				dst = append(dst, chains.Entry{To: y, P: p})
			}
		}
	}
	if stay > 0 {
		dst = append(dst, chains.Entry{To: x, P: stay})
	}
	return dst
}

// States returns the number of states of the space.
func (k Flip) States() int { return k.Space.States() }

// String returns the selector "flip".
func (Flip) String() string { return "flip" }

// Library returns the Word of the library for this type: it leaves its distribution invariant and knows its time reversal.
func (k Flip) Library() library.Word { return library.For(k) }

// flipForm is how Flip is selected.
func flipForm() kernelForm {
	return kernelForm{
		Syntax: "flip", Doc: "Metropolis that proposes another value of one axis, as a single spin flip; needs a grid", Example: "flip", Others: []string{"spin-flip", "single-spin-flip", "single-flip"}, Reversible: true,
		Parse: func(args selector.Args, on Env) (chains.Kernel, error) {
			space, err := on.lattice("proposes another value of one axis")
			if err != nil {
				return nil, args.Wrap(err)
			}
			return Flip{space}, nil
		},
	}
}

// Evaluations returns how often a move asks for log f: at the one state that it proposes.
func (Flip) Evaluations() float64 { return 1 }
