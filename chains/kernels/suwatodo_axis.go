package kernels

import (
	"fmt"

	"breadboard/chains"
	"breadboard/chains/internal/library"
	"breadboard/chains/selector"
	"breadboard/grid"
)

// SuwaTodoAxis is the kernel that moves one coordinate to another value of its line with as few rejections as
// global balance allows: none, unless one state has more than half of the line's mass. It is not reversible.
//
// Source: Suwa and Todo 2010. Every state of the line has a weight, p(x), and a box that holds just as much. The weights,
// the largest first, are poured into the boxes, beginning with the second box and ending with the first; the amount that
// goes from weight i into box j is the flow from i to j.
type SuwaTodoAxis struct {
	Space    *grid.Lattice
	Axis     int
	Backward bool // whether this is the time reversal, with all flows turned round
}

// Move draws the coordinate.
func (k SuwaTodoAxis) Move(c chains.Chooser, logf []float64, x int) int {
	first, p := k.row(logf, x)
	if p == nil {
		return x
	}
	return first + k.Space.Stride(k.Axis)*c.Choose(p)
}

// AppendRow appends an entry for every state on the line that can be reached.
func (k SuwaTodoAxis) AppendRow(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	first, p := k.row(logf, x)
	return appendLine(dst, first, k.Space.Stride(k.Axis), p, x)
}

// Reversal returns the kernel with all flows turned round.
func (k SuwaTodoAxis) Reversal() chains.Kernel { return SuwaTodoAxis{k.Space, k.Axis, !k.Backward} }

// States returns the number of states of the space.
func (k SuwaTodoAxis) States() int { return k.Space.States() }

// String returns the selector "suwa-todo-axis:" and the axis.
func (k SuwaTodoAxis) String() string { return fmt.Sprintf("suwa-todo-axis:%d", k.Axis) }

// row returns the probabilities from x to every state of its line; nil where f is zero on all of it. From a state where f
// is zero, on a line where it is not zero everywhere, the kernel draws as heat bath does.
func (k SuwaTodoAxis) row(logf []float64, x int) (first int, p []float64) {
	first, w := lineWeights(k.Space, k.Axis, logf, x)
	if w == nil {
		return first, nil
	}
	at := k.Space.Coord(x, k.Axis)
	if w[at] == 0 {
		return first, w
	}
	p = make([]float64, len(w))
	total := 0.0
	pour(w, pouringOrder(make([]int, len(w)), w), func(from, to int, flow float64) {
		if k.Backward {
			from, to = to, from
		}
		if from == at {
			p[to] += flow
			total += flow
		}
	})
	for i := range p { // total is w[at], apart from rounding
		p[i] /= total
	}
	return first, p
}

// pouringOrder writes the order in which weights are poured to order and returns it. It begins with the state of the largest
// weight and goes on along the line from there, around its end.
func pouringOrder(order []int, w []float64) []int {
	largest := 0
	for i := range w {
		if w[i] > w[largest] {
			largest = i
		}
	}
	for i := range order {
		order[i] = (largest + i) % len(w)
	}
	return order
}

// pour calls flow with the amount that goes from each weight into each box (see SuwaTodoAxis). It subtracts each amount
// from what is left, and so keeps the digits of small weights, which differences of running sums would lose.
func pour(w []float64, order []int, flow func(from, to int, amount float64)) {
	n := len(order)
	box := 1 % n
	room := w[order[box]]
	for _, from := range order {
		left := w[from]
		for left > 0 {
			if box == 0 { // the last box takes all that is left, which is its size apart from rounding
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

// Visited returns the number of states that are looked at to make a row, which has few entries.
func (k SuwaTodoAxis) Visited() int { return k.Space.Side(k.Axis) }

// Library returns the Word of the library for this type: it leaves its distribution invariant and knows its time reversal.
func (k SuwaTodoAxis) Library() library.Word { return library.For(k) }

// suwaTodoAxisForm is how SuwaTodoAxis is selected.
func suwaTodoAxisForm() kernelForm {
	return kernelForm{
		Syntax: "suwa-todo-axis:AXIS", Doc: "the coordinate on one axis moved with the fewest rejections; needs a grid", Example: "suwa-todo-axis:0",
		Parse: func(args selector.Args, on Env) (chains.Kernel, error) {
			space, err := on.lattice("moves along an axis")
			if err != nil {
				return nil, args.Wrap(err)
			}
			axis, err := parseAxis(args.Text, space)
			if err != nil {
				return nil, args.Wrap(err)
			}
			return SuwaTodoAxis{space, axis, false}, nil
		},
	}
}
