package chains

import (
	"fmt"
	"math"
	"math/rand/v2"

	"breadboard/chains/number"
)

// Chooser makes the random choices of an algorithm. Code written against it can be sampled
// (Sampler), be enumerated exactly (package exact/program), or be run again with given outcomes and
// their probability (Scorer). Probabilities are plain numbers in [0, 1].
type Chooser interface {
	// Flip returns true with probability p.
	Flip(p float64) bool
	// Uniform returns each of 0..n-1 with probability 1/n; n is at least 1.
	Uniform(n int) int
	// Choose returns i with probability p[i]; the p sum to one.
	Choose(p []float64) int
}

// RealChooser is a Chooser that also draws real numbers. Only programs with real numbers ask for
// one. Such a program has no finite distribution. No enumerator is a RealChooser, so that
// enumerating it does not compile.
type RealChooser interface {
	Chooser
	// Normal returns a standard normal number.
	Normal() float64
}

// MaxChoices is the most choices that a move may make. A move that makes more is treated as one
// that never ends: the two cannot be told apart.
const MaxChoices = 1 << 12

// Sampler is the Chooser of Monte Carlo: it draws from a random number generator.
type Sampler struct{ rng *rand.Rand }

// NewSampler returns a Sampler that draws from src.
func NewSampler(src rand.Source) Sampler { return Sampler{rand.New(src)} }

// Flip returns true with probability p, up to the 2^-53 grain of the uniform draw.
func (s Sampler) Flip(p float64) bool { return s.rng.Float64() < p }

// Normal returns a standard normal number.
func (s Sampler) Normal() float64 { return s.rng.NormFloat64() }

// Uniform returns each of 0..n-1 with probability 1/n exactly.
func (s Sampler) Uniform(n int) int { return s.rng.IntN(n) }

// Choose returns i with probability p[i]. It panics if p has no entry, or none that is positive.
func (s Sampler) Choose(p []float64) int {
	u, last := s.rng.Float64(), -1
	for i, pi := range p {
		if pi <= 0 {
			continue
		}
		if u < pi {
			return i
		}
		u -= pi
		last = i
	}
	if last < 0 {
		panic(fmt.Sprintf("chains: Choose among %d probabilities, none of them positive", len(p)))
	}
	return last // rounding has left the sum of p below the uniform draw
}

// choiceTolerance is how far the probabilities of a choice may be from summing to one.
const choiceTolerance = 1e-12

// A Sampler checks nothing, for speed. The Choosers that account for probabilities call the
// functions below first, so that all of them refuse the same choices with the same message.

// CheckFlip returns an error if p is not a probability, and nil if a Chooser can flip with it.
func CheckFlip(p float64) error {
	if p >= 0 && p <= 1 {
		return nil
	}
	return flipError(p)
}

// flipError is a function of its own so that CheckFlip is short enough for the compiler to inline
// it.
func flipError(p float64) error {
	if math.IsNaN(p) {
		return fmt.Errorf("Flip(NaN); a probability is from 0 to 1, and log f(y) - log f(x) is NaN if both are -Inf")
	}
	return fmt.Errorf("Flip(%v); a probability is from 0 to 1", p)
}

// CheckUniform returns an error if n is below 1, and nil otherwise.
func CheckUniform(n int) error {
	if n >= 1 {
		return nil
	}
	return uniformError(n)
}

func uniformError(n int) error { return fmt.Errorf("Uniform(%d); n must be at least 1", n) }

// CheckChoose returns an error if a Chooser cannot choose with the probabilities p, and nil
// otherwise. Each must be from 0 to 1, and they must sum to one within 1e-12.
func CheckChoose(p []float64) error {
	var total number.BlockSum
	for _, pi := range p {
		if !(pi >= 0 && pi <= 1) {
			return fmt.Errorf("Choose with a probability of %v", pi)
		}
		total.Add(pi)
	}
	if total := total.Value(); math.Abs(total-1) > choiceTolerance {
		return fmt.Errorf("Choose with probabilities that sum to %v", total)
	}
	return nil
}

// Normalize turns log f of each state into probabilities, in place. At least one state must have
// mass, log f > -Inf. It returns the logarithm of the sum of f over the states, in nats.
func Normalize(logf []float64) (logSum float64) {
	top := math.Inf(-1)
	for _, v := range logf {
		if v > top { // a third of the time of max, which looks for NaN and the sign of zero
			top = v
		}
	}
	var sum number.BlockSum // plain sums of millions lose digits
	for x, v := range logf {
		p := math.Exp(v - top)
		logf[x] = p
		sum.Add(p)
	}
	total := sum.Value()
	for x := range logf {
		logf[x] /= total
	}
	return top + number.Log(total)
}

// Scorer is the Chooser that replays given outcomes, and adds up the logarithms of their
// probabilities. It computes the probability that an algorithm makes these choices. The outcome of
// a Flip is 1 for true and 0 for false; those of Uniform and Choose are the numbers that they
// return. A Recorder notes outcomes in this form.
//
// A Chooser cannot return an error. So the Scorer panics with an *OutcomeError if an outcome does
// not fit. Score runs an algorithm and returns that error, even if the algorithm has recovered from
// the panic.
type Scorer struct {
	outcomes []int
	used     int
	logP     float64
	fault    *OutcomeError // the first, if any
}

// NewScorer returns a Scorer that replays these outcomes, in their order.
func NewScorer(outcomes []int) *Scorer { return &Scorer{outcomes: outcomes} }

// LogP returns the log probability, in nats, of the outcomes that have been replayed so far.
func (s *Scorer) LogP() float64 { return s.logP }

// Left returns the number of outcomes that have not been replayed.
func (s *Scorer) Left() int { return len(s.outcomes) - s.used }

// OutcomeFault says in which way outcomes do not fit the choices of an algorithm.
type OutcomeFault int

const (
	OutcomeImpossible OutcomeFault = iota + 1 // the outcome has probability zero
	OutcomeOutOfRange                         // the choice has no such outcome
	OutcomesTooFew                            // there is a choice for which no outcome is left
	OutcomesLeftOver                          // the algorithm has ended and has not used all outcomes
	ChoiceInvalid                             // the choice itself is invalid: its numbers are not probabilities
)

// OutcomeError is the error that says why outcomes cannot be replayed.
type OutcomeError struct {
	Fault  OutcomeFault
	Choice int // the number of the choice at fault, counted from 0; for outcomes left over the number of the first of them
	reason string
}

// Error says what is wrong, and with which choice.
func (e *OutcomeError) Error() string { return fmt.Sprintf("choice %d: %s", e.Choice, e.reason) }

// fail ends the run by a panic with the first fault.
func (s *Scorer) fail(fault OutcomeFault, format string, args ...any) {
	if s.fault == nil {
		s.fault = &OutcomeError{fault, s.used, fmt.Sprintf(format, args...)}
	}
	panic(s.fault)
}

// choice is how messages name a choice: its kind, and the probability or the number of outcomes.
type choice struct {
	kind string
	of   float64
}

func (c choice) String() string { return fmt.Sprintf("%s %v", c.kind, c.of) }

// next returns the next given outcome, for a choice that has n possible outcomes.
func (s *Scorer) next(of choice, n int) int {
	if s.used == len(s.outcomes) {
		s.fail(OutcomesTooFew, "%s is asked for, and only %d outcomes are given", of, len(s.outcomes))
	}
	outcome := s.outcomes[s.used]
	if outcome < 0 || outcome >= n {
		s.fail(OutcomeOutOfRange, "outcome %d of %s, which has the outcomes 0..%d", outcome, of, n-1)
	}
	return outcome
}

// take adds log p, for an outcome of probability p, to the log probability, and returns the
// outcome.
func (s *Scorer) take(of choice, outcome int, p float64) int {
	if p == 0 {
		s.fail(OutcomeImpossible, "outcome %d of %s has probability zero", outcome, of)
	}
	s.logP += number.Log(p)
	s.used++
	return outcome
}

// check ends the run if the choice itself is invalid.
func (s *Scorer) check(err error) {
	if err != nil {
		s.fail(ChoiceInvalid, "%v", err)
	}
}

// Flip implements Chooser.
func (s *Scorer) Flip(p float64) bool {
	s.check(CheckFlip(p))
	of := choice{"Flip with probability", p}
	outcome := s.next(of, 2)
	if outcome == 0 {
		p = 1 - p
	}
	return s.take(of, outcome, p) == 1
}

// Uniform implements Chooser.
func (s *Scorer) Uniform(n int) int {
	s.check(CheckUniform(n))
	of := choice{"Uniform among", float64(n)}
	return s.take(of, s.next(of, n), 1/float64(n))
}

// Choose implements Chooser.
func (s *Scorer) Choose(p []float64) int {
	s.check(CheckChoose(p))
	of := choice{"Choose among", float64(len(p))}
	outcome := s.next(of, len(p))
	return s.take(of, outcome, p[outcome])
}

// Score runs an algorithm with these outcomes, and returns its result and the log probability of
// the outcomes, in nats. Outcomes that do not fit are an *OutcomeError, even if the algorithm
// recovers from the Scorer's panic; the result then has no meaning. The log probability is -Inf for
// OutcomeImpossible and NaN for any other fault. Any other panic of the algorithm is passed on.
func Score[V any](f func(Chooser) V, outcomes []int) (result V, logP float64, err error) {
	s := NewScorer(outcomes)
	defer func() {
		r := recover()
		switch {
		case s.fault == nil && r != nil:
			panic(r)
		case s.fault == nil:
			return
		}
		logP, err = math.NaN(), s.fault
		if s.fault.Fault == OutcomeImpossible {
			logP = math.Inf(-1)
		}
	}()
	result = f(s)
	if s.fault == nil && s.Left() > 0 {
		s.fail(OutcomesLeftOver, "the algorithm has ended, and %d of %d outcomes are left over", s.Left(), len(outcomes))
	}
	return result, s.logP, nil
}

// Recorder is a Chooser that lets another Chooser make the choices, and records their outcomes in
// the form that a Scorer replays.
type Recorder struct {
	chooser  Chooser
	outcomes []int
}

// NewRecorder returns a Recorder of the choices that c makes.
func NewRecorder(c Chooser) *Recorder { return &Recorder{chooser: c} }

// Outcomes returns a copy of the outcomes so far, in their order.
func (r *Recorder) Outcomes() []int { return append([]int(nil), r.outcomes...) }

// note adds an outcome and returns it.
func (r *Recorder) note(outcome int) int {
	r.outcomes = append(r.outcomes, outcome)
	return outcome
}

// Flip implements Chooser.
func (r *Recorder) Flip(p float64) bool {
	outcome := 0
	if r.chooser.Flip(p) {
		outcome = 1
	}
	return r.note(outcome) == 1
}

// Uniform implements Chooser.
func (r *Recorder) Uniform(n int) int { return r.note(r.chooser.Uniform(n)) }

// Choose implements Chooser.
func (r *Recorder) Choose(p []float64) int { return r.note(r.chooser.Choose(p)) }
