package kernels

import (
	"slices"

	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/grid"
)

// Exact is the kernel whose every move is an independent draw from the distribution. If f is zero
// everywhere it stays.
type Exact struct{ Space grid.Graph }

// Move draws a state.
func (k Exact) Move(c chains.Chooser, logf []float64, x int) int {
	if p := normal(slices.Clone(logf)); p != nil {
		return c.Choose(p)
	}
	return x
}

// AppendRow appends an entry for every state of positive probability.
func (k Exact) AppendRow(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	return k.RowsUnder(logf)(dst, x)
}

// RowsUnder returns AppendRow for a logf that does not change.
func (Exact) RowsUnder(logf []float64) func(dst []chains.Entry, x int) []chains.Entry {
	p := normal(slices.Clone(logf))
	return func(dst []chains.Entry, x int) []chains.Entry { return appendLine(dst, 0, 1, p, x) }
}

// States returns the number of states of the space.
func (k Exact) States() int { return k.Space.States() }

// String returns the selector "exact".
func (Exact) String() string { return "exact" }

// Evaluations returns the number of evaluations of log f in a move: at all other states.
func (k Exact) Evaluations() float64 { return float64(k.States() - 1) }

// Visited returns the number of states that are visited to make a row.
func (k Exact) Visited() int { return k.States() }

func exactForm() kernelForm {
	return kernelForm{
		Syntax:     "exact",
		Doc:        "independent draws from the distribution itself; a move looks at every state",
		Example:    "exact",
		Others:     []string{"iid", "perfect", "independent-draws"},
		Reversible: true,
		Parse:      func(_ selector.Args, on Env) (chains.Kernel, error) { return Exact{on.Space}, nil },
	}
}
