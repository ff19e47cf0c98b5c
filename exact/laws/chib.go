package laws

import (
	"context"
	"errors"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/estimators"
	"breadboard/chains/number"
	"breadboard/exact/internal/operator"
)

// NewChib returns the distribution of Chib's estimator at the state z* with K independent exact
// draws x: S is the sum of T(z*|x). It fails for a K out of range, for a state of posterior
// probability zero, and if T takes too much memory.
//
// Source: Chib 1995; Grosse, Ghahramani and Adams 2015, section 5.2 and Eqs. 42 and 43.
func NewChib(ctx context.Context, t *Target, star, k, workers int) (*Sum, error) {
	c, err := newChibTerms(ctx, t, star, k)
	if err != nil {
		return nil, err
	}
	terms, logMean, err := newIndependentTerms(k, c.logs, c.logPosterior)
	if err != nil {
		return nil, err
	}
	s := c.newSum(c.inBalance(logMean), estimators.HarmonicMean,
		estimators.Work{Evaluations: float64(k) * (1 + t.moveWork()), Exact: float64(k)})
	if err := s.setIndependent(terms, c.zeroMeans("no draw", star)); err != nil {
		return nil, err
	}
	s.digits = digitsOf(c.logs) // a transition probability is kept itself, not as its difference from p(z*)
	s.logMean = s.logMeanHarmonic(1)
	return s, nil
}

// NewChibChain returns the distribution of Chib's estimator over the K places of a chain that
// starts at a draw from the prior.
func NewChibChain(ctx context.Context, t *Target, star, k, workers int) (*Sum, error) {
	c, err := newChibTerms(ctx, t, star, k)
	if err != nil {
		return nil, err
	}
	terms := &chainTerms{k: k, moves: c.moves, initial: t.Prior, workers: workers}
	logMean, err := terms.setTerms(ctx, c.logs)
	if err != nil {
		return nil, err
	}
	logMeanZ, err := c.fromStart(ctx, k, t.Prior, logMean)
	if err != nil {
		return nil, err
	}
	s := c.newSum(logMeanZ, estimators.HarmonicMean, estimators.Work{Evaluations: 1 + float64(2*k-1)*t.moveWork()})
	if err := s.chain(ctx, terms, c.zeroMeans("no place of the chain", star)); err != nil {
		return nil, err
	}
	s.logMean = s.logMeanHarmonic(1)
	return s, nil
}

// NewCMS returns the distribution of the Chib-Murray-Salakhutdinov estimator with a chain of K
// places.
//
// With the start at a uniformly drawn place, a path of states has its probability under the chain
// in equilibrium, times S/E S: the sum over the places j of the probability that x_j was drawn from
// the reversal at z*, T(z*|x_j) p(x_j)/p(z*). Hence E Z-hat/Z is the probability of S > 0 in
// equilibrium, which is one unless a chain can go on for K places without being able to move to z*.
//
// Source: Murray and Salakhutdinov 2009; Grosse, Ghahramani and Adams 2015, section 5.2 and Eq. 44.
func NewCMS(ctx context.Context, t *Target, star, k int, start estimators.Start, workers int) (*Sum, error) {
	c, err := newChibTerms(ctx, t, star, k)
	if err != nil {
		return nil, err
	}
	terms := &chainTerms{k: k, moves: c.moves, initial: t.Posterior, tilted: true, workers: workers}
	if start == estimators.StartFirst {
		terms.initial = c.reversal
		terms.tilted = false
	}
	logMean, err := terms.setTerms(ctx, c.logs)
	if err != nil {
		return nil, err
	}
	logMeanZ := c.inBalance(logMean)
	if !terms.tilted {
		logMeanZ, err = c.fromStart(ctx, k, c.reversal, logMean)
		if err != nil {
			return nil, err
		}
	}
	s := c.newSum(logMeanZ, estimators.ArithmeticMean,
		estimators.Work{Evaluations: float64(2*k) * t.moveWork()})
	if err := s.chain(ctx, terms, ""); err != nil {
		return nil, err
	}
	if err := c.meanOfCMS(ctx, s, terms); err != nil {
		return nil, err
	}
	s.reciprocal = &reciprocalTable{terms: terms}
	return s, nil
}

// meanOfCMS sets log E Z-hat, and notes the lost mass.
func (c *chibTerms) meanOfCMS(ctx context.Context, s *Sum, terms *chainTerms) error {
	s.logMean = s.logMeanHarmonic(1)
	if !terms.tilted {
		if c.missed > 0 {
			s.note = joined(s.note, fmt.Sprintf(
				"E Z-hat is %.6g of Z: T(z*|x) is %s for states x that have %.6g of the posterior",
				math.Exp(s.logMean-c.target.LogZ),
				c.none(),
				c.missed,
			))
		}
		return nil
	}
	lost, err := terms.zero(ctx)
	if err != nil {
		return err
	}
	if lost < 0.5 { // else the integral keeps more digits
		s.logMean = c.target.LogZ + math.Log1p(-lost)
	}
	if lost > 0 {
		s.note = joined(s.note,
			fmt.Sprintf("E Z-hat lacks %.6g of Z, which is the probability that in a chain in equilibrium T(z*|x) "+
				"is %s at all K = %d places",
				lost, c.none(), terms.k))
	}
	return nil
}

// mayUnderflow reports whether T(z*|x) may be positive but too small for float64.
func (c *chibTerms) mayUnderflow() bool {
	low, high := number.Bounds(c.logPosterior)
	return high-low > operator.Range
}

// none describes a T(z*|x) that is zero in float64.
func (c *chibTerms) none() string {
	if c.mayUnderflow() {
		return "zero, or too small for float64,"
	}
	return "zero"
}

// zeroMeans explains what it means that all terms are zero.
func (c *chibTerms) zeroMeans(which string, star int) string {
	far := ""
	if c.mayUnderflow() {
		far = " with a probability that float64 holds"
	}
	return fmt.Sprintf("%s can move to z* = %d%s, and the estimate is infinite", which, star, far)
}

// chibTerms are the terms of estimators by T(z*|x).
type chibTerms struct {
	target       *Target
	moves        *operator.Fixed
	logs         []float64 // log T(z*|x)/p(z*) of each x
	logPosterior []float64
	reversal     []float64 // the probability of each x under the time reversal of T from z*
	defect       float64   // the relative violation of invariance at z*
	missed       float64   // the posterior probability of T(z*|x) = 0
	least        float64   // the least T(z*|x) that is not zero
}

// reversalTolerance is how far the reversal may be from summing to one.
const reversalTolerance = 1e-9

// newChibTerms returns the terms for a state. It fails if that has no posterior probability, and if
// T does not leave the posterior invariant.
func newChibTerms(ctx context.Context, t *Target, star, k int) (*chibTerms, error) {
	if err := estimators.CheckDraws(k); err != nil {
		return nil, err
	}
	n := len(t.LogL)
	if star < 0 || star >= n {
		return nil, errs.New("z* = %d is not a state; give one from 0 to %d", star, n-1)
	}
	if !(t.Posterior[star] >= leastStar) {
		return nil, errs.New("z* = %d has the posterior probability %.3g; give a state with %g at least",
			star, t.Posterior[star], leastStar)
	}
	moves, err := newPosteriorMoves(ctx, t)
	if err != nil {
		return nil, err
	}
	at := make([]float64, n)
	transition := make([]float64, n)
	at[star] = 1
	moves.AverageTerms(transition, at)
	c := &chibTerms{
		target:       t,
		moves:        moves,
		logs:         make([]float64, n),
		logPosterior: t.logLaw(chains.At(1)),
		reversal:     make([]float64, n),
		least:        1,
	}
	var total, missed number.Sum
	for x, p := range transition {
		c.logs[x] = logRatio(p, t.Posterior[star])
		c.reversal[x] = p * (t.Posterior[x] / t.Posterior[star])
		total.Add(c.reversal[x])
		if p == 0 {
			missed.Add(t.Posterior[x])
		} else {
			c.least = min(c.least, p)
		}
	}
	c.defect = total.Value() - 1
	c.missed = missed.Value()
	if math.Abs(c.defect) > reversalTolerance {
		return nil, errors.New(
			"the kernel does not leave the posterior invariant, and has no time reversal to start from",
		)
	}
	return c, nil
}

// leastStar is the least posterior probability of a z*.
const leastStar = 1e-200

// newSum returns a Sum whose terms T(z*|x)/p(z*) have a mean with this logarithm.
func (c *chibTerms) newSum(logMean float64, combined estimators.Combination, work estimators.Work) *Sum {
	return &Sum{
		shift:       c.target.LogZ - logMean,
		sign:        -1,
		combination: combined,
		work:        work,
		note:        c.fewDigits(),
	}
}

// allDigits is the number of digits below which a note gives their number.
const allDigits = 10

// fewDigits is a note on the digits of the least T(z*|x), if it is so small that float64 does not
// hold all of them. Its reciprocal is large, so that it may matter even if it is rare.
func (c *chibTerms) fewDigits() string {
	digits := math.Floor(number.Log10(c.least / math.SmallestNonzeroFloat64))
	if digits >= allDigits {
		return ""
	}
	return fmt.Sprintf(
		"T(z*|x) goes down to %.1g, of which float64 holds about %.0f digits; results that depend on such "+
			"states have no more",
		c.least,
		digits,
	)
}

// balanced is how far rounding may take a kernel from leaving the posterior invariant.
const balanced = 1e-12

// inBalance returns the logarithm of the mean of the terms of draws from the posterior, given how
// it was summed. It is zero, since T leaves the posterior invariant. If a kernel is less exact, it
// is the given sum.
func (c *chibTerms) inBalance(summed float64) float64 {
	if math.Abs(c.defect) > balanced {
		return summed
	}
	return 0
}

// fromStart returns the logarithm of the mean of the terms along a chain with another start, given
// how it was summed. If the terms are all near one, it sums over the differences of the
// distributions of the places from the posterior, under which the mean is zero.
func (c *chibTerms) fromStart(ctx context.Context, k int, initial []float64,
	summed float64) (float64, error) {
	if _, flat := centreOf(c.logs); !flat || math.Abs(c.defect) > balanced {
		return summed, nil
	}
	total, err := sumRises(ctx, k, c.moves, c.logs, 0)
	if err != nil {
		return 0, err
	}
	var mean number.Sum
	for x, p := range initial {
		mean.Add((p - c.target.Posterior[x]) * total[x])
	}
	return math.Log1p(mean.Value() / float64(k)), nil
}

// newPosteriorMoves returns the kernel T under the posterior of a target. It fails if that would
// take too much memory, and if the context ends.
func newPosteriorMoves(ctx context.Context, t *Target) (*operator.Fixed, error) {
	last := t.Annealing.Distributions()
	logf := make([]float64, len(t.LogL))
	t.Annealing.LogF(logf, last)
	return operator.For(ctx, t.Annealing.KernelAt(last), logf, t.Posterior)
}
