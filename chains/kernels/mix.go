package kernels

import (
	"breadboard/chains"
	"breadboard/chains/internal/library"
)

// Mix applies one of its parts, drawn with the given weights. It leaves a distribution invariant where all parts do, and
// is reversible where they are.
type Mix struct {
	Parts   []chains.Kernel
	Weights []float64 // probabilities
	name    string
}

// mix returns a Mix. The result has AppendRow where all parts have rows in closed form, and Reversal where a part is not
// reversible and says what its time reversal is.
func mix(name string, p []float64, parts []chains.Kernel) chains.Kernel {
	m := Mix{parts, p, name}
	reversible := true
	for _, k := range parts {
		_, r := k.(chains.Reverser)
		reversible = reversible && !r
	}
	switch rows := allRowers(parts); {
	case rows && reversible:
		return mixRows{m}
	case rows:
		return mixRowsReverser{mixRows{m}}
	case reversible:
		return m
	}
	return mixReverser{m}
}

// Move draws a part and applies it.
func (m Mix) Move(c chains.Chooser, logf []float64, x int) int {
	return m.Parts[c.Choose(m.Weights)].Move(c, logf, x)
}

// String returns the selector.
func (m Mix) String() string { return m.name }

// parts returns what the mixture is made of.
func (m Mix) parts() chains.Parts { return chains.Parts{Kernels: m.Parts, Weights: m.Weights} }

// MadeOf returns the parts of the kernel, and the Word of the library for this very type.
func (m Mix) MadeOf() (chains.Parts, library.Word) { return m.parts(), library.For(m) }

// Reversed returns the mixture of the reversals.
func (m Mix) Reversed() chains.Kernel {
	parts := make([]chains.Kernel, len(m.Parts))
	for i, k := range m.Parts {
		parts[i] = reversal(k)
	}
	return mix(m.name+" reversed", m.Weights, parts)
}

type (
	mixRows         struct{ Mix }
	mixReverser     struct{ Mix }
	mixRowsReverser struct{ mixRows }
)

// MadeOf returns the parts of the kernel, and the Word of the library for this very type.
func (m mixRows) MadeOf() (chains.Parts, library.Word) { return m.parts(), library.For(m) }

// MadeOf returns the parts of the kernel, and the Word of the library for this very type.
func (m mixReverser) MadeOf() (chains.Parts, library.Word) { return m.parts(), library.For(m) }

// MadeOf returns the parts of the kernel, and the Word of the library for this very type.
func (m mixRowsReverser) MadeOf() (chains.Parts, library.Word) { return m.parts(), library.For(m) }

// AppendRow adds up the rows of the parts.
func (m mixRows) AppendRow(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	for i, k := range m.Parts {
		first := len(dst)
		dst = k.(chains.Rower).AppendRow(dst, logf, x)
		for j := first; j < len(dst); j++ {
			dst[j].P *= m.Weights[i]
		}
	}
	return dst
}

// Reversal returns the mixture of the reversals.
func (m mixReverser) Reversal() chains.Kernel { return m.Reversed() }

// Reversal returns the mixture of the reversals.
func (m mixRowsReverser) Reversal() chains.Kernel { return m.Reversed() }
