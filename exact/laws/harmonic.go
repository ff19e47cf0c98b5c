package laws

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/estimators"
)

// NewHarmonic returns the law of the harmonic mean of the likelihoods of K independent exact draws: S is the sum of 1/L. It fails for a
// K below 1 or above estimators.MaxDraws, and where the likelihoods span some thousand nats.
//
// Source: Grosse, Ghahramani and Adams 2015, section 3.2 and Eq. 7.
func NewHarmonic(t *Target, k int) (*Sum, error) {
	if err := estimators.CheckDraws(k); err != nil {
		return nil, err
	}
	terms, logMean, err := newIndependentTerms(k, reciprocalLikelihoods(t), t.logLaw(chains.At(1)))
	if err != nil {
		return nil, err
	}
	s := &Sum{
		shift: t.shiftOf(math.Inf(-1), -logMean), sign: -1, combination: estimators.HarmonicMean,
		work: estimators.Work{Evaluations: float64(k), Exact: float64(k)}, note: missedByPosterior(t),
	}
	if err := s.independent(terms, "the prior is zero at all draws"); err != nil {
		return nil, err
	}
	s.logMean = s.logMeanHarmonic(1)
	return s, nil
}

// NewHarmonicChain returns the law of the harmonic mean over the K places of a chain, of which the first is an exact draw. Time is that of
// K moves of a function on the states, some hundred times.
func NewHarmonicChain(ctx context.Context, t *Target, k, workers int) (*Sum, error) {
	if err := estimators.CheckDraws(k); err != nil {
		return nil, err
	}
	moves, err := newPosteriorMoves(ctx, t)
	if err != nil {
		return nil, err
	}
	logs := reciprocalLikelihoods(t)
	for x, p := range t.Posterior {
		if p == 0 { // float64 cannot hold the probability, and no chain comes there
			logs[x] = math.Inf(-1)
		}
	}
	return harmonicChain(ctx, t, k, moves, logs, t.Posterior, 1, workers)
}

// NewHarmonicPriorChain returns the law of the harmonic mean over the K places of a chain, of which the first is a draw from the prior. It fails
// where a state of the prior has likelihood zero: the reciprocal of the estimate may then be infinite.
func NewHarmonicPriorChain(ctx context.Context, t *Target, k, workers int) (*Sum, error) {
	if err := estimators.CheckDraws(k); err != nil {
		return nil, err
	}
	if missed := massWhere(t.Prior, t.LogL, math.Inf(-1)); missed > 0 {
		return nil, fmt.Errorf("a draw from the prior has likelihood zero with probability %.6g, and the reciprocal of the estimate is then infinite", missed)
	}
	moves, err := newPosteriorMoves(ctx, t)
	if err != nil {
		return nil, err
	}
	return harmonicChain(ctx, t, k, moves, reciprocalLikelihoods(t), t.Prior, 0, workers)
}

// harmonicChain returns the law of the harmonic mean along a chain whose first state has a law, and takes so many exact draws.
func harmonicChain(ctx context.Context, t *Target, k int, moves *posteriorMoves, logs, initial []float64, exact float64, workers int) (*Sum, error) {
	terms, logMean, err := newChainTerms(ctx, k, moves, logs, initial, workers)
	if err != nil {
		return nil, err
	}
	s := &Sum{
		shift: t.shiftOf(math.Inf(-1), -logMean), sign: -1, combination: estimators.HarmonicMean,
		work: estimators.Work{Evaluations: 1 + float64(k-1)*t.moveWork(), Exact: exact}, note: missedByPosterior(t),
	}
	if err := s.chain(ctx, terms, "the prior is zero at all places"); err != nil {
		return nil, err
	}
	s.logMean = s.logMeanHarmonic(1)
	return s, nil
}

// missedByPosterior says what it means that the likelihood is zero for some states of the prior.
func missedByPosterior(t *Target) string {
	missed := massWhere(t.Prior, t.LogL, math.Inf(-1))
	if missed == 0 {
		return ""
	}
	return fmt.Sprintf("E 1/Z-hat lacks %.6g of 1/Z, which is the prior probability of states whose likelihood is zero", missed)
}

// reciprocalLikelihoods returns -log L, and -Inf where L is zero, where no draw from the posterior comes.
func reciprocalLikelihoods(t *Target) []float64 {
	logs := make([]float64, len(t.LogL))
	for x, l := range t.LogL {
		if logs[x] = -l; math.IsInf(l, -1) {
			logs[x] = math.Inf(-1)
		}
	}
	return logs
}
