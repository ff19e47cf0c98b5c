package kernels

import (
	"breadboard/chains"
	"breadboard/chains/internal/library"
	"breadboard/chains/selector"
	"breadboard/grid"
)

// Barker is the kernel that proposes like Metropolis and accepts with probability f(y)/(f(x)+f(y)).
//
// Source: Barker 1965.
type Barker struct{ Space grid.Graph }

// Move makes one proposal and accepts or rejects it.
func (k Barker) Move(c chains.Chooser, logf []float64, x int) int {
	return moveLocal(k.Space, c, logf, x, barkerAccept)
}

// AppendRow appends at most one entry for every direction, and one for staying; the probability of staying is the sum of
// the probabilities of refused proposals.
func (k Barker) AppendRow(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	return appendLocalRow(k.Space, dst, logf, x, barkerAccept, barkerRefuse)
}

// States returns the number of states of the space.
func (k Barker) States() int { return k.Space.States() }

// String returns the selector "barker".
func (Barker) String() string { return "barker" }

// Library returns the Word of the library for this type: it leaves its distribution invariant and knows its time reversal.
func (k Barker) Library() library.Word { return library.For(k) }

// barkerForm is how Barker is selected.
func barkerForm() kernelForm {
	return kernelForm{
		Syntax: "barker", Doc: "one of the 2d neighbours (on a graph, of its directions), accepted with f(y)/(f(x)+f(y))", Example: "barker", Reversible: true,
		Parse: func(_ selector.Args, on Env) (chains.Kernel, error) { return Barker{on.Space}, nil },
	}
}

// Evaluations returns how often a move asks for log f: at the one state that it proposes.
func (Barker) Evaluations() float64 { return 1 }
