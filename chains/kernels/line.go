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
	p = make([]float64, side)
	for i := range p {
		p[i] = logf[first+stride*i]
	}
	top := math.Inf(-1)
	for _, v := range p {
		top = max(top, v)
	}
	if math.IsInf(top, -1) {
		return first, nil
	}
	chains.Normalize(p)
	return first, p
}
