package estimators

import "breadboard/chains"

// Model is what estimators of Z ask of a model with states of type S, whose random choices are made by a chooser of type C. A lattice
// index is the first such state (see Finite); a model with real numbers in its state asks for a chains.RealChooser.
//
// The distributions between the prior and the posterior stand at places of a path: f_b is the prior times the likelihood of the
// place, which is one at b = 0 and the likelihood L itself at b = 1. Moves at a place leave f_b invariant.
//
// Move and Back may write to the state that they are given and return it, as states of many numbers do. Whoever needs the state from
// before keeps a Clone of it.
type Model[C chains.Chooser, S any] interface {
	// Prior draws a state from the prior.
	Prior(c C) S
	// Posterior draws a state from the posterior, exactly.
	Posterior(c C) S
	// Clone returns a state that is equal to x and does not change when x is moved. It returns x itself where moves write to no state.
	Clone(x S) S
	// LogLikelihood returns the logarithm of the likelihood of a place, in nats: -Inf where f_b is zero.
	LogLikelihood(at chains.Place, x S) float64
	// LogStep returns log f_to - log f_from of two places, in nats, with the digits that the difference of two likelihoods loses:
	// -Inf where f_to is zero, and +Inf where f_from alone is.
	LogStep(from, to chains.Place, x S) float64
	// Move makes one transition that leaves f_b at a place invariant.
	Move(c C, at chains.Place, x S) S
	// Back makes one transition by the time reversal of Move.
	Back(c C, at chains.Place, x S) S
	// MoveWork returns how many evaluations of log f a Move takes, on average.
	MoveWork() float64
}

// Transitional is a Model that knows how likely its moves are, which Chib's estimator and its kin ask for.
type Transitional[C chains.Chooser, S any] interface {
	Model[C, S]
	// LogTransition returns the logarithm of the probability, or of the density, that Move at b = 1 goes from x to y.
	LogTransition(x, y S) float64
}

// Constrained is what nested sampling asks of a model: its prior, restricted to the states above a level of the likelihood.
type Constrained[C chains.Chooser, S any] interface {
	// Prior, Clone and MoveWork are those of Model.
	Prior(c C) S
	Clone(x S) S
	MoveWork() float64
	// Within makes one transition from x that leaves the prior invariant where the level of a state is above the floor.
	Within(c C, floor float64, x S) S
	// Level returns the log likelihood at b = 1 of all states whose likelihood counts as equal to that of x, the least of theirs.
	Level(x S) float64
}

// Levelled is a Constrained model that knows all of its levels.
type Levelled[C chains.Chooser, S any] interface {
	Constrained[C, S]
	// Above draws a state from the prior where the level of a state is above the floor, exactly. There must be such states.
	Above(c C, floor float64) S
	// Levels returns all levels from the lowest up. The caller must not change them.
	Levels() []Level
}

// end is the place of the posterior on every path.
func end() chains.Place { return chains.At(1) }
