package laws

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"breadboard/chains/number"
	"breadboard/exact/internal/operator"
)

// The mean of the sum along a chain x_1, ..., x_K from the first state on obeys, with h_0 = 0,
//
//	h_k(x) = v(x) + (T h_{k-1})(x),   E sum_k v(x_k) = sum_x p_1(x) h_K(x),
//
// which takes K products with T. If all v are near a constant c, the same recursion for v/c - 1
// keeps the digits of the difference.

// chainTerms are the K terms of a sum along a chain: the term of a place is a function of the state
// there.
//
// If tilted is set the distribution is not that of the chain itself, but that distribution times
// S/E S for the sum S. It is the distribution of S if the state at a uniformly drawn place is drawn
// in proportion to its term.
type chainTerms struct {
	k     int
	moves *operator.Fixed
	// the logarithm of the term of each state, in units of the mean over the places; -Inf for zero
	logV     []float64
	initial  []float64 // the distribution of the first place
	tilted   bool
	positive bool // whether S is never zero
	workers  int
}

// errNoTerms says why an estimate has no distribution.
var errNoTerms = errors.New("all terms of the estimate are zero with probability one, so that it is never finite")

// setTerms sets the terms of a chain to these values, given by their logarithms, and returns the
// logarithm of their mean over the places.
func (t *chainTerms) setTerms(ctx context.Context, logs []float64) (logMean float64, err error) {
	if math.IsInf(slices.Max(logs), -1) {
		return 0, errNoTerms
	}
	centre, flat := centreOf(logs)
	rest := 0.0 // the logarithm of the mean, less the centre
	if flat {
		rest, err = t.logMeanNear(ctx, logs, centre)
	} else {
		centre, err = t.logMeanTerms(ctx, logs)
	}
	if err != nil {
		return 0, err
	}
	logMean = centre + rest
	if math.IsInf(logMean, -1) {
		return 0, errNoTerms
	}
	t.logV = make([]float64, len(logs))
	for x, l := range logs {
		t.logV[x] = l - centre - rest
	}
	return logMean, nil
}

// logMeanNear returns the logarithm of the mean over the places of values that are all near one,
// whose logarithm is the centre, less that. It propagates differences from that value, to which its
// error is relative.
func (t *chainTerms) logMeanNear(ctx context.Context, logs []float64, centre float64) (float64, error) {
	total, err := sumRises(ctx, t.k, t.moves, logs, centre)
	if err != nil {
		return 0, err
	}
	return math.Log1p(number.Dot(t.initial, total) / number.Total(t.initial) / float64(t.k)), nil
}

// sumRises returns, by the state at the first place, the mean of the sum over the places of exp(log
// - centre) - 1, for values with these logarithms.
func sumRises(ctx context.Context, k int, m *operator.Fixed, logs []float64,
	centre float64) ([]float64, error) {
	total := make([]float64, len(logs))
	ahead := make([]float64, len(logs))
	for range k {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		m.Average(ahead, total)
		for x, l := range logs {
			total[x] = math.Expm1(l-centre) + ahead[x]
		}
	}
	return total, nil
}

// leastMean is the mean, in units of the largest value, above which values that underflow in these
// units are negligible.
const leastMean = 1e-290

// logMeanTerms returns the logarithm of the mean over the places of the values with these
// logarithms. If the largest value is so rare that float64 cannot hold the others in units of it,
// their logarithms are propagated, which takes an exponential for each entry of the rows.
func (t *chainTerms) logMeanTerms(ctx context.Context, logs []float64) (float64, error) {
	top := slices.Max(logs)
	value := make([]float64, len(logs))
	sum := make([]float64, len(logs))
	total := make([]float64, len(logs))
	for x, l := range logs {
		value[x] = math.Exp(l - top)
	}
	for range t.k {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		t.moves.AverageTerms(sum, total)
		for x := range total {
			total[x] = value[x] + sum[x]
		}
	}
	rows, byRows := t.moves.Averager.(*operator.Rows)
	if v := number.Dot(t.initial, total) / float64(t.k); v >= leastMean || !byRows {
		return top + number.Log(v), nil
	}
	for x := range total {
		total[x] = math.Inf(-1)
	}
	for range t.k {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		rows.AverageLogs(sum, total)
		for x, l := range logs {
			total[x] = number.LogPlus(l, sum[x])
		}
	}
	for x, p := range t.initial {
		total[x] += number.Log(p)
	}
	return number.LogSumExp(total) - number.Log(float64(t.k)), nil
}

// zero returns the probability that all terms are zero, in the distribution of the chain that is
// not tilted. It is zero only if that is impossible: if the probability underflows, it is the least
// positive number.
func (t *chainTerms) zero(ctx context.Context) (float64, error) {
	v := make([]float64, len(t.logV))
	next := make([]float64, len(t.logV))
	for x := range v {
		v[x] = 1
	}
	logScale := 0.0
	for range t.k {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		t.moves.AverageTerms(next, v)
		largest := 0.0
		for x := range v {
			v[x] = 0
			if math.IsInf(t.logV[x], -1) {
				v[x] = next[x]
				largest = max(largest, v[x])
			}
		}
		if largest == 0 {
			return 0, nil
		}
		for x := range v {
			v[x] /= largest
		}
		logScale += number.Log(largest)
	}
	total := number.Dot(t.initial, v)
	if total == 0 {
		return 0, nil
	}
	return max(math.SmallestNonzeroFloat64, total*math.Exp(logScale)), nil
}

// bounds returns bounds on log V where V is not zero. The lower one is not above zero, and the
// upper one not below.
func (t *chainTerms) bounds() (lowest, highest float64) {
	lowest, highest = number.Bounds(t.logV)
	lowest = min(lowest, 0)
	highest = max(highest, 0)
	if slices.Contains(t.logV, math.Inf(-1)) {
		lowest -= number.Log(float64(t.k)) // one of the terms alone
	}
	return lowest, highest
}

// chain sets the terms of a chain. zeroMeans explains in a note what it means that all of them are
// zero.
func (s *Sum) chain(ctx context.Context, terms *chainTerms, zeroMeans string) (err error) {
	s.runs, s.tail, s.digits = 1, terms, digitsOf(terms.logV)
	if !terms.tilted {
		s.zero, err = terms.zero(ctx)
		if err != nil {
			return err
		}
		if s.zero > 0 {
			s.note = joined(s.note, fmt.Sprintf("with probability %.6g %s", s.zero, zeroMeans))
		}
	}
	terms.positive = s.zero == 0
	s.table, err = terms.transformTable(ctx)
	return err
}

// nearlyFlat is the range of logarithms, in nats, up to which their mean is taken from the
// differences of the terms. Beyond it the terms differ by so much that a sum of all of them keeps
// the digits of their differences.
const nearlyFlat = 0.5

// centreOf returns the largest of some logarithms, and whether all of them are so near to it that
// differences from it keep more digits than a sum of the terms would. None of them is then -Inf.
func centreOf(logs []float64) (centre float64, flat bool) {
	low, high := slices.Min(logs), slices.Max(logs)
	return high, high-low <= nearlyFlat
}

// logRatio returns log a/b of positive numbers. If they are near each other their difference is
// exact, and the logarithm keeps the digits that it has.
func logRatio(a, b float64) float64 {
	if d := (a - b) / b; math.Abs(d) < 0.5 {
		return math.Log1p(d)
	}
	return number.Log(a) - number.Log(b)
}
