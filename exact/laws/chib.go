package laws

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/number"
	"breadboard/exact/internal/operator"
	"breadboard/exact/kernel"
)

// NewChib returns the law of Chib's estimator at the state z* with K independent exact draws x: S is the sum of T(z*|x). It fails for a K
// out of range, for a state that the posterior does not have, and where T takes too much memory.
//
// Source: Chib 1995; Grosse, Ghahramani and Adams 2015, section 5.2 and Eqs. 42 and 43.
func NewChib(ctx context.Context, t *Target, star, k, workers int) (*Sum, error) {
	c, err := newChibTerms(ctx, t, star, k, workers)
	if err != nil {
		return nil, err
	}
	terms, logMean, err := newIndependentTerms(k, c.logs, c.logPosterior)
	if err != nil {
		return nil, err
	}
	s := c.sum(c.inBalance(logMean), estimators.HarmonicMean, estimators.Work{Evaluations: float64(k) * (1 + t.moveWork()), Exact: float64(k)})
	if err := s.independent(terms, c.zeroMeans("no draw", star)); err != nil {
		return nil, err
	}
	s.digits = digitsOf(c.logs) // a transition probability is held by itself, and not by its difference from p(z*)
	s.logMean = s.logMeanHarmonic(1)
	return s, nil
}

// NewChibChain returns the law of Chib's estimator over the K places of a chain, of which the first is a draw from the prior.
func NewChibChain(ctx context.Context, t *Target, star, k, workers int) (*Sum, error) {
	c, err := newChibTerms(ctx, t, star, k, workers)
	if err != nil {
		return nil, err
	}
	terms, logMean, err := newChainTerms(ctx, k, c.moves, c.logs, t.Prior, workers)
	if err != nil {
		return nil, err
	}
	logMeanZ, err := c.fromStart(ctx, k, t.Prior, logMean)
	if err != nil {
		return nil, err
	}
	s := c.sum(logMeanZ, estimators.HarmonicMean, estimators.Work{Evaluations: 1 + float64(2*k-1)*t.moveWork()})
	if err := s.chain(ctx, terms, c.zeroMeans("no place of the chain", star)); err != nil {
		return nil, err
	}
	s.logMean = s.logMeanHarmonic(1)
	return s, nil
}

// NewCMS returns the law of the Chib-Murray-Salakhutdinov estimator with a chain of K places.
//
// With the start at a uniformly drawn place, a path of states has its probability under the chain in equilibrium, times S/E S: the
// sum over the places j of the probability that x_j was drawn from the reversal at z*, T(z*|x_j) p(x_j)/p(z*). Hence E Z-hat/Z is the
// probability of S > 0 in equilibrium, which is one unless a chain can go on for K places without being able to move to z*.
//
// Source: Murray and Salakhutdinov 2009; Grosse, Ghahramani and Adams 2015, section 5.2 and Eq. 44.
func NewCMS(ctx context.Context, t *Target, star, k int, start estimators.Start, workers int) (*Sum, error) {
	c, err := newChibTerms(ctx, t, star, k, workers)
	if err != nil {
		return nil, err
	}
	initial, tilted := t.Posterior, true
	if start == estimators.StartFirst {
		initial, tilted = c.reversal, false
	}
	terms, logMean, err := newChainTerms(ctx, k, c.moves, c.logs, initial, workers)
	if err != nil {
		return nil, err
	}
	logMeanZ := c.inBalance(logMean)
	if !tilted {
		if logMeanZ, err = c.fromStart(ctx, k, c.reversal, logMean); err != nil {
			return nil, err
		}
	}
	s := c.sum(logMeanZ, estimators.ArithmeticMean, estimators.Work{Evaluations: float64(2*k) * t.moveWork()})
	terms.tilted = tilted
	if err := s.chain(ctx, terms, ""); err != nil {
		return nil, err
	}
	if err := c.meanOfCMS(ctx, s, terms); err != nil {
		return nil, err
	}
	s.reciprocal = &reciprocalTable{terms: terms}
	return s, nil
}

// meanOfCMS sets log E Z-hat, and says how much mass is lost.
func (c *chibTerms) meanOfCMS(ctx context.Context, s *Sum, terms *chainTerms) error {
	s.logMean = s.logMeanHarmonic(1)
	if !terms.tilted {
		if c.missed > 0 {
			s.note = joined(s.note, fmt.Sprintf("E Z-hat is %.6g of Z: T(z*|x) is %s for states x that have %.6g of the posterior", math.Exp(s.logMean-c.target.LogZ), c.none(), c.missed))
		}
		return nil
	}
	lost, err := terms.zero(ctx)
	if err != nil {
		return err
	}
	if lost < 0.5 { // else the integral keeps more digits of what is left
		s.logMean = c.target.LogZ + math.Log1p(-lost)
	}
	if lost > 0 {
		s.note = joined(s.note, fmt.Sprintf("E Z-hat lacks %.6g of Z, which is the probability that in a chain in equilibrium T(z*|x) is %s at all K = %d places", lost, c.none(), terms.k))
	}
	return nil
}

// far reports whether the target spans so much that T(z*|x) may be positive but too small for float64.
func (c *chibTerms) far() bool {
	low, high := number.Bounds(c.logPosterior)
	return high-low > operatorRange
}

// none says what a T(z*|x) is that float64 has as zero.
func (c *chibTerms) none() string {
	if c.far() {
		return "zero, or too small for float64,"
	}
	return "zero"
}

// zeroMeans says what it means that all terms are zero.
func (c *chibTerms) zeroMeans(which string, star int) string {
	far := ""
	if c.far() {
		far = " with a probability that float64 holds"
	}
	return fmt.Sprintf("%s can move to z* = %d%s, and the estimate is infinite", which, star, far)
}

// chibTerms are the terms of estimators by T(z*|x).
type chibTerms struct {
	target       *Target
	moves        *posteriorMoves
	logs         []float64 // log T(z*|x)/p(z*) of each x
	logPosterior []float64
	reversal     []float64 // the probability of each x under the time reversal of T from z*
	defect       float64   // how far T is from leaving p(z*) as it is, relative to that
	missed       float64   // the posterior probability of T(z*|x) = 0
	least        float64   // the least T(z*|x) that is not zero
}

// reversalTolerance is how far the reversal may be from summing to one.
const reversalTolerance = 1e-9

// newChibTerms returns the terms for a state. It fails where that has no posterior probability, and where T does not leave the posterior invariant.
func newChibTerms(ctx context.Context, t *Target, star, k, workers int) (*chibTerms, error) {
	if err := estimators.CheckDraws(k); err != nil {
		return nil, err
	}
	n := len(t.LogL)
	if star < 0 || star >= n {
		return nil, fmt.Errorf("z* = %d is no state; give one from 0 to %d", star, n-1)
	}
	if !(t.Posterior[star] >= leastStar) {
		return nil, fmt.Errorf("z* = %d has the posterior probability %.3g; give a state with %g at least", star, t.Posterior[star], leastStar)
	}
	moves, err := newPosteriorMoves(ctx, t)
	if err != nil {
		return nil, err
	}
	at, transition := make([]float64, n), make([]float64, n)
	at[star] = 1
	moves.averageTerms(transition, at)
	c := &chibTerms{target: t, moves: moves, logs: make([]float64, n), logPosterior: t.logLaw(chains.At(1)), reversal: make([]float64, n), least: 1}
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
	if c.missed = missed.Value(); math.Abs(c.defect) > reversalTolerance {
		return nil, errors.New("the kernel does not leave the posterior invariant, and has no time reversal to start from")
	}
	return c, nil
}

// leastStar is the least posterior probability of a z*.
const leastStar = 1e-200

// sum returns a Sum whose terms T(z*|x)/p(z*) have a mean with this logarithm.
func (c *chibTerms) sum(logMean float64, combined estimators.Combination, work estimators.Work) *Sum {
	return &Sum{shift: c.target.LogZ - logMean, sign: -1, combination: combined, work: work, note: c.fewDigits()}
}

// allDigits is the number of digits below which a note says how many there are.
const allDigits = 10

// fewDigits says how many digits a T(z*|x) has that is so small that float64 does not hold all of them. Its reciprocal is as large, so that it
// may count however rare it is.
func (c *chibTerms) fewDigits() string {
	digits := math.Floor(number.Log10(c.least / math.SmallestNonzeroFloat64))
	if digits >= allDigits {
		return ""
	}
	return fmt.Sprintf("T(z*|x) goes down to %.1g, of which float64 holds about %.0f digits; a number in which such states count has no more", c.least, digits)
}

// balanced is how far rounding may take a kernel from leaving the posterior invariant.
const balanced = 1e-12

// inBalance returns the logarithm of the mean of the terms of draws from the posterior, given how it was summed. It is zero, since T leaves
// the posterior invariant; where a kernel is not so exact, it is as it was summed.
func (c *chibTerms) inBalance(summed float64) float64 {
	if math.Abs(c.defect) > balanced {
		return summed
	}
	return 0
}

// fromStart returns the logarithm of the mean of the terms along a chain with another start, given how it was summed. Where the terms are
// all near one, it adds up only by how much the laws of the places differ from the posterior, under which the mean is zero.
func (c *chibTerms) fromStart(ctx context.Context, k int, initial []float64, summed float64) (float64, error) {
	if _, flat := centreOf(c.logs); !flat || math.Abs(c.defect) > balanced {
		return summed, nil
	}
	total, err := c.moves.sumRises(ctx, k, c.logs, 0)
	if err != nil {
		return 0, err
	}
	var mean number.Sum
	for x, p := range initial {
		mean.Add((p - c.target.Posterior[x]) * total[x])
	}
	return math.Log1p(mean.Value() / float64(k)), nil
}

// operatorRange is the largest range of log f, in nats, over which package operator computes in float64.
const operatorRange = 600

// posteriorMoves is the kernel T under the posterior, as a map of functions on the states. A kernel of the library is applied by its
// operator, and no rows of it are formed. Where the target has zeros, or spans too much, or the kernel has no operator, the rows of
// its parts are applied one after another.
type posteriorMoves struct {
	operator operator.Operator // nil where rows are applied
	parts    []*kernel.Rows    // in the order of the moves
	spare    []float64
	pass     float64 // how many numbers one application goes through
}

// newPosteriorMoves returns the moves of a target. It fails where they would take too much memory, and where the context ends.
func newPosteriorMoves(ctx context.Context, t *Target) (*posteriorMoves, error) {
	n := len(t.LogL)
	last := t.Annealing.Distributions()
	k := t.Annealing.KernelAt(last)
	logf := make([]float64, n)
	t.Annealing.LogF(logf, last)
	if low, high := number.Bounds(logf); high-low <= operatorRange && !slices.Contains(t.Posterior, 0) {
		o, err := operator.New(ctx, k, n)
		if err != nil {
			return nil, err
		}
		if o != nil {
			inverse := make([]float64, n)
			for x, p := range t.Posterior {
				inverse[x] = 1 / p
			}
			o.Load(&operator.Distribution{F: t.Posterior, Inverse: inverse, LogF: func() []float64 { return logf }})
			work, _ := operator.WorkOf(k, n)
			p := work.Average
			return &posteriorMoves{operator: o, pass: p.Edges + p.Lines + p.Flows + p.Sorted + p.Copies}, nil
		}
	}
	m := &posteriorMoves{spare: make([]float64, n)}
	if err := m.fill(ctx, k, logf); err != nil {
		return nil, err
	}
	for _, rows := range m.parts {
		m.pass += float64(len(rows.Entries))
	}
	return m, nil
}

// fill makes the rows of a kernel, part by part where it is a sequence.
func (m *posteriorMoves) fill(ctx context.Context, k chains.Kernel, logf []float64) error {
	parts, combined := chains.PartsOf(k)
	if !combined || !parts.Sequential {
		rows, err := kernel.NewRows(ctx, k, logf)
		m.parts = append(m.parts, rows)
		return err
	}
	first := len(m.parts)
	made := make([][]*kernel.Rows, len(parts.Kernels))
	for i, part := range parts.Kernels {
		inner := &posteriorMoves{}
		if err := inner.fill(ctx, part, logf); err != nil {
			return err
		}
		made[i] = inner.parts
	}
	for _, i := range parts.Order {
		m.parts = append(m.parts, made[i]...)
	}
	m.parts = append(m.parts[:first], slices.Repeat(m.parts[first:], parts.Times)...)
	return nil
}

// twin returns the same moves with memory of their own.
func (m *posteriorMoves) twin() *posteriorMoves {
	if m.operator != nil {
		return &posteriorMoves{operator: m.operator.Twin(), pass: m.pass}
	}
	return &posteriorMoves{parts: m.parts, spare: make([]float64, len(m.spare)), pass: m.pass}
}

// average writes T v to dst, which must not overlap v. A function that is nearly constant stays so.
func (m *posteriorMoves) average(dst, v []float64) {
	if m.operator != nil {
		m.operator.Average(dst, v)
		return
	}
	m.through(dst, v, func(rows *kernel.Rows, dst, v []float64) {
		for x := range dst {
			own, total := v[x], 0.0
			for _, e := range rows.Row(x) {
				total += e.P * (v[e.To] - own)
			}
			dst[x] = own + total
		}
	})
}

// averageTerms writes T v to dst, which must not overlap v, as the sum of the terms T(x,y) v(y): where v is not negative, the error is
// relative to T v.
func (m *posteriorMoves) averageTerms(dst, v []float64) {
	if m.operator != nil {
		m.operator.AverageTerms(dst, v)
		return
	}
	m.through(dst, v, func(rows *kernel.Rows, dst, v []float64) {
		for x := range dst {
			total := 0.0
			for _, e := range rows.Row(x) {
				total += e.P * v[e.To]
			}
			dst[x] = total
		}
	})
}

// averageLogs writes log T e^v to dst, which must not overlap v. It is for moves that are applied as rows.
func (m *posteriorMoves) averageLogs(dst, v []float64) {
	var terms []float64
	m.through(dst, v, func(rows *kernel.Rows, dst, v []float64) {
		for x := range dst {
			terms = terms[:0]
			for _, e := range rows.Row(x) {
				terms = append(terms, number.Log(e.P)+v[e.To])
			}
			dst[x] = number.LogSumExp(terms)
		}
	})
}

// through applies all parts, the last move first. Two memories take turns, and begin so that the last result is in dst.
func (m *posteriorMoves) through(dst, v []float64, apply func(rows *kernel.Rows, dst, v []float64)) {
	if len(m.parts) == 0 {
		copy(dst, v)
		return
	}
	here, other := dst, m.spare
	if len(m.parts)%2 == 0 {
		here, other = other, here
	}
	for i := len(m.parts) - 1; i >= 0; i-- {
		apply(m.parts[i], here, v)
		v, here, other = here, other, here
	}
}
