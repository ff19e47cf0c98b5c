package program

import (
	"context"
	"fmt"
	"math"
	"strings"

	"breadboard/chains"
	"breadboard/chains/number"
)

// Carrier is the data that Propagate carries to a state: sums over the paths that lead there, such
// as their probability, or the expectation of a function of their total. A Carrier is a value: its
// methods change neither it nor their arguments.
type Carrier[C any] interface {
	// Along returns the carrier along a branch of probability p, on which the total grows by the
	// increment.
	Along(p, increment float64) C
	// Plus returns the carrier of the paths of both.
	Plus(other C) C
}

// Propagated has the carriers of the last states of a process.
type Propagated[S comparable, C Carrier[C]] struct {
	states    []S
	carried   []C
	place     map[S]int
	none      C
	remainder float64
}

// States returns the states in the order of first appearance. Do not change them.
func (r *Propagated[S, C]) States() []S { return r.states }

// At returns the carrier of a state. For a state that is not reached it is the carrier of a path of
// probability zero.
func (r *Propagated[S, C]) At(s S) C {
	if i, found := r.place[s]; found {
		return r.carried[i]
	}
	return r.none
}

// Total returns the carrier of all states together.
func (r *Propagated[S, C]) Total() C {
	total := r.none
	for _, c := range r.carried {
		total = total.Plus(c)
	}
	return total
}

// Remainder returns the probability of dropped paths (see Options.Cut), which are in no carrier.
func (r *Propagated[S, C]) Remainder() float64 { return r.remainder }

// Propagate takes a process through all of its steps, with all of its probability at once. Every
// step is enumerated from every state, and equal states are merged. One is the carrier of a path of
// probability one without steps.
//
// The ends of a chains.Ender are not moved, and propagation ends when all states are ends.
//
// It fails as Enumerate does, with the step and the state, and if an increment is NaN, or if the
// process has more states after a step than Options.Branches. Time is O(steps states branches) runs
// of a step, where the branches are those from one state, times the cost of a carrier; memory is
// that of the carriers at the states of a step.
func Propagate[S comparable, C Carrier[C]](ctx context.Context, p chains.Process[S], one C,
	o Options) (*Propagated[S, C], error) {
	l, err := o.limits()
	if err != nil {
		return nil, err
	}
	start := newEnumeration[S]()
	if err := start.enumerateAll(ctx, l, p.Start); err != nil {
		return nil, fmt.Errorf("the start: %w", err)
	}
	now := newFront[S](one.Along(0, 0))
	for _, first := range start.law.outcomes {
		now.mergeCarrier(first.Value, first.P, one.Along(first.P, 0))
	}
	remainder := start.law.remainder
	next := newFront[S](now.none)
	step := newEnumeration[arrival[S]]()
	ender, ends := p.(chains.Ender[S])
	over := newFront[S](now.none)
	for t, going := 1, true; t <= p.Steps() && going; t++ {
		going = false
		for i, s := range now.states {
			if ends && ender.Ended(s) {
				over.mergeCarrier(s, now.mass[i], now.carried[i])
				continue
			}
			going = true
			err := step.enumerateAll(ctx, l, func(c chains.Chooser) (a arrival[S]) {
				a.state, a.increment = p.Step(c, t, s)
				return a
			})
			if err != nil {
				return nil, fmt.Errorf("step %d from state %s: %w",
					t, strings.Trim(fmt.Sprintf("%+q", fmt.Sprint(s)), `"`), err)
			}
			remainder += step.law.remainder * now.mass[i]
			for _, to := range step.law.outcomes {
				next.mergeCarrier(to.Value.state, now.mass[i]*to.P, now.carried[i].Along(to.P, to.Value.increment))
			}
			if len(next.states) > l.Branches {
				return nil, errorAbout(TooManyBranches,
					"has more than %d states after step %d; make states equal if the later steps do not "+
						"depend on the difference",
					l.Branches, t)
			}
		}
		now, next = next, now
		next.clear()
	}
	for i, s := range over.states {
		now.mergeCarrier(s, over.mass[i], over.carried[i])
	}
	return &Propagated[S, C]{now.states, now.carried, now.place, now.none, remainder}, nil
}

// arrival is a result of a step.
type arrival[S comparable] struct {
	state     S
	increment float64
}

// front holds the carriers of the states after a step.
type front[S comparable, C Carrier[C]] struct {
	states  []S
	mass    []float64
	carried []C
	place   map[S]int
	none    C // the carrier of a path of probability zero
}

func newFront[S comparable, C Carrier[C]](none C) *front[S, C] {
	return &front[S, C]{place: map[S]int{}, none: none}
}

// mergeCarrier merges an arriving carrier with that of the state.
func (f *front[S, C]) mergeCarrier(s S, mass float64, c C) {
	i, found := f.place[s]
	if found {
		f.mass[i] += mass
		f.carried[i] = f.carried[i].Plus(c)
		return
	}
	f.place[s] = len(f.states)
	f.states, f.mass, f.carried = append(f.states, s), append(f.mass, mass), append(f.carried, c)
}

func (f *front[S, C]) clear() {
	f.states = f.states[:0]
	f.mass = f.mass[:0]
	f.carried = f.carried[:0]
	clear(f.place)
}

// Moments are the mean and the central moments of the total of a process, over the paths where it
// is finite. They are in nats and powers of nats if the total is a log weight.
//
// Source: Pébay 2008, "Formulas for robust, one-pass parallel computation of covariances and
// arbitrary-order statistical moments", Eqs. 1.4 to 2.3, with probabilities instead of counts:
// sums of squares have no subtractions, and the mean is kept to some 32 digits, so that no digits
// are lost if it is large relative to the deviation.
type Moments struct {
	Mass              float64 // the probability of a finite total
	Mean              float64 // of a finite total; without meaning if there is none
	Variance          float64 // the second central moment
	Third, Fourth     float64 // the central moments, which are not the cumulants
	MinusInf, PlusInf float64 // the probabilities of a total of -Inf and of +Inf

	meanRest float64 // the rounding error of the mean
}

// mean returns the mean with all of its digits.
func (m Moments) mean() long { return long{m.Mean, m.meanRest} }

// NewMoments returns the carrier of a path of probability one and total zero.
func NewMoments() Moments { return Moments{Mass: 1} }

// Along takes the share of the branch, and moves the mean by the increment.
func (m Moments) Along(p, increment float64) Moments {
	m.MinusInf *= p
	m.PlusInf *= p
	m.Mass *= p
	if !math.IsInf(increment, 0) {
		mean := m.mean().plus(increment)
		m.Mean = mean.high
		m.meanRest = mean.low
		return m
	}
	lost := Moments{MinusInf: m.MinusInf, PlusInf: m.PlusInf}
	if increment < 0 {
		lost.MinusInf += m.Mass
	} else {
		lost.PlusInf += m.Mass
	}
	return lost
}

// Plus returns the moments over the paths of both.
func (m Moments) Plus(other Moments) Moments {
	out := m.finite(other)
	out.MinusInf = m.MinusInf + other.MinusInf
	out.PlusInf = m.PlusInf + other.PlusInf
	return out
}

// finite merges what is finite.
func (m Moments) finite(other Moments) Moments {
	switch {
	case other.Mass == 0:
		return m
	case m.Mass == 0:
		return other
	}
	total := m.Mass + other.Mass
	a, b := m.Mass/total, other.Mass/total
	d := other.mean().minus(m.mean())
	mean := m.mean().plus(b * d)
	ab := a * b
	d2 := d * d
	return Moments{
		Mass:     total,
		Mean:     mean.high,
		Variance: a*m.Variance + b*other.Variance + ab*d2,
		Third:    a*m.Third + b*other.Third + ab*(a-b)*d2*d + 3*ab*d*(other.Variance-m.Variance),
		Fourth: a*m.Fourth + b*other.Fourth + ab*(a*a-ab+b*b)*d2*d2 +
			6*ab*d2*(a*other.Variance+b*m.Variance) + 4*ab*d*(other.Third-m.Third),
		meanRest: mean.low,
	}
}

// Tilted is E[w^s] of the weight w whose logarithm is the total of a process, kept as its
// logarithm, so that it does not overflow. It is zero, with the logarithm -Inf, if w^s is zero, and
// +Inf if w^s is infinite with a positive probability. A weight that has become zero or infinite
// stays so. The zeroth power of any weight is one. The logarithm is kept to some 32 digits, so that
// increments of 10^12 cost no more than the final rounding.
type Tilted struct {
	power float64
	log   long
}

// NewTilted returns the carrier of E[w^s] for a power s.
func NewTilted(s float64) Tilted { return Tilted{power: s} }

// Log returns log E[w^s; x] of the carried paths.
func (m Tilted) Log() float64 { return m.log.high }

// Along adds log p + s times the increment to the logarithm.
func (m Tilted) Along(p, increment float64) Tilted {
	switch {
	case p == 0:
		m.log = long{high: math.Inf(-1)}
	case math.IsInf(m.log.high, 0):
	case m.power == 0:
		m.log = m.log.plus(number.Log(p))
	default:
		m.log = m.log.plus(number.Log(p)).plusProduct(m.power, increment)
	}
	return m
}

// Plus returns the sum.
func (m Tilted) Plus(other Tilted) Tilted {
	low, high := m.log, other.log
	if low.high > high.high {
		low, high = high, low
	}
	m.log = high
	if !math.IsInf(low.high, -1) && !math.IsInf(high.high, 1) {
		m.log = high.plus(math.Log1p(math.Exp(low.minus(high))))
	}
	return m
}

// Points is the distribution of the total of a process, value by value, in increasing order. Totals
// are added in float64, like in Run, and equal ones are merged. A total that is above a value by at
// most the grain is replaced by that value, since the difference is taken for rounding. That may
// happen at every merge of paths, each time by one grain more, so the grain should be far smaller
// than the smallest difference that matters.
type Points struct {
	grain     float64
	values, p []float64
}

// NewPoints returns the carrier of the distribution of the total. With a grain of zero only equal
// totals are one value, so that there may be as many as there are paths.
func NewPoints(grain float64) Points { return Points{grain, []float64{0}, []float64{1}} }

// Values returns the totals, in increasing order. Do not change them.
func (l Points) Values() []float64 { return l.values }

// P returns the probabilities of the values, in their order. Do not change them.
func (l Points) P() []float64 { return l.p }

// Along takes the share of the branch, and moves the totals by the increment. One that is infinite
// stays as it is.
func (l Points) Along(p, increment float64) Points {
	out := Points{grain: l.grain}
	if p == 0 {
		return out
	}
	for i, v := range l.values {
		if !math.IsInf(v, 0) {
			v += increment
		}
		out.append(v, l.p[i]*p)
	}
	return out
}

// Plus returns the distribution of the paths of both.
func (l Points) Plus(other Points) Points {
	out := Points{grain: l.grain}
	i, j := 0, 0
	for i < len(l.values) || j < len(other.values) {
		if j == len(other.values) || i < len(l.values) && l.values[i] <= other.values[j] {
			out.append(l.values[i], l.p[i])
			i++
		} else {
			out.append(other.values[j], other.p[j])
			j++
		}
	}
	return out
}

// append adds a value that is not below the last.
func (l *Points) append(v, p float64) {
	if n := len(l.values); n > 0 && (v == l.values[n-1] || v-l.values[n-1] <= l.grain) {
		l.p[n-1] += p
		return
	}
	l.values, l.p = append(l.values, v), append(l.p, p)
}

// long is a number of some 32 digits: the sum of two, of which the second is the rounding error of
// the first. Totals are carried in it, so that increments of 10^12 cost no digits of others. If the
// first is infinite the second is zero.
type long struct{ high, low float64 }

// plus returns the sum with a number.
func (a long) plus(x float64) long {
	high, rest := exactSum(a.high, x)
	high, rest = exactSum(high, a.low+rest)
	return long{high, rest}
}

// plusProduct returns the sum with x times y.
func (a long) plusProduct(x, y float64) long {
	product, rest := exactProduct(x, y)
	return a.plus(product).plus(rest)
}

// minus returns the difference of two finite numbers, rounded.
func (a long) minus(b long) float64 { return (a.high - b.high) + (a.low - b.low) }

// exactSum returns the rounded sum of two numbers, and the rounding error; zero if the sum is
// infinite (Knuth, The Art of Computer Programming 2, section 4.2.2, theorem B).
func exactSum(x, y float64) (sum, rest float64) {
	sum = x + y
	if math.IsInf(sum, 0) {
		return sum, 0
	}
	added := sum - x
	return sum, (x - (sum - added)) + (y - added)
}

// exactProduct returns the rounded product of two numbers, and the rounding error; zero if the
// product is infinite.
func exactProduct(x, y float64) (product, rest float64) {
	product = x * y
	if math.IsInf(product, 0) {
		return product, 0
	}
	return product, math.FMA(x, y, -product)
}
