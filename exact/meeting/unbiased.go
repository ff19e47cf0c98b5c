package meeting

import (
	"cmp"
	"context"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/exact/averages"
)

// Unbiased is the exact distribution, up to its second moment, of the estimator of Jacob, O'Leary
// and Atchade (2020) with a lag L:
//
//	H = 1/(m-k+1) [ sum of h(X_t) over k <= t <= m, and of v_t (h(X_t) - h(Y_(t-L))) over k+L <= t < tau ],
//
// with v_t = max(0, floor((t-k)/L) - max(1, ceil((t-m)/L)) + 1). Its mean is that of h under the
// target for any k, m, L and coupling.
type Unbiased struct {
	K, M int
	// E H - E h as computed, in standard deviations of h, to Rounding standard deviations of H: 0
	// if the chain converges; NaN if E tau is so large that rounding may be more
	Bias     float64
	Variance float64 // of H, in variances of h under the target; NaN if float64 does not hold it
	Plain    float64 // the bias of the average without the correction, in standard deviations of h
	Cost     float64 // the mean number of moves of one chain, L + 2 (tau - L) + max(0, m - tau)
	// Loss is Cost times Variance over the asymptotic variance of h: the number of moves relative
	// to one long chain without burn-in whose average has the same error. It tends to one as m
	// grows. Its error comes from the asymptotic variance, which has lost digits if the spectral
	// gap is small.
	Loss number.Bounded
}

// Unbiased returns the distribution of the estimator of a function, for 0 <= k <= m. If chains may
// never meet, the estimate may never end, and its variance and cost are +Inf. Time is O((m + L +
// the moves until few chains are apart) times the entries of Q).
func (m *Law) Unbiased(ctx context.Context, f *averages.Function, k, last int) (Unbiased, error) {
	all, err := m.estimators(ctx, f, k, k, last)
	if err != nil {
		return Unbiased{}, err
	}
	return all[0], nil
}

// EveryK returns the distribution of the estimator with each k from 0 to m. They share the
// expensive part: each further k takes O(m n) products.
func (m *Law) EveryK(ctx context.Context, f *averages.Function, last int) ([]Unbiased, error) {
	return m.estimators(ctx, f, 0, last, last)
}

// BestK returns the distribution of the estimator with the k from 0 to m of least variance, and so
// least loss; of those equal up to rounding, the smallest k. Time is that of EveryK.
func (m *Law) BestK(ctx context.Context, f *averages.Function, last int) (Unbiased, error) {
	all, err := m.EveryK(ctx, f, last)
	if err != nil {
		return Unbiased{}, err
	}
	least := slices.MinFunc(all, func(a, b Unbiased) int { return cmp.Compare(a.Variance, b.Variance) }).Variance
	return all[max(0,
		slices.IndexFunc(all, func(u Unbiased) bool { return u.Variance <= least*(1+equalVariances) }))], nil
}

// Rounding is by how many standard deviations of the estimator its mean may be off by rounding.
const Rounding = 1e-12

// mostBiasMoves is the mean meeting time from which on rounding may cause a bias of some thousandth
// of a standard deviation.
const mostBiasMoves = 1e12

// equalVariances is the relative difference up to which variances count as equal: chains that meet
// late have sums of many terms, with rounding.
const equalVariances = 1e-12

// estimators returns the distributions with each k from low to high.
func (m *Law) estimators(ctx context.Context, f *averages.Function, low, high, last int) ([]Unbiased, error) {
	if low < 0 || low > high || high > last {
		return nil, errs.New("k = %d and m = %d; give 0 <= k <= m", low, last)
	}
	all := make([]Unbiased, high-low+1)
	for i := range all {
		all[i] = Unbiased{
			K:        low + i,
			M:        last,
			Bias:     math.NaN(),
			Variance: math.Inf(1),
			Cost:     math.Inf(1),
			Loss:     number.Exactly(math.Inf(1)),
		}
	}
	plain := 0.0
	at := make([]float64, last+1)
	err := error(nil)
	for t, law := 0, m.start; t <= last; t++ {
		at[t] = inner(law, f.Values)
		law, err = m.solved.ordered.Chain.After(ctx, law, 1)
		if err != nil {
			return nil, err
		}
	}
	for k := last; k >= low; k-- {
		plain += at[k]
		if k <= high {
			all[k-low].Plain = plain / float64(last-k+1)
		}
	}
	if math.IsInf(m.Mean, 1) {
		return all, nil
	}
	variance, err := m.solved.ordered.Chain.Variance(ctx, f)
	if err != nil {
		return nil, err
	}
	cost, err := m.cost(ctx, last)
	if err != nil {
		return nil, err
	}
	sums := m.momentsByStart
	if m.solved.ordered.skewed { // sums assume that each chain moves by the kernel
		sums = m.backward
	}
	means, seconds, err := sums(ctx, f.Values, low, high, last)
	if err != nil {
		return nil, err
	}
	for i := range all {
		u := &all[i]
		count := float64(last - u.K + 1)
		u.Bias = means[i] / count
		u.Variance = (seconds[i] - means[i]*means[i]) / (count * count)
		u.Cost = cost
		if m.Mean > mostBiasMoves {
			u.Bias = math.NaN()
		}
		if math.IsInf(u.Variance, 0) { // it is finite, but overflows
			u.Variance = math.NaN()
		}
		u.Loss = number.Exactly(u.Cost).Over(number.Within(variance.Autocorrelation, variance.Error)).Times(
			number.Exactly(u.Variance),
		)
	}
	return all, nil
}

// backward is sums for pairs with any marginal distributions of the chains, by a pass for each k.
func (m *Law) backward(ctx context.Context, h []float64,
	low, high, last int) (mean, second []float64, err error) {
	for k := low; k <= high; k++ {
		e := &estimate{meeting: m, pairs: m.solved.ordered, lag: m.Lag, h: h, k: k, last: last}
		one, two, err := e.moments(ctx)
		if err != nil {
			return nil, nil, err
		}
		mean, second = append(mean, one), append(second, two)
	}
	return mean, second, nil
}

// Quantile returns the least t with P(tau <= t) >= q, but at most most. A large quantile of tau is
// often advised for k. It takes up to most moves of the distribution of the pair.
func (m *Law) Quantile(ctx context.Context, q float64, most int) (int, error) {
	law := m.newSweep()
	for t := m.Lag; t < most; t++ {
		if law.apartMass() <= 1-q {
			return t, nil
		}
		if int64(t)%law.checkInterval() == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		law.movePairs()
	}
	return most, nil
}

// cost returns the mean number of moves until both chains have met and X has made the required
// number.
func (m *Law) cost(ctx context.Context, last int) (float64, error) {
	moves := float64(m.Lag) + 2*(m.Mean-float64(m.Lag))
	law := m.newSweep()
	for t := m.Lag; t < last && ctx.Err() == nil; t++ {
		// E max(0, m - tau) is the sum of P(tau <= t) over t < m
		moves += 1 - law.apartMass()
		law.movePairs()
	}
	return moves, ctx.Err()
}

// estimate finds moments of (m-k+1) H for a function with mean zero, from the end backward. Here
// moments are those of the remaining sum.
type estimate struct {
	meeting      *Law
	pairs        *Pairs // with a number for each order of a pair
	lag, k, last int
	h            []float64
}

// moments are the first two moments of the remaining sum, by pair or by state.
type moments struct{ first, second []float64 }

// weight returns v_t, the weight of the difference at a time in the estimator.
func (e *estimate) weight(t int) float64 {
	ceil := -floorDiv(e.last-t, e.lag)
	return float64(max(0, floorDiv(t-e.k, e.lag)-max(1, ceil)+1))
}

// floorDiv returns the largest whole number that is at most a / b, for b above zero.
func floorDiv(a, b int) int {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// single returns the term of a time at a state of the chain X.
func (e *estimate) single(t, x int) float64 {
	if t < e.k || t > e.last {
		return 0
	}
	return e.h[x]
}

// terms returns the term of a time at each pair that has not met.
func (e *estimate) terms(t int) []float64 {
	out := make([]float64, len(e.pairs.states))
	v := e.weight(t)
	for at, xy := range e.pairs.states {
		out[at] = e.single(t, int(xy[0])) + v*(e.h[xy[0]]-e.h[xy[1]])
	}
	return out
}

// moments returns the first two moments of the whole sum.
func (e *estimate) moments(ctx context.Context) (mean, second float64, err error) {
	t := max(e.last+1, e.lag)
	apart, err := e.tailMoments(ctx, t)
	if err != nil {
		return 0, 0, err
	}
	n := e.pairs.Chain.States()
	met := moments{make([]float64, n), make([]float64, n)}
	for t--; t >= e.lag; t-- {
		if ctx.Err() != nil {
			return 0, 0, ctx.Err()
		}
		apart, met = e.backApart(t, apart, met), e.stepSolo(t, met)
	}
	met = e.startMoments(apart, met)
	for ; t >= 0; t-- {
		met = e.stepSolo(t, met)
	}
	for x, mass := range e.meeting.start {
		mean += mass * met.first[x]
		second += mass * met.second[x]
	}
	return mean, second, nil
}

// stepSolo goes back by one move of a chain that moves alone.
func (e *estimate) stepSolo(t int, later moments) moments {
	n := len(later.first)
	now := moments{make([]float64, n), make([]float64, n)}
	for x := range n {
		add := e.single(t, x)
		now.step(x, e.pairs.Chain.Rows.Row(x), later, add)
	}
	return now
}

// step goes back by one move from a state to a row of others, in which a number is added.
func (m moments) step(x int, row []chains.Entry, later moments, add float64) {
	for _, entry := range row {
		m.first[x] += entry.P * later.first[entry.To]
		m.second[x] += entry.P * later.second[entry.To]
	}
	m.second[x] += add * (add + 2*m.first[x])
	m.first[x] += add
}

// backApart goes back by one move of pairs, which may meet in it.
func (e *estimate) backApart(t int, apart, met moments) moments {
	now := moments{e.pairs.pull(apart.first), e.pairs.pull(apart.second)}
	for at, add := range e.terms(t) {
		now.step(at, e.pairs.met[at], met, add)
	}
	return now
}

// startMoments returns the moments by the state of X when both chains begin to move: Y is at its
// start, which may be the same state.
func (e *estimate) startMoments(apart, met moments) moments {
	n := len(met.first)
	now := moments{make([]float64, n), make([]float64, n)}
	for x := range n {
		for y, mass := range e.meeting.start {
			if at := e.pairs.number[x*n+y]; at >= 0 {
				now.first[x] += mass * apart.first[at]
				now.second[x] += mass * apart.second[at]
			} else {
				now.first[x] += mass * met.first[x]
				now.second[x] += mass * met.second[x]
			}
		}
	}
	return now
}

// tailMoments returns the moments of pairs that are apart at a time from which on the average has
// ended. The terms repeat after L moves, so that the first moment is (I - Q^L)^-1 applied to the
// terms of L moves, and the second to their squares and products with the future.
func (e *estimate) tailMoments(ctx context.Context, t int) (moments, error) {
	terms := make([][]float64, e.lag)
	for j := range terms {
		terms[j] = e.terms(t + j)
	}
	first, err := e.repeated(ctx, terms)
	if err != nil {
		return moments{}, err
	}
	later := first // L moves later it is the same
	for j := e.lag - 1; j >= 0; j-- {
		follows := e.pairs.pull(later)
		squares := make([]float64, len(follows))
		for at, add := range terms[j] {
			squares[at] = add * (add + 2*follows[at])
			follows[at] += add
		}
		terms[j], later = squares, follows
	}
	second, err := e.repeated(ctx, terms)
	return moments{first, second}, err
}

// orderedSystems returns the systems of I - Q^L for ordered pairs, if they take less time than
// moving until few chains are apart, and else nil. They are factored once.
func (m *Law) orderedSystems(ctx context.Context, gap float64) (s systems, err error) {
	pairs := m.solved.ordered
	n := float64(len(pairs.states))
	moves := 40 / gap
	if n <= MaxSolved && moves*float64(len(pairs.to)) < n*n*n || n > MaxSolved && moves < iterationMoves {
		return nil, nil
	}
	m.lock.Lock()
	defer m.lock.Unlock()
	if m.ordered == nil {
		m.ordered, _, _, err = pairs.systems(ctx)
		if err == nil && m.Lag > 1 {
			m.ordered, _, _, err = pairs.lagged(ctx, m.Lag, m.ordered)
		}
	}
	return m.ordered, err
}

// repeated returns the sum over i of Q^i r_(i mod L).
func (e *estimate) repeated(ctx context.Context, terms [][]float64) ([]float64, error) {
	once := terms[len(terms)-1]
	for j := len(terms) - 2; j >= 0; j-- {
		once = e.pairs.pull(once)
		for at, add := range terms[j] {
			once[at] += add
		}
	}
	gap, err := e.meeting.solved.TailGap(ctx)
	if err != nil {
		return nil, err
	}
	if systems, err := e.meeting.orderedSystems(ctx, gap); err != nil {
		return nil, err
	} else if systems != nil {
		v, _, err := systems.solve(ctx, once)
		return v, err
	}
	sum := append([]float64(nil), once...)
	period := once
	moves := int(maxSweep / float64(len(e.pairs.to)+1))
	for i := 1; i <= moves; i++ {
		period = e.pairs.pull(period)
		if i%e.lag != 0 {
			continue
		}
		left := 0.0
		largest := 0.0
		least := math.Inf(1)
		for at, v := range period {
			sum[at] += v
			left = max(left, math.Abs(v))
			if size := math.Abs(sum[at]); size > 0 {
				largest = max(largest, size)
				least = min(least, size)
			}
		}
		// Pairs with states that are rare or never entered may have huge sums, which do not let the
		// others end early.
		fallen := left / -math.Expm1(float64(e.lag)*math.Log1p(-gap))
		if fallen <= max(1e-17*least, 1e-60*largest) || largest == 0 {
			return sum, nil
		}
		if i%1024 < e.lag && ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return nil, ErrSlow
}
