package chains

import (
	"fmt"
	"math"

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
func (k HeatBathAxis) Move(c Chooser, logf []float64, x int) int {
	first, p := lineWeights(k.Space, k.Axis, logf, x)
	if p == nil {
		return x
	}
	return first + k.Space.Stride(k.Axis)*c.Choose(p)
}

// AppendRow appends an entry for every state on the line of positive probability.
func (k HeatBathAxis) AppendRow(dst []Entry, logf []float64, x int) []Entry {
	first, p := lineWeights(k.Space, k.Axis, logf, x)
	return appendLine(dst, first, k.Space.Stride(k.Axis), p, x)
}

// States returns the number of states of the space.
func (k HeatBathAxis) States() int { return k.Space.States() }

// String returns the selector "heatbath-axis:" and the axis.
func (k HeatBathAxis) String() string { return fmt.Sprintf("heatbath-axis:%d", k.Axis) }

// appendLine appends the states of a line that can be reached from x; x alone where f is zero on all of it.
func appendLine(dst []Entry, first, stride int, p []float64, x int) []Entry {
	if p == nil {
		return append(dst, Entry{x, 1})
	}
	for i, v := range p {
		if v > 0 {
			dst = append(dst, Entry{first + stride*i, v})
		}
	}
	return dst
}

// lineWeights returns the first state of the line through x along an axis, and the normalised f of its states;
// nil where f is zero on the whole line.
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
	normalize(p)
	return first, p
}

// SuwaTodoAxis is the kernel that moves one coordinate to another value of its line with as few rejections as
// global balance allows: none, unless one state has more than half of the line's mass. It is not reversible.
//
// Source: Suwa and Todo 2010: the weights, the largest first, are poured into boxes of their own sizes, from the
// second box on and into the first at last; what goes from i into box j is the flow from i to j.
type SuwaTodoAxis struct {
	Space    *grid.Lattice
	Axis     int
	Backward bool // the time reversal
}

// Move draws the coordinate.
func (k SuwaTodoAxis) Move(c Chooser, logf []float64, x int) int {
	first, p := k.row(logf, x)
	if p == nil {
		return x
	}
	return first + k.Space.Stride(k.Axis)*c.Choose(p)
}

// AppendRow appends an entry for every state on the line that can be reached.
func (k SuwaTodoAxis) AppendRow(dst []Entry, logf []float64, x int) []Entry {
	first, p := k.row(logf, x)
	return appendLine(dst, first, k.Space.Stride(k.Axis), p, x)
}

// Reversal returns the kernel with all flows turned round.
func (k SuwaTodoAxis) Reversal() Kernel { return SuwaTodoAxis{k.Space, k.Axis, !k.Backward} }

// States returns the number of states of the space.
func (k SuwaTodoAxis) States() int { return k.Space.States() }

// String returns the selector "suwa-todo-axis:" and the axis.
func (k SuwaTodoAxis) String() string { return fmt.Sprintf("suwa-todo-axis:%d", k.Axis) }

// row returns the probabilities from x to every state of its line; nil where f is zero on all of it. From a
// zero of f among others it draws as heat bath does.
func (k SuwaTodoAxis) row(logf []float64, x int) (first int, p []float64) {
	first, w := lineWeights(k.Space, k.Axis, logf, x)
	if w == nil {
		return first, nil
	}
	at := k.Space.Coord(x, k.Axis)
	if w[at] == 0 {
		return first, w
	}
	// The largest first, the others in their order.
	order := make([]int, len(w))
	largest := 0
	for i := range w {
		if w[i] > w[largest] {
			largest = i
		}
	}
	for i := range order {
		order[i] = (largest + i) % len(w)
	}
	p = make([]float64, len(w))
	total := 0.0
	pour(w, order, func(from, to int, flow float64) {
		if k.Backward {
			from, to = to, from
		}
		if from == at {
			p[to] += flow
			total += flow
		}
	})
	for i := range p { // the flows sum to w[at] but for rounding
		p[i] /= total
	}
	return first, p
}

// pour calls flow with what goes from each state to each. Subtracting as it goes, it keeps the digits of small
// weights, which differences of running sums would lose.
func pour(w []float64, order []int, flow func(from, to int, amount float64)) {
	n := len(order)
	box := 1 % n
	room := w[order[box]]
	for _, from := range order {
		left := w[from]
		for left > 0 {
			if box == 0 { // the last: it takes what there is, which is its size but for rounding
				flow(from, order[0], left)
				break
			}
			amount := min(left, room)
			if amount > 0 {
				flow(from, order[box], amount)
			}
			left -= amount
			if room -= amount; room <= 0 {
				box = (box + 1) % n
				room = w[order[box]]
			}
		}
	}
}
