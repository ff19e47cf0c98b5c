package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/selector"
	"breadboard/experiments/marginal/sandwich"
	"breadboard/toys/latent"
)

// Model is a model whose hyperparameters are inferred from data.
type Model struct {
	Name string // the selector, in canonical form
	// MeanZero means that the model has no intercept, so that data have mean zero in every column,
	// and that rows are independent and normal given the shared parameters.
	MeanZero bool
	// Classes means that the last column has classes, zero or one, which are never scaled.
	Classes bool

	build func(y [][]float64) (problem, error)
}

// inferred is the interface of a model with its data, as implemented in package toys/latent for
// models with hyperparameters in the state. M is the type of the model, and S that of its states.
type inferred[M, S any] interface {
	estimators.Model[chains.RealChooser, S]
	// Fork returns an equal model, which another goroutine may use.
	Fork() M
	// WithData returns the same model with other data of the same size.
	WithData(y [][]float64) (M, error)
	// Start sets the state that Posterior returns clones of.
	Start(s S)
}

// hyper is a hyperparameter.
type hyper struct {
	Name  string
	Value float64
}

// kit is what else a model needs: how data are drawn with the hyperparameters of a state, and the
// names of these.
type kit[M, S any] struct {
	// simulate draws parameters and data with the hyperparameters of a state; the returned state
	// has them too. It fails if they are numerically too large or too small.
	simulate func(c chains.RealChooser, m M, s S) (y [][]float64, drawn S, err error)
	hyper    func(s S) []hyper
}

// problem is a data set under a model with a state, whatever their types. Its methods are safe for
// concurrent use and change neither.
type problem interface {
	// annealed returns the problem with the state at the end of an annealing over T distributions.
	annealed(c chains.RealChooser, T int) (problem, error)
	// moved returns the problem with the state after the given number of transitions that leave the
	// posterior invariant. It calls a function with the hyperparameters after each transition of
	// the second half.
	moved(c chains.RealChooser, moves int, each func(hyper []hyper)) problem
	// simulated returns the problem of data that are drawn with the hyperparameters of the state,
	// together with the state that made them.
	simulated(c chains.RealChooser) (problem, error)
	// annealing is a sandwich.Annealing: forward from the prior, or in reverse from the state.
	annealing(T int, d chains.Direction) (sandwich.Estimator, error)
	hyper() []hyper
}

// typed is the problem of a model of type M with states of type S.
type typed[M inferred[M, S], S any] struct {
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

func (p typed[M, S]) moved(c chains.RealChooser, moves int, each func(hyper []hyper)) problem {
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
	m.Start(drawn) // computes the derived values of the state
	return typed[M, S]{m, m.Posterior(c), p.kit}, nil
}

func (p typed[M, S]) annealing(T int, d chains.Direction) (sandwich.Estimator, error) {
	m := p.model.Fork()
	if d == chains.Reverse {
		m.Start(p.state)
	}
	return estimators.NewScheduledAnnealing(m, sandwich.Schedule(), T, d)
}

func (p typed[M, S]) hyper() []hyper { return p.kit.hyper(p.state) }

// newTyped returns the problem of a model without a state, or the error of making the model.
func newTyped[M inferred[M, S], S any](m M, err error, k kit[M, S]) (problem, error) {
	if err != nil {
		return nil, err
	}
	return typed[M, S]{model: m, kit: k}, nil
}

// form is how a model is selected.
type form = selector.Form[selector.Nothing, Model]

// fittedModels are the forms of the selectors of models, in the order in which they are listed.
func fittedModels() selector.Set[selector.Nothing, Model] {
	return selector.NewSet("model", clusteringForm, lowRankForm, binaryForm, linearForm, logisticForm, seriesForm)
}

// parseModel returns the model of a selector.
func parseModel(text string) (Model, error) { return fittedModels().Parse(text, selector.Nothing{}) }

// withComponents returns the form of a model with K components.
func withComponents(name, doc string, standard int, others []string, model func(k int) Model) form {
	return form{
		Syntax:  name + "[:K]",
		Doc:     doc,
		Source:  "Grosse, Ancha and Roy 2016, Appendix C",
		Example: fmt.Sprintf("%s:%d", name, standard),
		Others:  others,
		Parse: func(args selector.Args, _ selector.Nothing) (Model, error) {
			k := standard
			if args.Given {
				var err error
				k, err = selector.ParseWhole(args.Text, 1, sandwich.MaxComponents)
				if err != nil {
					return Model{}, args.Errorf("K: %w; its hyperparameters are inferred, not given", err)
				}
			}
			m := model(k)
			m.Name = name + ":" + strconv.Itoa(k)
			return m, nil
		},
	}
}

func clusteringForm() form {
	return withComponents("clustering",
		"normal clusters: K of them, with unknown probabilities and variances of centres and noise", 2,
		[]string{"mixture", "gmm", "kmeans", "mog"}, func(k int) Model {
			return Model{build: func(y [][]float64) (problem, error) {
				m, err := latent.NewInferredClustering(y, k)
				return newTyped(m, err, kit[*latent.Clustering, *latent.ClusteringState]{
					simulate: given(func(s *latent.ClusteringState) estimators.Clusters { return s.Hyper },
						func(m *latent.Clustering, c chains.RealChooser,
							h estimators.Clusters) ([][]float64, *latent.ClusteringState) {
							return latent.SimulateClustering(c, len(m.Rows()), len(m.Rows()[0]), k, h)
						}),
					hyper: func(s *latent.ClusteringState) []hyper {
						return append([]hyper{{"variance of centres", s.Hyper.CentreVariance},
							{"variance of noise", s.Hyper.NoiseVariance}}, ordered("pi", s.Hyper.Pi)...)
					},
				})
			}}
		})
}

func lowRankForm() form {
	return withComponents("lowrank",
		"a matrix of rank K with noise, with unknown variances of both factors and of the noise", 5,
		[]string{"low-rank", "matrix", "pmf", "factorization"}, func(k int) Model {
			return Model{MeanZero: true, build: func(y [][]float64) (problem, error) {
				m, err := latent.NewInferredLowRank(y, k)
				return newTyped(m, err, kit[*latent.LowRank, *latent.LowRankState]{
					simulate: given(func(s *latent.LowRankState) estimators.Factors { return s.Hyper },
						func(m *latent.LowRank, c chains.RealChooser,
							h estimators.Factors) ([][]float64, *latent.LowRankState) {
							return latent.SimulateLowRank(c, len(m.Rows()), len(m.Rows()[0]), k, h)
						}),
					hyper: func(s *latent.LowRankState) []hyper {
						return []hyper{{"variance of U", s.Hyper.UVariance}, {
							"variance of V", s.Hyper.VVariance}, {"variance of noise", s.Hyper.NoiseVariance}}
					},
				})
			}}
		})
}

func binaryForm() form {
	return withComponents("binary",
		"K binary attributes of each row, with unknown probabilities and variances of features and noise", 10,
		[]string{"attributes", "ibp"}, func(k int) Model {
			return Model{build: func(y [][]float64) (problem, error) {
				m, err := latent.NewInferredBinary(y, k)
				return newTyped(m, err, kit[*latent.Binary, *latent.BinaryState]{
					simulate: given(func(s *latent.BinaryState) estimators.Attributes { return s.Hyper },
						func(m *latent.Binary, c chains.RealChooser,
							h estimators.Attributes) ([][]float64, *latent.BinaryState) {
							return latent.SimulateBinary(c, len(m.Rows()), len(m.Rows()[0]), k, h)
						}),
					hyper: func(s *latent.BinaryState) []hyper {
						return append([]hyper{{"variance of features", s.Hyper.FeatureVariance},
							{"variance of noise", s.Hyper.NoiseVariance}}, ordered("pi", s.Hyper.Pi)...)
					},
				})
			}}
		})
}

// ordered returns probabilities in descending order, since the numbering of components is
// arbitrary.
func ordered(name string, pi []float64) (list []hyper) {
	sorted := slices.Clone(pi)
	slices.SortStableFunc(sorted, func(a, b float64) int { return cmp.Compare(b, a) })
	for i, p := range sorted {
		list = append(list, hyper{fmt.Sprintf("%s %d", name, i+1), p})
	}
	return list
}

// given returns the simulate of a kit from a function that draws parameters and data with given
// hyperparameters. It first checks the hyperparameters of the state, which of returns.
func given[M, S any, H interface{ Validate() error }](of func(s S) H,
	draw func(m M, c chains.RealChooser, h H) ([][]float64, S)) func(c chains.RealChooser, m M,
	s S) ([][]float64, S, error) {
	return func(c chains.RealChooser, m M, s S) ([][]float64, S, error) {
		h := of(s)
		if err := h.Validate(); err != nil {
			var none S
			return nil, none, err
		}
		y, drawn := draw(m, c, h)
		return y, drawn, nil
	}
}

// plainForm returns the form of a model without arguments.
func plainForm(name, doc string, others []string, m Model) form {
	m.Name = name
	return form{
		Syntax:  name,
		Doc:     doc,
		Source:  "Grosse, Ancha and Roy 2016, Appendix C",
		Example: name,
		Others:  others,
		Parse:   func(selector.Args, selector.Nothing) (Model, error) { return m, nil },
	}
}

func linearForm() form {
	return plainForm("linear",
		"linear regression of the last column on the others, with unknown variances of weights and noise",
		[]string{"regression", "linear-regression", "ols"},
		Model{build: func(y [][]float64) (problem, error) {
			m, err := latent.NewRegression(y)
			return newTyped(m, err, kit[*latent.Regression, *latent.RegressionState]{
				simulate: given(func(s *latent.RegressionState) latent.RegressionHyper { return s.Hyper },
					(*latent.Regression).SimulateGiven),
				hyper: func(s *latent.RegressionState) []hyper {
					return []hyper{{"variance of weights", s.Hyper.WeightVariance},
						{"variance of noise", s.Hyper.NoiseVariance}}
				},
			})
		}})
}

func logisticForm() form {
	return plainForm("logistic",
		"logistic regression of the last column, of zeros and ones, on the others, with an unknown variance of weights",
		[]string{"logit", "logistic-regression"},
		Model{Classes: true, build: func(y [][]float64) (problem, error) {
			m, err := latent.NewLogistic(y)
			return newTyped(m, err, kit[*latent.Logistic, *latent.LogisticState]{
				simulate: given(func(s *latent.LogisticState) latent.LogisticHyper { return s.Hyper },
					(*latent.Logistic).SimulateGiven),
				hyper: func(s *latent.LogisticState) []hyper {
					return []hyper{{"variance of weights", s.Hyper.WeightVariance}}
				},
			})
		}})
}

func seriesForm() form {
	return plainForm("ar1", "a series of one column, each value a linear function of the one before it with noise",
		[]string{"ar", "autoregression", "timeseries"},
		Model{build: func(y [][]float64) (problem, error) {
			m, err := latent.NewAutoregression(y)
			return newTyped(m, err, kit[*latent.Autoregression, *latent.AutoregressionState]{
				simulate: given(func(s *latent.AutoregressionState) latent.AutoregressionHyper { return s.Hyper },
					(*latent.Autoregression).SimulateGiven),
				hyper: func(s *latent.AutoregressionState) []hyper {
					return []hyper{{"alpha", s.Hyper.Alpha}, {"beta", s.Hyper.Beta},
						{"variance of noise", s.Hyper.NoiseVariance}}
				},
			})
		}})
}
