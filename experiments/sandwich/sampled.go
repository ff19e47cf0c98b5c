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

// posterior is the exact posterior of a model on a lattice, with states of another type.
type posterior[S any] struct {
	states []S
	p      []float64
	clone  func(S) S
}

// draw draws a state that is the caller's to change.
func (p posterior[S]) draw(c chains.RealChooser) S { return p.clone(p.states[c.Choose(p.p)]) }

// withPosterior returns a model of which every start is a new exact draw: simulated data have one start, whose law is that of a posterior
// only over data sets. Latent turns the coordinates of a state on the lattice into a state of the model.
func withPosterior[S comparable](of models.Model, m Sampled[S], a estimators.Data[chains.RealChooser, S], clone func(S) S, latent func(z []int) S) CheckSampled[S] {
	exact := posterior[S]{p: of.LogPrior(), clone: clone}
	space := of.Space()
	for x, l := range of.LogLikelihood(1) {
		exact.p[x] += l
		z := make([]int, space.Dims())
		for axis := range z {
			z[axis] = space.Coord(x, axis)
		}
		exact.states = append(exact.states, latent(z))
	}
	chains.Normalize(exact.p)
	return CheckSampled[S]{started[S]{m, exact}, startedAlong[S]{a, exact}}
}

// started is a model whose Posterior draws exactly.
type started[S comparable] struct {
	Sampled[S]
	exact posterior[S]
}

// Posterior implements evidence.Model.
func (m started[S]) Posterior(c chains.RealChooser) S { return m.exact.draw(c) }

// view is a model along its data, under a name that its method Data leaves free.
type view[S comparable] estimators.Data[chains.RealChooser, S]

// startedAlong is a model along its data whose Posterior of all data draws exactly.
type startedAlong[S comparable] struct {
	view[S]
	exact posterior[S]
}

// Posterior implements evidence.Data for all data, of which alone the posterior is known here.
func (a startedAlong[S]) Posterior(c chains.RealChooser, t int) S {
	if t != a.Data() {
		return a.view.Posterior(c, t) // which refuses
	}
	return a.exact.draw(c)
}
