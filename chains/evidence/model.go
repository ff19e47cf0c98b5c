package evidence

import "breadboard/chains"

// Model is what estimators of Z ask of a model with states of type S. A lattice index is the first such state (see Finite).
//
// The distributions between the prior and the posterior stand at places of a path: f_b is the prior times the likelihood of the
// place, which is one at b = 0 and the likelihood L itself at b = 1. Moves at a place leave f_b invariant.
type Model[S any] interface {
	// Prior draws a state from the prior.
	Prior(c chains.Chooser) S
	// Posterior draws a state from the posterior, exactly.
	Posterior(c chains.Chooser) S
	// LogLikelihood returns the logarithm of the likelihood of a place, in nats: -Inf where f_b is zero.
	LogLikelihood(at chains.Place, x S) float64
	// LogStep returns log f_to - log f_from of two places, in nats, with the digits that the difference of two likelihoods loses:
	// -Inf where f_to is zero, and +Inf where f_from alone is.
	LogStep(from, to chains.Place, x S) float64
	// Move makes one transition that leaves f_b at a place invariant.
	Move(c chains.Chooser, at chains.Place, x S) S
	// Back makes one transition by the time reversal of Move.
	Back(c chains.Chooser, at chains.Place, x S) S
	// LogTransition returns the logarithm of the probability that Move at b = 1 goes from x to y.
	LogTransition(x, y S) float64
	// Within makes one transition from x that leaves the prior invariant where the level of a state is above the floor.
	Within(c chains.Chooser, floor float64, x S) S
	// Above draws a state from the prior where the level of a state is above the floor, exactly. There must be such states.
	Above(c chains.Chooser, floor float64) S
	// Level returns the log likelihood at b = 1 of all states whose likelihood counts as equal to that of x, the least of theirs.
	Level(x S) float64
	// Levels returns all levels from the lowest up, and nil where the model does not know them. The caller must not change them.
	Levels() []Level
	// MoveWork returns how many evaluations of log f a Move takes, on average.
	MoveWork() float64
}

// end is the place of the posterior on every path.
func end() chains.Place { return chains.At(1) }
