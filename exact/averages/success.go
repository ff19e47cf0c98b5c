package averages

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains/diagnostics"
	"breadboard/chains/errs"
	"breadboard/chains/number"
)

// Success is the probability that the real effective sample size of several chains, as a simulation
// study estimates it from the mean squared error of their means, reaches the requested one.
type Success struct {
	P         float64 // exact; NaN if the joint distribution that it takes is too large
	Low, High float64 // proven bounds, always computed
}

const (
	// the largest number of probabilities in the joint distribution of half of the chains
	maxSuccess     = 1 << 24
	maxSuccessWork = 3e9 // the largest number of products that it may take
	maxChains      = 10_000
	bracketWork    = 1.5e8 // about how many products a bracket takes
)

// checkChains fails for a number of chains for which no distribution is computed.
func checkChains(chains, fewest int) error {
	if chains < fewest || chains > maxChains {
		return errs.New("the number of chains is %d; give one from %d to %d", chains, fewest, maxChains)
	}
	return nil
}

// checkSuccess fails for a number of chains, or a size to be reached, for which no success is
// computed.
func checkSuccess(chains int, ress float64) error {
	if !(ress > 0) || math.IsInf(ress, 1) {
		return cmp.Or[error](checkChains(chains, 1),
			errs.New("success at an effective sample size of %v; give a positive number", ress))
	}
	return checkChains(chains, 1)
}

// Success returns the probability that K chains have a RESS of at least ress, where RESS is K over
// the sum of the squares of their standardised errors (Turner and Neal 2017, Eq. 4, who require
// 12). Values that agree with ress to 1e-12 count as reaching it.
//
// P is exact. Let a_k be the integers by which the sums of the chains differ from an integer near
// the true sum. Then the squared errors add up to a function of A = sum a_k and Q = sum a_k^2. The
// joint distribution of A and Q is computed for half of the chains and for the others, restricted
// to pairs for which RESS may still reach ress, and the two are merged in the order of their
// squared errors. With the radius r = sqrt(K/ress) N sd, time is O(r^4) products and memory O(r^3)
// numbers; P is NaN if that takes more than some seconds. Low and High round the squared error of a
// chain down to a lattice, and take little time for any size. It fails if the context ends.
func (l *SumLaw) Success(ctx context.Context, chains int, ress float64) (Success, error) {
	if err := checkSuccess(chains, ress); err != nil {
		return Success{}, err
	}
	squares := l.squares()
	most := l.threshold(chains, ress)
	most = min(most, float64(chains)*largest(squares)*(1+tie))
	if most < 0 {
		return Success{}, nil
	}
	g, err := newLattice(ctx, squares, chains, most, l.roundings)
	if err != nil {
		return Success{}, err
	}
	b := g.atMost(most)
	p, err := l.successProbability(ctx, chains, most)
	return Success{P: p, Low: b.Low, High: b.High}, err
}

// threshold returns the largest sum of the values Q - 2 offset A of the given number of chains
// whose RESS reaches the given one.
func (l *SumLaw) threshold(chains int, ress float64) float64 {
	k := float64(chains)
	return k*l.scale*l.scale/ress*(1+tie) - k*l.offset*l.offset
}

// distance returns the value a^2 - 2 offset a of number i of P. If it is large, the float64 nearest
// to it.
func (l *SumLaw) distance(i int) float64 {
	a := float64(int64(i) - l.centre)
	return a * (a - 2*l.offset)
}

// squares returns the squared distances of the sum to the true one, less the square of the offset.
func (l *SumLaw) squares() []square {
	var out []square
	for i, p := range l.P {
		if p > 0 {
			out = append(out, square{l.distance(i), p})
		}
	}
	return out
}

// largest returns the largest value of the squares.
func largest(squares []square) float64 {
	most := 0.0
	for _, s := range squares {
		most = max(most, s.e)
	}
	return most
}

// successProbability returns the exact probability that the sum of the squared distances is at most
// the given one, and NaN if that is too large to be computed.
func (l *SumLaw) successProbability(ctx context.Context, chains int, most float64) (float64, error) {
	s := l.shape(most)
	if len(s.atoms) == 0 {
		return 0, nil
	}
	if low, high := s.span((chains + 1) / 2); float64(high)-float64(low) > maxSuccess {
		return math.NaN(), nil
	}
	if cells, work := s.cost((chains+1)/2, maxSuccess); cells > maxSuccess || work > maxSuccessWork {
		return math.NaN(), nil
	}
	half, err := s.jointLaw(ctx, chains/2)
	if err != nil {
		return 0, err
	}
	first := half.ordered(l.offset)
	if chains%2 == 0 {
		return first.atMost(first, most), nil
	}
	rest, err := s.more(ctx, half)
	if err != nil {
		return 0, err
	}
	return first.atMost(rest.ordered(l.offset), most), nil
}

// shape determines the values and pairs that can be part of a sum of squared distances that is at
// most the given one.
func (l *SumLaw) shape(most float64) *shape {
	s := &shape{}
	for i, p := range l.P {
		switch {
		case p > 0 && l.distance(i) <= most:
			s.atoms = append(s.atoms, atom{int(int64(i) - l.centre), p})
		case p > 0:
			s.beyond += p
		}
	}
	if len(s.atoms) == 0 {
		return s
	}
	low, high := s.span(1)
	s.high = func(chains, a int) int {
		spread := a*(low+high) - chains*low*high // as (a_k - low)(high - a_k) >= 0
		if allowed := most + 2*l.offset*float64(a); allowed < float64(spread) {
			return int(math.Floor(allowed))
		}
		return spread
	}
	return s
}

// CountSuccess are the probabilities, for estimates other than the mean, that the real effective
// sample size of several chains reaches the requested one.
type CountSuccess struct {
	Variance Bracket // of the sample variance with divisor N - 1; NaN at N = 1
	KS       Bracket // of the empirical distribution, by the Kolmogorov-Smirnov distance
}

// CountSuccess is SumLaw.Success for the sample variance and for the empirical distribution: the
// probability that K R over the sum of the squared errors of K chains is at least ress, where R is
// N times the mean squared error of N independent draws. It fails if the joint distribution of the
// numbers of samples at each level is too large (see KSWork), if a state that is reached has no
// level, and if the context ends.
//
// Source: Turner and Neal 2017, Eq. 4 and section 4.6.
func (c *Chain) CountSuccess(ctx context.Context, f *Function, start []float64, n, chains int,
	ress float64) (CountSuccess, error) {
	if err := checkSuccess(chains, ress); err != nil {
		return CountSuccess{}, err
	}
	if _, err := c.KSWork(f, start, n); err != nil {
		return CountSuccess{}, err
	}
	r := c.reached(start)
	levels, class := r.levels(f)
	raw := make([]float64, len(levels)) // the value of each class
	for i, x := range r.states {
		if _, is := f.Levels.Find(f.Raw[x]); !is {
			return CountSuccess{}, errors.New(
				"the chain reaches a state of probability zero at which the value of the function is not a level",
			)
		}
		raw[class[i]] = f.Raw[x]
	}
	free, err := f.IndependentKS(ctx, n, nil)
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
			off := f.sampleVariance(raw, counts, n) - 1
			variances, distances = append(variances, square{off * off, q}),
				append(distances, square{distance * distance, q})
		}
	})
	nan := math.NaN()
	out := CountSuccess{Variance: Bracket{nan, nan}}
	roundings := r.roundings(n)
	out.KS, err = successOf(ctx, distances, chains, float64(chains)*float64(n)*free.Square/ress, roundings)
	if err != nil || n == 1 {
		return out, err
	}
	out.Variance, err = successOf(
		ctx,
		variances,
		chains,
		float64(chains)*f.IndependentVariance(int64(n))/ress,
		roundings,
	)
	return out, err
}

// sampleVariance returns the sample variance, with divisor n - 1, of values given with their
// counts, in units of the variance under the target. One of the values is subtracted first, since
// all of them may be nearly equal and many standard deviations from zero.
func (f *Function) sampleVariance(raw []float64, counts []int, n int) float64 {
	near := raw[slices.Index(counts, slices.Max(counts))]
	var total, around number.Sum
	for i, v := range raw {
		total.Add(float64(counts[i]) * ((v - near) / f.SD))
	}
	mean := total.Value() / float64(n)
	for i, v := range raw {
		d := (v-near)/f.SD - mean
		around.Add(float64(counts[i]) * d * d)
	}
	return around.Value() / float64(n-1)
}

// successOf bounds the probability that the sum of the given number of independent squares is at
// most a number. Sums that agree with it to 1e-12 count as being at most it.
func successOf(ctx context.Context, squares []square, chains int, most, roundings float64) (Bracket, error) {
	const cells = 1 << 20 // so that the lattice is as fine as possible
	if !(most > 0) {
		return Bracket{}, nil
	}
	if math.IsInf(most, 1) {
		// fourth powers of a function that is far from its mean overflow, and nothing is known
		return Bracket{math.NaN(), math.NaN()}, nil
	}
	scale := cells / most
	for i := range squares {
		if math.IsInf(scale, 1) { // a variance below 1e-302; zero times infinity is no number
			squares[i].e = squares[i].e / most * cells
		} else {
			squares[i].e *= scale
		}
	}
	g, err := newLattice(ctx, squares, chains, cells*(1+tie), roundings)
	if err != nil {
		return Bracket{}, err
	}
	return g.atMost(cells * (1 + tie)), nil
}

// RESSLaw is the distribution of the real effective sample size that follows from the mean squared
// error of the means of some chains. Its numbers are brackets, whose relative width is about the
// number of chains over some thousands.
type RESSLaw struct {
	Chains int

	law     *SumLaw
	squares []square
	levels  []*lattice // each for sums of squares up to a quarter of those of the one before; made on demand
}

// RESS returns the distribution of the RESS of the given number of chains. A new request takes
// about a tenth of a second. Only one goroutine may use it at a time. It fails if the context ends.
func (l *SumLaw) RESS(ctx context.Context, chains int) (*RESSLaw, error) {
	if err := checkChains(chains, 1); err != nil {
		return nil, err
	}
	squares := l.squares()
	first, err := newLattice(ctx, squares, chains, float64(chains)*largest(squares)*(1+tie), l.roundings)
	return &RESSLaw{chains, l, squares, []*lattice{first}}, err
}

// latticeAt returns lattice i, and nil if the one before is fine enough.
func (l *RESSLaw) latticeAt(i int) *lattice {
	if i < len(l.levels) {
		return l.levels[i]
	}
	last := l.latticeAt(i - 1)
	if last == nil || last.exact || last.top <= 64 {
		return nil
	}
	// With a context that does not end it cannot fail, and it is fast.
	next, _ := newLattice(context.Background(), l.squares, l.Chains, last.top/4, l.law.roundings)
	l.levels = append(l.levels, next)
	return next
}

// Quantile bounds the least r with P(RESS <= r) >= p, 0 <= p <= 1.
func (l *RESSLaw) Quantile(p float64) (low, high float64) {
	return l.reaching(func(below float64) bool { return below > 1-p+tie })
}

// ESSDQuantile bounds the least d with P(ESSD <= d) >= p, for the ESS deviation of an estimated
// sample size ess (see diagnostics.ESSD).
func (l *RESSLaw) ESSDQuantile(ess, p float64) (low, high float64) {
	// These bound the largest r for which RESS is at least r with a probability of p or more.
	less, more := l.reaching(func(below float64) bool { return below >= p-tie })
	return diagnostics.ESSD(ess, more, l.Chains), diagnostics.ESSD(ess, less, l.Chains)
}

// reaching bounds the RESS at the least sum of squares whose cumulative probability is at least the
// given one.
func (l *RESSLaw) reaching(enough func(below float64) bool) (low, high float64) {
	at := l.levels[0]
	for i := 1; ; i++ {
		finer := l.latticeAt(i)
		if finer == nil || !enough(finer.rounded(finer.roundDown(finer.top))) {
			break
		}
		at = finer
	}
	last := at.roundDown(at.top * (1 + 2*tie))
	cell := sort.Search(last, func(cell int) bool { return enough(at.rounded(cell)) })
	k := float64(l.Chains)
	s := l.law
	total := func(cells int, offset float64) float64 {
		off := offset / s.scale // its square may be in range if that of the offset is not
		return k / (float64(cells)*at.unit/s.scale/s.scale + k*off*off)
	}
	// a square of an integer and the offset is off by no more than this part
	offset := math.Abs(s.offset)
	allowed := tie + 4*s.off
	return total(cell+at.slack(), offset+s.off) * (1 - allowed),
		total(cell, max(0, offset-s.off)) * (1 + allowed)
}

// Bracket bounds a number: it is proven to lie from Low to High, both included.
type Bracket struct{ Low, High float64 }

// square is a value of Q - 2 offset A of one chain, the squared distance to the true mean less the
// square of the offset, and its probability. It is never negative, because the integer zero is
// nearest to the offset.
type square struct{ e, p float64 }

// lattice brackets the distribution of a sum of independent squares. Each is rounded down to a
// multiple of a unit, so that the sum of n of them is less than n units above the sum of the
// multiples, whose distribution is a convolution.
type lattice struct {
	chains    int
	unit, top float64   // the distribution is known for sums up to top
	exact     bool      // whether all squares are multiples of the unit
	less      []float64 // the probabilities of the sums over half of the chains, rounded down
	more      []float64 // the probabilities of those over all other chains to be at most a number
	roundings float64
}

// newLattice returns the bracket of sums up to top, in about bracketWork products. It fails if the
// context ends.
func newLattice(ctx context.Context, squares []square, chains int,
	top, roundings float64) (*lattice, error) {
	within := slices.DeleteFunc(slices.Clone(squares), func(s square) bool { return s.e > top })
	l := &lattice{chains: chains, top: top, exact: true}
	l.unit = unitOf(top, cellsFor(len(within), (chains+1)/2, bracketWork))
	at := make([]float64, l.roundDown(top*(1+2*tie))+1)
	single := make([]float64, len(at))
	used := 0
	for _, s := range within {
		v := s.e / l.unit
		whole := math.Round(v)
		if math.Abs(v-whole) > tie/4*v {
			l.exact = false
			whole = math.Floor(v)
		}
		if single[int(whole)] == 0 {
			used++
		}
		single[int(whole)] += s.p
	}
	l.roundings = float64(chains) * (roundings + float64(used) + 2)
	at[0] = 1
	for k := range (chains + 1) / 2 {
		if k == chains/2 {
			l.less = at
		}
		var err error
		at, err = convolved(ctx, at, single)
		if err != nil {
			return nil, err
		}
	}
	if chains%2 == 0 {
		l.less = at
	}
	l.more = running(at)
	return l, nil
}

// cellsFor returns how many multiples a lattice for the given number of squares may have, given
// that half of the chains are convolved one by one.
func cellsFor(squares, chains int, products float64) float64 {
	each := products / float64(max(1, chains-1))
	return min(max(each/float64(max(1, squares)), math.Sqrt(each), 1<<10), 1<<18)
}

// unitOf returns the unit of a lattice with the given number of cells up to top. If possible it is
// one over an integer, because squares of integers are rounded.
func unitOf(top, cells float64) float64 {
	if top > cells {
		return top / cells
	}
	return 1 / min(math.Floor(cells/max(top, 1)), 1<<10)
}

// roundDown returns the largest multiple of the unit that is at most a sum.
func (l *lattice) roundDown(sum float64) int { return int(math.Floor(sum / l.unit)) }

// convolved returns the distribution of the sum of two independent numbers, of which the second has
// few values, up to the length of the first.
func convolved(ctx context.Context, p, single []float64) ([]float64, error) {
	last := len(p)
	for last > 0 && p[last-1] == 0 {
		last--
	}
	var values []int
	for v, q := range single {
		if q != 0 {
			values = append(values, v)
		}
	}
	out := make([]float64, len(p))
	if places := few(p); places != nil {
		for _, v := range values {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			for _, i := range places {
				if i+v >= len(out) {
					break
				}
				out[i+v] += single[v] * p[i]
			}
		}
		return out, nil
	}
	const block = 2048 // numbers, so that the sums stay in the nearest cache
	for from := 0; from < len(out); from += block {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		to := min(from+block, len(out))
		for _, v := range values {
			if first, end := max(from, v), min(to, v+last); first < end {
				floats.AddScaled(out[first:end], single[v], p[first-v:end-v])
			}
		}
	}
	return out, nil
}

// rounded returns the probability that the sum of the squares, each rounded down, is at most the
// given number of units.
func (l *lattice) rounded(cell int) float64 {
	total := 0.0
	for i := 0; i <= cell && i < len(l.less); i++ {
		total += l.less[i] * l.more[min(cell-i, len(l.more)-1)]
	}
	return total
}

// slack returns by how many units the sum of the squares may be above that of the rounded ones.
func (l *lattice) slack() int {
	if l.exact {
		return 0
	}
	return l.chains
}

// atMost bounds the probability that the sum of the squares is at most the given one, which is not
// above top. It allows for the rounding of float64.
func (l *lattice) atMost(sum float64) Bracket {
	allowance := 2 * unit * (l.roundings + math.Sqrt(float64(len(l.less))))
	low, high := l.rounded(l.roundDown(sum)-l.slack()), l.rounded(l.roundDown(sum*(1+2*tie)))
	return Bracket{low * (1 - allowance), min(1, high*(1+allowance))}
}
