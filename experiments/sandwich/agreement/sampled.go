package agreement

import (
	"fmt"

	"breadboard/chains"
	"breadboard/chains/evidence"
	"breadboard/experiments"
	"breadboard/experiments/sandwich"
	"breadboard/toys/latent"
	"breadboard/toys/models"
)

// Sampled is a model at full size with its data, and the same along its data. Posterior of both draws exactly.
type Sampled[S comparable] struct {
	Model sandwich.Sampled[S]
	Along evidence.Data[chains.RealChooser, S]
}

// trials returns trials of an estimator, for one goroutine.
func (m Sampled[S]) trials(by sandwich.Choice, knob int) (sandwich.Trials, error) {
	return sandwich.TrialsOn(by, knob, m.Model, m.Along)
}

// sampled is a Sampled of any type of states.
type sampled interface {
	trials(by sandwich.Choice, knob int) (sandwich.Trials, error)
}

// sampledOf returns the model at full size on the data of a toy.
func sampledOf(on *experiments.Case) (sampled, error) {
	switch m := on.Toy.Model.(type) {
	case *models.Clustering:
		return Clustering(m)
	case *models.Binary:
		return Binary(m)
	}
	return nil, fmt.Errorf("toy %s has no model at full size; give toys of clusterings or binary attributes, such as clu6, clu8 or bin4", on.Toy.Name)
}

// Clustering returns the clustering at full size of the data of one on a lattice.
func Clustering(of *models.Clustering) (Sampled[*latent.ClusteringState], error) {
	hyper := latent.ClusteringHyper{Pi: of.Pi, CentreVariance: of.CentreVariance, NoiseVariance: of.NoiseVariance}
	m, err := latent.NewClustering(of.Y, len(of.Pi), hyper)
	if err != nil {
		return Sampled[*latent.ClusteringState]{}, err
	}
	return withPosterior(of, m, m.Along(), m.Clone, func(z []int) *latent.ClusteringState {
		s := &latent.ClusteringState{Z: z, Hyper: hyper}
		m.Refresh(s)
		return s
	}), nil
}

// Binary returns the model of binary attributes at full size of the data of one on a lattice.
func Binary(of *models.Binary) (Sampled[*latent.BinaryState], error) {
	hyper := latent.BinaryHyper{Pi: of.Pi, FeatureVariance: of.FeatureVariance, NoiseVariance: of.NoiseVariance}
	m, err := latent.NewBinary(of.Y, len(of.Pi), hyper)
	if err != nil {
		return Sampled[*latent.BinaryState]{}, err
	}
	return withPosterior(of, m, m.Along(), m.Clone, func(z []int) *latent.BinaryState {
		s := &latent.BinaryState{Z: z, Hyper: hyper}
		m.Refresh(s)
		return s
	}), nil
}
