// Package estimators has estimators of the marginal likelihood. Each is in a file of its own, and
// is written once, against a chains.Chooser: it can then be sampled, enumerated, or run with given
// outcomes. Package exact/laws has the exact distributions of their estimates.
//
// # The estimators
//
// Z is the sum over all states of prior times likelihood. An estimator needs the methods of Model;
// Finite is the Model of the annealings of this library. Estimators that take the data one after
// another need those of Data; Growing is the Data on lattices.
//
//	NewLikelihoodWeighting   K draws from the prior                            E Z-hat = Z
//	NewHarmonicMean          K exact draws                                     E 1/Z-hat = 1/Z where L > 0
//	NewHarmonicChain         a chain of K places from an exact draw            E 1/Z-hat = 1/Z where L > 0
//	NewAnnealed              one chain over T distributions                    E Z-hat = Z
//	NewReverseAnnealed       the same back, from an exact draw                 E 1/Z-hat = 1/Z
//	NewSequential            one particle along the data                       E Z-hat = Z
//	NewReverseSequential     the same back, from an exact draw                 E 1/Z-hat = 1/Z
//	NewChib                  K exact draws, and a state z*                     E 1/Z-hat = 1/Z
//	NewChibChain             a chain of K places from the prior                no such claim
//	NewMurraySalakhutdinov   a chain of K places with one drawn back from z*   E Z-hat = Z for StartUniform
//	NewNested                K particles from the prior                        E Z-hat = Z for VolumeUnbiased and TiesLabel
//	NewNestedClimb           the same by copies, for all volumes and stops     no such claim
//	NewRestarts              the best of several ascents of a Climber          Z-hat <= Z for NewMeanField and NewVariationalBayes
//	BestAscent               the best of several ascents of an Ascender        as the ascents
//
// An ascent of NewBIC gives no bound, and one with LogFactorial adds log K! to its bound, which may
// then be above log Z. Statements about means assume that prior and posterior are zero at the same
// states; the documentation of each estimator says what is missing otherwise. By Jensen's
// inequality E log Z-hat is at most log Z if E Z-hat = Z, and at least log Z if E 1/Z-hat = 1/Z.
//
// Work counts evaluations of log f as of a black box, and exact draws.
//
// Source: Grosse, Ghahramani and Adams 2015, sections 3 to 5.
//
// # Add an estimator of Z
//
//  1. Write NAME.go, like weighting.go: a type that implements Estimator, written against the
//     Chooser and a Model.
//  2. Write exact/laws/NAME.go, like weighting.go or annealed.go there: a type that implements
//     Law. A sum of independent terms, or of terms along a chain, is a Sum.
//  3. Put its form into experiments/marginal/evidence/forms.go, a line into Forms of choice.go
//     there, and its selector into Standard. The table above the type family says which fields
//     a form sets.
//  4. TestCheckPasses compares the distribution with the enumerated estimator and with runs for
//     every selector of Standard. Add a planted bug to mutants in planted_test.go; TestPlanted
//     fails for an estimator without one.
package estimators

import (
	"fmt"

	"breadboard/chains"
)

// Model is what estimators of Z ask of a model with states of type S, whose random choices are made
// by a chooser of type C. In Finite a state is a lattice index. A model with real numbers in its
// state needs a chains.RealChooser.
//
// The distributions between the prior and the posterior stand at places of a path: f_b is the prior
// times the likelihood of the place, which is one at b = 0 and the likelihood L itself at b = 1.
// Moves at a place leave f_b invariant.
//
// Move and Back may overwrite the given state and return it, as models with large states do. If you
// need the state from before, keep a Clone of it.
type Model[C chains.Chooser, S any] interface {
	// Prior draws a state from the prior.
	Prior(c C) S
	// Posterior draws a state from the posterior, exactly.
	Posterior(c C) S
	// Clone returns a state that is equal to x and does not change when x is moved. It returns x
	// itself if moves write to no state.
	Clone(x S) S
	// LogLikelihood returns the logarithm of the likelihood of a place, in nats: -Inf if f_b is
	// zero.
	LogLikelihood(at chains.Place, x S) float64
	// LogStep returns log f_to - log f_from of two places, in nats, with the digits that the
	// difference of two likelihoods loses: -Inf if f_to is zero, and +Inf if f_from alone is.
	LogStep(from, to chains.Place, x S) float64
	// Move makes one transition that leaves f_b at a place invariant.
	Move(c C, at chains.Place, x S) S
	// Back makes one transition by the time reversal of Move.
	Back(c C, at chains.Place, x S) S
	// MoveWork returns how many evaluations of log f a Move takes, on average.
	MoveWork() float64
}

// Transitional is a Model that knows the probability of its moves, as Chib's estimator and its
// relatives need.
type Transitional[C chains.Chooser, S any] interface {
	Model[C, S]
	// LogTransition returns the logarithm of the probability, or of the density, that Move at b = 1
	// goes from x to y.
	LogTransition(x, y S) float64
}

// Constrained is a Model for nested sampling: it can move under its prior restricted to the states
// above a level of the likelihood.
type Constrained[C chains.Chooser, S any] interface {
	// Prior, Clone and MoveWork are those of Model.
	Prior(c C) S
	Clone(x S) S
	MoveWork() float64
	// Within makes one transition from x that leaves invariant the prior restricted to states whose
	// level is above the floor.
	Within(c C, floor float64, x S) S
	// Level returns the level of x: the smallest log likelihood at b = 1 among the states whose
	// likelihood counts as equal to that of x.
	Level(x S) float64
}

// Levelled is a Constrained model that knows all of its levels.
type Levelled[C chains.Chooser, S any] interface {
	Constrained[C, S]
	// Above draws exactly from the prior restricted to states whose level is above the floor. There
	// must be such states.
	Above(c C, floor float64) S
	// Levels returns all levels from the lowest up. The caller must not change them.
	Levels() []Level
}

// end is the place of the posterior on every path.
func end() chains.Place { return chains.At(1) }

// Estimator is an estimator of the marginal likelihood Z of a model: the sum over all states of
// prior times likelihood.
//
// What Estimate returns depends on the outcomes of c's choices, and on nothing else. Only one
// goroutine may use an Estimator, since it may cache what it has computed.
type Estimator[C chains.Chooser] interface {
	// Estimate runs the estimator once, and returns the logarithm of its estimate, in nats. It may
	// be infinite.
	Estimate(c C) float64
	// Work returns the cost of one run, or the mean cost if it is random.
	Work() Work
	// Combination returns how the estimates of independent runs are combined to one.
	Combination() Combination
}

// Work is what an estimate costs.
type Work struct {
	// Evaluations is the number of evaluations of log f as a black box. The value at the current
	// state of a chain is kept, so it is evaluated once. A proposal outside the space counts, since
	// only the black box knows that it is outside. See chains.Evaluations.
	Evaluations float64
	// Exact is how many exact draws are made from the posterior, or from the prior above a level of
	// the likelihood. A draw from the prior alone is free.
	Exact float64
}

// Plus returns the work of both.
func (w Work) Plus(v Work) Work { return Work{w.Evaluations + v.Evaluations, w.Exact + v.Exact} }

// Combination is how the estimates of independent runs are combined.
//
// Source: Grosse, Ghahramani and Adams 2015, footnote 5.
type Combination int

// ArithmeticMean is for unbiased estimates of Z, HarmonicMean for unbiased estimates of 1/Z,
// Maximum for lower bounds, and MeanOfLogs for all others.
const (
	ArithmeticMean Combination = iota
	HarmonicMean
	Maximum
	MeanOfLogs
)

// String returns the name of the combination: arithmetic, harmonic, maximum or logs.
func (m Combination) String() string {
	return [...]string{"arithmetic", "harmonic", "maximum", "logs"}[m]
}

// Data is a model for one-particle sequential Monte Carlo, whose data come one after another, each
// with latent variables of its own. A state S holds the latent variables of the first t data; the
// zero S is the state of no data.
//
// A move is a part of a scan, such as one axis drawn given the others. It leaves the posterior of
// the first t data invariant.
type Data[C chains.Chooser, S comparable] interface {
	// Data returns the number N of data.
	Data() int
	// Posterior draws the latent variables of the first t data, 1 <= t <= N, from their posterior
	// given these data, exactly.
	Posterior(c C, t int) S
	// Extend draws the latent variables of datum t by a proposal q, given those of the data before
	// it. It also returns the logarithm of the weight p(z_1:t, y_1:t)/(p(z_1:t-1, y_1:t-1) q(z_t)),
	// in nats: -Inf if the state has no mass.
	Extend(c C, t int, q Proposal, s S) (next S, logWeight float64)
	// Drop removes the latent variables of datum t. It also returns the logarithm of the weight of
	// the Extend from there to s: +Inf if that never happens, or if the state has no mass.
	Drop(t int, q Proposal, s S) (before S, logWeight float64)
	// Moves returns the number of moves of a scan over the first t data. It may be zero for t = 1.
	Moves(t int) int
	// Move makes move i of a scan over the first t data, 0 <= i < Moves(t).
	Move(c C, t, i int, s S) S
	// Back makes the time reversal of move i of a scan over the first t data.
	Back(c C, t, i int, s S) S
	// ScanWork returns how many evaluations of the joint density of the first t data a scan takes,
	// on average.
	ScanWork(t int) float64
	// ExtendWork and DropWork return how many evaluations of the joint density Extend and Drop take
	// for the weight of datum t. The value at the given state is known.
	ExtendWork(t int, q Proposal) float64
	DropWork(t int, q Proposal) float64
}

// Proposal is the distribution from which the latent variables z_t of a new datum y_t are drawn.
type Proposal int

// The proposals. Under the posterior p(z_t | y_1:t, z_1:t-1) the weight is p(y_t | y_1:t-1,
// z_1:t-1), and under the prior p(z_t | z_1:t-1) it is p(y_t | z_1:t, y_1:t-1).
//
// Source: Grosse, Ghahramani and Adams 2015, Eqs. 16 to 22.
const (
	ProposePosterior Proposal = iota
	ProposePrior
)

// String returns posterior or prior.
func (q Proposal) String() string { return [...]string{"posterior", "prior"}[q] }

// Sweeps is the number M of scans after each datum, or Perfect.
type Sweeps int

// Perfect stands for exact draws from the posterior of the data so far, instead of scans.
//
// Source: Grosse, Ghahramani and Adams 2015, Eqs. 32 and 33.
const Perfect Sweeps = -1

// MaxSweeps is the largest number of scans.
const MaxSweeps = 1_000_000

// String returns the number of scans, or perfect.
func (m Sweeps) String() string {
	if m == Perfect {
		return "perfect"
	}
	return fmt.Sprint(int(m))
}
