package ranks

import (
	"context"
	"math"

	"breadboard/chains"
)

// Arms returns the probabilities of the ranks 0 to L of a draw from Truth among the other states of
// a chain of L + 1 states in which it has a place that is uniformly drawn. The states behind it are
// made by Rows, and those before it by Back; the thinning of the chain holds for both, and there is
// no burn-in. If Truth is invariant under Rows, and Back is their time reversal, all ranks are
// equally likely. The time is that of Dependent with a level for each state, twice if there is a
// Back.
//
// Source: Gandy and Scott 2020, section 4.
func Arms(ctx context.Context, s Question, c Chain) ([]float64, error) {
	levels, err := s.levels()
	if err != nil {
		return nil, err
	}
	sides, starts, joins := []Chain{c}, len(s.Truth), math.Pow(float64(s.Draws), 4)/12
	if c.Back != nil {
		sides, starts = append(sides, Chain{Thin: c.Thin, Rows: c.Back}), 2*starts
	}
	rows := make([][][]chains.Entry, len(sides)) // by side
	for i := range sides {
		if rows[i], err = sides[i].thinned(ctx, s.Draws, starts, joins); err != nil {
			return nil, err
		}
	}
	ranks, ties := make([]float64, s.Draws+1), newTies(s.Draws)
	now, next := ties.empty(len(s.Truth)), ties.empty(len(s.Truth))
	for i := range levels.count {
		l := levels.level(i)
		for x, p := range l.truth {
			if p == 0 {
				continue
			}
			if err := context.Cause(ctx); err != nil {
				return nil, err
			}
			point := make([]float64, len(s.Truth))
			point[x] = 1
			arms := make([][][]float64, len(rows)) // by side and length
			for i := range rows {
				ties.start(now, point)
				arms[i] = [][]float64{ties.total(now, 0)}
				for k := range s.Draws {
					ties.drawn(ctx, next, now, k, l, rows[i])
					now, next = next, now
					arms[i] = append(arms[i], ties.total(now, k+1))
				}
			}
			for k := 0; k <= s.Draws && ctx.Err() == nil; k++ {
				ties.add(ranks, ties.joined(arms[0][k], arms[len(arms)-1][s.Draws-k]), p/float64(s.Draws+1))
			}
		}
	}
	return ranks, context.Cause(ctx)
}

// joined returns the numbers of draws below of two arms together, whose lengths add up to L.
func (t *ties) joined(one, two []float64) []float64 {
	n := len(t.u)
	out := make([]float64, len(one))
	for at, p := range one {
		if p == 0 {
			continue
		}
		for b := at % n; at-at%n+b < len(out); b += n {
			out[at-at%n+b] += float64(p * two[b])
		}
	}
	return out
}
