package compare

import (
	"fmt"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/selector"
	"breadboard/experiments/sandwich"
)

// Model is a model whose hyperparameters are inferred from data.
type Model struct {
	Name string // the selector, in canonical form
	// MeanZero says that the model has no intercept, so that data have the mean zero in every column, and that rows are independent
	// and normal given the parameters that they share.
	MeanZero bool
	// Classes says that the last column has classes, zero or one, which are never scaled.
	Classes bool

	build func(y [][]float64) (problem, error)
}

// Inferred is what a model with its data offers, as the models of package toys/latent do whose hyperparameters are part of the state. M is
// the type of the model itself, and S that of its states.
type Inferred[M, S any] interface {
	estimators.Model[chains.RealChooser, S]
	// Fork returns an equal model, which another goroutine may use.
	Fork() M
	// WithData returns the same model of other data of the same size.
	WithData(y [][]float64) (M, error)
	// Start makes a state what Posterior returns clones of.
	Start(s S)
}

// Hyper is a hyperparameter.
type Hyper struct {
	Name  string
	Value float64
}

// kit is what a model has besides: how data are drawn with the hyperparameters of a state, and which these are.
type kit[M, S any] struct {
	// simulate draws parameters and data with the hyperparameters of a state, which the state that it returns has too. It fails where they
	// are too large or too small to be computed with.
	simulate func(c chains.RealChooser, m M, s S) (y [][]float64, drawn S, err error)
	hyper    func(s S) []Hyper
}

// problem is a data set under a model with a state, whatever the types of both are. Its methods may be called by several goroutines at
// once, and change neither.
type problem interface {
	// annealed returns the problem with the state at the end of an annealing over T distributions.
	annealed(c chains.RealChooser, T int) (problem, error)
	// moved returns the problem with the state after so many moves that leave the posterior invariant. It calls a function after each
	// move of the second half, with the hyperparameters.
	moved(c chains.RealChooser, moves int, each func(hyper []Hyper)) problem
	// simulated returns the problem of data that are drawn with the hyperparameters of the state, with the state that they were drawn with.
	simulated(c chains.RealChooser) (problem, error)
	// annealing is a sandwich.Annealing: forward from the prior, or in reverse from the state.
	annealing(T int, d chains.Direction) (sandwich.Estimator, error)
	hyper() []Hyper
}

// typed is the problem of a model of type M with states of type S.
type typed[M Inferred[M, S], S any] struct {
	model M
	state S
	kit   kit[M, S]
}

func (p typed[M, S]) annealed(c chains.RealChooser, T int) (problem, error) {
	a, err := estimators.NewScheduledAnnealing(p.model.Fork(), sandwich.Schedule(), T, chains.Forward)
	if err != nil {
		return nil, err
	}
	s, _ := a.Chain(c)
	return typed[M, S]{p.model, s, p.kit}, nil
}

func (p typed[M, S]) moved(c chains.RealChooser, moves int, each func(hyper []Hyper)) problem {
	m := p.model.Fork()
	s := m.Clone(p.state)
	for i := range moves {
		s = m.Move(c, chains.At(1), s)
		if i >= moves/2 {
			each(p.kit.hyper(s))
		}
	}
	return typed[M, S]{p.model, s, p.kit}
}

func (p typed[M, S]) simulated(c chains.RealChooser) (problem, error) {
	y, drawn, err := p.kit.simulate(c, p.model.Fork(), p.state)
	if err != nil {
		return nil, fmt.Errorf("the hyperparameters that were inferred: %w", err)
	}
	m, err := p.model.WithData(y)
	if err != nil {
		return nil, err
	}
	m.Start(drawn) // which computes what the state keeps of the data
	return typed[M, S]{m, m.Posterior(c), p.kit}, nil
}

func (p typed[M, S]) annealing(T int, d chains.Direction) (sandwich.Estimator, error) {
	m := p.model.Fork()
	if d == chains.Reverse {
		m.Start(p.state)
	}
	return estimators.NewScheduledAnnealing(m, sandwich.Schedule(), T, d)
}

func (p typed[M, S]) hyper() []Hyper { return p.kit.hyper(p.state) }

// newTyped returns the problem of a model without a state, or the error with which the model could not be made.
func newTyped[M Inferred[M, S], S any](m M, err error, k kit[M, S]) (problem, error) {
	if err != nil {
		return nil, err
	}
	return typed[M, S]{model: m, kit: k}, nil
}

// form is how a model is selected.
type form = selector.Form[selector.Nothing, Model]

// FittedModels are the forms of the selectors of models, in the order in which they are listed.
func FittedModels() selector.Set[selector.Nothing, Model] {
	return selector.Set[selector.Nothing, Model]{What: "model", Forms: []func() form{clusteringForm, lowRankForm, binaryForm, linearForm, logisticForm, seriesForm}}
}

// ParseModel returns the model of a selector.
func ParseModel(text string) (Model, error) { return FittedModels().Parse(text, selector.Nothing{}) }
