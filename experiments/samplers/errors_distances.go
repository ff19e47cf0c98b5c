package samplers

import (
	"context"
	"fmt"
	"math"

	"breadboard/exact/averages"
)

// distances are the exact Kolmogorov-Smirnov distances of a question, as far as they are known.
type distances struct {
	chains  [][]float64 // E[KS^2] by start and, ascending, number of samples
	free    []float64   // of independent draws, by number of samples
	missing error       // why there are no more
}

// maxDistanceSteps is the largest number of steps that a distance may take: some seconds.
const maxDistanceSteps = 2e9

// find computes the distances for the least numbers of samples, up to the first for which it is too much.
func (d *distances) find(ctx context.Context, q *question) error {
	if d.findTwo(q) {
		return nil
	}
	d.chains = make([][]float64, len(q.Starts))
	for _, n := range q.N {
		if d.missing = affordable(q, n); d.missing != nil {
			return nil
		}
		free, err := q.part.IndependentKS(ctx, int(n))
		for i := 0; err == nil && i < len(q.starts); i++ {
			s := q.starts[i]
			var ks averages.KS
			ks, err = q.problem.Chain.KS(ctx, q.part, q.Starts[s], int(n))
			d.chains[s] = append(d.chains[s], ks.Square)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			d.missing = err
			return nil
		}
		d.free = append(d.free, free.Square)
	}
	return nil
}

// findTwo finds the distances of a function with two values, and reports whether it is one: there is a single level at which distributions
// can differ, so that both bounds of the distance are the distance.
func (d *distances) findTwo(q *question) bool {
	if len(q.part.Levels) != 2 {
		return false
	}
	for _, errors := range q.errors {
		var known []float64
		for _, e := range errors {
			if e.KS2Low != e.KS2High { // a chain from a state of probability zero that has a third value
				return false
			}
			known = append(known, e.KS2Low)
		}
		d.chains = append(d.chains, known)
	}
	for _, n := range q.N {
		d.free = append(d.free, q.part.Masses[0]*q.part.Masses[1]/float64(n))
	}
	return true
}

// affordable returns an error where the distance of a chain takes too many steps. Of n samples at L levels there are binomial(n + L - 1,
// L - 1) counts, and all of them for every number of samples up to n are one for each of binomial(n + L, L). Each of these takes a step for
// every entry of the transition matrix.
func affordable(q *question, n int64) error {
	steps := float64(len(q.problem.Chain.Rows.Entries))
	for i := range len(q.part.Levels) {
		steps *= float64(n+int64(i)+1) / float64(i+1)
	}
	if steps > maxDistanceSteps {
		return fmt.Errorf("the counts of %d levels over %d samples take %.3g steps, and at most %.0e are made", len(q.part.Levels), n, steps, float64(maxDistanceSteps))
	}
	return nil
}

// square returns E[KS^2] from a start at one of the numbers of samples, and NaN where it is not known.
func (d *distances) square(start, i int) float64 {
	if i >= len(d.free) {
		return math.NaN()
	}
	return d.chains[start][i]
}

// independent returns E[KS^2] of independent draws at one of the numbers of samples, and NaN where it is not known.
func (d *distances) independent(i int) float64 {
	if i >= len(d.free) {
		return math.NaN()
	}
	return d.free[i]
}
