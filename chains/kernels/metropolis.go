package kernels

import (
	"breadboard/chains"
	"breadboard/chains/internal/library"
	"breadboard/chains/selector"
	"breadboard/grid"
)

// Metropolis is the paper's kernel: propose one of the directions of the space with equal probability (2d of them on a
// grid of d axes), reject what leads nowhere, accept with probability min(1, f(y)/f(x)).
//
// Source: Grosse, Ancha and Roy 2016, Appendix B.1.1; Metropolis et al. 1953.
type Metropolis struct{ Space grid.Graph }

// Move makes one proposal and accepts or rejects it. From a state of zero probability every proposal of
// positive probability is accepted, and every other one rejected.
func (k Metropolis) Move(c chains.Chooser, logf []float64, x int) int {
	return moveLocal(k.Space, c, logf, x, metropolisAccept)
}

// AppendRow appends at most one entry for every direction, and one for staying; the probability of staying is the sum of
// the probabilities of refused proposals.
func (k Metropolis) AppendRow(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	return appendLocalRow(k.Space, dst, logf, x, metropolisAccept, metropolisRefuse)
}

// States returns the number of states of the space.
func (k Metropolis) States() int { return k.Space.States() }

// String returns the selector "metropolis".
func (Metropolis) String() string { return "metropolis" }

// Library returns the Word of the library for this type: it leaves its distribution invariant and knows its time reversal.
func (k Metropolis) Library() library.Word { return library.For(k) }

// metropolisForm is how Metropolis is selected.
func metropolisForm() kernelForm {
	return kernelForm{
		Syntax: "metropolis", Doc: "the paper's: one of the 2d neighbours (on a graph, of its directions), accepted with min(1, f(y)/f(x))", Example: "metropolis", Others: []string{"mh", "rw", "rwm", "rwmh", "metropolis-hastings", "random-walk", "random-walk-metropolis"}, Reversible: true,
		Parse: func(_ selector.Args, on Env) (chains.Kernel, error) { return Metropolis{on.Space}, nil },
	}
}

// Evaluations returns how often a move asks for log f: at the one state that it proposes.
func (Metropolis) Evaluations() float64 { return 1 }
