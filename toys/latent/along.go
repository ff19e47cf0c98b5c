package latent

import "breadboard/chains/evidence"

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
func extendWork(q evidence.Proposal, values int) float64 {
	if q == evidence.ProposePrior {
		return 1
	}
	return float64(values)
}

// dropWork returns the work of dropping such a datum.
func dropWork(t int, q evidence.Proposal, values int) float64 {
	work := 1.0
	if t == 1 {
		work = 0
	}
	if q == evidence.ProposePosterior {
		work += float64(values - 1)
	}
	return work
}
