package kernel

import (
	"cmp"
	"context"
	"slices"

	"breadboard/chains/number"
)

// classes counts the communicating classes of the states of positive probability, weighs them and finds the period of the class of
// the likeliest one. Time is O(entries).
func (d *Diagnosis) classes(ctx context.Context) error {
	classOf, count, err := d.components(ctx)
	if err != nil {
		return err
	}
	d.Classes, d.ClassMasses = count, make([]float64, count)
	for _, x := range d.on {
		d.ClassMasses[classOf[x]] += d.invariantP[x]
	}
	slices.SortFunc(d.ClassMasses, func(a, b float64) int { return cmp.Compare(b, a) })
	likeliest := slices.MaxFunc(d.on, func(a, b int) int { return cmp.Compare(d.invariantP[a], d.invariantP[b]) })
	d.Period, _, err = d.period(ctx, classOf, likeliest, unreached(d.States))
	return err
}

// unreached returns the distances of so many states before any of them was reached.
func unreached(states int) []int { return slices.Repeat([]int{-1}, states) }

// period returns the period of the class of a root, and its states, given the class of every state. It writes how many moves
// each of them is from the root into distance.
func (d *Diagnosis) period(ctx context.Context, classOf []int, root int, distance []int) (period int, members []int, err error) {
	// The period is the greatest common divisor of what the distances from one state of the class lack of being one more after every move.
	distance[root] = 0
	members = []int{root}
	for at := 0; at < len(members); at++ {
		if at%looks == 0 && ctx.Err() != nil {
			return 0, nil, ctx.Err()
		}
		x := members[at]
		for _, e := range d.rows.Row(x) {
			if e.P > 0 && classOf[e.To] == classOf[x] && distance[e.To] < 0 {
				distance[e.To] = distance[x] + 1
				members = append(members, e.To)
			}
		}
	}
	for _, x := range members {
		for _, e := range d.rows.Row(x) {
			if e.P > 0 && classOf[e.To] == classOf[x] {
				period = number.GCD(period, distance[x]+1-distance[e.To])
			}
		}
	}
	return period, members, nil
}

// Cycles divides the states of positive probability into the sets that a chain goes through in turn: a class of period d has
// d of them, and an aperiodic class is one set. From a set the chain is sure to be in one certain set after so many moves,
// and in the long run that is all that it remembers of where it began. Cycles returns the number of the set of each state,
// -1 for states of probability zero, and how many sets there are. Time is O(entries).
func (d *Diagnosis) Cycles(ctx context.Context) (setOf []int, sets int, err error) {
	classOf, _, err := d.components(ctx)
	if err != nil {
		return nil, 0, err
	}
	setOf, distance := unreached(d.States), unreached(d.States)
	for _, root := range d.on {
		if setOf[root] >= 0 {
			continue
		}
		period, members, err := d.period(ctx, classOf, root, distance)
		if err != nil {
			return nil, 0, err
		}
		period = max(period, 1) // no move stays in a class of one state that rounding cuts off
		for _, x := range members {
			setOf[x] = sets + distance[x]%period
		}
		sets += period
	}
	return setOf, sets, nil
}

// components numbers the classes of states that reach each other, and returns the number of the class of every state of
// positive probability, and how many classes there are. Moves from other states do not count, and
// such states have numbers below zero.
//
// Source: Tarjan 1972, with a stack of its own in place of recursion.
func (d *Diagnosis) components(ctx context.Context) (classOf []int, classes int, err error) {
	n := d.States
	classOf = make([]int, n)
	found, low := make([]int, n), make([]int, n)
	next := make([]int, n) // the entry of its row at which the search of a state goes on
	for x := range classOf {
		classOf[x] = -1
	}
	positive := make([]bool, n)
	for _, x := range d.on {
		positive[x] = true
	}
	var path, open []int // the states between the root and here, and those whose class is not known yet
	number, work := 0, 0
	for _, root := range d.on {
		if found[root] > 0 {
			continue
		}
		path = append(path[:0], root)
		for len(path) > 0 {
			if work++; work%looks == 0 && ctx.Err() != nil {
				return nil, 0, ctx.Err()
			}
			x := path[len(path)-1]
			if found[x] == 0 {
				number++
				found[x], low[x] = number, number
				open = append(open, x)
			}
			deeper := false
			for row := d.rows.Row(x); next[x] < len(row); next[x]++ {
				e := row[next[x]]
				if e.P == 0 || !positive[e.To] {
					continue
				}
				if found[e.To] == 0 {
					path, deeper = append(path, e.To), true
					break
				}
				if classOf[e.To] < 0 {
					low[x] = min(low[x], low[e.To])
				}
			}
			if deeper {
				continue
			}
			path = path[:len(path)-1]
			if low[x] < found[x] {
				continue
			}
			for classOf[x] < 0 { // x is the first state of its class, and all that is open after it belongs to it
				y := open[len(open)-1]
				open = open[:len(open)-1]
				classOf[y] = classes
			}
			classes++
		}
	}
	return classOf, classes, nil
}
