package estimators

import (
	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
)

// With states x_1, ..., x_K, the estimators of Z are
//
//	likelihood weighting: 1/K sum L(x_k), from the prior;
//	harmonic mean:        1/(1/K sum 1/L(x_k)), from the posterior;
//	Chib:                 p(z*, data)/(1/K sum T(z*|x_k)), from the posterior,
//
// where the states of the last two may also be the places of a chain. Each takes K evaluations, and
// the moves of the chain.
//
// Source: Grosse, Ghahramani and Adams 2015, sections 3.1, 3.2 and 5.2.

// OverStates is an estimator by a mean over K states: independent draws, or the places of a chain.
// The functions that return one document what is averaged.
type OverStates[C chains.Chooser, S any] struct {
	states states[C, S]
	value  func(x S) float64 // the logarithm of what is averaged
	// the logarithm of the number that is divided by the mean, if Z-hat is not the mean itself
	over        float64
	combination Combination
	work        Work
	logs        []float64
}

// Estimate implements Estimator.
func (e *OverStates[C, S]) Estimate(c C) float64 {
	var x S
	for i := range e.logs {
		x = e.states.next(c, i, x)
		e.logs[i] = e.value(x)
	}
	if e.combination == HarmonicMean {
		return e.over - number.LogMean(e.logs)
	}
	return number.LogMean(e.logs)
}

// Work implements Estimator.
func (e *OverStates[C, S]) Work() Work { return e.work }

// Combination implements Estimator.
func (e *OverStates[C, S]) Combination() Combination { return e.combination }

// NewLikelihoodWeighting returns the mean likelihood of K draws from the prior, at least one. It is
// an unbiased estimate of Z, and its work is one evaluation a draw.
//
// Source: Grosse, Ghahramani and Adams 2015, section 3.1 and Eq. 4.
func NewLikelihoodWeighting[C chains.Chooser, S any](model Model[C, S], k int) (*OverStates[C, S], error) {
	if err := CheckDraws(k); err != nil {
		return nil, err
	}
	draws := states[C, S]{next: func(c C, _ int, _ S) S { return model.Prior(c) }}
	value := func(x S) float64 { return model.LogLikelihood(end(), x) }
	return &OverStates[C, S]{
		draws, value, 0, ArithmeticMean, Work{Evaluations: float64(k)}, make([]float64, k)}, nil
}

// MaxDraws is the largest number of draws of an estimator, and of places of a chain.
const MaxDraws = 1_000_000_000

// CheckDraws returns an error if k is not a valid number of draws.
func CheckDraws(k int) error {
	if k < 1 || k > MaxDraws {
		return errs.New("%d draws; give a whole number K from 1 to %d", k, MaxDraws)
	}
	return nil
}

// NewHarmonicMean returns the harmonic mean of the likelihoods of K independent exact draws from
// the posterior, at least one. Its reciprocal is an unbiased estimate of 1/Z. It is +Inf if 1/L is
// zero at all draws, which requires a prior that is zero there. Its work is an evaluation at each
// draw; for the chains below, also those of the moves.
//
// Source: Newton and Raftery 1994; Grosse, Ghahramani and Adams 2015, section 3.2 and Eq. 7.
func NewHarmonicMean[C chains.Chooser, S any](model Model[C, S], k int) (*OverStates[C, S], error) {
	return newHarmonic(model, k, independent(model, k))
}

// NewHarmonicChain returns the harmonic mean over the K places of a chain, at least one: an exact
// draw, and the state after each of K - 1 moves from there at b = 1. Every place counts.
func NewHarmonicChain[C chains.Chooser, S any](model Model[C, S], k int) (*OverStates[C, S], error) {
	return newHarmonic(model, k, chainPlaces(model, k, model.Posterior, 1))
}

// NewHarmonicPriorChain returns the harmonic mean over the K places of a chain, at least one,
// without an exact draw: a draw from the prior, which is included, and the state after each of K -
// 1 moves from there at b = 1. Its reciprocal is not unbiased for 1/Z, so that it gives no bound.
func NewHarmonicPriorChain[C chains.Chooser, S any](model Model[C, S], k int) (*OverStates[C, S], error) {
	return newHarmonic(model, k, chainPlaces(model, k, model.Prior, 0))
}

func newHarmonic[C chains.Chooser, S any](model Model[C, S], k int,
	s states[C, S]) (*OverStates[C, S], error) {
	if err := CheckDraws(k); err != nil {
		return nil, err
	}
	return &OverStates[C, S]{s, func(x S) float64 { return -model.LogLikelihood(end(), x) }, 0, HarmonicMean,
		s.work, make([]float64, k)}, nil
}

// NewChib returns Chib's estimator at z* with K independent exact draws, at least one: Z is the
// joint density of a state z* and the data over the posterior probability of z*, which is estimated
// by the mean of the probabilities T(z*|x) that a move goes from x to z*, over K states x. With
// exact draws its reciprocal is an unbiased estimate of 1/Z. It is +Inf if z* cannot be reached
// from any of the states by one move. logJoint is the logarithm of the joint density of z* and the
// data, in nats (see Finite.Likeliest and Finite.LogPosterior).
//
// Each T(z*|x) counts as a move, since a move evaluates log f at the same states. The count ignores
// that log f at z* is known.
//
// Source: Chib 1995; Grosse, Ghahramani and Adams 2015, section 5.2 and Eqs. 42 and 43.
func NewChib[C chains.Chooser, S any](model Transitional[C, S], star S, logJoint float64,
	k int) (*OverStates[C, S], error) {
	return buildChib(model, star, logJoint, k, independent(model, k))
}

// NewChibChain returns Chib's estimator with the K places of a chain: a draw from the prior, which
// is included, and the state after each of K - 1 moves from there at b = 1. The chain may take long
// to come near z*, and the estimate is not unbiased.
func NewChibChain[C chains.Chooser, S any](model Transitional[C, S], star S, logJoint float64,
	k int) (*OverStates[C, S], error) {
	return buildChib(model, star, logJoint, k, chainPlaces(model, k, model.Prior, 0))
}

func buildChib[C chains.Chooser, S any](model Transitional[C, S], star S, logJoint float64, k int,
	s states[C, S]) (*OverStates[C, S], error) {
	if err := CheckDraws(k); err != nil {
		return nil, err
	}
	value := func(x S) float64 { return model.LogTransition(x, star) }
	return &OverStates[C, S]{
		s, value, logJoint, HarmonicMean, s.work.Plus(transitionWork(model, k)), make([]float64, k)}, nil
}

// transitionWork returns the work of the given number of probabilities of a transition.
func transitionWork[C chains.Chooser, S any](model Model[C, S], k int) Work {
	return Work{Evaluations: float64(k) * model.MoveWork()}
}

// Start is the place of its chain at which the Chib-Murray-Salakhutdinov estimator starts.
type Start int

// The start is the first place, or one that is drawn uniformly. Only the second makes the estimate
// unbiased for K > 1.
const (
	StartFirst Start = iota
	StartUniform
)

// String returns first or uniform.
func (s Start) String() string { return [...]string{"first", "uniform"}[s] }

// MurraySalakhutdinov is the Chib-Murray-Salakhutdinov estimator. It is Chib's with another chain
// of K places: the state at one of them is drawn by the time reversal of a move from z*, those
// after it by moves, and those before it by reversals. With the place drawn uniformly it is an
// unbiased estimate of Z, if every state of positive posterior probability has a positive T(z*|x).
// Otherwise its mean is Z times the probability that a stationary chain of K places has such a
// state.
//
// Source: Murray and Salakhutdinov 2009; Grosse, Ghahramani and Adams 2015, section 5.2 and Eq. 44.
type MurraySalakhutdinov[C chains.Chooser, S any] struct {
	model    Transitional[C, S]
	star     S
	logJoint float64
	start    Start
	logs     []float64 // log T(z*|x) of each place
}

// NewMurraySalakhutdinov returns the estimator at z* with a chain of K places, at least one.
// logJoint is the logarithm of the joint density of z* and the data, in nats (see Finite.Likeliest
// and Finite.LogPosterior).
func NewMurraySalakhutdinov[C chains.Chooser, S any](model Transitional[C, S], star S,
	logJoint float64, k int,
	start Start) (*MurraySalakhutdinov[C, S], error) {
	if err := CheckDraws(k); err != nil {
		return nil, err
	}
	if start != StartFirst && start != StartUniform {
		return nil, errs.New("start %d; the chain starts at its first place, or at one that is drawn uniformly",
			int(start))
	}
	return &MurraySalakhutdinov[C, S]{model, star, logJoint, start, make([]float64, k)}, nil
}

// Estimate implements Estimator.
func (e *MurraySalakhutdinov[C, S]) Estimate(c C) float64 {
	at := 0
	if e.start == StartUniform {
		at = c.Uniform(len(e.logs))
	}
	x := e.model.Back(c, end(), e.model.Clone(e.star))
	e.logs[at] = e.model.LogTransition(x, e.star)
	for i, y := at+1, e.model.Clone(x); i < len(e.logs); i++ {
		y = e.model.Move(c, end(), y)
		e.logs[i] = e.model.LogTransition(y, e.star)
	}
	for i, y := at-1, x; i >= 0; i-- {
		y = e.model.Back(c, end(), y)
		e.logs[i] = e.model.LogTransition(y, e.star)
	}
	return e.logJoint - number.LogMean(e.logs)
}

// Work implements Estimator: K moves, the first of them from z*, and K probabilities of a
// transition, which count as in NewChib.
func (e *MurraySalakhutdinov[C, S]) Work() Work {
	k := len(e.logs)
	return Work{Evaluations: float64(k) * e.model.MoveWork()}.Plus(transitionWork(e.model, k))
}

// Combination implements Estimator.
func (*MurraySalakhutdinov[C, S]) Combination() Combination { return ArithmeticMean }

// states are K states one after another: independent exact draws, or the places of a chain under
// the posterior.
type states[C chains.Chooser, S any] struct {
	next func(c C, i int, before S) S // the state at place i, 0 <= i < K
	work Work                         // of all K, with log f at each
}

// independent returns K exact draws from the posterior.
func independent[C chains.Chooser, S any](model Model[C, S], k int) states[C, S] {
	return states[C, S]{
		next: func(c C, _ int, _ S) S { return model.Posterior(c) },
		work: Work{Evaluations: float64(k), Exact: float64(k)},
	}
}

// chainPlaces returns the K places of a chain that moves at b = 1. The first state is drawn by
// first, which makes the given number of exact draws.
func chainPlaces[C chains.Chooser, S any](model Model[C, S], k int, first func(C) S, exact float64) states[C, S] {
	return states[C, S]{
		next: func(c C, i int, before S) S {
			if i == 0 {
				return first(c)
			}
			return model.Move(c, end(), before)
		},
		work: Work{Evaluations: 1 + float64(k-1)*model.MoveWork(), Exact: exact},
	}
}
