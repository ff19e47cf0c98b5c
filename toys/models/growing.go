package models

import "breadboard/chains/estimators"

// Growing returns a model along its data, for one-particle sequential Monte Carlo: the models of its first 1, 2, ..., N data.
func Growing(m Sequential) (*estimators.Growing, error) {
	stages := make([]estimators.Stage, m.Data())
	for i := range stages {
		first := m.First(i + 1)
		stages[i] = estimators.Stage{Space: first.Space(), LogPrior: first.LogPrior(), LogJoint: first.LogLikelihood(1)}
		for x, p := range stages[i].LogPrior {
			stages[i].LogJoint[x] += p
		}
	}
	return estimators.NewGrowing(stages)
}
