package averages

import (
	"context"
	"errors"
	"fmt"
	"math"

	"breadboard/chains/number"
)

// CountSuccess are the probabilities that the real effective sample size of several chains is at least the one that was asked for, of other
// estimates than the mean.
type CountSuccess struct {
	Variance Bracket // of the sample variance with divisor N - 1; NaN at N = 1
	KS       Bracket // of the empirical distribution, by the Kolmogorov-Smirnov distance
}

// CountSuccess returns what SumLaw.Success does for the sample variance and for the empirical distribution: the probability that K R over the
// sum of the squared errors of K chains is at least ress, where R is N times the mean squared error of N independent draws. It is known
// where the law of how many samples are at each level is small enough, as KSWork says, and every state that is reached has a level. It fails
// otherwise, and where the context ends.
//
// Source: Turner and Neal 2017, Eq. 4 and section 4.6.
func (c *Chain) CountSuccess(ctx context.Context, f *Function, start []float64, n, chains int, ress float64) (CountSuccess, error) {
	if err := checkChains(chains, 1); err != nil {
		return CountSuccess{}, err
	}
	if !(ress > 0) || math.IsInf(ress, 1) {
		return CountSuccess{}, fmt.Errorf("success at an effective sample size of %v; give a positive number", ress)
	}
	if _, err := c.KSWork(f, start, n); err != nil {
		return CountSuccess{}, err
	}
	r := c.reached(start)
	levels, class := r.levels(f)
	h := make([]float64, len(levels)) // the standardised value of each class
	for i, x := range r.states {
		if at := f.Level[x]; at == len(f.Levels) || f.Levels[at] != f.Raw[x] {
			return CountSuccess{}, errors.New("the chain comes to a state of probability zero, where the function has a value that no level has")
		}
		h[class[i]] = f.Values[x]
	}
	free, err := f.IndependentKS(ctx, n)
	if err != nil {
		return CountSuccess{}, err
	}
	p, err := r.tally(ctx, n, class, len(levels), newLevelCounts(n, len(levels)))
	if err != nil {
		return CountSuccess{}, err
	}
	var variances, distances []square
	f.eachCounts(levels, n, p, func(q, distance float64, counts []int) {
		if q > 0 {
			off := sampleVariance(h, counts, n) - 1
			variances, distances = append(variances, square{off * off, q}), append(distances, square{distance * distance, q})
		}
	})
	nan := math.NaN()
	out := CountSuccess{Variance: Bracket{nan, nan}}
	roundings := r.roundings(n)
	if out.KS, err = successOf(ctx, distances, chains, float64(chains)*float64(n)*free.Square/ress, roundings); err != nil || n == 1 {
		return out, err
	}
	out.Variance, err = successOf(ctx, variances, chains, float64(chains)*f.IndependentVariance(int64(n))/ress, roundings)
	return out, err
}

// sampleVariance returns the sample variance, with divisor n - 1, of n values of which there are so many of each.
func sampleVariance(values []float64, counts []int, n int) float64 {
	var total, around number.Sum
	for i, v := range values {
		total.Add(float64(counts[i]) * v)
	}
	mean := total.Value() / float64(n)
	for i, v := range values {
		around.Add(float64(counts[i]) * (v - mean) * (v - mean))
	}
	return around.Value() / float64(n-1)
}

// successOf bounds the probability that the sum of so many independent squares is at most a number. Sums that agree with it to 1e-12 count as
// being at most it.
func successOf(ctx context.Context, squares []square, chains int, most, roundings float64) (Bracket, error) {
	const cells = 1 << 20 // so that the lattice is as fine as it may be
	if !(most > 0) {
		return Bracket{}, nil
	}
	scale := cells / most
	for i := range squares {
		squares[i].e *= scale
	}
	g, err := newLattice(ctx, squares, chains, cells*(1+tie), bracketWork, roundings)
	if err != nil {
		return Bracket{}, err
	}
	return g.atMost(cells * (1 + tie)), nil
}
