package laws

import (
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/estimators"
)

// NewWeighting returns the law of likelihood weighting with K draws from the prior: S is the sum of their likelihoods. It fails for a
// K below 1 or above estimators.MaxDraws, and where the likelihoods span some thousand nats.
//
// Source: Grosse, Ghahramani and Adams 2015, section 3.1 and Eq. 4.
func NewWeighting(t *Target, k int) (*Sum, error) {
	if err := estimators.CheckDraws(k); err != nil {
		return nil, err
	}
	terms, logMean, err := newIndependentTerms(k, t.LogL, t.logLaw(chains.At(0)))
	if err != nil {
		return nil, err
	}
	s := &Sum{
		shift: t.shiftOf(math.Inf(1), logMean), sign: 1, logMean: logMean, combination: estimators.ArithmeticMean,
		work: estimators.Work{Evaluations: float64(k)},
	}
	if missed := massWhere(t.Posterior, t.LogL, math.Inf(1)); missed > 0 {
		s.note = fmt.Sprintf("E Z-hat lacks %.6g of Z, which is the posterior probability of states that the prior does not have", missed)
	}
	return s, s.independent(terms, "the likelihood is zero at all draws")
}
