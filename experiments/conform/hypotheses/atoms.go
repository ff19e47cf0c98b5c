package hypotheses

import (
	"context"
	"errors"
	"math"
	"slices"
)

// atom is a value of the log weight and its probability.
type atom struct{ v, p float64 }

// maxAtoms is the largest number of values of the log weight, over all pairs of ends, that are kept of one program.
const maxAtoms = 1 << 17

// maxMoves is the largest number of times that such a value is taken along a move. It is reached in about a second.
const maxMoves = 1 << 24

// errManyAtoms is the error of a program whose log weight can take too many values.
var errManyAtoms = errors.New("the log weight can take too many values to list them")

// grain is the relative difference between two sums of the same increments in another order that is taken for rounding.
const grain = 1e-12

// atomsOf returns the log weights that a program writes and their probabilities, in increasing order, for every key of the
// columns. Values that differ by rounding only, by size times grain at most, are one.
func (c *code) atomsOf(ctx context.Context, m *markov, columns Columns, size float64) ([][]atom, error) {
	origins := 1
	if c.needsStart(columns) {
		origins = m.n
	}
	front := make([][]atom, origins*m.n) // at origin n + x
	for x, p := range m.start {
		if p > 0 {
			at := x
			if origins > 1 {
				at = x*m.n + x
			}
			front[at] = []atom{{0, p}}
		}
	}
	moves := 0
	for i := range m.steps {
		next := make([][]atom, len(front))
		count := 0
		for at, list := range front {
			if len(list) == 0 {
				continue
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			origin, x := at/m.n, at%m.n
			for _, e := range m.steps[i].of(x) {
				increment := m.steps[i].increment(x, e.To)
				if !columns.LogW {
					increment = 0 // the value is not asked for, and all paths to a state are one
				}
				to := origin*m.n + e.To
				before := len(next[to])
				next[to] = merged(next[to], moved(list, increment, e.P), size*grain)
				if count += len(next[to]) - before; count > maxAtoms {
					return nil, errManyAtoms
				}
				if moves += len(list); moves > maxMoves {
					return nil, errManyAtoms
				}
			}
		}
		front = next
	}
	return c.byKey(front, m.n, columns, size), nil
}

// byKey sorts what has come to each pair of origin and state by what is written of it.
func (c *code) byKey(front [][]atom, n int, columns Columns, size float64) [][]atom {
	out := make([][]atom, columns.keys(n))
	for at, list := range front {
		first, last := c.ends(at/n, at%n)
		for _, a := range list {
			i, j, v := c.written(first, last, a.v)
			if !columns.LogW {
				v = 0
			}
			k := columns.key(i, j, n)
			out[k] = append(out[k], atom{v, a.p})
		}
	}
	for k, list := range out {
		slices.SortFunc(list, func(a, b atom) int {
			switch {
			case a.v < b.v:
				return -1
			case a.v > b.v:
				return 1
			}
			return 0
		})
		out[k] = joined(list, size*grain)
	}
	return out
}

// moved returns what becomes of a list along a move.
func moved(list []atom, increment, p float64) []atom {
	out := make([]atom, len(list))
	for i, a := range list {
		if !math.IsInf(a.v, 0) {
			a.v += increment
		}
		out[i] = atom{a.v, a.p * p}
	}
	return out
}

// merged merges two lists in increasing order; values within the tolerance are one.
func merged(a, b []atom, tolerance float64) []atom {
	if len(a) == 0 {
		return b
	}
	both := make([]atom, 0, len(a)+len(b))
	for i, j := 0, 0; i < len(a) || j < len(b); {
		if j == len(b) || i < len(a) && a[i].v <= b[j].v {
			both = append(both, a[i])
			i++
		} else {
			both = append(both, b[j])
			j++
		}
	}
	return joined(both, tolerance)
}

// joined adds up neighbours that are equal or within the tolerance, in place.
func joined(list []atom, tolerance float64) []atom {
	out := list[:0]
	for _, a := range list {
		if n := len(out); n > 0 && (a.v == out[n-1].v || a.v-out[n-1].v <= tolerance) {
			out[n-1].p += a.p
		} else {
			out = append(out, a)
		}
	}
	return out
}
