package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/experiments/sandwich"
	"breadboard/toys/latent"
)

// withComponents returns the form of a model with K components.
func withComponents(name, doc string, standard int, others []string, model func(k int) Model) form {
	return form{
		Syntax: name + "[:K]", Doc: doc, Source: "Grosse, Ancha and Roy 2016, Appendix C", Example: fmt.Sprintf("%s:%d", name, standard), Others: others,
		Parse: func(args selector.Args, _ selector.Nothing) (Model, error) {
			k := standard
			if args.Given {
				var err error
				if k, err = selector.ParseWhole(args.Text, 1, sandwich.MaxComponents); err != nil {
					return Model{}, args.Errorf("K: %w; its hyperparameters are inferred, and not given", err)
				}
			}
			m := model(k)
			m.Name = name + ":" + strconv.Itoa(k)
			return m, nil
		},
	}
}

func clusteringForm() form {
	return withComponents("clustering", "normal clusters: K of them, with unknown probabilities and variances of centres and noise", 2,
		[]string{"mixture", "gmm", "kmeans", "mog"}, func(k int) Model {
			return Model{build: func(y [][]float64) (problem, error) {
				m, err := latent.NewInferredClustering(y, k)
				return newTyped(m, err, kit[*latent.Clustering, *latent.ClusteringState]{
					simulate: func(c chains.RealChooser, m *latent.Clustering, s *latent.ClusteringState) ([][]float64, *latent.ClusteringState, error) {
						if err := s.Hyper.Validate(); err != nil {
							return nil, nil, err
						}
						y, drawn := latent.SimulateClustering(c, len(m.Rows()), len(m.Rows()[0]), k, s.Hyper)
						return y, drawn, nil
					},
					hyper: func(s *latent.ClusteringState) []Hyper {
						return append([]Hyper{{"variance of centres", s.Hyper.CentreVariance}, {"variance of noise", s.Hyper.NoiseVariance}}, ordered("pi", s.Hyper.Pi)...)
					},
				})
			}}
		})
}

func lowRankForm() form {
	return withComponents("lowrank", "a matrix of rank K with noise, with unknown variances of both factors and of the noise", 5,
		[]string{"low-rank", "matrix", "pmf", "factorization"}, func(k int) Model {
			return Model{MeanZero: true, build: func(y [][]float64) (problem, error) {
				m, err := latent.NewInferredLowRank(y, k)
				return newTyped(m, err, kit[*latent.LowRank, *latent.LowRankState]{
					simulate: func(c chains.RealChooser, m *latent.LowRank, s *latent.LowRankState) ([][]float64, *latent.LowRankState, error) {
						if err := s.Hyper.Validate(); err != nil {
							return nil, nil, err
						}
						y, drawn := latent.SimulateLowRank(c, len(m.Rows()), len(m.Rows()[0]), k, s.Hyper)
						return y, drawn, nil
					},
					hyper: func(s *latent.LowRankState) []Hyper {
						return []Hyper{{"variance of U", s.Hyper.UVariance}, {"variance of V", s.Hyper.VVariance}, {"variance of noise", s.Hyper.NoiseVariance}}
					},
				})
			}}
		})
}

func binaryForm() form {
	return withComponents("binary", "K binary attributes of each row, with unknown probabilities and variances of features and noise", 10,
		[]string{"attributes", "ibp"}, func(k int) Model {
			return Model{build: func(y [][]float64) (problem, error) {
				m, err := latent.NewInferredBinary(y, k)
				return newTyped(m, err, kit[*latent.Binary, *latent.BinaryState]{
					simulate: func(c chains.RealChooser, m *latent.Binary, s *latent.BinaryState) ([][]float64, *latent.BinaryState, error) {
						if err := s.Hyper.Validate(); err != nil {
							return nil, nil, err
						}
						y, drawn := latent.SimulateBinary(c, len(m.Rows()), len(m.Rows()[0]), k, s.Hyper)
						return y, drawn, nil
					},
					hyper: func(s *latent.BinaryState) []Hyper {
						return append([]Hyper{{"variance of features", s.Hyper.FeatureVariance}, {"variance of noise", s.Hyper.NoiseVariance}}, ordered("pi", s.Hyper.Pi)...)
					},
				})
			}}
		})
}

// ordered returns probabilities from the largest down, since the numbers of components mean nothing.
func ordered(name string, pi []float64) (list []Hyper) {
	sorted := slices.Clone(pi)
	slices.SortFunc(sorted, func(a, b float64) int { return cmp.Compare(b, a) })
	for i, p := range sorted {
		list = append(list, Hyper{fmt.Sprintf("%s %d", name, i+1), p})
	}
	return list
}

// simulator is a model that draws parameters and data with given hyperparameters. What predicts stays as it is.
type simulator[H, S any] interface {
	SimulateGiven(c chains.RealChooser, h H) ([][]float64, S)
}

// simulateGiven returns the simulate of a kit of such a model. The function returns the hyperparameters of a state, which are checked before
// anything is drawn.
func simulateGiven[M simulator[H, S], S any, H interface{ Validate() error }](of func(s S) H) func(c chains.RealChooser, m M, s S) ([][]float64, S, error) {
	return func(c chains.RealChooser, m M, s S) ([][]float64, S, error) {
		h := of(s)
		if err := h.Validate(); err != nil {
			var none S
			return nil, none, err
		}
		y, drawn := m.SimulateGiven(c, h)
		return y, drawn, nil
	}
}

// plainForm returns the form of a model without arguments.
func plainForm(name, doc string, others []string, m Model) form {
	m.Name = name
	return form{
		Syntax: name, Doc: doc, Source: "Grosse, Ancha and Roy 2016, Appendix C", Example: name, Others: others,
		Parse: func(selector.Args, selector.Nothing) (Model, error) { return m, nil },
	}
}

func linearForm() form {
	return plainForm("linear", "linear regression of the last column on the others, with unknown variances of weights and noise", []string{"regression", "linear-regression", "ols"},
		Model{build: func(y [][]float64) (problem, error) {
			m, err := latent.NewRegression(y)
			return newTyped(m, err, kit[*latent.Regression, *latent.RegressionState]{
				simulate: simulateGiven[*latent.Regression](func(s *latent.RegressionState) latent.RegressionHyper { return s.Hyper }),
				hyper: func(s *latent.RegressionState) []Hyper {
					return []Hyper{{"variance of weights", s.Hyper.WeightVariance}, {"variance of noise", s.Hyper.NoiseVariance}}
				},
			})
		}})
}

func logisticForm() form {
	return plainForm("logistic", "logistic regression of the last column, of zeros and ones, on the others, with an unknown variance of weights", []string{"logit", "logistic-regression"},
		Model{Classes: true, build: func(y [][]float64) (problem, error) {
			m, err := latent.NewLogistic(y)
			return newTyped(m, err, kit[*latent.Logistic, *latent.LogisticState]{
				simulate: simulateGiven[*latent.Logistic](func(s *latent.LogisticState) latent.LogisticHyper { return s.Hyper }),
				hyper:    func(s *latent.LogisticState) []Hyper { return []Hyper{{"variance of weights", s.Hyper.WeightVariance}} },
			})
		}})
}

func seriesForm() form {
	return plainForm("ar1", "a series of one column, each value a linear function of the one before it with noise", []string{"ar", "autoregression", "timeseries"},
		Model{build: func(y [][]float64) (problem, error) {
			m, err := latent.NewAutoregression(y)
			return newTyped(m, err, kit[*latent.Autoregression, *latent.AutoregressionState]{
				simulate: simulateGiven[*latent.Autoregression](func(s *latent.AutoregressionState) latent.AutoregressionHyper { return s.Hyper }),
				hyper: func(s *latent.AutoregressionState) []Hyper {
					return []Hyper{{"alpha", s.Hyper.Alpha}, {"beta", s.Hyper.Beta}, {"variance of noise", s.Hyper.NoiseVariance}}
				},
			})
		}})
}
