// Package latent answers: which problems of any size are there, and how are they sampled? It has clustering, binary attributes and matrices
// of low rank, whose states no longer fit a lattice, in the form that the estimators of package chains/estimators take. It never estimates
// anything.
//
// A model is its hyperparameters, a table y of N rows and D columns, and room to work in: one goroutine uses one model, and Fork returns
// an equal one for another goroutine. Its states are pointers, and moves write to the state that they are given. The hyperparameters that
// apply are those in the state, where a model with fixed ones has written them.
//
// Parameters that are normal given the latent variables are integrated out where that pays. The power b of a place is then the power to
// which each datum's density is raised before that (Grosse, Ghahramani and Adams 2015, Eq. 8). Log likelihoods are in nats.
//
// The scan of a model of discrete variables with fixed hyperparameters takes any chains.Chooser, so that its exact law can be enumerated on
// small tables. What draws real numbers takes a chains.RealChooser.
//
// # Add a model of any size
//
//  1. Write NAME.go, like lowrank.go: a type with data and hyperparameters, a type of its states, an exact simulator, and the methods of
//     estimators.Transitional and estimators.Constrained; a model sampled along its data (Along) has those of estimators.Data.
//  2. Put its form into experiments/marginal/sandwich/model.go, its pace and climber into instance.go there, and its joint test into
//     experiments/checks/geweke/sampled.go.
//  3. Test conditionals block by block (blocks_test.go), likelihood, steps and reversal by another route, and that a scan allocates nothing. If a
//     tiny case fits a lattice, test the enumerated scan against it and add a line to experiments/marginal/sandwich/check.go.
package latent

import (
	"fmt"
	"math"

	"breadboard/chains"
)

// exactDraw is what all models share: their data and an exact draw from their posterior. A model embeds it, and a fork makes itself the owner.
type exactDraw[S any] struct {
	y     [][]float64
	start *S // nil until Start
	owner interface {
		Clone(s *S) *S
		Refresh(s *S)
		LogLikelihood(at chains.Place, s *S) float64
	}
	model string // what the owner is, for messages
}

// Rows returns the data. The caller must not change them.
func (d *exactDraw[S]) Rows() [][]float64 { return d.y }

// Start makes s the state that Posterior returns copies of: an exact draw from the posterior, or a state that stands for one.
func (d *exactDraw[S]) Start(s *S) {
	d.start = d.owner.Clone(s)
	d.owner.Refresh(d.start)
}

// Started reports whether Start has been given a state.
func (d *exactDraw[S]) Started() bool { return d.start != nil }

// Posterior implements estimators.Model: a copy of the state that Start was given. It panics where there is none.
func (d *exactDraw[S]) Posterior(chains.RealChooser) *S {
	if d.start == nil {
		panic(fmt.Sprintf("latent: Posterior of %s without an exact draw; call Start with one first", d.model))
	}
	return d.owner.Clone(d.start)
}

// LogStep implements estimators.Model, where the path raises the likelihood to the power b.
func (d *exactDraw[S]) LogStep(from, to chains.Place, s *S) float64 {
	return from.StepTo(to) * d.owner.LogLikelihood(chains.At(1), s)
}

// inParts is what models share whose scan is a few parts, each of which is its own time reversal.
type inParts[S any] struct {
	exactDraw[S]
	scan interface {
		parts() int
		part(c chains.RealChooser, b float64, i int, s *S) // makes part i under the likelihood to the power b
	}
}

// Scan leaves the prior times the likelihood to the power b invariant: it makes all parts of a move in turn.
func (m *inParts[S]) Scan(c chains.RealChooser, b float64, s *S) {
	for i := range m.scan.parts() {
		m.scan.part(c, b, i, s)
	}
}

// ScanBack is the time reversal of Scan: it makes the parts in reverse order.
func (m *inParts[S]) ScanBack(c chains.RealChooser, b float64, s *S) {
	for i := m.scan.parts() - 1; i >= 0; i-- {
		m.scan.part(c, b, i, s)
	}
}

// Move implements estimators.Model.
func (m *inParts[S]) Move(c chains.RealChooser, at chains.Place, s *S) *S {
	m.Scan(c, at.Beta, s)
	return s
}

// Back implements estimators.Model.
func (m *inParts[S]) Back(c chains.RealChooser, at chains.Place, s *S) *S {
	m.ScanBack(c, at.Beta, s)
	return s
}

// discreteState is a state of latent variables that are numbers.
type discreteState[S any] interface {
	*S
	set(x *S)       // makes the state equal to x
	latents() []int // the variables, in the order of a scan
}

// discrete is what models share whose latent variables are numbers, each of which a scan draws given all else.
type discrete[S any, P discreteState[S]] struct {
	exactDraw[S]
	self interface {
		renew(c chains.RealChooser, b float64, s *S) // draws the hyperparameters, where they are unknown
		scan(d decider, b float64, s *S)
		ScanBack(c chains.Chooser, b float64, s *S)
		ScanWithin(c chains.Chooser, floor float64, s *S)
		scanWork(t int) float64 // of a scan over the first t rows
	}
	latents  string // what the variables are, for messages
	k        int
	inferred bool
	drawn    drawn
	given    given
	replay   P // where LogTransition makes its moves
}

// Inferred reports whether the hyperparameters are part of the state.
func (m *discrete[S, P]) Inferred() bool { return m.inferred }

// Scan draws each latent variable given all else with the power b, in turn. A binary attribute takes some K^2 + 2 K D + 4 D operations, and
// the cluster of a row 3 K D. What a state keeps of its variables is computed anew at the start, so that rounding does not grow with the
// number of scans.
//
// Source: Doshi-Velez and Ghahramani 2009 for attributes, where the law of the features given the other rows is found once a row.
func (m *discrete[S, P]) Scan(c chains.Chooser, b float64, s *S) {
	m.drawn.c = c
	m.self.scan(&m.drawn, b, s)
}

// Move implements estimators.Model: where the hyperparameters are unknown it draws them first.
func (m *discrete[S, P]) Move(c chains.RealChooser, at chains.Place, s *S) *S {
	m.self.renew(c, at.Beta, s)
	m.Scan(c, at.Beta, s)
	return s
}

// Back implements estimators.Model.
func (m *discrete[S, P]) Back(c chains.RealChooser, at chains.Place, s *S) *S {
	m.self.ScanBack(c, at.Beta, s)
	m.self.renew(c, at.Beta, s)
	return s
}

// MoveWork implements estimators.Model: a scan weighs the other values of each latent variable, and each hyperparameter is one more, where
// the probabilities of clusters count as one.
func (m *discrete[S, P]) MoveWork() float64 { return m.self.scanWork(len(m.y)) }

// LogTransition implements estimators.Transitional. It is NaN where the hyperparameters are unknown: the features or centres that a move
// draws with them would have to be integrated out.
func (m *discrete[S, P]) LogTransition(x, y *S) float64 {
	if m.inferred {
		return math.NaN()
	}
	m.replay.set(x)
	m.given = given{values: P(y).latents()}
	m.self.scan(&m.given, 1, m.replay)
	return m.given.logP
}

// Level implements estimators.Constrained. States whose log likelihoods at b = 1 agree in 40 binary digits have the same level, as those with
// their clusters renamed, or their attributes in another order, do but for rounding.
func (m *discrete[S, P]) Level(s *S) float64 { return levelOf(m.owner.LogLikelihood(chains.At(1), s)) }

// Within implements estimators.Constrained: it draws each latent variable in turn from its prior among the values with which the level is
// above the floor. The level of s must be above the floor. It panics where the hyperparameters are unknown.
func (m *discrete[S, P]) Within(c chains.RealChooser, floor float64, s *S) *S {
	if m.inferred {
		panic("latent: Within of " + m.latents + " with unknown hyperparameters, which it does not draw")
	}
	m.self.ScanWithin(c, floor, s)
	return s
}

// mustBeValid panics with an error, where there is one.
func mustBeValid(err error) {
	if err != nil {
		panic("latent: " + err.Error())
	}
}
