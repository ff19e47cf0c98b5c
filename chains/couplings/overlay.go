package couplings

import (
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/number"
)

// tie is the relative distance below which two borders count as equal. Probabilities that ought to
// be equal may differ by some units in the last place.
const tie = 0x1p-48

// Border is about the relative error that each move adds to a mean meeting time, if one uniform
// number draws both moves (see Common). An overlap of two outcomes that is smaller, relative to its
// neighbours, counts as none. Two chains that can meet only by such overlaps need about 1/Border
// moves.
const Border = tie / 2

// Common reports whether a coupling draws both moves by one uniform number.
func Common(name string) bool { return name == "quantile" || name == "common" }

// cell is where outcome x of one distribution and outcome y of another have the same uniform
// numbers, and how much of the unit interval that is.
type cell struct {
	x, y int
	mass float64
}

// overlay lays the parts of the unit interval that the outcomes of two distributions take, in their
// order, over one another, and returns where they overlap, from 0 to 1. So one uniform number draws
// from both distributions:
//
//	P(x, y) = max(0, min(p_0+..+p_x, q_0+..+q_y) - max(p_0+..+p_(x-1), q_0+..+q_(y-1))).
//
// No outcome that has a probability is lost, however small it is. Time is O(outcomes of both), and
// there are fewer cells than that.
//
// A border near 1 has no digits of its distance from 1 if it is found by adding probabilities up
// from 0. Therefore borders are found from both ends, up to the largest overlap, which is large
// enough to be found from either.
func overlay(p, q []float64) []cell {
	up, down := overlaid(p, q, 0, 1), overlaid(p, q, 1, -1)
	middle := 0
	for i, c := range up {
		if c.mass > up[middle].mass {
			middle = i
		}
	}
	for i, c := range down {
		if c.x == up[middle].x && c.y == up[middle].y {
			slices.Reverse(down[:i])
			return append(up[:middle+1], down[:i]...)
		}
	}
	return up
}

// overlaid returns the overlaps as they are found from one end on, up to where the parts of one
// distribution end. The direction is 1 from 0 on, and -1 from 1 on, where end is 1.
func overlaid(p, q []float64, end, direction int) []cell {
	cells := make([]cell, 0, len(p)+len(q))
	i, j := end*(len(p)-1), end*(len(q)-1)
	var apart number.Sum // how far the border of p is beyond that of q, with the digits of the probabilities
	step := min(p[i], q[j])
	added := 0.0
	apart.Add(p[i])
	apart.Add(-q[j])
	for {
		if step > 0 {
			cells = append(cells, cell{i, j, step})
		}
		added += step // since the last border that both distributions have
		rest := apart.Value()
		if math.Abs(rest) <= tie*added {
			rest = 0
			apart = number.Sum{}
			added = 0
		}
		moveP, moveQ := rest <= 0, rest >= 0
		step = math.Inf(1)
		if rest != 0 {
			step = math.Abs(rest)
		}
		if moveP {
			i += direction
			if i < 0 || i == len(p) {
				return cells
			}
			apart.Add(p[i])
			step = min(step, p[i])
		}
		if moveQ {
			j += direction
			if j < 0 || j == len(q) {
				return cells
			}
			apart.Add(-q[j])
			step = min(step, q[j])
		}
	}
}

// drawBoth draws both outcomes by one uniform number, given the outcome of the first distribution
// if that is not below zero.
func drawBoth(c chains.Chooser, p, q []float64, first int) (x, y int) {
	if first >= 0 && slices.Equal(p, q) {
		return first, first
	}
	possible := overlay(p, q)
	if first >= 0 {
		possible = slices.DeleteFunc(possible, func(c cell) bool { return c.x != first })
	}
	at := chosenCell(possible)(c)
	return at.x, at.y
}

// chosenCell returns what chooses a cell in proportion to its mass.
func chosenCell(cells []cell) func(c chains.Chooser) cell {
	masses := make([]float64, len(cells))
	for i, cell := range cells {
		masses[i] = cell.mass
	}
	at := chosen(masses)
	return func(c chains.Chooser) cell { return cells[at(c)] }
}
