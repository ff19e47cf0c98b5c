package kernels

import (
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/grid"
)

// suwaTodoForm is the selector of the mixture of SuwaTodoAxis over all axes.
func suwaTodoForm() kernelForm {
	return kernelForm{
		Syntax: "suwa-todo",
		Doc: "Suwa-Todo: moves one coordinate, chosen at random, with the fewest rejections; not " +
			"reversible; needs a grid",
		Example: "suwa-todo",
		Parse: onGrid("moves along an axis", func(space *grid.Lattice) chains.Kernel {
			return anyAxis("suwa-todo", space, func(axis int) chains.Kernel { return SuwaTodoAxis{space, axis, false} })
		}),
	}
}

// SuwaTodoAxis is the kernel that moves one coordinate to another value of its line with as few
// rejections as global balance allows: none, unless one state has more than half of the line's
// mass. It is not reversible.
//
// Every state of the line has a weight, p(x), and a box of the same size. The weights, the largest
// first, are poured into the boxes, beginning with the second box and ending with the first. The
// amount from weight i in box j is the flow from i to j.
//
// With the sums S_i = w_1 + ... + w_i, and S_0 = S_n, the flow is
//
//	max(0, min(D, w_i + w_j - D, w_i, w_j)),   D = S_i - S_{j-1} + w_1.
//
// Source: Suwa and Todo 2010.
type SuwaTodoAxis struct {
	Space    *grid.Lattice
	Axis     int
	Backward bool // whether this is the time reversal, with all flows turned round
}

// Move draws the coordinate.
func (k SuwaTodoAxis) Move(c chains.Chooser, logf []float64, x int) int {
	first, p := k.lineRow(logf, x)
	return first + k.Space.Stride(k.Axis)*c.Choose(p)
}

// AppendRow appends an entry for every state on the line that can be reached.
func (k SuwaTodoAxis) AppendRow(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	first, p := k.lineRow(logf, x)
	return appendLine(dst, first, k.Space.Stride(k.Axis), p, x)
}

// Reversal returns the kernel with all flows turned round.
func (k SuwaTodoAxis) Reversal() chains.Kernel { return SuwaTodoAxis{k.Space, k.Axis, !k.Backward} }

// States returns the number of states of the space.
func (k SuwaTodoAxis) States() int { return k.Space.States() }

// String returns the selector "suwa-todo-axis:" and the axis.
func (k SuwaTodoAxis) String() string { return fmt.Sprintf("suwa-todo-axis:%d", k.Axis) }

// lineRow returns the probabilities from x to every state of its line. From a state where f is zero
// it draws like heat bath, and stays if f is zero on the whole line.
func (k SuwaTodoAxis) lineRow(logf []float64, x int) (first int, p []float64) {
	stride := k.Space.Stride(k.Axis)
	at := k.Space.Coord(x, k.Axis)
	first = x - at*stride
	l := newSplit(k.Space.Side(k.Axis))
	l.readWeights(logf, first, stride)
	p = make([]float64, len(l.high))
	for i := range p {
		p[i] = l.unpoured(at, i)
	}
	total := 0.0
	k.splitFlows(l, func(from, to int, flow float64) {
		if from == at {
			p[to] += flow
			total += flow
		}
	})
	if total > 0 { // it is the weight, apart from rounding
		for i := range p {
			p[i] /= total
		}
	}
	return first, p
}

// split holds the weights of a line, divided by the largest, each as a sum of two float64. A weight
// near one is one plus a remainder, so that differences of nearly equal weights keep their digits.
type split struct {
	high, low []float64
	largest   int // the first place of the largest weight
	total     float64
}

func newSplit(side int) *split {
	return &split{high: make([]float64, side), low: make([]float64, side)}
}

// readWeights reads the weights of the states first, first+stride, ... off log f. They are zero if
// f is zero on the whole line.
func (l *split) readWeights(logf []float64, first, stride int) {
	l.largest = 0
	l.total = 0
	for i := range l.high {
		if logf[first+stride*i] > logf[first+stride*l.largest] {
			l.largest = i
		}
	}
	top := logf[first+stride*l.largest]
	for i := range l.high {
		switch d := logf[first+stride*i] - top; {
		case math.IsInf(top, -1):
			l.high[i], l.low[i] = 0, 0
		case d > -math.Ln2:
			l.high[i], l.low[i] = 1, math.Expm1(d)
		default:
			l.high[i], l.low[i] = math.Exp(d), 0
		}
		l.total += l.high[i] + l.low[i]
	}
}

// unpoured returns the probability from a place to another if the flows do not give it, and zero
// otherwise.
func (l *split) unpoured(at, to int) float64 {
	switch {
	case l.total == 0 && at == to:
		return 1
	case l.total > 0 && l.high[at] == 0:
		return (l.high[to] + l.low[to]) / l.total
	}
	return 0
}

// Flows calls flow with every flow between the states of a line, which are numbered from 0 and have
// the weights w, up to a factor; largest is the index of the largest weight. Apart from rounding,
// the flows from a state sum to its weight, and so do the flows to it. A pair of states may be
// given more than once.
func (k SuwaTodoAxis) Flows(w []float64, largest int, flow func(from, to int, amount float64)) {
	k.splitFlows(&split{high: w, low: make([]float64, len(w)), largest: largest}, flow)
}

func (k SuwaTodoAxis) splitFlows(l *split, flow func(from, to int, amount float64)) {
	if k.Backward {
		l.pour(func(from, to int, amount float64) { flow(to, from, amount) })
		return
	}
	l.pour(flow)
}

// pour calls flow with the amount that goes from each weight into each box (see SuwaTodoAxis). The
// order begins with the state of the largest weight and goes on along the line from there, around
// its end.
//
// The rest of a weight, and the free part of a box, are differences of sums of weights. If large
// weights are alike all digits cancel: of the weights 1, 1e-9 and 1 the small one goes whole into
// the part that it has itself taken from the last. So both are held without any rounding, as sums
// of float64, and amounts have all digits of the weights.
func (l *split) pour(flow func(from, to int, amount float64)) {
	n := len(l.high)
	state := func(place int) int { return (l.largest + place) % n }
	var memory [3][8]float64
	left := exactSum(memory[0][:0])
	room := exactSum(memory[1][:0])
	rest := exactSum(memory[2][:0])
	box := 1 % n
	room = l.addWeight(room, state(box))
	next := func() {
		box = (box + 1) % n
		room = l.addWeight(room, state(box))
	}
	for place := range n {
		from := state(place)
		left = l.addWeight(left, from)
		for left.positive() {
			if box == 0 { // the last box takes the whole rest, which is its size
				flow(from, l.largest, left.value())
				break
			}
			rest = append(rest[:0], left...)
			for _, v := range room {
				rest = rest.plus(-v)
			}
			if rest.positive() {
				if room.positive() {
					flow(from, state(box), room.value())
				}
				left, rest = rest, left
				next()
				continue
			}
			flow(from, state(box), left.value())
			left, room, rest = left[:0], rest, room
			for i := range room {
				room[i] = -room[i]
			}
			if len(room) == 0 {
				next()
			}
		}
	}
}

// addWeight writes a weight to a sum.
func (l *split) addWeight(s exactSum, i int) exactSum {
	return append(s[:0], l.high[i]).plus(l.low[i])
}

// exactSum is a sum of float64 without rounding: numbers of increasing size that do not overlap, so
// that the last has the sign of the sum.
//
// Source: Shewchuk 1997, Adaptive Precision Floating-Point Arithmetic, Grow-Expansion.
type exactSum []float64

// plus adds a number, in place.
func (s exactSum) plus(v float64) exactSum {
	out := s[:0]
	for _, part := range s {
		sum := v + part
		there := sum - v
		if low := (v - (sum - there)) + (part - there); low != 0 {
			out = append(out, low)
		}
		v = sum
	}
	if v != 0 {
		out = append(out, v)
	}
	return out
}

func (s exactSum) positive() bool { return len(s) > 0 && s[len(s)-1] > 0 }

func (s exactSum) value() float64 {
	total := 0.0
	for _, part := range s {
		total += part
	}
	return total
}

// Visited returns the number of states that are visited to make a row, which has few entries.
func (k SuwaTodoAxis) Visited() int { return k.Space.Side(k.Axis) }

func suwaTodoAxisForm() kernelForm {
	return kernelForm{
		Syntax:  "suwa-todo-axis:AXIS",
		Doc:     "Suwa-Todo on one axis: moves its coordinate with the fewest rejections; not reversible; needs a grid",
		Example: "suwa-todo-axis:0",
		Missing: "the number of an axis",
		Parse: onAxis("moves along an axis",
			func(space *grid.Lattice, axis int) chains.Kernel { return SuwaTodoAxis{space, axis, false} }),
	}
}

// Evaluations returns the number of evaluations of log f in a move: at the other states of the
// line.
func (k SuwaTodoAxis) Evaluations() float64 { return float64(k.Space.Side(k.Axis) - 1) }
