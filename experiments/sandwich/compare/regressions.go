package compare

import (
	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/toys/latent"
)

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
				hyper: func(s *latent.LogisticState) []Hyper {
					return []Hyper{{"variance of weights", s.Hyper.WeightVariance}}
				},
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
