package paths

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/work"
)

// Ends are the two ends of a path: an initial distribution f_0 and a target f_1 on the same n
// states, neither normalised. They are validated once, when they are made, and immutable.
//
// A constant in log f has no meaning. It is kept apart from log f, because beside a large constant
// the digits that matter would be rounded away. The difference between the ends is kept separately
// for the same reason: if the ends are nearly alike, their own rounding is larger than the
// difference between them.
type Ends struct {
	initial end
	target  end
	// the target's core minus that of the initial distribution; NaN if f is zero at either end
	rise   []float64
	offset float64 // the target's constant minus that of the initial distribution, with all its digits
	zeros  bool    // whether either end is zero somewhere
	// the model whose prior and joint distribution the ends are; nil if there is none (see
	// WithModel)
	model Temperable
}

// end is one distribution: log f = core + constant.
type end struct {
	core     []float64 // nil if f = 1 everywhere
	constant float64
	// given are the numbers from which the core was computed, by subtracting top. Differences
	// between states are taken from them, because the subtraction may have rounded the core.
	given []float64
	top   float64
	// left is the rounding error of given: the value before rounding is given + left. It is nil if
	// given was not rounded.
	left []float64
}

// newEnd subtracts the largest value from log f. The values of the states with most of the mass are
// then near zero, where the subtraction is exact (Sterbenz 1974).
func newEnd(logf []float64) end {
	top := slices.Max(logf)
	core := work.Slice[float64](len(logf))
	for x, v := range logf {
		core[x] = v - top
	}
	return end{core: core, constant: top, given: work.Clone(logf), top: top}
}

// coreAt returns the core at a state.
func (e *end) coreAt(x int) float64 {
	if e.core == nil {
		return 0
	}
	return e.core[x]
}

// lostAt returns the rounding error of the given number of a state (see left).
func (e *end) lostAt(x int) float64 {
	if e.left == nil {
		return 0
	}
	return e.left[x]
}

// logF returns log f at a state: the value that was given, plus the constant that Scaled may have
// added.
func (e *end) logF(x int) float64 {
	if e.constant == 0 {
		return e.coreAt(x)
	}
	return e.given[x] + (e.constant - e.top)
}

// NewEnds returns the ends between which a path runs, both log f of each state in nats. A nil
// initial is the uniform distribution, f_0 = 1. -Inf is a state of probability zero; NaN and +Inf
// are errors, and so is an end without mass.
func NewEnds(initial, target []float64) (*Ends, error) {
	if err := validateLogF("target", target); err != nil {
		return nil, err
	}
	if initial == nil {
		return between(end{}, newEnd(target))
	}
	if len(initial) != len(target) {
		return nil, errs.New("initial distribution has %d states and the target %d; they must be on one space",
			len(initial), len(target))
	}
	if err := validateLogF("initial distribution", initial); err != nil {
		return nil, err
	}
	return between(newEnd(initial), newEnd(target))
}

// NewTemperedEnds returns the ends between f^power, 0 <= power <= 1, and f itself: log f_0 is power
// times log f_1, and their difference is (1 - power) times log f_1. If f is zero both ends are
// zero.
func NewTemperedEnds(power float64, target []float64) (*Ends, error) {
	if !(power >= 0 && power <= 1) {
		return nil, errs.New("the target to the power %v; give a power from 0 to 1", power)
	}
	if err := validateLogF("target", target); err != nil {
		return nil, err
	}
	e := &Ends{target: newEnd(target), rise: make([]float64, len(target)), zeros: hasZeros(target)}
	tempered := make([]float64, len(target))
	left := make([]float64, len(target))
	for x, v := range e.target.core {
		tempered[x], e.rise[x] = power*v, (1-power)*v
		if math.IsInf(v, -1) {
			tempered[x], e.rise[x] = v, math.NaN()
			continue
		}
		_, rest := number.ExactSum(target[x], -e.target.top)
		left[x] = math.FMA(power, v, -tempered[x]) + power*rest
	}
	e.initial = end{core: tempered, constant: power * e.target.constant, given: tempered, left: left}
	e.offset = (1 - power) * e.target.constant
	return e, nil
}

// Scaled returns the ends with a constant added to log f_0, and without a model.
func (e *Ends) Scaled(constant float64) *Ends {
	s := *e
	s.model = nil
	s.initial.constant, s.offset = e.initial.constant+constant, e.offset-constant
	return &s
}

// WithModel returns the same ends with their model. The initial distribution must be its prior, and
// the target the prior times the likelihood with power one. Tempered needs it.
func (e *Ends) WithModel(m Temperable) *Ends {
	w := *e
	w.model = m
	return &w
}

// between returns the pair of two ends, and computes the difference between them from the given
// numbers.
func between(initial, target end) (*Ends, error) {
	e := &Ends{
		initial: initial,
		target:  target,
		rise:    target.core,
		offset:  target.constant - initial.constant,
		zeros:   hasZeros(target.core),
	}
	if initial.core == nil {
		return e, nil
	}
	e.zeros = e.zeros || hasZeros(initial.core)
	e.rise = make([]float64, len(target.core))
	tops, lost := number.ExactSum(target.top, -initial.top)
	for x, v := range target.given {
		if math.IsInf(v, -1) || math.IsInf(initial.given[x], -1) {
			e.rise[x] = math.NaN()
			continue
		}
		rounded, rest := number.ExactSum(v, -initial.given[x])
		if math.IsInf(rounded, 0) {
			return nil, work.AtStates(fmt.Errorf("log f at state %d goes from %v to %v, too far for floating point", x,
				initial.given[x], v), x)
		}
		e.rise[x] = (rounded - tops) + (rest - lost + target.lostAt(x) - initial.lostAt(x))
	}
	return e, nil
}

// splitAt returns the ends of the two parts of a path that runs through an intermediate
// distribution m, given as log m of each state.
func (e *Ends) splitAt(m []float64) (first, second *Ends, err error) {
	if len(m) != e.States() {
		return nil, nil, errs.New(
			"the intermediate distribution has %d states and the target %d; they must be on one space",
			len(m),
			e.States(),
		)
	}
	if err := validateLogF("intermediate distribution", m); err != nil {
		return nil, nil, err
	}
	middle := newEnd(m)
	first, err = between(e.initial, middle)
	if err != nil {
		return nil, nil, err
	}
	second, err = between(middle, e.target)
	return first, second, err
}

// States returns the number of states.
func (e *Ends) States() int { return len(e.target.core) }

// centred returns the same ends without the constants.
func (e *Ends) centred() *Ends {
	c := *e
	c.initial.constant, c.target.constant, c.offset = 0, 0, 0
	return &c
}

// disjoint reports whether the ends are positive on no common state.
func (e *Ends) disjoint() bool {
	for x, v := range e.target.core {
		if !math.IsInf(v, -1) && !math.IsInf(e.initial.coreAt(x), -1) {
			return false
		}
	}
	return true
}

// logZRatio returns log(Z_1/Z_0), in nats, of the ends without their constants. With d(x) = log
// f_1(x) - log f_0(x), and r the value of d at the likeliest state of the initial distribution, it
// is r + log(1 + sum of p_0(x) (exp(d(x) - r) - 1)), which keeps the digits of d if the ends are
// nearly alike. If the ends are not positive on the same states, and if the sum is below -1/2 or
// overflows, it is computed as the difference of the two log Z.
func (e *Ends) logZRatio() float64 {
	likeliest := 0
	apart := false
	for x, v := range e.target.core {
		if e.initial.coreAt(x) > e.initial.coreAt(likeliest) {
			likeliest = x
		}
		apart = apart || math.IsInf(v, -1) != math.IsInf(e.initial.coreAt(x), -1)
	}
	reference := e.rise[likeliest]
	logZ0 := e.logSumInitial()
	sum := 0.0
	for x, d := range e.rise {
		switch logp := e.initial.coreAt(x) - logZ0; {
		case math.IsInf(logp, -1) || apart:
		case d-reference > 1: // p_0 alone may underflow to zero if its product with the exponential does not
			sum += math.Exp(logp+d-reference) - math.Exp(logp)
		default:
			sum += math.Exp(logp) * math.Expm1(d-reference)
		}
	}
	if apart || !(sum > -0.5) || math.IsInf(sum, 1) {
		return number.LogSumExp(e.target.core) - logZ0
	}
	return reference + math.Log1p(sum)
}

func (e *Ends) logSumInitial() float64 {
	if e.initial.core == nil {
		return number.Log(float64(e.States()))
	}
	return number.LogSumExp(e.initial.core)
}

func hasZeros(logf []float64) bool { return slices.Contains(logf, math.Inf(-1)) }

func validateLogF(what string, logf []float64) error {
	mass := false
	for x, v := range logf {
		if math.IsNaN(v) || math.IsInf(v, 1) {
			return work.AtStates(errs.New("%s has log f = %v at state %d; it must be finite, or -Inf for a zero of f",
				what, v, x), x)
		}
		mass = mass || !math.IsInf(v, -1)
	}
	if !mass {
		return fmt.Errorf("%s has no mass: log f is finite at none of its %d states", what, len(logf))
	}
	return nil
}

// errNoCommonState is the error for two ends without a path: the distributions between them would
// have no mass.
var errNoCommonState = errors.New(
	"initial distribution and target are positive on no common state: the distributions between them have no mass",
)

// errNoModel is the error for ends without a tempered path.
var errNoModel = errors.New(
	"it raises the likelihood of a model to powers before its parameters are integrated out, from the " +
		"prior on: choose a clustering or binary attributes as the target, as clu8, and prior as the " +
		"initial distribution",
)
