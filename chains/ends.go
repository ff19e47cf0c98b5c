package chains

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Ends are the two ends of a path: an initial distribution f_0 and a target f_1 on the same n states, neither
// normalised. They are validated once, when they are made, and immutable.
//
// A constant in log f, which has no meaning, is kept apart from it: beside a large one the digits that matter would be
// rounded away. The difference between the ends is kept beside them for the same reason: where they are nearly alike,
// their own rounding is larger than what they differ by.
type Ends struct {
	initial []float64 // log f_0 less low; nil where f_0 = 1 everywhere
	target  []float64 // log f_1 less high
	rise    []float64 // target - initial, with no meaning where either is -Inf
	low     float64
	high    float64
	offset  float64 // high - low, with all its digits
	zeros   bool    // whether either end is zero somewhere
}

// NewEnds returns the ends between which a path runs, both log f of each state in nats. A nil initial is the uniform
// distribution, f_0 = 1. -Inf is a state of probability zero; NaN and +Inf are errors, and so is an end without mass.
func NewEnds(initial, target []float64) (*Ends, error) {
	if initial == nil {
		if err := validateLogF("target", target); err != nil {
			return nil, err
		}
		e := &Ends{zeros: hasZeros(target)}
		e.target, e.high = centre(target)
		e.rise, e.offset = e.target, e.high
		return e, nil
	}
	if err := validateLogF("target", target); err != nil {
		return nil, err
	}
	if len(initial) != len(target) {
		return nil, fmt.Errorf("initial distribution has %d states and the target %d; they must be on one space", len(initial), len(target))
	}
	if err := validateLogF("initial distribution", initial); err != nil {
		return nil, err
	}
	e := &Ends{}
	e.initial, e.low = centre(initial)
	e.target, e.high = centre(target)
	return e, e.subtract()
}

// NewTemperedEnds returns the ends between f^power, 0 <= power <= 1, and f itself: log f_0 is power times log f_1, and
// what they differ by 1 - power times log f_1. Zeros of f are zeros of both.
func NewTemperedEnds(power float64, target []float64) (*Ends, error) {
	if !(power >= 0 && power <= 1) {
		return nil, fmt.Errorf("the target to the power %v; the power is from 0 to 1", power)
	}
	if err := validateLogF("target", target); err != nil {
		return nil, err
	}
	e := &Ends{zeros: hasZeros(target), initial: make([]float64, len(target)), rise: make([]float64, len(target))}
	e.target, e.high = centre(target)
	e.low, e.offset = power*e.high, (1-power)*e.high
	for x, v := range e.target {
		e.initial[x], e.rise[x] = power*v, (1-power)*v
		if math.IsInf(v, -1) {
			e.initial[x], e.rise[x] = v, math.NaN()
		}
	}
	return e, nil
}

// Scaled returns the same ends with a constant added to log f_0.
func (e *Ends) Scaled(constant float64) *Ends {
	s := *e
	s.low, s.offset = e.low+constant, e.offset-constant
	return &s
}

// subtract fills in what follows from the ends. A constant in what they differ by is moved from the target to its own
// constant.
func (e *Ends) subtract() error {
	d, err := e.differences()
	if err != nil {
		return err
	}
	if shift := constant(d.low, d.high); shift != 0 {
		moved := make([]float64, len(e.target))
		for x, v := range e.target {
			moved[x] = v - shift
		}
		e.target, d.shift = moved, shift
	}
	e.fill(d)
	e.offset += d.shift // beside a large constant of the target the sum of both would be rounded
	e.high += d.shift
	return nil
}

// differences are those between the ends at each state: rounded, what the rounding has taken, and the bounds of the first.
type differences struct {
	rounded, rest    []float64
	low, high, shift float64
}

func (e *Ends) differences() (*differences, error) {
	n := len(e.target)
	d := &differences{rounded: make([]float64, n), rest: make([]float64, n), low: math.Inf(1), high: math.Inf(-1)}
	for x, v := range e.target {
		if math.IsInf(v, -1) || math.IsInf(e.initial[x], -1) {
			d.rounded[x] = math.NaN()
			continue
		}
		if d.rounded[x], d.rest[x] = difference(v, e.initial[x]); math.IsInf(d.rounded[x], 0) {
			return nil, fmt.Errorf("log f at state %d goes from %v to %v, too far for floating point", x, e.initial[x]+e.low, v+e.high)
		}
		d.low, d.high = min(d.low, d.rounded[x]), max(d.high, d.rounded[x])
	}
	return d, nil
}

// fill takes over differences less their shift.
func (e *Ends) fill(d *differences) {
	e.zeros = hasZeros(e.target) || hasZeros(e.initial)
	e.offset = e.high - e.low
	e.rise = d.rounded
	for x := range e.rise {
		e.rise[x] = (d.rounded[x] - d.shift) + d.rest[x]
	}
}

// difference returns a - b rounded, and what the rounding has taken from it. Source: Knuth, TAOCP 2, section 4.2.2,
// theorem B.
func difference(a, b float64) (rounded, rest float64) {
	rounded = a - b
	back := rounded - a
	return rounded, (a - (rounded - back)) - (b + back)
}

// through returns the ends of the two parts of a path that runs through an intermediate distribution m, given as log m
// of each state. A constant in log m has no meaning, and is chosen so that the first part has none in its difference;
// that of the second has none then that the whole has not.
func (e *Ends) through(m []float64) (first, second *Ends, err error) {
	if len(m) != len(e.target) {
		return nil, nil, fmt.Errorf("the intermediate distribution has %d states and the target %d; they must be on one space", len(m), len(e.target))
	}
	if err := validateLogF("intermediate distribution", m); err != nil {
		return nil, nil, err
	}
	middle, at := centre(m)
	first = &Ends{initial: e.initial, low: e.low, target: middle, high: at, rise: middle, offset: at, zeros: hasZeros(middle)}
	if e.initial != nil {
		if err := first.subtract(); err != nil {
			return nil, nil, err
		}
	}
	second = &Ends{initial: first.target, low: first.high, target: e.target, high: e.high}
	d, err := second.differences()
	if err != nil {
		return nil, nil, err
	}
	second.fill(d)
	return first, second, nil
}

// States returns the number of states.
func (e *Ends) States() int { return len(e.target) }

// from returns log f_0 less its constant at a state.
func (e *Ends) from(x int) float64 {
	if e.initial == nil {
		return 0
	}
	return e.initial[x]
}

// centred returns the same ends without the constants.
func (e *Ends) centred() *Ends {
	c := *e
	c.low, c.high, c.offset = 0, 0, 0
	return &c
}

// disjoint reports whether the ends are positive on no common state.
func (e *Ends) disjoint() bool {
	for x, v := range e.target {
		if !math.IsInf(v, -1) && !math.IsInf(e.from(x), -1) {
			return false
		}
	}
	return true
}

// logZRatio returns log(Z_1/Z_0) of the ends without their constants. Where they are positive on the same states and
// alike it is a mean plus the logarithm of one plus a small sum, so that it has the digits of the difference.
func (e *Ends) logZRatio() float64 {
	mass, mean := 0.0, 0.0
	top := math.Inf(-1)
	for x := range e.target {
		top = max(top, e.from(x))
	}
	plain := false
	for x, v := range e.target {
		was, is := !math.IsInf(e.from(x), -1), !math.IsInf(v, -1)
		if was && is {
			p := math.Exp(e.from(x) - top)
			mass += p
			mean += p * e.rise[x]
		}
		plain = plain || was != is
	}
	mean /= mass
	plain = plain || !(mass > 0)
	rise := 0.0
	for x, d := range e.rise {
		if plain = plain || math.Abs(d-mean) > 1; plain {
			break
		}
		if !math.IsNaN(d) {
			rise += math.Exp(e.from(x)-top) / mass * math.Expm1(d-mean)
		}
	}
	if plain {
		return logSum(e.target) - e.logSumInitial()
	}
	return mean + math.Log1p(rise)
}

func (e *Ends) logSumInitial() float64 {
	if e.initial == nil {
		return math.Log(float64(len(e.target)))
	}
	return logSum(e.initial)
}

// logSum returns log of the sum of exp(v).
func logSum(v []float64) float64 {
	top := slices.Max(v)
	total := 0.0
	for _, x := range v {
		total += math.Exp(x - top)
	}
	return top + math.Log(total)
}

// centre returns logf less a constant, and that constant.
func centre(logf []float64) ([]float64, float64) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range logf {
		if !math.IsInf(v, -1) {
			low, high = min(low, v), max(high, v)
		}
	}
	high = constant(low, high)
	out := make([]float64, len(logf))
	for x, v := range logf {
		out[x] = v - high
	}
	return out, high
}

// constant returns what to subtract from numbers between two bounds so that they keep their digits: the greatest, where
// that is more than twice the range, and else nothing. Where it is not zero the differences are exact (Sterbenz 1974),
// so that adding it again gives the numbers back.
func constant(low, high float64) float64 {
	if low <= high && math.Abs(high) > 2*(high-low) {
		return high
	}
	return 0
}

func hasZeros(logf []float64) bool {
	return slices.Contains(logf, math.Inf(-1))
}

func validateLogF(what string, logf []float64) error {
	mass := false
	for x, v := range logf {
		if math.IsNaN(v) || math.IsInf(v, 1) {
			return fmt.Errorf("%s has log f = %v at state %d; it must be finite, or -Inf for a zero of f", what, v, x)
		}
		mass = mass || !math.IsInf(v, -1)
	}
	if !mass {
		return fmt.Errorf("%s has no mass: log f is finite at none of its %d states", what, len(logf))
	}
	return nil
}

// errNoCommonState is what is wrong with two ends between which distributions have no mass.
var errNoCommonState = errors.New("initial distribution and target are positive on no common state: the distributions between them have no mass")
