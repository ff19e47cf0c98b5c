package evidence

import (
	"fmt"
	"math"

	"breadboard/chains"
	estimators "breadboard/chains/evidence"
	"breadboard/exact/internal/number"
)

// NewWeighting returns the law of likelihood weighting with K draws from the prior: S is the sum of their likelihoods. It fails for a
// K below 1 or above estimators.MaxDraws, and where the likelihoods span some thousand nats.
//
// Source: Grosse, Ghahramani and Adams 2015, section 3.1 and Eq. 4.
func NewWeighting(t *Target, k int) (*Sum, error) {
	if err := checkDraws(k); err != nil {
		return nil, err
	}
	terms, logMean, err := newIndependentTerms(k, t.LogL, logLaw(t, chains.At(0)))
	if err != nil {
		return nil, err
	}
	s := &Sum{
		shift: logMean, sign: 1, logMean: logMean, combination: estimators.ArithmeticMean,
		work: estimators.Work{Evaluations: float64(k)},
	}
	if missed := massWhere(t.Posterior, t.LogL, math.Inf(1)); missed > 0 {
		s.note = fmt.Sprintf("E Z-hat lacks %.6g of Z, which is the posterior probability of states that the prior does not have", missed)
	}
	return s, s.independent(terms, "the likelihood is zero at all draws")
}

// independent takes over the terms of independent draws. never says what it means that all of them are zero.
func (s *Sum) independent(terms *independentTerms, never string) (err error) {
	s.runs, s.tail, s.draws, s.zero = terms.k, terms, terms, math.Pow(terms.zero, terms.k)
	if terms.zero > 0 {
		s.zero = max(s.zero, math.SmallestNonzeroFloat64) // a power that float64 cannot hold is still not zero
		s.note = joined(s.note, fmt.Sprintf("with probability %.6g %s", s.zero, never))
	}
	s.table, err = terms.table()
	return err
}

// massWhere returns the probability of the states at which log L has a value.
func massWhere(p, logL []float64, value float64) float64 {
	var total number.Sum
	for x, l := range logL {
		if l == value {
			total.Add(p[x])
		}
	}
	return total.Value()
}

// checkDraws returns an error where k is no number of draws.
func checkDraws(k int) error {
	if k < 1 || k > estimators.MaxDraws {
		return fmt.Errorf("%d draws; give a whole number K from 1 to %d", k, estimators.MaxDraws)
	}
	return nil
}

// logLaw returns the logarithm of the probability of each state at an end of the path, also where float64 cannot hold the probability.
func logLaw(t *Target, at chains.Place) []float64 {
	logs := make([]float64, len(t.LogL))
	t.Annealing.Path().LogF(logs, at)
	total := number.LogSumExp(logs)
	for x := range logs {
		logs[x] -= total
	}
	return logs
}
