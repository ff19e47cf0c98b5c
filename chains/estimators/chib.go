package estimators

import (
	"breadboard/chains"
	"breadboard/chains/number"
)

// Chib is Chib's estimator: Z is the joint density of a state z* and the data over the posterior probability of z*, which is estimated
// by the mean of the probabilities T(z*|x) that a move goes from x to z*, over K states x. With exact draws one over it is an
// unbiased estimate of 1/Z. A chain from a draw of the prior gives no such estimate: it may take long to come near z*.
//
// Source: Chib 1995; Grosse, Ghahramani and Adams 2015, section 5.2 and Eqs. 42 and 43.
type Chib[C chains.Chooser, S any] struct {
	model    Transitional[C, S]
	star     S
	logJoint float64
	states   states[C, S]
	logs     []float64 // log T(z*|x) of each state
}

// NewChib returns Chib's estimator at z* with K independent exact draws, at least one. logJoint is the logarithm of the joint density
// of z* and the data, in nats (see Finite.Likeliest and Finite.LogPosterior).
func NewChib[C chains.Chooser, S any](model Transitional[C, S], star S, logJoint float64, k int) (*Chib[C, S], error) {
	return newChib(model, star, logJoint, k, independent(model, k))
}

// NewChibChain returns Chib's estimator with the K places of a chain: a draw from the prior, which counts, and the state after each
// of K - 1 moves from there at b = 1.
func NewChibChain[C chains.Chooser, S any](model Transitional[C, S], star S, logJoint float64, k int) (*Chib[C, S], error) {
	return newChib(model, star, logJoint, k, chain(model, k, model.Prior, 0))
}

func newChib[C chains.Chooser, S any](model Transitional[C, S], star S, logJoint float64, k int, s states[C, S]) (*Chib[C, S], error) {
	if err := CheckDraws(k); err != nil {
		return nil, err
	}
	return &Chib[C, S]{model, star, logJoint, s, make([]float64, k)}, nil
}

// Estimate implements Estimator. It is +Inf where z* cannot be reached from any of the states by one move.
func (e *Chib[C, S]) Estimate(c C) float64 {
	var x S
	for i := range e.logs {
		x = e.states.next(c, i, x)
		e.logs[i] = e.model.LogTransition(x, e.star)
	}
	return e.logJoint - number.LogMean(e.logs)
}

// Work implements Estimator. Each T(z*|x) counts as a move does, since a move asks for log f at the same states. That log f at z* is
// known is not counted.
func (e *Chib[C, S]) Work() Work { return e.states.work.Plus(transitionWork(e.model, len(e.logs))) }

// transitionWork returns the work of so many probabilities of a transition.
func transitionWork[C chains.Chooser, S any](model Model[C, S], k int) Work {
	return Work{Evaluations: float64(k) * model.MoveWork()}
}

// Combination implements Estimator: the estimates of the posterior probability of z* are averaged.
func (*Chib[C, S]) Combination() Combination { return HarmonicMean }
