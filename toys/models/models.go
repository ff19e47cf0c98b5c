// Package models answers: which model, with which data? It has the clusterings and binary
// attributes whose marginal likelihoods are estimated, the hidden Markov model and the points on
// which particle filters are studied, and reads others from files. It never runs an algorithm.
//
// A Model has discrete latent variables, which are the axes of a lattice, and normal parameters,
// which are integrated out in closed form. Its log likelihood may have a power b, to which each
// datum's density is raised before that, so that models have a path from the prior (b = 0) to the
// joint distribution (b = 1) beside the geometric one. Log likelihoods are in nats, and right to a
// few units in the last place of their largest term, for signal and noise of any variances.
//
// # Add a model of data
//
//  1. Write NAME.go, like clustering.go: a type with Space, LogPrior and LogLikelihood, which is a
//     Model; Data and First if the data come one after another; Tempered for the path of that name;
//     Axes if its variables have names.
//  2. Put its data into instances.go and its form into modelForms of toys/model.go.
//  3. Test the likelihood against another route, as in likelihood_test.go.
package models

import (
	"math"

	"breadboard/chains/estimators"
	"breadboard/chains/number"
	"breadboard/grid"
)

// Model is a model of data whose latent variables take finitely many values; what is continuous in
// it is integrated out. The data are part of the model.
type Model interface {
	// Space returns the lattice of the latent variables.
	Space() *grid.Lattice
	// LogPrior returns the log probability of each state of the latent variables. The probabilities
	// sum to one.
	LogPrior() []float64
	// LogLikelihood returns the log likelihood of the data, in nats, for each state, where each
	// datum's density is raised to the power b before the continuous parameters are integrated out
	// (Grosse, Ghahramani and Adams 2015, Eq. 8). At b = 1 it is the likelihood of the collapsed
	// model, and at b = 0 it is 0.
	LogLikelihood(b float64) []float64
}

// Sequential is a Model whose data come one after another, each with latent variables of its own,
// which are the next axes of the space in the order of the data.
type Sequential interface {
	Model
	// Data returns the number N of data.
	Data() int
	// First returns the model of the first t data, 1 <= t <= N. Its space has the first axes of the
	// whole space.
	First(t int) Sequential
}

// Growing returns a model along its data, for one-particle sequential Monte Carlo: the models of
// its first 1, 2, ..., N data.
func Growing(m Sequential) (*estimators.Growing, error) {
	stages := make([]estimators.Stage, m.Data())
	for i := range stages {
		first := m.First(i + 1)
		stages[i] = estimators.Stage{
			Space:    first.Space(),
			LogPrior: first.LogPrior(),
			LogJoint: first.LogLikelihood(1),
		}
		for x, p := range stages[i].LogPrior {
			stages[i].LogJoint[x] += p
		}
	}
	return estimators.NewGrowing(stages)
}

// normalWeights returns the log probabilities of the points of a grid under the prior in proportion
// to exp(-g^2/(2 variance)). They sum to one.
func normalWeights(points []float64, variance float64) []float64 {
	out := make([]float64, len(points))
	for i, g := range points {
		out[i] = -g * g / (2 * variance)
	}
	total := number.LogSumExp(out)
	for i := range out {
		out[i] -= total
	}
	return out
}

// logNormal returns the log density of a normal variable at y, in nats.
func logNormal(y, mean, variance float64) float64 {
	return -number.Log(2*math.Pi*variance)/2 - (y-mean)*(y-mean)/(2*variance)
}
