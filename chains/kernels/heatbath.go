package kernels

import (
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/grid"
)

// heatBathForm is the selector of the mixture of HeatBathAxis over all axes.
func heatBathForm() kernelForm {
	return kernelForm{
		Syntax:     "heatbath",
		Doc:        "Gibbs sampling of one random coordinate; needs a grid",
		Example:    "heatbath",
		Others:     []string{"gibbs", "gibbs-sampler", "glauber", "random-scan", "random-scan-gibbs"},
		Replaces:   []string{"slice", "slice-sampler", "slice-sampling", "elliptical-slice", "hit-and-run"},
		Reversible: true,
		Parse: onGrid("draws a coordinate given the others", func(space *grid.Lattice) chains.Kernel {
			return anyAxis("heatbath", space, func(axis int) chains.Kernel { return HeatBathAxis{space, axis} })
		}),
	}
}

// HeatBathAxis is the kernel that draws one coordinate afresh from its distribution given the
// others.
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

func heatBathAxisForm() kernelForm {
	return kernelForm{
		Syntax:     "heatbath-axis:AXIS",
		Doc:        "Gibbs sampling of the coordinate on one axis; needs a grid",
		Example:    "heatbath-axis:0",
		Missing:    "the number of an axis",
		Reversible: true,
		Parse: onAxis("draws a coordinate given the others",
			func(space *grid.Lattice, axis int) chains.Kernel { return HeatBathAxis{space, axis} }),
	}
}

// Evaluations returns the number of evaluations of log f in a move: at the other states of the
// line.
func (k HeatBathAxis) Evaluations() float64 { return float64(k.Space.Side(k.Axis) - 1) }

// appendLine appends the states of a line that can be reached from x; x alone where f is zero on
// all of it.
func appendLine(dst []chains.Entry, first, stride int, p []float64, x int) []chains.Entry {
	if p == nil {
		return append(dst, chains.Entry{To: x, P: 1})
	}
	for i, v := range p {
		if v > 0 {
			dst = append(dst, chains.Entry{To: first + stride*i, P: v})
		}
	}
	return dst
}

// lineWeights returns the first state of the line through x along an axis, and f of the line's
// states divided by its sum over them; nil if f is zero on the whole line.
func lineWeights(space *grid.Lattice, axis int, logf []float64, x int) (first int, p []float64) {
	stride := space.Stride(axis)
	side := space.Side(axis)
	first = x - space.Coord(x, axis)*stride
	return first, normalLine(make([]float64, side), logf, first, stride)
}

// normalLine writes f of the states first, first+stride, ... divided by their sum to p and returns
// it, or nil if all of them are zero.
func normalLine(p, logf []float64, first, stride int) []float64 {
	for i := range p {
		p[i] = logf[first+stride*i]
	}
	return normal(p)
}

// normal turns logarithms of f into f divided by its sum over them, in place, and returns it, or
// nil if all of them are zero.
func normal(p []float64) []float64 {
	top := math.Inf(-1)
	for _, l := range p {
		top = max(top, l)
	}
	if math.IsInf(top, -1) {
		return nil
	}
	chains.Normalize(p)
	return p
}

// heatBathScanForm is the selector of HeatBathAxis over all axes, one after another.
func heatBathScanForm() kernelForm {
	return kernelForm{
		Syntax:  "heatbath-scan",
		Doc:     "Gibbs sampling of every coordinate in turn; needs a grid",
		Example: "heatbath-scan",
		Others:  []string{"gibbs", "gibbs-sampler", "systematic-scan", "systematic-scan-gibbs"},
		Parse: onGrid("draws a coordinate given the others", func(space *grid.Lattice) chains.Kernel {
			parts, _ := axes(space, func(axis int) chains.Kernel { return HeatBathAxis{space, axis} })
			return sequence(Sequence{Parts: parts, Times: 1, order: inOrder(len(parts)), name: "heatbath-scan"})
		}),
	}
}

// heatBathZigzagForm is the selector of HeatBathAxis over all axes, forward and back. The last axis
// moves once.
//
// Source: Roberts and Sahu 1997, section 2.1, the reversible form of the deterministic scan.
func heatBathZigzagForm() kernelForm {
	return kernelForm{
		Syntax:     "heatbath-zigzag",
		Doc:        "Gibbs sampling of every coordinate in turn, then in reverse order; needs a grid",
		Example:    "heatbath-zigzag",
		Others:     []string{"zigzag", "reversible-scan", "symmetric-scan", "forward-backward-scan"},
		Reversible: true,
		Parse: onGrid("draws a coordinate given the others", func(space *grid.Lattice) chains.Kernel {
			parts, _ := axes(space, func(axis int) chains.Kernel { return HeatBathAxis{space, axis} })
			k := Palindrome(parts...).(sequenceRows)
			k.name = "heatbath-zigzag"
			return k
		}),
	}
}
