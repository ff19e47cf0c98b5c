package latent

import "breadboard/chains/estimators"

// movesAlong returns the number of moves over the first t data where one belongs to each, and one more to unknown hyperparameters.
func movesAlong(t int, inferred bool) int {
	switch {
	case inferred:
		return t + 1
	case t == 1:
		return 0
	}
	return t
}

// extendWork returns the work of a new datum whose latent variables have so many values.
func extendWork(q estimators.Proposal, values int) float64 {
	if q == estimators.ProposePrior {
		return 1
	}
	return float64(values)
}

// dropWork returns the work of dropping such a datum.
func dropWork(t int, q estimators.Proposal, values int) float64 {
	work := 1.0
	if t == 1 {
		work = 0
	}
	if q == estimators.ProposePosterior {
		work += float64(values - 1)
	}
	return work
}
