package ranks

import (
	"context"
	"math"

	"breadboard/chains"
	"breadboard/exact/internal/lanes"
)

// Arms returns the probabilities of the ranks 0 to L of a draw from Truth among the other states of
// a chain of L + 1 states, in which it has a uniformly drawn place. The states after it are made by
// Rows, and those before it by Back; the thinning of the chain applies to both, and there is no
// burn-in. If Truth is invariant under Rows, and Back is their time reversal, all ranks are equally
// likely. Time is that of Dependent with a level for each state, twice if there is a Back.
//
// Source: Gandy and Scott 2020, section 4.
//
//	P(rank r) = 1/(L+1) sum over k = 0..L and x of p(x) P(B_k + B'_(L-k) = r | x),
//
// with B_k the number of states below x among k that Rows makes from x, and B' the same of Back.
// The distributions of B and B' are those of ties.go at the nodes u of a quadrature.
func Arms(ctx context.Context, s Question, c Chain) ([]float64, error) {
	levels, err := s.levels()
	if err != nil {
		return nil, err
	}
	sides := []Chain{c}
	starts := len(s.Truth)
	joins := math.Pow(float64(s.Draws), 4) / 12
	if c.Back != nil {
		sides = append(sides, Chain{Thin: c.Thin, Rows: c.Back})
		starts = 2 * starts
	}
	columns := make([][][]chains.Entry, len(sides)) // by side
	ties := newTies(len(s.Truth), s.Draws, levels.count)
	for i := range sides {
		columns[i], err = sides[i].thinned(ctx, s.Draws, starts, joins)
		if err != nil {
			return nil, err
		}
		columns[i] = ties.columns(columns[i])
	}
	ranks := make([]float64, s.Draws+1)
	u, weights := Nodes(s.Draws | eights)
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
			for i := 0; i < len(u) && ctx.Err() == nil; i += lanes.Width {
				arms := make([][][]eight, len(columns)) // by side and length
				for side, columns := range columns {
					ties.takeLaw(point)
					arms[side] = [][]eight{ties.sumsAfter(0)}
					for k := 0; k < s.Draws && ctx.Err() == nil; k++ {
						ties.nextDraw(l, eight(u[i:]), columns)
						arms[side] = append(arms[side], ties.sumsAfter(k+1))
					}
				}
				for k := 0; k <= s.Draws && ctx.Err() == nil; k++ {
					add(ranks, joined(arms[0][k], arms[len(arms)-1][s.Draws-k]), weights[i:][:lanes.Width],
						p/float64(s.Draws+1))
				}
			}
		}
	}
	return ranks, context.Cause(ctx)
}

// joined returns the numbers of draws below of two arms together, whose lengths add up to L.
func joined(one, two []eight) []eight {
	out := make([]eight, len(one)+len(two)-1)
	for a := range one {
		for b := range two {
			for i, p := range one[a] {
				out[a+b][i] += float64(p * two[b][i])
			}
		}
	}
	return out
}
