package laws

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains/number"
	"breadboard/exact/internal/crew"
	"breadboard/exact/internal/operator"
)

const (
	// the largest number of operations for the lattice of a chain: some hundredths of a second
	chainLatticeWork = 2e7
	leastChainCells  = 16      // with fewer the bracket would be useless
	mostChainCells   = 1 << 13 // more make it hardly narrower
)

// cells returns how many cells the lattice has up to the threshold; zero for no lattice.
func (t *chainTerms) cells() int {
	perCell := 2 * float64(t.k) * max(float64(len(t.logV)), t.moves.Numbers)
	if t.tilted {
		perCell *= 2
	}
	n := int(min(mostChainCells, chainLatticeWork/perCell))
	switch {
	case t.exact():
		return 1
	case n < leastChainCells:
		return 0
	}
	return n
}

// limits implements tail.
func (t *chainTerms) limits() string {
	if n := t.cells(); n > 0 {
		return fmt.Sprintf(
			"the terms are rounded to %d parts of the threshold; a shorter chain or fewer states give a "+
				"narrower bracket",
			n,
		)
	}
	return fmt.Sprintf(
		"only the bounds of Markov and Chernoff are computed; a narrower bracket needs a chain with %.0f "+
			"times fewer places or states",
		math.Ceil(2*float64(t.k)*max(float64(len(t.logV)), t.moves.Numbers)*leastChainCells/chainLatticeWork),
	)
}

// support implements tail.
func (t *chainTerms) support() (lowest, highest float64) {
	lowest = math.Inf(1)
	highest = math.Inf(-1)
	zero := false
	for x, l := range t.logV {
		switch {
		case t.k == 1 && t.initial[x] == 0:
		case math.IsInf(l, -1):
			zero = true
		default:
			lowest = min(lowest, l)
			highest = max(highest, l)
		}
	}
	switch {
	case zero && !t.positive:
		lowest = math.Inf(-1)
	case zero:
		lowest -= number.Log(float64(t.k)) // one of the terms alone
	}
	return lowest, highest
}

// exact implements tail: whether one term is below the threshold takes no lattice.
func (t *chainTerms) exact() bool { return t.k == 1 }

// atLeast implements tail.
func (t *chainTerms) atLeast(ctx context.Context, logV, slack float64) (low, high float64, err error) {
	cells := t.cells()
	if cells == 0 {
		return 0, 1, nil
	}
	logSum := logV + number.Log(float64(t.k))
	up := math.Ceil
	if t.exact() {
		up = math.Floor // the only term is below the threshold, or not
	}
	err = crew.Jobs(ctx, 2, t.workers, func(ctx context.Context, i int) (err error) {
		if i == 0 {
			low, err = t.latticeAtLeast(ctx, cells, logSum+slack, math.Floor)
			return err
		}
		high, err = t.latticeAtLeast(ctx, cells, logSum-slack, up)
		return err
	})
	if t.exact() {
		return low, high, err
	}
	rounding := 1e-15 * (100 + float64(t.k)*(1+t.moves.Numbers/float64(len(t.logV))))
	return max(0, low-rounding), min(1, high+rounding), err
}

// latticeAtLeast returns the probability that the sum is at or above exp(logSum), where each term
// is rounded to a lattice.
//
// It goes back along the chain with F_k(x, i), the probability from state x at place k that the
// terms from there on sum up to i cells at least, which is one for i <= 0: F_k(x, i) = (T
// F_{k+1})(x, i - m(x)), where m is the term in cells. If the distribution is tilted it goes back
// with D_k(x, i), the mean of the terms V from there on, over K, where they sum up to i cells; for
// i <= 0 the condition holds always. Both fall with i, so that terms that are rounded down give
// lower bounds, and those rounded up upper bounds.
func (t *chainTerms) latticeAtLeast(ctx context.Context, cells int, logSum float64,
	round func(float64) float64) (float64, error) {
	n := len(t.logV)
	l := &chainLattice{
		moves: t.moves.Twin(),
		shift: make([]int, n),
		f:     rowsOf(cells+1, n),
		next:  make([]float64, n),
	}
	for x, v := range t.logV {
		l.shift[x] = int(round(min(1, math.Exp(v-logSum)) * float64(cells)))
	}
	for x := range n {
		l.f[0][x] = 1
	}
	if t.tilted {
		l.d = rowsOf(cells+1, n)
		l.share = make([]float64, n)
		for x, v := range t.logV {
			l.share[x] = math.Exp(v) / float64(t.k)
		}
	}
	for range t.k {
		if err := l.stepBack(ctx); err != nil {
			return 0, err
		}
	}
	last := l.f[cells]
	if t.tilted {
		last = l.d[cells]
	}
	return number.Dot(t.initial, last), nil
}

// chainLattice is the state of the backward recursion of latticeAtLeast. Row 0 is that of all i <=
// 0.
type chainLattice struct {
	moves *operator.Fixed
	shift []int // the term of each state in cells
	share []float64
	f, d  [][]float64 // by cell and state
	next  []float64
}

// rowsOf returns rows of n zeros.
func rowsOf(rows, n int) [][]float64 {
	all := make([]float64, rows*n)
	out := make([][]float64, rows)
	for i := range out {
		out[i] = all[i*n:][:n:n]
	}
	return out
}

// stepBack goes back by one place.
func (l *chainLattice) stepBack(ctx context.Context) error {
	for _, rows := range [][][]float64{l.f, l.d} {
		for i := range rows {
			if err := ctx.Err(); err != nil {
				return err
			}
			l.moves.AverageTerms(l.next, rows[i])
			copy(rows[i], l.next)
		}
		for i := len(rows) - 1; i >= 0; i-- { // the rows below have not been changed yet
			for x, m := range l.shift {
				rows[i][x] = rows[max(0, i-m)][x]
			}
		}
	}
	for i := range l.d {
		for x, v := range l.share {
			l.d[i][x] += v * l.f[i][x]
		}
	}
	return nil
}

const (
	// mostBuckets and fewestBits bound the number of thresholds that are kept together.
	mostBuckets = 1 << 17
	fewestBits  = 4
	// farThreshold is the threshold from which on thresholds are not followed.
	farThreshold = 0x1p1000
)

// rounding determines how thresholds are rounded: up (direction 1) for a lower bound on the
// probability of being above them, and down (direction -1) for an upper bound. Thresholds are
// relative to the first one, and levels are given by their logarithms.
type rounding struct {
	direction float64
	top       float64 // the highest level, an upper bound of all estimates, rounded outward
	bits      uint
	size      int // the number of buckets
}

// newRounding returns how to round, with the given number of thresholds kept together.
func newRounding(direction, logTop float64, buckets int) *rounding {
	octaves := 4 + int(min(logTop/math.Ln2, 1000))
	r := &rounding{direction: direction, bits: fewestBits}
	for octaves<<(r.bits+1) <= min(mostBuckets, buckets) {
		r.bits++
	}
	r.size = octaves << r.bits
	r.top = math.Exp(logTop) * (1 + r.error(logTop))
	return r
}

// error returns the relative error of the exponential of a level and of later operations, in the
// direction of the rounding.
func (r *rounding) error(logLevel float64) float64 {
	return r.direction * (8 + min(math.Abs(logLevel), 1000)) * 0x1p-52
}

// limit returns the number below which a level is above a threshold: certainly, for a lower bound,
// or possibly, for an upper bound.
func (r *rounding) limit(logLevel float64) float64 {
	return math.Exp(logLevel) * (1 - r.error(logLevel))
}

// passes reports whether a level is above a threshold, given its limit. A threshold that is too far
// to be followed passes if the bound is an upper one.
func (r *rounding) passes(z, limit float64) bool {
	if z < farThreshold {
		return z < limit
	}
	return r.direction < 0 && r.top > farThreshold
}

// hasLevelsAbove reports whether there are levels above a threshold that is not passed.
func (r *rounding) hasLevelsAbove(z float64) bool { return z < min(r.top, farThreshold) }

// thresholdStep turns a threshold for v L + r R into one for R, where v + r = 1.
type thresholdStep struct{ outward, lost, kept float64 }

// stepAt returns the step at a level, given log r.
func (r *rounding) stepAt(logLevel, logKept float64) thresholdStep {
	if logKept == 0 {
		return thresholdStep{0, 0, 1}
	}
	return thresholdStep{r.error(logLevel), math.Exp(logLevel) * -math.Expm1(logKept), math.Exp(logKept)}
}

// after returns the threshold after the step.
func (s thresholdStep) after(z float64) float64 { return (z*(1+s.outward) - s.lost) / s.kept }

// thresholds are random thresholds with their probabilities. Those in one bucket are taken
// together. A bucket is given by the exponent of a threshold and the first bits of its fraction.
type thresholds struct {
	used        []int
	value, mass []float64 // by bucket; the value is zero if the bucket has none
}

// newThresholds returns an empty set of thresholds.
func (r *rounding) newThresholds() *thresholds {
	return &thresholds{value: make([]float64, r.size), mass: make([]float64, r.size)}
}

// clear removes all thresholds.
func (s *thresholds) clear() {
	for _, b := range s.used {
		s.value[b], s.mass[b] = 0, 0
	}
	s.used = s.used[:0]
}

// bucket returns the bucket of an open threshold of at least a quarter.
func (r *rounding) bucket(z float64) int {
	return int((math.Float64bits(z) - math.Float64bits(0.25)) >> (52 - r.bits))
}

// addThreshold adds an open threshold, which is of the bucket b, with a probability.
func (r *rounding) addThreshold(s *thresholds, b int, z, p float64) {
	switch at := s.value[b]; {
	case at == 0:
		s.used = append(s.used, b)
		s.value[b] = z
	case (z-at)*r.direction > 0:
		s.value[b] = z
	}
	s.mass[b] += p
}
