package meeting

import (
	"context"
	"errors"
	"math"
	"slices"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/exact/internal/linear"
)

// iteration solves systems of I - Q^L by biconjugate gradients, for more pairs than an elimination
// allows. Only the rows of Q are formed.
//
// The residual of a solution v is computed with 32 digits, from differences of its entries: as the
// sum over j of q_ij (v_i - v_j) and of the exit times v_i. I - Q itself would lose a factor E tau.
// Corrections are added until only the rounding of 16 digits remains.
//
// The error of v is then bounded: with r = c - (I - Q^L) v it is (I - Q^L)^-1 r, and since no entry
// of the inverse is negative, it is at most max |r| times (I - Q^L)^-1 1. The bound includes the
// rounding error of r.
type iteration struct {
	pairs *Pairs
	lag   int
	// for lag one: the systems are those of I - Q - shift
	shift    float64
	diagonal []float64 // of I - Q, a sum of positive terms
	// pairs from which the exit may never be reached, which are excluded
	lost   []bool
	widest int // the most entries of a row of Q
	// the entries of Q that the present solution has used
	spent *float64
	most  float64 // of them
	// solves I - Q to some five digits, if the lag is above one
	once func(ctx context.Context, c []float64) ([]float64, error)
}

const (
	// iterationWork is the number of entries used after which a solution is given up: about half a
	// minute.
	iterationWork = 2e10
	// iterationMoves is about the number of moves of all pairs for whose time a system is solved.
	iterationMoves = 2000
	// worstOff is the largest error that a solution may have.
	worstOff = 1e-6
)

// errSpent says that a solution has used iterationWork entries.
var errSpent = errors.New("the iteration takes too long")

// errLate is the error for a distribution with too many meeting times.
var errLate = errs.New(
	"chains meet so late that the distribution takes too long to be found; take a target with fewer " +
		"states, or another kernel",
)

// iterate returns the systems of I - Q.
func (p *Pairs) iterate() *iteration {
	s := &iteration{
		pairs:    p,
		lag:      1,
		diagonal: make([]float64, len(p.states)),
		lost:     neverLeave(p.exit, p.reaches),
		spent:    new(float64),
		most:     iterationWork,
	}
	for at := range s.diagonal {
		s.diagonal[at] = p.exit[at]
		for k := p.start[at]; k < p.start[at+1]; k++ {
			if int(p.to[k]) != at {
				s.diagonal[at] += p.p[k]
			}
		}
		if s.lost[at] {
			s.diagonal[at] = 1
		}
		s.widest = max(s.widest, int(p.start[at+1]-p.start[at]))
	}
	return s
}

// iterateLagged returns the systems for a lag above one, given those of I - Q.
func (p *Pairs) iterateLagged(lag int, once systems) *iteration {
	s := p.iterate()
	s.lag = lag
	if e, is := once.(*elimination); is {
		s.once = e.about
		return s
	}
	inner := p.iterate()
	inner.spent = s.spent
	s.once = func(ctx context.Context, c []float64) ([]float64, error) { return inner.near(ctx, c, 1e-5) }
	return s
}

// reaches reports whether a pair can go to a marked one in one move.
func (p *Pairs) reaches(at int, marked []bool) bool {
	for k := p.start[at]; k < p.start[at+1]; k++ {
		if p.p[k] > 0 && marked[p.to[k]] {
			return true
		}
	}
	return false
}

// applyShifted sets dst to (I - Q - shift) v.
func (s *iteration) applyShifted(dst, v []float64) {
	p := s.pairs
	*s.spent += float64(len(p.to))
	for at, here := range v {
		if s.lost[at] {
			dst[at] = here
			continue
		}
		sum := (p.exit[at] - s.shift) * here
		for k := p.start[at]; k < p.start[at+1]; k++ {
			sum += p.p[k] * (here - v[p.to[k]])
		}
		dst[at] = sum
	}
}

// apply sets dst to (I - Q^L) v. With g = (I - Q) v that is g + Q (g + Q (g + ...)), in which only
// differences of v are moved.
func (s *iteration) apply(ctx context.Context, dst, v []float64) error {
	s.applyShifted(dst, v)
	if s.lag > 1 {
		g := append([]float64(nil), dst...)
		less := make([]float64, len(dst))
		for range s.lag - 1 {
			if err := s.err(ctx); err != nil {
				return err
			}
			s.applyShifted(less, dst)
			for at := range dst {
				if !s.lost[at] {
					dst[at] += g[at] - less[at]
				}
			}
		}
	}
	return s.err(ctx)
}

// err is the reason why the iteration ends early, if it does.
func (s *iteration) err(ctx context.Context) error {
	if *s.spent > s.most {
		return errSpent
	}
	return ctx.Err()
}

// long is a vector of numbers of some 32 digits: each is the sum of two, of which the second is the
// rounding error of the first.
type long struct{ high, low []float64 }

func newLong(n int) long { return long{make([]float64, n), make([]float64, n)} }

// addMultiple adds sign times x to an entry.
func (v long) addMultiple(at int, sign float64, high, low float64) {
	sum, rest := number.ExactSum(v.high[at], sign*high)
	v.high[at], v.low[at] = number.ExactSum(sum, v.low[at]+(rest+sign*low))
}

// moveLong sets dst to (I - Q) v, and returns the largest sum of the sizes of what is added up in
// an entry.
func (s *iteration) moveLong(dst, v long) (size float64) {
	p := s.pairs
	for at, here := range v.high {
		dst.high[at], dst.low[at] = 0, 0
		if s.lost[at] {
			continue
		}
		sizes := 0.0
		add := func(p, x, rest float64) {
			product := p * x
			dst.addMultiple(at, 1, product, math.FMA(p, x, -product)+p*rest)
			sizes += math.Abs(product)
		}
		add(p.exit[at], here, v.low[at])
		for k := p.start[at]; k < p.start[at+1]; k++ {
			difference, rest := number.ExactSum(here, -v.high[p.to[k]])
			add(p.p[k], difference, rest+(v.low[at]-v.low[p.to[k]]))
		}
		size = max(size, sizes)
	}
	return size
}

// missing returns c - (I - Q^L) v, 0 if a pair is lost, and a bound on the size of its entries that
// has rounding in it.
func (s *iteration) missing(ctx context.Context, c []float64,
	v long) (left []float64, off float64, err error) {
	n := len(c)
	g := newLong(n)
	size := s.moveLong(g, v)
	image := g
	less := newLong(n)
	if s.lag > 1 {
		image = long{append([]float64(nil), g.high...), append([]float64(nil), g.low...)}
	}
	for range s.lag - 1 {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		size += s.moveLong(less, image)
		for at := range n {
			image.addMultiple(at, 1, g.high[at], g.low[at])
			image.addMultiple(at, -1, less.high[at], less.low[at])
		}
		size += greatest(g.high) + greatest(image.high)
	}
	left = make([]float64, n)
	for at, x := range c {
		if !s.lost[at] {
			sum, rest := number.ExactSum(x, -image.high[at])
			left[at] = sum + (rest - image.low[at])
		}
	}
	// Every operation rounds to 2^-104 of its result, or better, and what has been rounded is moved
	// on no more often than the lag says.
	operations := float64(s.widest + 8)
	return left, greatest(left)*(1+0x1p-50) + float64(s.lag)*operations*operations*size*0x1p-102, nil
}

// greatest returns the largest absolute value.
func greatest(v []float64) (most float64) {
	for _, x := range v {
		most = max(most, math.Abs(x))
	}
	return most
}

// precondition sets dst to about (I - Q^L)^-1 v. For lag one that is a sweep of Gauss and Seidel
// down the pairs, and one up. For others the slow modes of Q, whose factors are near one, take a
// part 1/L of (I - Q)^-1, and the fast ones are left as they are.
func (s *iteration) precondition(ctx context.Context, dst, v []float64) error {
	if s.lag > 1 {
		solved, err := s.once(ctx, v)
		for at, x := range solved {
			dst[at] = x/float64(s.lag) + v[at]*(1-1/float64(s.lag))
		}
		return err
	}
	p := s.pairs
	*s.spent += float64(len(p.to))
	for at, sum := range v {
		for k := p.start[at]; k < p.start[at+1] && !s.lost[at]; k++ {
			if to := int(p.to[k]); to < at {
				sum += p.p[k] * dst[to]
			}
		}
		dst[at] = sum / s.diagonal[at]
	}
	for at := len(dst) - 1; at >= 0; at-- {
		sum := 0.0
		for k := p.start[at]; k < p.start[at+1] && !s.lost[at]; k++ {
			if to := int(p.to[k]); to > at {
				sum += p.p[k] * dst[to]
			}
		}
		dst[at] += sum / s.diagonal[at]
	}
	return nil
}

// near returns a solution whose residual is shorter than c by a factor.
func (s *iteration) near(ctx context.Context, c []float64, factor float64) ([]float64, error) {
	return linear.BiCGStab(
		func(dst, v []float64) error { return s.apply(ctx, dst, v) },
		func(dst, v []float64) error { return s.precondition(ctx, dst, v) },
		c, 1<<30, factor*linear.Norm(c),
	)
}

// solve implements systems.
func (s *iteration) solve(ctx context.Context, c []float64) ([]float64, float64, error) {
	*s.spent = 0
	n := len(c)
	v := newLong(n)
	left, off, err := s.missing(ctx, c, v)
	if err != nil {
		return nil, 0, err
	}
	factor := 1e-6 // a smaller one may be out of reach, as residuals rise before they fall
	for enough := 0x1p-52 * off; off > enough && factor < 1; {
		change, err := s.near(ctx, left, factor)
		if errors.Is(err, errSpent) {
			break
		} else if err != nil {
			return nil, 0, err
		}
		better := long{append([]float64(nil), v.high...), append([]float64(nil), v.low...)}
		for at, x := range change {
			better.addMultiple(at, 1, x, 0)
		}
		now, nowOff, err := s.missing(ctx, c, better)
		if err != nil {
			return nil, 0, err
		}
		if nowOff < off/2 {
			v = better
			left = now
			off = nowOff
		} else {
			factor *= 100
		}
	}
	if !(off <= worstOff*greatest(c)) {
		return nil, 0,
			errs.New("%d pairs are too many for elimination, which takes up to %d, and iteration leaves a "+
				"residual of %.3g, for at most %g: chains meet too seldom; "+
				"take a target with fewer states", n, MaxSolved, off/greatest(c), worstOff)
	}
	for at, lost := range s.lost {
		if lost {
			v.high[at] = math.Inf(1)
		}
	}
	return v.high, off + 0x1p-53*greatest(c), nil
}

func (s *iteration) about(ctx context.Context, c []float64) ([]float64, error) {
	*s.spent = 0
	return s.near(ctx, c, 1e-3)
}

// left implements systems for lag one, by biconjugate gradients on rows and sweeps of Gauss and
// Seidel over columns.
func (s *iteration) left(ctx context.Context, a []float64) ([]float64, error) {
	*s.spent = 0
	p := s.pairs
	apply := func(dst, u []float64) error {
		*s.spent += float64(len(p.to))
		p.push(dst, u)
		for at, mass := range u {
			dst[at] = mass - dst[at]
		}
		return s.err(ctx)
	}
	precondition := func(dst, v []float64) error {
		*s.spent += float64(len(p.to))
		first := slices.Clone(v)
		scatter := func(u []float64, at int, before bool) {
			for k := p.start[at]; k < p.start[at+1] && !s.lost[at]; k++ {
				if to := int(p.to[k]); to != at && (to < at) == before {
					u[to] += p.p[k] * dst[at]
				}
			}
		}
		for at := len(v) - 1; at >= 0; at-- {
			dst[at] = first[at] / s.diagonal[at]
			scatter(first, at, true)
		}
		second := make([]float64, len(v))
		for at := range dst {
			dst[at] += second[at] / s.diagonal[at]
			scatter(second, at, false)
		}
		return nil
	}
	return refined(apply, precondition, a)
}

// refined solves a system by biconjugate gradients, again for what is missing as long as that
// becomes less. It fails if more is missing than the digits that an answer must have allow.
func refined(apply, precondition linear.Operator, c []float64) ([]float64, error) {
	const enough = 1e-12
	u := make([]float64, len(c))
	left := slices.Clone(c)
	image := make([]float64, len(c))
	size := linear.Norm(c)
	for missing := size; missing > 0x1p-52*linear.Norm(u); { // what is missing is not known better than that
		change, err := linear.BiCGStab(apply, precondition, left, 1<<30, 1e-10*missing)
		if err != nil {
			return nil, err
		}
		for at := range change {
			change[at] += u[at]
		}
		if err := apply(image, change); err != nil {
			return nil, err
		}
		for at := range image {
			image[at] = c[at] - image[at]
		}
		now := linear.Norm(image)
		if !(now < missing/2) {
			if missing > enough*max(size, linear.Norm(u)) {
				return nil, errLate
			}
			break
		}
		u, left, image, missing = change, image, left, now
	}
	return u, nil
}

func (s *iteration) never() []bool { return s.lost }

// tailGap finds 1 - rho, for the largest eigenvalue rho of Q, from a vector of positive entries, by
// inverse iteration with a shift. The least of ((I - Q) x)_i / x_i is never above 1 - rho (Collatz
// and Wielandt); most of it is the shift. It is NaN if it does not converge.
//
// Source: Noda 1971, whose shift is all of it.
func (s *iteration) tailGap(ctx context.Context, x []float64) (float64, error) {
	const most = 40
	enough := 1e-10
	if len(x) <= MaxSolved { // as good as by an elimination
		enough = 1e-14
	}
	shifted := *s
	image := make([]float64, len(x))
	last := 0.0
	*s.spent = 0
	for range most {
		shifted.shift = 0
		shifted.applyShifted(image, x)
		least := math.Inf(1)
		for at, v := range x {
			if !(v > 0) || math.IsInf(v, 1) {
				return math.NaN(), nil
			}
			least = min(least, image[at]/v)
		}
		if least <= last*(1+enough) {
			return last, nil
		}
		last = least
		shifted.shift = 0.9 * least
		next, err := shifted.near(ctx, x, 1e-8)
		if errors.Is(err, errSpent) {
			break
		} else if err != nil {
			return 0, err
		}
		size := greatest(next)
		for at := range next {
			next[at] /= size
		}
		x = next
	}
	return math.NaN(), nil
}
