package kernels

import (
	"fmt"

	"breadboard/chains"
	"breadboard/chains/internal/library"
	"breadboard/chains/selector"
	"breadboard/grid"
)

// Jump is the Metropolis kernel that proposes a state drawn uniformly from the whole space with probability Eps,
// and a neighbour as Metropolis does otherwise.
type Jump struct {
	Space grid.Graph
	Eps   float64
}

// Move makes one proposal and accepts or rejects it.
func (k Jump) Move(c chains.Chooser, logf []float64, x int) int {
	if !c.Flip(k.Eps) {
		return moveLocal(k.Space, c, logf, x, metropolisAccept)
	}
	if y := c.Uniform(len(logf)); c.Flip(metropolisAccept(logf[x], logf[y])) {
		return y
	}
	return x
}

// AppendRow appends an entry for every state that can be reached.
func (k Jump) AppendRow(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	list := make([]proposal, 0, len(logf)+k.Space.Directions())
	for y := range logf {
		list = append(list, proposal{y, true, k.Eps / float64(len(logf))})
	}
	for d := range k.Space.Directions() {
		y, inside := k.Space.Neighbour(x, d)
		list = append(list, proposal{y, inside, (1 - k.Eps) / float64(k.Space.Directions())})
	}
	return appendProposals(dst, logf, x, list, metropolisAccept, metropolisRefuse)
}

// States returns the number of states of the space.
func (k Jump) States() int { return k.Space.States() }

// String returns the selector "jump:" and Eps.
func (k Jump) String() string { return fmt.Sprintf("jump:%v", k.Eps) }

// Library returns the Word of the library for this type: it leaves its distribution invariant and knows its time reversal.
func (k Jump) Library() library.Word { return library.For(k) }

// jumpForm is how Jump is selected.
func jumpForm() kernelForm {
	return kernelForm{
		Syntax: "jump:EPS", Doc: "Metropolis that proposes any state with probability EPS", Example: "jump:0.1", Missing: "the probability of a jump", Reversible: true,
		Parse: func(args selector.Args, on Env) (chains.Kernel, error) {
			eps, err := selector.ParseProbability(args.Text)
			if err != nil {
				return nil, args.Wrap(err)
			}
			return Jump{on.Space, eps}, nil
		},
	}
}

// Evaluations returns how often a move asks for log f: at the one state that it proposes.
func (Jump) Evaluations() float64 { return 1 }
