package kernels

import (
	"math"

	"breadboard/chains"
	"breadboard/grid"
)

// appendLine appends the states of a line that can be reached from x; x alone where f is zero on all of it.
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

// lineWeights returns the first state of the line through x along an axis, and f of the line's states divided by its sum
// over them; nil where f is zero on the whole line.
func lineWeights(space *grid.Lattice, axis int, logf []float64, x int) (first int, p []float64) {
	stride, side := space.Stride(axis), space.Side(axis)
	first = x - space.Coord(x, axis)*stride
	return first, normalLine(make([]float64, side), logf, first, stride)
}

// normalLine writes f of the states first, first+stride, ... divided by their sum to p and returns it, or nil where all of them are zero.
func normalLine(p, logf []float64, first, stride int) []float64 {
	top := math.Inf(-1)
	for i := range p {
		p[i] = logf[first+stride*i]
		top = max(top, p[i])
	}
	if math.IsInf(top, -1) {
		return nil
	}
	chains.Normalize(p)
	return p
}
