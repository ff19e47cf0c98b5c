// Package averages computes the exact errors of averages over N samples of a Markov chain. It gives
// the bias and mean squared error of the chain's mean, variance and empirical distribution at any
// N, the exact distributions of its mean and of diagnostics, and the number of moves until the
// chain forgets its start. New checks first, by package kernel, that the kernel leaves its target
// invariant.
//
// # Conventions
//
// The samples are x_1, ..., x_N. The distribution of x_1 is called the start; x_1 counts as a
// sample, and there is one move between samples. Functions are standardised by the mean and the
// variance of the target (see Standardise), so that all errors are in units of its standard
// deviation. The real effective sample size (RESS) of an estimate is R over its mean squared error,
// where R is N times the mean squared error of N independent draws: N independent draws have RESS =
// N at every N.
//
// # Laws
//
// SumLaw is the exact distribution of the sum of an integer function, and so of the chain's mean.
// From it follow the coverage of intervals, the probability that several chains succeed
// (SumLaw.Success), the distribution of their RESS (SumLaw.RESS), and for functions that are zero
// or one that of their R-hat (SumLaw.RHat). Chain.KS uses the joint distribution of the numbers of
// samples at each level. Probabilities are sums of positive terms, so that the smallest ones are as
// accurate, relative to their size, as the largest. Two sides of a comparison that agree to 1e-12
// count as equal.
//
// Source: Turner and Neal 2017, section 4.6, Eqs. 1 to 6.
//
// # Add an error metric
//
//  1. Add a field to the errors at one N in errors.go, found by recursion and by squaring, and the
//     error of N independent draws.
//  2. In experiments/mcmc/samplers add its fields to ErrorsRow, its RESS as a method, its columns,
//     its name at the end of Stored, and, if --estimate selects it, a name in Estimates.
//  3. Test it against enumerated paths here, and for N = 1.
package averages

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"sync"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/exact/kernel"
)

// Chain is a Markov chain that leaves a target invariant: its transition matrix and the target. It
// may be used by several goroutines at once.
type Chain struct {
	Target []float64    // the probability p(x) of each state, which sum to one
	LogF   []float64    // log f of each state, as it was given
	Rows   *kernel.Rows // the transition matrix; do not change it

	// the moves of a sequence, if they are cheaper to apply than the transition matrix; else nil
	// (see factored)
	factors    kernel.Product
	lock       sync.Mutex
	diagnosis  *kernel.Diagnosis // used to solve for variances; nil until it is needed
	reversible *bool             // whether the chain is reversible; nil until it is needed
}

// Vanishing says what the probability of a state is whose entry in Target is zero.
func (c *Chain) Vanishing(x int) string {
	if math.IsInf(c.LogF[x], -1) {
		return "probability zero"
	}
	return "a probability below 5e-324"
}

// New returns the chain of a kernel under logf. It fails if every state has probability zero, if
// the rows of the kernel cannot be found, and if they do not leave the target invariant, as
// kernel.Examine does. Time and memory are O(entries of the rows).
func New(ctx context.Context, k chains.Kernel, logf []float64) (*Chain, error) {
	rows, err := kernel.Examine(ctx, k, logf)
	if err != nil {
		return nil, err
	}
	if _, high := number.Bounds(logf); math.IsInf(high, -1) {
		return nil, errs.New("every state has probability zero; errors need a target")
	}
	c := &Chain{Target: append([]float64(nil), logf...), LogF: append([]float64(nil), logf...), Rows: rows}
	chains.Normalize(c.Target)
	return c, c.findFactors(ctx, k)
}

// States returns the number of states.
func (c *Chain) States() int { return len(c.Target) }

// CheckLaw fails if a distribution has another number of states than the chain, an entry that is
// not a probability, a sum other than one, or no mass on the states of the target.
func (c *Chain) CheckLaw(law []float64) error {
	if len(law) != c.States() {
		return errs.New("it has %d states and the target %d; give one probability for each state",
			len(law), c.States())
	}
	var total number.Sum
	inside := 0.0
	for x, q := range law {
		if !(q >= 0 && q <= 1+massTolerance) {
			return errs.New("state %d has probability %v; give numbers from 0 to 1", x, q)
		}
		total.Add(q)
		if !math.IsInf(c.LogF[x], -1) {
			inside += q
		}
	}
	if total := total.Value(); math.Abs(total-1) > massTolerance {
		return fmt.Errorf("the probabilities sum to %v, not to 1", total)
	}
	if inside == 0 {
		return errs.New("it has no mass where the target has some; start at a state of positive probability")
	}
	return nil
}

// massTolerance is how far the total of a distribution may be from one.
const massTolerance = 1e-12

// After returns the distribution after the given number of moves from law. Time is the lesser of
// O(moves entries) and O(states^3 log moves), by powers of the transition matrix, for at most
// MaxPowerStates states. It fails if the context ends.
func (c *Chain) After(ctx context.Context, law []float64, moves int) ([]float64, error) {
	n := float64(c.States())
	powers := float64(bits.Len64(uint64(moves))) * n * n * n
	if n <= maxPowerStates && float64(moves)*float64(c.factored().Size()) > powers {
		s, err := c.squares("a distribution after many moves")
		if err != nil {
			return nil, err
		}
		at, err := s.lawAfter(ctx, law, int64(moves))
		if err != nil {
			return nil, err
		}
		c.keepTotal(at, number.Total(law), bits.Len64(uint64(moves)))
		return at, nil
	}
	at := append([]float64(nil), law...)
	next := make([]float64, len(law))
	for t := range moves {
		if t%16 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		c.factored().Push(next, at)
		at, next = next, at
	}
	c.keepTotal(at, number.Total(law), moves)
	return at, nil
}

// keepTotal scales a distribution after the given number of moves to the total that it began with.
// A move changes the total only by rounding. Once the distribution has settled the rounding errors
// have the same sign, and add up: after 10,000 moves of a kernel with long rows the total can be
// off by 1e-12. Scaling removes this error. If the total is off by more than rounding explains,
// because the rows do not sum to one, the distribution is not scaled.
func (c *Chain) keepTotal(law []float64, before float64, moves int) {
	floats.Scale(c.drift(before, number.Total(law), moves), law)
}

// drift returns the factor by which keepTotal scales.
func (c *Chain) drift(before, after float64, moves int) float64 {
	roundings := c.longest() + 2*len(c.factored()) // of a move
	if most := float64(moves) * float64(roundings) * 2 * unit; !(math.Abs(after-before) <= most*before) ||
		after == 0 {
		return 1
	}
	return before / after
}

// diagnosed returns the diagnosis, which it makes at the first call. The caller holds the lock.
func (c *Chain) diagnosed(ctx context.Context) (*kernel.Diagnosis, error) {
	if c.diagnosis == nil {
		d, err := kernel.ForVariances(ctx, c.Rows, c.LogF)
		if err != nil {
			return nil, err
		}
		c.diagnosis = d
	}
	return c.diagnosis, nil
}

// Classes returns the class of each state, numbered in the order of their first states (-1 if the
// target is zero), and the number of classes (see kernel.Diagnosis). Time of the first call is
// O(entries).
func (c *Chain) Classes(ctx context.Context) (of []int32, count int, err error) {
	c.lock.Lock()
	defer c.lock.Unlock()
	d, err := c.diagnosed(ctx)
	if err != nil {
		return nil, 0, err
	}
	return d.ClassOf, d.Classes, nil
}

// Function is a function of the state, standardised by its mean and variance under a target.
type Function struct {
	Raw []float64 // the function g as it was given
	// h = (g - Mean)/SD; zero if g is infinite: only at states of probability zero, where no chain
	// may begin
	Values   []float64
	Mean, SD float64 // of g under the target
	Kurtosis float64 // the mean of h^4 under the target: 3 for a normal distribution, 1 for a fair coin

	// Levels are the finite values of g, each once, ascending. They include levels whose
	// probability is zero or underflows: a chain may begin there, and the Kolmogorov-Smirnov
	// distance from the target may then be largest at such a level.
	Levels number.Levels
	// Level is the index of g(x) in Levels.Values: 0 for -Inf, and the number of levels for +Inf.
	Level  []int
	Masses []float64 // the probability of each level under the target
}

// Standardise returns a function of the state standardised to mean zero and variance one under the
// target. It fails if the function has another number of states, is NaN anywhere, is infinite at a
// state of positive probability, or is constant under the target. Time is O(states log states).
func (c *Chain) Standardise(g []float64) (*Function, error) {
	if len(g) != c.States() {
		return nil, errs.New("the function has %d values and the target %d states; give one for each state",
			len(g), c.States())
	}
	f := &Function{Raw: slices.Clone(g), Values: make([]float64, len(g)), Level: make([]int, len(g))}
	var values []float64
	for x, v := range g {
		positive := c.Target[x] > 0
		if math.IsNaN(v) || positive && math.IsInf(v, 0) {
			return nil, errs.New(
				"the function is %v at state %d; it must be finite wherever the target has probability",
				v,
				x,
			)
		}
		if !math.IsInf(v, 0) {
			values = append(values, v)
		}
	}
	f.Levels = number.LevelsOf(values)
	f.levels(c.Target)
	if taken := f.Taken(); len(taken) == 1 {
		return nil, errs.New(
			"the function is constant, %v, wherever the target has a probability that floating point can "+
				"hold; give one that varies",
			taken[0],
		)
	}
	return f, f.standardise(c.Target)
}

// Taken returns the levels of positive probability, the values of the function under the target.
func (f *Function) Taken() (values []float64) {
	for l, v := range f.Levels.Values {
		if f.Masses[l] > 0 {
			values = append(values, v)
		}
	}
	return values
}

// levels finds the level of each state and the probability of each level.
func (f *Function) levels(p []float64) {
	f.Masses = make([]float64, len(f.Levels.Values))
	for x, v := range f.Raw {
		f.Level[x], _ = f.Levels.Find(v)
		if p[x] > 0 {
			f.Masses[f.Level[x]] += p[x]
		}
	}
}

// standardise computes the mean, the standard deviation and the standardised values. The likeliest
// level is subtracted first, which keeps the digits of a function with a large constant and of one
// that nearly always has the same value.
func (f *Function) standardise(p []float64) error {
	middle := f.Levels.Values[slices.Index(f.Masses, slices.Max(f.Masses))]
	var shift number.Sum
	for x, q := range p {
		if q > 0 {
			shift.Add(q * (f.Raw[x] - middle))
		}
	}
	var variance number.Sum
	for x, q := range p {
		if q > 0 {
			d := f.Raw[x] - middle - shift.Value()
			variance.Add(q * d * d)
		}
	}
	f.Mean, f.SD = middle+shift.Value(), math.Sqrt(variance.Value())
	if !(f.SD > 0) || math.IsInf(f.SD, 0) {
		return errs.New("the standard deviation of the function under the target is %v; scale it so that floating "+
			"point holds its square",
			f.SD)
	}
	var fourth number.Sum
	for x, v := range f.Raw {
		if math.IsInf(v, 0) {
			continue
		}
		h := (v - middle - shift.Value()) / f.SD
		f.Values[x] = h
		if p[x] > 0 {
			fourth.Add(p[x] * h * h * h * h)
		}
	}
	f.Kurtosis = fourth.Value()
	return nil
}

// InfiniteAt returns the first state of positive probability under a distribution at which the
// function is infinite, and -1 if there is none.
func (f *Function) InfiniteAt(law []float64) int {
	for x, q := range law {
		if q > 0 && math.IsInf(f.Raw[x], 0) {
			return x
		}
	}
	return -1
}

// blockLevels is the number of levels that go through the recursion together.
const blockLevels = 4

// uncertainLevels returns the number of levels at which the empirical distribution has an error. At
// the highest it is one unless the function is infinite at a state of probability zero.
func (f *Function) uncertainLevels() int {
	if slices.Contains(f.Level, len(f.Levels.Values)) {
		return len(f.Levels.Values)
	}
	return len(f.Levels.Values) - 1
}

// twoValued reports whether the function has two values at all states together. The error of its
// empirical distribution at the lower one is then that of its mean, up to a factor.
func (f *Function) twoValued() bool {
	return len(f.Levels.Values) == 2 &&
		!slices.ContainsFunc(f.Raw, func(v float64) bool { return math.IsInf(v, 0) })
}

// twoLevels takes the errors of the empirical distribution of a function that has two values from
// those of its mean.
func twoLevels(f *Function, all [][]reading) {
	below, above := f.bothTails(0)
	for _, readings := range all {
		for i := range readings {
			readings[i].addLevel(f.Masses[0], below*above, readings[i].meanSquare.times(below*above))
		}
	}
}

// bothTails returns F(v) and 1 - F(v) for a level v, each with its own digits.
func (f *Function) bothTails(level int) (below, above float64) {
	var low, high number.Sum
	for l, m := range f.Masses {
		if l <= level {
			low.Add(m)
		} else {
			high.Add(m)
		}
	}
	return low.Value(), high.Value()
}

// indicator is the indicator I(g <= v) of a level v of a function, less its mean F(v) under the
// target.
type indicator struct {
	mass     float64   // the probability of the level
	variance float64   // of the indicator under the target, F (1 - F)
	values   []float64 // by state
}

// indicatorOf returns that of a level.
func (f *Function) indicatorOf(level int) indicator {
	below, above := f.bothTails(level)
	out := indicator{f.Masses[level], below * above, make([]float64, len(f.Level))}
	for x, at := range f.Level {
		out.values[x] = above
		if at > level {
			out.values[x] = -below
		}
	}
	return out
}

// indicators returns those of the levels at which the empirical distribution has an error.
func (f *Function) indicators() []indicator {
	out := make([]indicator, f.uncertainLevels())
	for l := range out {
		out[l] = f.indicatorOf(l)
	}
	return out
}

// levelBlock is, for each of some levels v, the system of E[S | x_1] and half of E[S^2 | x_1] for S
// the sum of I(g <= v) - F(v), which is N times the error of the empirical distribution at v. The
// functions of S are the first four of its lanes, those of S^2 the others.
type levelBlock struct {
	lanes8
	chain  *Chain
	values [][blockLevels]float64 // I(g <= v) - F(v)
	masses [blockLevels]float64   // the probability of each level
	known  [blockLevels]float64   // half of F (1 - F)
	square [blockLevels]number.SizedSum
	levels int // the number of levels, which is less than the block holds in the last one
}

// newLevelBlock returns the system of the levels from one on.
func newLevelBlock(c *Chain, f *Function, low int) *levelBlock {
	b := &levelBlock{
		lanes8: newLanes8(c.States()),
		chain:  c,
		values: make([][blockLevels]float64, c.States()),
	}
	b.levels = min(blockLevels, f.uncertainLevels()-low)
	for k := range b.levels {
		level := f.indicatorOf(low + k)
		b.masses[k], b.known[k] = level.mass, 0.5*level.variance
		for x, v := range level.values {
			b.values[x][k] = v
		}
	}
	return b
}

func (b *levelBlock) lanes() int { return 2 * blockLevels }

func (b *levelBlock) centre() { b.centreUnder(b.chain.Target) }

func (b *levelBlock) tau(n int64) float64 {
	largest := 0.0
	for k := range b.levels {
		if b.known[k] > 0 {
			largest = max(largest, b.square[k].Value()/b.known[k]/float64(n))
		}
	}
	return largest
}

func (b *levelBlock) step() {
	rows := b.multiplyFactors(b.chain)
	p := b.chain.Target
	at := b.at
	next := b.next
	means := b.means
	var rise [blockLevels]number.Sum
	var t [8]float64
	for low := 0; low < len(p); low += chunk {
		var r0, r1, r2, r3 float64
		for x := low; x < min(low+chunk, len(p)); x++ {
			b.unit.Gather(&t, at, rows.Row(x))
			t0, t1, t2, t3 := t[0]-means[0], t[1]-means[1], t[2]-means[2], t[3]-means[3]
			t4, t5, t6, t7 := t[4]-means[4], t[5]-means[5], t[6]-means[6], t[7]-means[7]
			h := &b.values[x]
			h0, h1, h2, h3 := h[0], h[1], h[2], h[3]
			v0, v1, v2, v3 := float64(h0*t0), float64(h1*t1), float64(h2*t2), float64(h3*t3)
			next[x] = [8]float64{
				t0 + h0, t1 + h1, t2 + h2, t3 + h3,
				t4 + (v0 + float64(h0*h0)*0.5), t5 + (v1 + float64(h1*h1)*0.5),
				t6 + (v2 + float64(h2*h2)*0.5), t7 + (v3 + float64(h3*h3)*0.5),
			}
			q := p[x]
			r0 += float64(q * v0)
			r1 += float64(q * v1)
			r2 += float64(q * v2)
			r3 += float64(q * v3)
		}
		for k, r := range [blockLevels]float64{r0, r1, r2, r3} {
			rise[k].Add(r)
		}
	}
	b.means = [8]float64{} // the indicators have mean zero
	for k := range rise {
		b.square[k].Add(b.known[k], 1)
		b.square[k].Add(rise[k].Value(), 1)
		b.means[blockLevels+k] = b.known[k] + rise[k].Value()
	}
	b.at, b.next = next, at
}

func (b *levelBlock) read(from deviation, rounding float64, r *reading) {
	r.spread = max(r.spread, rounding)
	for k := range b.levels {
		r.addLevel(b.masses[k], 2*b.known[k], b.meanOf(from, blockLevels+k, sized(&b.square[k])).times(2))
	}
}
