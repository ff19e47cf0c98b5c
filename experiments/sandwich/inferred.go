package sandwich

import (
	"fmt"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/toys/latent"
)

// Infer returns the annealings of any data under the model with K components whose hyperparameters are part of the state, with the priors
// that package latent says; those of the selector do not matter. There is no exact draw, so that nothing anneals in reverse.
//
// Source: Grosse, Ghahramani and Adams 2015, section 6.3, footnote 6.
func (m Model) Infer(y [][]float64) (Annealing, error) {
	switch m.Kind {
	case "clustering":
		return inferred[*latent.ClusteringState](latent.NewInferredClustering(y, m.K))
	case "lowrank":
		return inferred[*latent.LowRankState](latent.NewInferredLowRank(y, m.K))
	case "binary":
		return inferred[*latent.BinaryState](latent.NewInferredBinary(y, m.K))
	}
	return nil, fmt.Errorf("model %s has no form with unknown hyperparameters", m.Name)
}

// inferred returns the annealings of a model, or the error with which there is none.
func inferred[S any, M interface {
	estimators.Model[chains.RealChooser, S]
	Fork() M
}](m M, err error) (Annealing, error) {
	if err != nil {
		return nil, err
	}
	return annealing(func() estimators.Model[chains.RealChooser, S] { return m.Fork() }), nil
}
