package kernels

import (
	"fmt"
	"strconv"
	"strings"

	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/grid"
)

// HeatBathBlock is the kernel that draws the coordinates of a block of axes afresh from their joint
// distribution given the others. Axes stand on a plane, as the sites of a model of spins (see
// grid.Lattice.Plane).
//
// Source: Geman and Geman 1984, with blocks as in Roberts and Sahu 1997, section 2.4.
//
//	T(x, y) = f(y)/(sum of f over the states that differ from x in the block alone), for these y
//
// A move, and a row, take time in proportion to the number of these states, the product of the
// sides of the axes of the block.
type HeatBathBlock struct {
	Space         *grid.Lattice
	Height, Width int // the sides of the block
	Row, Column   int // where its first axis stands
}

// Axes returns the axes of the block, row by row.
func (k HeatBathBlock) Axes() []int {
	_, columns := k.Space.Plane()
	list := make([]int, k.Height*k.Width)
	for i := range list {
		list[i] = (k.Row+i/k.Width)*columns + k.Column + i%k.Width
	}
	return list
}

// weights returns the states that differ from x in the block alone, and f of each divided by their
// sum; p is nil if f is zero on all.
func (k HeatBathBlock) weights(logf []float64, x int) (states []int, p []float64) {
	states = []int{x}
	for _, axis := range k.Axes() {
		first := -k.Space.Coord(x, axis)
		stride := k.Space.Stride(axis)
		wider := make([]int, 0, len(states)*k.Space.Side(axis))
		for _, y := range states {
			for v := range k.Space.Side(axis) {
				wider = append(wider, y+(first+v)*stride)
			}
		}
		states = wider
	}
	p = make([]float64, len(states))
	for i, y := range states {
		p[i] = logf[y]
	}
	return states, normal(p)
}

// Move draws the coordinates of the block.
func (k HeatBathBlock) Move(c chains.Chooser, logf []float64, x int) int {
	states, p := k.weights(logf, x)
	if p == nil {
		return x
	}
	return states[c.Choose(p)]
}

// AppendRow appends an entry for every state of positive probability that differs from x in the
// block alone.
func (k HeatBathBlock) AppendRow(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	states, p := k.weights(logf, x)
	if p == nil {
		return append(dst, chains.Entry{To: x, P: 1})
	}
	for i, v := range p {
		if v > 0 {
			dst = append(dst, chains.Entry{To: states[i], P: v})
		}
	}
	return dst
}

// States returns the number of states of the space.
func (k HeatBathBlock) States() int { return k.Space.States() }

// String returns the selector "block:", the sides, and the row and column of the first axis.
func (k HeatBathBlock) String() string {
	return fmt.Sprintf("block:%dx%d:%d:%d", k.Height, k.Width, k.Row, k.Column)
}

// Evaluations returns the number of evaluations of log f in a move: at the other states of the
// block.
func (k HeatBathBlock) Evaluations() float64 {
	states := 1.0
	for _, axis := range k.Axes() {
		states *= float64(k.Space.Side(axis))
	}
	return states - 1
}

// Visited returns the number of states that are visited to make a row.
func (k HeatBathBlock) Visited() int { return int(k.Evaluations()) + 1 }

func blockForm() kernelForm {
	return kernelForm{
		Syntax: "block:HxW[:ROW:COLUMN]",
		Doc: "block Gibbs of HxW axes, at a random or the given place; also block:rows and " +
			"block:columns; needs a grid",
		Example:    "block:1x2",
		Missing:    "the sides of the block",
		Others:     []string{"block-gibbs", "blocked-gibbs", "block-heatbath"},
		Reversible: true,
		Parse: func(args selector.Args, on Env) (chains.Kernel, error) {
			space, err := on.lattice("draws the coordinates of several axes")
			if err != nil {
				return nil, args.Wrap(err)
			}
			k, place, err := parseBlock(args, space)
			if err != nil || place {
				return k, err
			}
			rows, columns := space.Plane()
			var parts []chains.Kernel
			for k.Row = range rows - k.Height + 1 {
				for k.Column = range columns - k.Width + 1 {
					parts = append(parts, k)
				}
			}
			return evenMix("block:"+args.Text, parts), nil
		},
	}
}

// parseBlock reads the sides of a block and, if it is given, its place.
func parseBlock(args selector.Args, space *grid.Lattice) (k HeatBathBlock, place bool, err error) {
	rows, columns := space.Plane()
	sides, at, place := strings.Cut(args.Text, ":")
	k = HeatBathBlock{Space: space, Height: 1, Width: 1}
	switch sides {
	case "rows":
		k.Width = columns
	case "columns":
		k.Height = rows
	default:
		pair, err := grid.ParseSides(sides)
		if err != nil || len(pair) != 2 || pair[0] < 1 || pair[1] < 1 {
			return k, false, args.Errorf(
				"%q are not the sides of a block; write them as in block:2x2, or block:rows or block:columns",
				sides,
			)
		}
		k.Height = pair[0]
		k.Width = pair[1]
	}
	if k.Height > rows || k.Width > columns {
		return k, false, args.Errorf(
			"a block of %dx%d axes does not fit those of the space, a plane of %dx%d; write no larger sides",
			k.Height,
			k.Width,
			rows,
			columns,
		)
	}
	if !place {
		return k, false, nil
	}
	row, column, _ := strings.Cut(at, ":")
	var wrong [2]error
	k.Row, wrong[0] = strconv.Atoi(row)
	k.Column, wrong[1] = strconv.Atoi(column)
	if wrong[0] != nil || wrong[1] != nil || k.Row < 0 || k.Column < 0 || k.Row > rows-k.Height ||
		k.Column > columns-k.Width {
		return k, false,
			args.Errorf("%q is not the place of a block of %dx%d on a plane of %dx%d; write the row and the "+
				"column where it begins, counted from 0, as in block:2x2:0:1",
				at, k.Height, k.Width, rows, columns)
	}
	return k, true, nil
}
