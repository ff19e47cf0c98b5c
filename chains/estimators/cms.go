package estimators

import (
	"fmt"

	"breadboard/chains"
	"breadboard/chains/number"
)

// Start is the place of its chain at which the Chib-Murray-Salakhutdinov estimator starts.
type Start int

// The start is the first place, or one that is drawn uniformly. Only the second makes the estimate unbiased for K > 1.
const (
	StartFirst Start = iota
	StartUniform
)

// String returns first or uniform.
func (s Start) String() string { return [...]string{"first", "uniform"}[s] }

// MurraySalakhutdinov is the Chib-Murray-Salakhutdinov estimator. It is Chib's, but for its chain of K places: the state at one of
// them is drawn by the time reversal of a move from z*, those after it by moves, and those before it by reversals. With the
// place drawn uniformly it is an unbiased estimate of Z, where every state from which the posterior can be drawn has a positive
// T(z*|x); else it is too small by the posterior probability of the chains that never have one.
//
// Source: Murray and Salakhutdinov 2009; Grosse, Ghahramani and Adams 2015, section 5.2 and Eq. 44.
type MurraySalakhutdinov[C chains.Chooser, S any] struct {
	model    Transitional[C, S]
	star     S
	logJoint float64
	start    Start
	logs     []float64 // log T(z*|x) of each place
}

// NewMurraySalakhutdinov returns the estimator at z* with a chain of K places, at least one. logJoint is the logarithm of the joint
// density of z* and the data, in nats (see Finite.Likeliest and Finite.LogPosterior).
func NewMurraySalakhutdinov[C chains.Chooser, S any](model Transitional[C, S], star S, logJoint float64, k int, start Start) (*MurraySalakhutdinov[C, S], error) {
	if err := CheckDraws(k); err != nil {
		return nil, err
	}
	if start != StartFirst && start != StartUniform {
		return nil, fmt.Errorf("start %d; the chain starts at its first place, or at one that is drawn uniformly", int(start))
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

// Work implements Estimator: K moves, the first of them from z*, and K probabilities of a transition, which count as in Chib.Work.
func (e *MurraySalakhutdinov[C, S]) Work() Work {
	k := len(e.logs)
	return Work{Evaluations: float64(k) * e.model.MoveWork()}.Plus(transitionWork(e.model, k))
}

// Combination implements Estimator.
func (*MurraySalakhutdinov[C, S]) Combination() Combination { return ArithmeticMean }
