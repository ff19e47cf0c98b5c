package errors

import (
	"context"
	"math"

	"breadboard/exact/averages"
)

// distances are the exact Kolmogorov-Smirnov distances of a question, as far as they are known.
type distances struct {
	chains  [][]averages.KS // by start and, ascending, number of samples
	free    []averages.KS   // of independent draws, by number of samples
	missing error           // why there are no more for chains
}

// find computes the distances for the least numbers of samples, up to the first for which it is too much.
func (d *distances) find(ctx context.Context, q *question) error {
	for _, n := range q.N {
		ks, err := q.part.IndependentKS(ctx, int(n))
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			break
		}
		d.free = append(d.free, ks)
	}
	d.chains = make([][]averages.KS, len(q.Starts))
	for _, s := range q.starts {
		for _, n := range q.N {
			ks, err := q.problem.Chain.KS(ctx, q.part, q.Starts[s], int(n))
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				d.missing = err
				break
			}
			d.chains[s] = append(d.chains[s], ks)
		}
	}
	return nil
}

// of returns E[KS^2] from a start at one of the numbers of samples, and NaN where it is not known.
func (d *distances) of(start, i int) float64 {
	if d.chains == nil || i >= len(d.chains[start]) {
		return math.NaN()
	}
	return d.chains[start][i].Square
}

// independent returns E[KS^2] of independent draws at one of the numbers of samples, and NaN where it is not known.
func (d *distances) independent(i int) float64 {
	if i >= len(d.free) {
		return math.NaN()
	}
	return d.free[i].Square
}
