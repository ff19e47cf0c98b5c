package estimators

import (
	"breadboard/chains"
	"breadboard/chains/number"
)

// Harmonic is the harmonic mean of the likelihoods of K states under the posterior. One over it is an unbiased estimate of 1/Z.
//
// Source: Newton and Raftery 1994; Grosse, Ghahramani and Adams 2015, section 3.2 and Eq. 7.
type Harmonic[C chains.Chooser, S any] struct {
	model  Model[C, S]
	states states[C, S]
	logs   []float64 // -log L of each state
}

// NewHarmonicMean returns the harmonic mean over K independent exact draws, at least one.
func NewHarmonicMean[C chains.Chooser, S any](model Model[C, S], k int) (*Harmonic[C, S], error) {
	return newHarmonic(model, k, independent(model, k))
}

// NewHarmonicChain returns the harmonic mean over the K places of a chain, at least one: an exact draw, and the state after each of
// K - 1 moves from there at b = 1. Every place counts.
func NewHarmonicChain[C chains.Chooser, S any](model Model[C, S], k int) (*Harmonic[C, S], error) {
	return newHarmonic(model, k, chain(model, k, model.Posterior, 1))
}

// NewHarmonicPriorChain returns the harmonic mean over the K places of a chain, at least one, that has no exact draw: a draw from the prior, which
// counts, and the state after each of K - 1 moves from there at b = 1. Its reciprocal is not unbiased for 1/Z, so that it bounds nothing.
func NewHarmonicPriorChain[C chains.Chooser, S any](model Model[C, S], k int) (*Harmonic[C, S], error) {
	return newHarmonic(model, k, chain(model, k, model.Prior, 0))
}

func newHarmonic[C chains.Chooser, S any](model Model[C, S], k int, s states[C, S]) (*Harmonic[C, S], error) {
	if err := CheckDraws(k); err != nil {
		return nil, err
	}
	return &Harmonic[C, S]{model, s, make([]float64, k)}, nil
}

// Estimate implements Estimator. It is +Inf where 1/L is zero at all states, which takes a prior that is zero there.
func (e *Harmonic[C, S]) Estimate(c C) float64 {
	var x S
	for i := range e.logs {
		x = e.states.next(c, i, x)
		e.logs[i] = -e.model.LogLikelihood(end(), x)
	}
	return -number.LogMean(e.logs)
}

// Work implements Estimator: an evaluation at each exact draw, and those of the moves of a chain.
func (e *Harmonic[C, S]) Work() Work { return e.states.work }

// Combination implements Estimator.
func (*Harmonic[C, S]) Combination() Combination { return HarmonicMean }
