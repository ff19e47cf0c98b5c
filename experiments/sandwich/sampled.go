package sandwich

import (
	"fmt"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/experiments"

	"breadboard/toys/latent"
	"breadboard/toys/models"
)

// CheckSampled is a model at full size with its data, and the same along its data. Posterior of both draws exactly.
type CheckSampled[S comparable] struct {
	Model Sampled[S]
	Along estimators.Data[chains.RealChooser, S]
}

// trials returns trials of an estimator, for one goroutine.
func (m CheckSampled[S]) trials(by Choice, knob int) (Trials, error) {
	return TrialsOn(by, knob, m.Model, m.Along)
}

// sampled is a Sampled of any type of states.
type sampled interface {
	trials(by Choice, knob int) (Trials, error)
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
func Clustering(of *models.Clustering) (CheckSampled[*latent.ClusteringState], error) {
	hyper := latent.ClusteringHyper{Pi: of.Pi, CentreVariance: of.CentreVariance, NoiseVariance: of.NoiseVariance}
	m, err := latent.NewClustering(of.Y, len(of.Pi), hyper)
	if err != nil {
		return CheckSampled[*latent.ClusteringState]{}, err
	}
	return withPosterior(of, m, m.Along(), m.Clone, func(z []int) *latent.ClusteringState {
		s := &latent.ClusteringState{Z: z, Hyper: hyper}
		m.Refresh(s)
		return s
	}), nil
}

// Binary returns the model of binary attributes at full size of the data of one on a lattice.
func Binary(of *models.Binary) (CheckSampled[*latent.BinaryState], error) {
	hyper := latent.BinaryHyper{Pi: of.Pi, FeatureVariance: of.FeatureVariance, NoiseVariance: of.NoiseVariance}
	m, err := latent.NewBinary(of.Y, len(of.Pi), hyper)
	if err != nil {
		return CheckSampled[*latent.BinaryState]{}, err
	}
	return withPosterior(of, m, m.Along(), m.Clone, func(z []int) *latent.BinaryState {
		s := &latent.BinaryState{Z: z, Hyper: hyper}
		m.Refresh(s)
		return s
	}), nil
}
