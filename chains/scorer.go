package chains

import (
	"fmt"
	"math"
)

// Scorer is the Chooser that replays given outcomes, and adds up the logarithms of their probabilities. With it an
// algorithm answers how likely it is to make these choices. The outcome of a Flip is 1 for true and 0 for false; those of
// Uniform and Choose are the numbers that they return. A Recorder notes outcomes in this form.
//
// A Chooser cannot return an error. So the Scorer panics with an *OutcomeError where an outcome does not fit; Score runs
// an algorithm and returns that as an error, also where the algorithm has recovered from it.
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
	ChoiceInvalid                             // the choice itself is invalid: its numbers are no probabilities
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

// take adds log p, for an outcome of probability p, to the log probability, and returns the outcome.
func (s *Scorer) take(of choice, outcome int, p float64) int {
	if p == 0 {
		s.fail(OutcomeImpossible, "outcome %d of %s has probability zero", outcome, of)
	}
	s.logP += math.Log(p)
	s.used++
	return outcome
}

// check ends the run where the choice itself is impossible.
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

// Score runs an algorithm with these outcomes, and returns its result and the log probability of the outcomes, in nats. An
// error is an *OutcomeError, also where the algorithm has recovered from the panic by which it learned of the fault; the
// result then has no meaning. Where the fault is OutcomeImpossible the log probability is -Inf, which is the answer to the
// question; for any other fault it is NaN. Any other panic of the algorithm is passed on.
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

// Recorder is a Chooser that has another one make the choices, and notes their outcomes as a Scorer takes them.
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
