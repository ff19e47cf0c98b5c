package kernel

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"breadboard/chains"
	"breadboard/chains/number"
)

// classes finds the communicating classes of the states of positive probability, their
// probabilities, and the period of the class of the likeliest state. Under rows that leave the
// distribution invariant every move can be reversed, so that a class is a connected set of states,
// regardless of the direction of moves; but a state that moves lead to and none from is one by
// itself. This definition is right even if the probability of the way back underflows, as when one
// state is e^745 times as probable as its neighbours. Time is O(entries).
func (d *Diagnosis) classes(ctx context.Context, into *columns) (err error) {
	sets := NewSets(d.States)
	on := make([]bool, d.States)
	for _, x := range d.on {
		on[x] = true
		sets.Add(x)
	}
	for _, x := range d.on {
		for _, e := range d.rows.Row(x) {
			if e.P > 0 && on[e.To] && !d.traps(x, e) {
				sets.Join(x, e.To)
			}
		}
	}
	d.ClassOf, d.Classes = sets.Numbered(), sets.Count()
	d.ClassMasses = make([]float64, d.Classes)
	for _, x := range d.on {
		d.ClassMasses[d.ClassOf[x]] += d.invariantP[x]
	}
	slices.SortStableFunc(d.ClassMasses, func(a, b float64) int { return cmp.Compare(b, a) })
	likeliest := slices.MaxFunc(d.on, func(a, b int) int { return cmp.Compare(d.invariantP[a], d.invariantP[b]) })
	d.Period, _, err = d.period(ctx, into, likeliest, make([]int, d.States), make([]bool, d.States))
	return err
}

// traps reports whether a move from x leads to a state that is never left, though the flow to it
// must go back under rows that leave the distribution invariant, and is not too small for float64.
func (d *Diagnosis) traps(x int, to chains.Entry) bool {
	if to.To == x || turnedProbability(to.P, d.logf[x], d.logf[to.To]) < Tiny {
		return false
	}
	for _, e := range d.rows.Row(to.To) {
		if e.To != to.To && e.P > 0 {
			return false
		}
	}
	return true
}

// period returns the period of the class of a root, and its states. It writes to ahead how many
// moves each of them is ahead of the root, on a path that may contain reversed moves, and marks
// them in reached. The columns are those of the rows.
func (d *Diagnosis) period(ctx context.Context, into *columns, root int, ahead []int,
	reached []bool) (period int, members []int, err error) {
	// The period is the greatest common divisor, over all moves from x to y, of ahead(x) + 1 -
	// ahead(y).
	members, reached[root] = []int{root}, true
	for at := 0; at < len(members); at++ {
		if at%looks == 0 && ctx.Err() != nil {
			return 0, nil, ctx.Err()
		}
		x := members[at]
		for _, side := range []struct {
			entries iter.Seq[chains.Entry]
			moves   int
		}{{slices.Values(d.rows.Row(x)), 1}, {into.column(x), -1}} {
			for e := range side.entries {
				switch {
				case e.P == 0 || d.ClassOf[e.To] != d.ClassOf[x]:
				case reached[e.To]:
					period = number.GCD(period, ahead[x]+side.moves-ahead[e.To])
				default:
					ahead[e.To], reached[e.To] = ahead[x]+side.moves, true
					members = append(members, e.To)
				}
			}
		}
	}
	return period, members, nil
}

// Cycles divides the states of positive probability into the sets through which a chain goes in
// turn: a class of period d has d of them, and an aperiodic class is one set. In the long run the
// chain depends on its start only through the set of the start. Cycles returns the set of each
// state (-1 for states of probability zero) and the number of sets. Time is O(entries).
func (d *Diagnosis) Cycles(ctx context.Context) (setOf []int, sets int, err error) {
	into, err := transpose(ctx, d.rows)
	if err != nil {
		return nil, 0, err
	}
	setOf = slices.Repeat([]int{-1}, d.States)
	ahead := make([]int, d.States)
	reached := make([]bool, d.States)
	for _, root := range d.on {
		if reached[root] {
			continue
		}
		period, members, err := d.period(ctx, into, root, ahead, reached)
		if err != nil {
			return nil, 0, err
		}
		period = max(period, 1) // no move stays in a class of one state that rounding cuts off
		for _, x := range members {
			setOf[x] = sets + (ahead[x]%period+period)%period
		}
		sets += period
	}
	return setOf, sets, nil
}
