package models

import "breadboard/grid"

// Model is a model of data whose latent variables take finitely many values; what is continuous in it is integrated out. The
// data are part of the model.
type Model interface {
	// Space returns the lattice of the latent variables.
	Space() *grid.Lattice
	// LogPrior returns the log probability of each state of the latent variables. The probabilities sum to one.
	LogPrior() []float64
	// LogLikelihood returns the log likelihood of the data, in nats, for each state, where each datum's density is raised to the
	// power b before the continuous parameters are integrated out (Grosse, Ghahramani and Adams 2015, Eq. 8). At b = 1 it is the
	// likelihood of the collapsed model, and at b = 0 it is 0.
	LogLikelihood(b float64) []float64
}

// Sequential is a Model whose data come one after another, each with latent variables of its own, which are the next axes of the
// space in the order of the data.
type Sequential interface {
	Model
	// Data returns the number N of data.
	Data() int
	// First returns the model of the first t data, 1 <= t <= N. Its space has the first axes of the whole space.
	First(t int) Sequential
}
