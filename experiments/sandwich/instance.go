package sandwich

import (
	"context"
	"fmt"

	"breadboard/chains"
	"breadboard/chains/estimators"
)

// Estimator is an estimator of the marginal likelihood of data of any size.
type Estimator = estimators.Estimator[chains.RealChooser]

// problem is what a data set under a model offers, whatever its states are made of. Only one goroutine may use it.
type problem interface {
	weighting(k int) (Estimator, error)
	harmonic(k int) (Estimator, error)
	annealed(schedule chains.Schedule, T int, d chains.Direction) (Estimator, error)
	sequential(scans int, d chains.Direction) (Estimator, error)
	murraySalakhutdinov(k int, start estimators.Start) (Estimator, error)
	nested(particles, moves int) (nestedClimb, error)
	variationalTruth() (estimators.Ascender, error)
	// variational and bic climb from starts that they draw; components returns the number K of them, which may be named in K! ways.
	variational() (estimators.Ascender, error)
	bic() (estimators.Ascender, error)
	components() int
}

// nestedClimb is nested sampling on states of any type.
type nestedClimb interface {
	Run(ctx context.Context, c chains.RealChooser) ([]estimators.NestedEnd, error)
	Work(end estimators.NestedEnd) estimators.Work
}

// Sampled is a model of data of any size with its data, as the models of package toys/latent are: what moves its states, what weighs
// them, and what restricts its prior.
type Sampled[S comparable] interface {
	estimators.Transitional[chains.RealChooser, S]
	estimators.Constrained[chains.RealChooser, S]
	// LogPrior returns the logarithm of the prior density of a state, in nats.
	LogPrior(s S) float64
}

// typed is the problem of a model whose states have the type S.
type typed[S comparable] struct {
	model Sampled[S]
	along estimators.Data[chains.RealChooser, S] // the same model along its data
	climbs
}

// climbs are the methods that fit a data set.
type climbs struct {
	k       int
	vb, fit func() (estimators.Ascender, error)
	truth   func() (estimators.Ascender, error) // from the state that made the data; nil where there is no such method
}

func (c climbs) variationalTruth() (estimators.Ascender, error) {
	if c.truth == nil {
		return nil, fmt.Errorf("%s is for clusterings; give vb, or the model clustering", VariationalTruth)
	}
	return c.truth()
}

func (c climbs) variational() (estimators.Ascender, error) { return c.vb() }
func (c climbs) bic() (estimators.Ascender, error)         { return c.fit() }
func (c climbs) components() int                           { return c.k }

func (p typed[S]) weighting(k int) (Estimator, error) {
	return estimators.NewLikelihoodWeighting(p.model, k)
}

func (p typed[S]) harmonic(k int) (Estimator, error) { return estimators.NewHarmonicChain(p.model, k) }

func (p typed[S]) annealed(schedule chains.Schedule, T int, d chains.Direction) (Estimator, error) {
	return estimators.NewScheduledAnnealing(p.model, schedule, T, d)
}

func (p typed[S]) sequential(scans int, d chains.Direction) (Estimator, error) {
	if d == chains.Reverse {
		return estimators.NewReverseSequential(p.along, estimators.ProposePosterior, estimators.Sweeps(scans))
	}
	return estimators.NewSequential(p.along, estimators.ProposePosterior, estimators.Sweeps(scans))
}

func (p typed[S]) murraySalakhutdinov(k int, start estimators.Start) (Estimator, error) {
	return newStarred(p.model, k, start)
}

func (p typed[S]) nested(particles, moves int) (nestedClimb, error) {
	return estimators.NewNestedClimb(p.model, estimators.NestedClimbOptions{
		Particles: particles, Moves: moves, Stops: []estimators.NestedStop{estimators.StopText, estimators.StopExperiments},
	})
}
