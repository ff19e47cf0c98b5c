package averages

import (
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/exact/internal/lanes"
	"breadboard/grid"
)

// SumLaw is the distribution of the sum of an integer function over the N samples of a chain, and
// so of the chain's mean.
//
//	P_1(x, h(x)) = start(x), P_(i+1)(y, s + h(y)) = sum over x of P_i(x, s) T(x, y),
//
// and the distribution is that of s after N samples, summed over the states. Time is O(N^2 span
// entries).
type SumLaw struct {
	N         int
	Low, Step int64     // number i of P is the probability that the sum is Low + i Step
	P         []float64 // each to a relative error of about N roundings
	Function  *Function
	Lost      float64 // the mass of the start that the probabilities lack by rounding

	// the values of the function at the states that are reached are from 0 to this, in units of
	// Step
	span   int64
	centre int64   // the place in P, or beyond its ends, that is nearest to N times the true mean
	offset float64 // N times the true mean is at the place centre + offset; from -1/2 to 1/2
	off    float64 // a bound on the rounding error of the offset
	// N standard deviations of the function in units of Step: an error of the sum over this is one
	// of the mean
	scale     float64
	roundings float64 // the largest number of roundings of a probability
}

// maxInteger is the largest size of a value up to which float64 has all integers.
const maxInteger = 1 << 53

// steps are the values of an integer function at the states that a chain reaches.
type steps struct {
	low, step int64 // the value of state y is low + step times[y]
	times     []int64
	span      int64 // the largest of times
}

// integers returns the values of f at the states that are reached as multiples of their greatest
// common step.
func (r *reach) integers(f *Function) (*steps, error) {
	s := &steps{times: make([]int64, len(r.states))}
	for i, x := range r.states {
		v := f.Raw[x]
		if v != math.Trunc(v) || math.Abs(v) > maxInteger {
			return nil,
				errs.New("the function is %v at state %d, and the distribution of its sum is known for "+
					"integers up to 2^53 only; take an indicator or a coordinate, or ask for the "+
					"errors of its mean, which are exact for every function",
					v, x)
		}
		s.times[i] = int64(v)
	}
	s.low = slices.Min(s.times)
	for i := range s.times {
		s.times[i] -= s.low
		s.step = number.GCD(s.step, s.times[i])
	}
	s.step = max(s.step, 1) // zero for a function that is constant on the states that are reached
	for i := range s.times {
		s.times[i] /= s.step
		s.span = max(s.span, s.times[i])
	}
	return s, nil
}

// sums counts the sum of samples; a class is one of the values, which ascend from zero.
type sums struct{ values []int }

func (s sums) size(samples int) int { return samples*s.values[len(s.values)-1] + 1 }

func (s sums) next(to []int, i int) {
	for class, v := range s.values {
		to[class] = i + v
	}
}

// sums returns the counter of the values, and the class of each state.
func (s *steps) sums() (sums, []int32) {
	values := slices.Clone(s.times)
	slices.Sort(values)
	values = slices.Compact(values)
	class := make([]int32, len(s.times))
	out := sums{make([]int, len(values))}
	for i, v := range values {
		out.values[i] = int(v)
	}
	for y, v := range s.times {
		i, _ := slices.BinarySearch(values, v)
		class[y] = int32(i)
	}
	return out, class
}

// SumLaw returns the distribution of the sum of f over n samples of a chain whose first sample has
// the distribution start. It fails if f is not an integer at a state that the chain reaches, if the
// distribution is too large, if rounding loses more than 1e-12 of its mass, and if the context
// ends. With values in a range of r steps, time is O(n^2 r entries), memory O(n r states).
func (c *Chain) SumLaw(ctx context.Context, f *Function, start []float64, n int) (*SumLaw, error) {
	r, s, _, err := c.prepareSumLaw(f, start, n)
	if err != nil {
		return nil, err
	}
	values, class := s.sums()
	l := &SumLaw{
		N:         n,
		Low:       int64(n) * s.low,
		Step:      s.step,
		Function:  f,
		span:      s.span,
		roundings: r.roundings(n),
	}
	l.P, err = r.tally(ctx, n, class, len(values.values), values)
	if err != nil {
		return nil, err
	}
	var lost number.Sum
	for _, q := range start {
		lost.Add(q)
	}
	for _, q := range l.P {
		lost.Add(-q)
	}
	l.Lost = lost.Value()
	if !(math.Abs(l.Lost) <= massTolerance) {
		return nil, errs.New(
			"rounding loses %.3g of the mass of the distribution of %d samples, and at most %v may be "+
				"lost; take fewer samples",
			l.Lost,
			n,
			massTolerance,
		)
	}
	return l, l.centred(c, s)
}

// maxSumWork is the largest number of products that the distribution of a sum may take: some
// minutes.
const maxSumWork = 1e11

// SumLawWork returns how many products SumLaw makes, about 1e9 a second. It fails if SumLaw would
// fail before it computes anything. Time is O(entries + n).
func (c *Chain) SumLawWork(f *Function, start []float64, n int) (float64, error) {
	_, _, work, err := c.prepareSumLaw(f, start, n)
	return work, err
}

// CheckSumLaw fails if SumLawWork does.
func (c *Chain) CheckSumLaw(f *Function, start []float64, n int) error {
	_, err := c.SumLawWork(f, start, n)
	return err
}

// prepareSumLaw prepares the distribution of a sum, and returns the number of products that it
// takes.
func (c *Chain) prepareSumLaw(f *Function, start []float64, n int) (*reach, *steps, float64, error) {
	if err := c.checkStart(start, n); err != nil {
		return nil, nil, 0, err
	}
	r := c.reached(start)
	s, err := r.integers(f)
	if err != nil {
		return nil, nil, 0, err
	}
	const what, cure = "the distribution of a sum", "take fewer samples, or a function of smaller range"
	if cells := float64(s.span) * float64(n) * float64(len(r.states)); cells > maxTally {
		// before the product overflows
		return nil, nil, 0, tooMany("probabilities", cells, maxTally,
			errs.New("%s over %d samples of values up to %d steps apart takes %.3g probabilities for %d "+
				"states, and at most %.3g are kept; %s",
				what, n, s.span, cells, len(r.states), float64(maxTally), cure))
	}
	if math.Abs(float64(s.low))*float64(n) > 1<<62 {
		return nil, nil, 0, errs.New(
			"the sum of %d samples of a function that is %d somewhere overflows; subtract a constant from the function",
			n,
			s.low,
		)
	}
	values, _ := s.sums()
	work, err := r.checkSize(n, values, maxSumWork, what, cure)
	return r, s, work, err
}

// checkStart fails if n or the start is invalid.
func (c *Chain) checkStart(start []float64, n int) error {
	if n < 1 {
		return errs.New("a distribution of %d samples; give a number from 1 on", n)
	}
	if err := c.CheckLaw(start); err != nil {
		return fmt.Errorf("start: %w", err)
	}
	return nil
}

// centred finds where the true mean lies. The multiple of the step that is nearest to the mean is
// subtracted first, which keeps the digits of the distance to an integer.
func (l *SumLaw) centred(c *Chain, s *steps) error {
	f := l.Function
	near := math.Round((f.Mean - float64(s.low)) / float64(s.step))
	var mean, size number.Sum
	for x, p := range c.Target {
		if p > 0 {
			v := (f.Raw[x]-float64(s.low))/float64(s.step) - near
			mean.Add(p * v)
			size.Add(p * math.Abs(v))
		}
	}
	n := float64(l.N)
	sum := n * mean.Value()
	whole := math.Round(sum)
	if math.Abs(n*near+whole) > 1<<62 {
		return errs.New("the mean of the function, %v, is too far from its values at the states that the chain "+
			"reaches, which are about %d; scale the function",
			f.Mean, s.low)
	}
	l.centre = int64(n*near + whole)
	l.offset = sum - whole
	// A mean that is an integer or half of one, up to rounding, is taken to be exactly that: then
	// all squares lie on one lattice.
	l.off = 8 * unit * n * size.Value()
	if half := math.Round(2*l.offset) / 2; math.Abs(l.offset-half) <= l.off {
		l.offset = half
		l.off = 2 * l.off
	}
	l.scale = n * f.SD / float64(s.step)
	return nil
}

// error returns the standardised error of the chain's mean if the sum is number i of P.
func (l *SumLaw) error(i int) float64 { return (float64(int64(i)-l.centre) - l.offset) / l.scale }

// Mean returns the bias of the mean of the standardised function.
func (l *SumLaw) Mean() float64 {
	var total number.Sum
	for i, p := range l.P {
		total.Add(p * l.error(i))
	}
	return total.Value()
}

// MSE returns the mean squared error of the mean of the standardised function. Its reciprocal is
// the real effective sample size. All terms are positive, so that no digits cancel.
func (l *SumLaw) MSE() number.Bounded {
	var total, offs number.Sum
	off := l.off / l.scale
	for i, p := range l.P {
		e := math.Abs(l.error(i))
		total.Add(p * e * e)
		offs.Add(p * off * (2*e + off))
	}
	return number.Bounded{Value: total.Value(), Error: offs.Value() + total.Value()*unit*l.roundings}
}

// Coverage returns the probability that a nominal 95% interval, the chain's mean plus and minus
// 1.96 standard errors, holds the true mean. The standard error sqrt(tau/N) is known exactly (see
// Chain.Variance). Means that agree with an end to 1e-12, relative to the end or to the standard
// deviation of the function, count as inside. It is NaN if tau is. A tau made negative by rounding
// counts as zero: the interval is then a point.
func (l *SumLaw) Coverage(tau float64) float64 {
	if math.IsNaN(tau) {
		return tau
	}
	most := 1.96*math.Sqrt(max(tau, 0)/float64(l.N))*(1+tie) + tie
	var inside, outside number.Sum
	for i, p := range l.P {
		if math.Abs(l.error(i)) <= most {
			inside.Add(p)
		} else {
			outside.Add(p)
		}
	}
	return probability(inside.Value(), outside.Value())
}

// tie is the relative difference up to which two sides of a comparison count as equal.
const tie = 1e-12

// probability returns the probability of an event from the mass of the outcomes that are in it and
// from that of all others, whose sum is one up to rounding. It uses the smaller of the two, which
// has the smaller rounding error: the mass itself, or one minus that of the others. So the result
// is never above one, although the sum of all outcomes may be.
func probability(inside, outside float64) float64 {
	if inside <= outside {
		return inside
	}
	return 1 - outside
}

// counter encodes the counts along a chain as a number, and says how the number changes with each
// sample. Different numbers never lead to the same one by samples of the same class.
type counter interface {
	size(samples int) int // after this number of samples the numbers are below size
	next(to []int, i int) // sets to[class] to the number that follows i after a sample of that class
}

// maxSizes is the largest number of sizes that are added up to count the products of a tally.
const maxSizes = 1 << 24

// maxTally is the largest number of probabilities of a state and a number, of which two copies are
// kept.
const maxTally = 1 << 26

// reach is the part of a chain that a distribution of the first sample can reach, with its moves
// listed by destination.
type reach struct {
	states []int // the states that are reached, ascending; the other fields number them by their places here
	start  []float64
	rows   [][]chains.Entry // the moves to each state, by where they come from
	moves  int              // how many there are

	progress func(part float64) // called now and then with the fraction of a tally that is done; may be nil
}

// reached returns the part of the chain that a start can reach. Time is O(entries).
func (c *Chain) reached(start []float64) *reach {
	place := make([]int, c.States())
	var queue []int
	visit := func(x int) {
		if place[x] == 0 {
			place[x] = 1
			queue = append(queue, x)
		}
	}
	for x, q := range start {
		if q > 0 {
			visit(x)
		}
	}
	for i := 0; i < len(queue); i++ {
		for _, e := range c.Rows.Row(queue[i]) {
			if e.P > 0 {
				visit(e.To)
			}
		}
	}
	r := &reach{}
	for x := range place {
		if place[x] == 1 {
			place[x] = len(r.states)
			r.states, r.start = append(r.states, x), append(r.start, start[x])
		}
	}
	r.listMoves(c, place)
	return r
}

// listMoves lists the moves between the states that are reached by destination.
func (r *reach) listMoves(c *Chain, place []int) {
	r.rows = make([][]chains.Entry, len(r.states))
	for i, x := range r.states {
		for _, e := range c.Rows.Row(x) {
			if e.P > 0 {
				y := place[e.To]
				r.rows[y] = append(r.rows[y], chains.Entry{To: i, P: e.P})
				r.moves++
			}
		}
	}
}

// roundings returns the largest number of roundings of a probability of a tally of n samples.
func (r *reach) roundings(n int) float64 {
	most := 0
	for _, row := range r.rows {
		most = max(most, len(row))
	}
	return float64(n)*float64(most+1) + float64(len(r.states))
}

// tooMany returns the error of a computation beyond a limit.
func tooMany(what string, need, limit float64, err error) error {
	return grid.TooLarge{What: what, Need: need, Limit: limit, Err: err}
}

// checkSize returns how many products a tally of n samples takes. It fails if that is above a
// limit, and if the tally would take too much memory, before it takes any.
func (r *reach) checkSize(n int, c counter, limit float64, what, cure string) (work float64, err error) {
	cells := float64(len(r.states)) * float64(c.size(n))
	if cells > maxTally {
		return 0, tooMany("probabilities", cells, maxTally,
			errs.New("%s over %d samples takes %.3g probabilities for %d states, and at most %.3g are kept; %s",
				what, n, cells, len(r.states),
				float64(maxTally), cure))
	}
	each := n/maxSizes + 1 // beyond maxSizes samples one size stands for several
	for left := n - 1; left > 0; left -= each {
		work += float64(c.size(n-left)) * float64(r.moves) * float64(min(each, left))
	}
	if work > limit {
		return 0, tooMany("products", work, limit,
			errs.New("%s over %d samples takes %.3g products, and at most %.3g are made; %s", what, n,
				work, limit, cure))
	}
	return work, nil
}

// tally returns the probability of each number after n samples, by a recursion over the
// distribution of the last state and the number. All its terms are positive, so that each
// probability is accurate to about n roundings. Memory is two numbers for each state and each
// number, time O(sizes entries), summed over the samples. It fails if the context ends.
func (r *reach) tally(ctx context.Context, n int, class []int32, classes int, c counter) ([]float64, error) {
	unit := lanes.Widest()
	states := len(r.states)
	to := make([][]int, lanes.Width)
	for k := range to {
		to[k] = make([]int, classes)
	}
	length := func(samples int) int { return (c.size(samples) + lanes.Width - 1) / lanes.Width * states }
	at := make(numbers, length(n))
	next := make(numbers, length(n))
	c.next(to[0], 0)
	for y, q := range r.start {
		*at.probabilityOf(to[0][class[y]], states, y) = q
	}
	look := 0 // how many products until the context is looked at
	for t := 1; t < n; t++ {
		clear(next[:length(t+1)])
		for i := 0; i < c.size(t); i += lanes.Width {
			look -= lanes.Width * r.moves
			if look < 0 {
				if ctx.Err() != nil {
					return nil, ctx.Err()
				}
				look = 1 << 20
				if r.progress != nil {
					r.progress(float64(t) / float64(n) * float64(c.size(t)) / float64(c.size(n)))
				}
			}
			to = to[:min(lanes.Width, c.size(t)-i)]
			for k, to := range to {
				c.next(to, i+k)
				for class, number := range to {
					to[class] = number/lanes.Width*states*lanes.Width + number%lanes.Width
				}
			}
			r.moveNumbers(unit, next, at[i/lanes.Width*states:][:states], class, to)
		}
		to = to[:lanes.Width]
		at, next = next, at
	}
	out := make([]float64, c.size(n))
	for i := range out {
		for y := range states {
			out[i] += *at.probabilityOf(i, states, y)
		}
	}
	return out, ctx.Err()
}

// numbers holds the probabilities of all states and numbers: those of a state lie side by side for
// as many numbers as a vector has.
type numbers [][lanes.Width]float64

// probabilityOf returns the probability of a number and a state.
func (n numbers) probabilityOf(number, states, state int) *float64 {
	return &n[number/lanes.Width*states+state][number%lanes.Width]
}

// moveNumbers takes the states of neighbouring numbers through one move to where the first state
// has the numbers that their classes lead to.
func (r *reach) moveNumbers(unit *lanes.Unit, next, at numbers, class []int32, to [][]int) {
	var totals [lanes.Width]float64
	for y := range at {
		unit.Gather(&totals, at, r.rows[y])
		for k, to := range to {
			place := uint(to[class[y]])
			next[place/lanes.Width+uint(y)][place%lanes.Width] = totals[k]
		}
	}
}
