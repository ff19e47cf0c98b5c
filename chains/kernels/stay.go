package kernels

import (
	"breadboard/chains"
	"breadboard/chains/selector"
)

// Stay is the kernel that never moves.
type Stay struct{}

// Move returns x.
func (Stay) Move(_ chains.Chooser, _ []float64, x int) int { return x }

// AppendRow appends the one entry.
func (Stay) AppendRow(dst []chains.Entry, _ []float64, x int) []chains.Entry {
	return append(dst, chains.Entry{To: x, P: 1})
}

// String returns the selector "stay".
func (Stay) String() string { return "stay" }

func stayForm() kernelForm {
	return kernelForm{
		Syntax: "stay", Doc: "never moves", Example: "stay", Reversible: true,
		Parse: func(selector.Args, Env) (chains.Kernel, error) { return Stay{}, nil },
	}
}

// Evaluations returns the number of evaluations of log f in a move: none.
func (Stay) Evaluations() float64 { return 0 }
