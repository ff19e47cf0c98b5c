package averages

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// Question asks for the errors of averages of a function.
type Question struct {
	Function *Function
	Starts   [][]float64 // laws of the first sample, one probability for each state
	N        []int64     // numbers of samples, from 1 on, ascending
	Variance bool        // whether the errors of the variance are asked for
	// Distribution says whether the errors of the empirical distribution are asked for, at a cost that grows with the number of levels.
	Distribution bool
	// Progress is called now and then, with calls that add up to Chain.Steps. It may be nil.
	Progress func(steps int)
}

// Errors are the exact errors of averages over N samples.
type Errors struct {
	N    int64
	Bias float64 // of the mean of the standardised function
	MSE  float64 // the mean squared error of that mean
	// The bias and the mean squared error of the sample variance with divisor N - 1, whose truth is one. NaN at N = 1, where it was not
	// asked for, and where the function is so far from its mean at a state where chains may be, 1e77 standard deviations, that floating
	// point does not hold the fourth power.
	BiasVariance, MSEVariance float64
	// CvM is the mean of the Cramer-von Mises distance: the sum over levels v of P(v) E[(Fhat(v) - F(v))^2]. NaN where it was not asked for.
	CvM float64
	// KS2Low and KS2High bound the mean of the squared Kolmogorov-Smirnov distance, by the largest E[(Fhat(v) - F(v))^2] of a level and by
	// their sum. NaN where the distribution was not asked for.
	KS2Low, KS2High float64
	// Rounding is about the relative error that rounding may have left in these numbers.
	Rounding float64
}

// Method is a way to compute errors.
type Method string

const (
	Recursion Method = "recursion" // from N to N + 1, for any chain; O(N entries)
	Squaring  Method = "squaring"  // powers of the transition matrix; O(states^3 log N)
	Lanczos   Method = "lanczos"   // of the mean alone, from the target, for a reversible chain; all N at once
)

// Methods returns all methods.
func Methods() []Method { return []Method{Recursion, Squaring, Lanczos} }

const (
	// MaxRecursion and MaxSquaring are the largest numbers of samples of the two methods; Lanczos takes as many as Squaring.
	MaxRecursion = 1_000_000_000
	MaxSquaring  = 1_000_000_000_000
)

// Errors returns the errors for each start and, for that, each number of samples. It fails where the question is malformed, where a chain
// may begin at a state where the function is infinite, where the method cannot answer the question, and where the context ends.
func (c *Chain) Errors(ctx context.Context, q Question, m Method) ([][]Errors, error) {
	if err := c.check(q); err != nil {
		return nil, err
	}
	if _, h := c.farthest(q); math.IsInf(h*h*h*h, 0) {
		q.Variance = false
	}
	switch m {
	case Recursion:
		return c.recursion(ctx, q)
	case Squaring:
		return c.squaring(ctx, q)
	case Lanczos:
		return c.lanczos(ctx, q)
	}
	return nil, fmt.Errorf("no method is called %q; there are %v", m, Methods())
}

func (c *Chain) check(q Question) error {
	if len(q.N) == 0 || q.N[0] < 1 || !slices.IsSorted(q.N) {
		return fmt.Errorf("numbers of samples %v; give some from 1 on, ascending", q.N)
	}
	for _, law := range q.Starts {
		if err := c.CheckLaw(law); err != nil {
			return fmt.Errorf("start: %w", err)
		}
		if x := q.Function.InfiniteAt(law); x >= 0 {
			return fmt.Errorf("start: the function is %v at state %d, where a chain may begin; start where it is finite", q.Function.Raw[x], x)
		}
	}
	if x, h := c.farthest(q); math.IsInf(h*h, 0) {
		return fmt.Errorf("at state %d the function is %.3g standard deviations from its mean, more than floating point holds the square of", x, h)
	}
	return nil
}

// farthest returns the state where the function is farthest from its mean, of those where a chain may be, and how far that is in standard
// deviations. Chains that begin within the target's states of positive probability stay there.
func (c *Chain) farthest(q Question) (state int, h float64) {
	everywhere := false
	for _, law := range q.Starts {
		for x, p := range law {
			everywhere = everywhere || p > 0 && c.Target[x] == 0
		}
	}
	for x, v := range q.Function.Values {
		if math.Abs(v) > h && (everywhere || c.Target[x] > 0) {
			state, h = x, math.Abs(v)
		}
	}
	return state, h
}

// unknownErrors returns the errors for N samples of which nothing is known yet.
func unknownErrors(n int64) Errors {
	nan := math.NaN()
	return Errors{N: n, Bias: nan, MSE: nan, BiasVariance: nan, MSEVariance: nan, CvM: nan, KS2Low: nan, KS2High: nan}
}

// IndependentVariance returns R of the sample variance with divisor N - 1: the mean squared error that it has for N independent draws,
// times N. It is NaN at N = 1.
func (f *Function) IndependentVariance(n int64) float64 {
	if n == 1 {
		return math.NaN()
	}
	return (f.Kurtosis - 1) + 2/float64(n-1) // this is kurtosis - (n-3)/(n-1), which loses digits where the kurtosis is one
}

// IndependentCvM returns R of the Cramer-von Mises distance, the sum over levels v of P(v) F(v) (1 - F(v)), which is the same at every N.
func (f *Function) IndependentCvM() float64 {
	below, above, total := f.below(), f.above(), 0.0
	for l, m := range f.Masses {
		total += m * below[l] * above[l]
	}
	return total
}
