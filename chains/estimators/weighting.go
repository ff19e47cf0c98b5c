package estimators

import (
	"fmt"

	"breadboard/chains"
	"breadboard/chains/number"
)

// LikelihoodWeighting draws K states from the prior and averages their likelihoods. It is an unbiased estimate of Z.
//
// Source: Grosse, Ghahramani and Adams 2015, section 3.1 and Eq. 4.
type LikelihoodWeighting[C chains.Chooser, S any] struct {
	model Model[C, S]
	k     int
	logs  []float64
}

// NewLikelihoodWeighting returns likelihood weighting with K draws, at least one.
func NewLikelihoodWeighting[C chains.Chooser, S any](model Model[C, S], k int) (*LikelihoodWeighting[C, S], error) {
	if err := CheckDraws(k); err != nil {
		return nil, err
	}
	return &LikelihoodWeighting[C, S]{model, k, make([]float64, k)}, nil
}

// Estimate implements Estimator.
func (e *LikelihoodWeighting[C, S]) Estimate(c C) float64 {
	for i := range e.logs {
		e.logs[i] = e.model.LogLikelihood(end(), e.model.Prior(c))
	}
	return number.LogMean(e.logs)
}

// Work implements Estimator: one evaluation a draw.
func (e *LikelihoodWeighting[C, S]) Work() Work { return Work{Evaluations: float64(e.k)} }

// Combination implements Estimator.
func (*LikelihoodWeighting[C, S]) Combination() Combination { return ArithmeticMean }

// MaxDraws is the largest number of draws of an estimator, and of places of a chain.
const MaxDraws = 1_000_000_000

// CheckDraws returns an error where k is no number of draws.
func CheckDraws(k int) error {
	if k < 1 || k > MaxDraws {
		return fmt.Errorf("%d draws; give a whole number K from 1 to %d", k, MaxDraws)
	}
	return nil
}
