package kernels

import (
	"fmt"

	"breadboard/chains"
	"breadboard/chains/internal/library"
	"breadboard/chains/selector"
	"breadboard/grid"
)

// HeatBathAxis is the kernel that draws one coordinate afresh from its distribution given the others.
//
// Source: Geman and Geman 1984 (Gibbs sampling).
type HeatBathAxis struct {
	Space *grid.Lattice
	Axis  int
}

// Move draws the coordinate.
func (k HeatBathAxis) Move(c chains.Chooser, logf []float64, x int) int {
	first, p := lineWeights(k.Space, k.Axis, logf, x)
	if p == nil {
		return x
	}
	return first + k.Space.Stride(k.Axis)*c.Choose(p)
}

// AppendRow appends an entry for every state on the line of positive probability.
func (k HeatBathAxis) AppendRow(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	first, p := lineWeights(k.Space, k.Axis, logf, x)
	return appendLine(dst, first, k.Space.Stride(k.Axis), p, x)
}

// States returns the number of states of the space.
func (k HeatBathAxis) States() int { return k.Space.States() }

// String returns the selector "heatbath-axis:" and the axis.
func (k HeatBathAxis) String() string { return fmt.Sprintf("heatbath-axis:%d", k.Axis) }

// Library returns the Word of the library for this type: it leaves its distribution invariant and knows its time reversal.
func (k HeatBathAxis) Library() library.Word { return library.For(k) }

// heatBathAxisForm is how HeatBathAxis is selected.
func heatBathAxisForm() kernelForm {
	return kernelForm{
		Syntax: "heatbath-axis:AXIS", Doc: "the coordinate on one axis drawn given the others; needs a grid", Example: "heatbath-axis:0", Missing: "the number of an axis", Reversible: true,
		Parse: func(args selector.Args, on Env) (chains.Kernel, error) {
			space, err := on.lattice("draws a coordinate given the others")
			if err != nil {
				return nil, args.Wrap(err)
			}
			axis, err := parseAxis(args.Text, space)
			if err != nil {
				return nil, args.Wrap(err)
			}
			return HeatBathAxis{space, axis}, nil
		},
	}
}

// Evaluations returns how often a move asks for log f: at the other states of the line.
func (k HeatBathAxis) Evaluations() float64 { return float64(k.Space.Side(k.Axis) - 1) }
