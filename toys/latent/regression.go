package latent

import (
	"math"

	"breadboard/chains"
)

// RegressionHyper are the hyperparameters of a linear regression: the variances of the weights and of the noise.
type RegressionHyper struct{ WeightVariance, NoiseVariance float64 }

// Validate returns an error where a variance is not positive, or not between 1e-40 and 1e40.
func (h RegressionHyper) Validate() error {
	return checkVariances(variance{"the weights", h.WeightVariance}, variance{"the noise", h.NoiseVariance})
}

// Regression is the linear regression of the last column of a table on the others: y_i ~ N(alpha + x_i beta, NoiseVariance), where alpha and
// all beta_k ~ N(0, WeightVariance). Both variances are unknown, with the inverse gamma prior of shape and scale one.
//
// A path raises the likelihood to the power b. A move draws the weights given the rest, all at once, and then the variances.
//
// Only one goroutine may use a Regression. Fork returns another one of the same data.
//
// Source: Grosse, Ancha and Roy 2016, Appendix C.
type Regression struct {
	exactDraw[RegressionState]

	rows   [][]float64
	design design
}

// RegressionState is a state of a Regression. Whoever writes to it calls Refresh.
type RegressionState struct {
	Weights []float64 // alpha, and after it beta
	Hyper   RegressionHyper

	square float64 // the sum of squares that the prediction leaves, or NaN where it is not known
}

// NewRegression returns the regression of a table, which it copies. It fails for a table without rows or with fewer than two columns, for
// rows of different lengths, and for numbers that are not finite or exceed 1e40.
func NewRegression(rows [][]float64) (*Regression, error) {
	d, err := designOf(rows)
	if err != nil {
		return nil, err
	}
	m := &Regression{rows: transposed(transposed(rows)), design: d}
	m.owner, m.model = m, "a regression"
	return m, nil
}

// Rows returns the data. The caller must not change them.
func (m *Regression) Rows() [][]float64 { return m.rows }

// Fork returns an equal model, which another goroutine may use.
func (m *Regression) Fork() *Regression {
	fork := *m
	fork.owner = &fork
	fork.design.makeRoom()
	return &fork
}

// WithData returns the same model of other data. It has no start. It fails as NewRegression does.
func (m *Regression) WithData(rows [][]float64) (*Regression, error) { return NewRegression(rows) }

// SimulateGiven draws weights from their prior given hyperparameters, and a table with the same columns that predict and a new target. The
// state is an exact draw from the posterior of the weights given that table and the hyperparameters. It panics where Validate refuses these.
func (m *Regression) SimulateGiven(c chains.RealChooser, h RegressionHyper) ([][]float64, *RegressionState) {
	if err := h.Validate(); err != nil {
		panic("latent: " + err.Error())
	}
	s := &RegressionState{make([]float64, len(m.design.columns)), h, math.NaN()}
	fillNormal(c, [][]float64{s.Weights}, len(s.Weights), h.WeightVariance)
	return m.Redraw(c, s), s
}

// Redraw draws the target given a state.
func (m *Regression) Redraw(c chains.RealChooser, s *RegressionState) [][]float64 {
	target, sd := make([]float64, len(m.rows)), math.Sqrt(s.Hyper.NoiseVariance)
	m.design.predict(target, s.Weights)
	for i := range target {
		target[i] += sd * c.Normal()
	}
	return withTarget(m.rows, target)
}

// Refresh makes a state that somebody has written, or that comes from a model of other data, one of this model.
func (m *Regression) Refresh(s *RegressionState) { s.square = math.NaN() }

// Clone implements estimators.Model.
func (m *Regression) Clone(s *RegressionState) *RegressionState {
	clone := *s
	clone.Weights = append([]float64(nil), s.Weights...)
	return &clone
}

// Prior implements estimators.Model.
func (m *Regression) Prior(c chains.RealChooser) *RegressionState {
	prior := variancePrior()
	s := &RegressionState{make([]float64, len(m.design.columns)), RegressionHyper{prior.Sample(c), prior.Sample(c)}, math.NaN()}
	fillNormal(c, [][]float64{s.Weights}, len(s.Weights), s.Hyper.WeightVariance)
	return s
}

// LogPrior returns the log prior density of a state, in nats.
func (m *Regression) LogPrior(s *RegressionState) float64 {
	h, prior := s.Hyper, variancePrior()
	return logNormal(len(s.Weights), dot(s.Weights, s.Weights), h.WeightVariance) + prior.LogDensity(h.WeightVariance) + prior.LogDensity(h.NoiseVariance)
}

// squareOf returns the sum of the squares that the prediction leaves.
func (m *Regression) squareOf(s *RegressionState) float64 {
	if math.IsNaN(s.square) {
		s.square = m.design.squareOf(s.Weights)
	}
	return s.square
}

// LogLikelihood implements estimators.Model: b times the log likelihood.
func (m *Regression) LogLikelihood(at chains.Place, s *RegressionState) float64 {
	return at.Beta * logNormal(len(m.rows), m.squareOf(s), s.Hyper.NoiseVariance)
}

// LogStep implements estimators.Model.
func (m *Regression) LogStep(from, to chains.Place, s *RegressionState) float64 {
	return from.StepTo(to) * m.LogLikelihood(chains.At(1), s)
}

// Move implements estimators.Model.
func (m *Regression) Move(c chains.RealChooser, at chains.Place, s *RegressionState) *RegressionState {
	m.drawWeights(c, at.Beta, s)
	m.drawHyper(c, at.Beta, s)
	return s
}

// Back implements estimators.Model: the parts of Move, each of which is its own time reversal, in reverse order.
func (m *Regression) Back(c chains.RealChooser, at chains.Place, s *RegressionState) *RegressionState {
	m.drawHyper(c, at.Beta, s)
	m.drawWeights(c, at.Beta, s)
	return s
}

// WeightsGiven returns the distribution of the weights given the hyperparameters of a state, under the likelihood to the power b. It belongs
// to m until the next call.
func (m *Regression) WeightsGiven(b float64, s *RegressionState) Gaussian {
	return m.design.weightsGiven(b, s.Hyper.WeightVariance, s.Hyper.NoiseVariance)
}

// HyperGiven returns the distributions of the variances of the weights and of the noise given the weights of a state, under the likelihood
// to the power b. The two are independent.
func (m *Regression) HyperGiven(b float64, s *RegressionState) [2]InverseGamma {
	return [2]InverseGamma{
		varianceGiven(1, len(s.Weights), dot(s.Weights, s.Weights)),
		varianceGiven(b, len(m.rows), m.squareOf(s)),
	}
}

func (m *Regression) drawWeights(c chains.RealChooser, b float64, s *RegressionState) {
	m.WeightsGiven(b, s).Sample(c, s.Weights)
	m.Refresh(s)
}

func (m *Regression) drawHyper(c chains.RealChooser, b float64, s *RegressionState) {
	h := m.HyperGiven(b, s)
	s.Hyper = RegressionHyper{h[0].Sample(c), h[1].Sample(c)}
}

// MoveWork implements estimators.Model: one evaluation for each number that is drawn.
func (m *Regression) MoveWork() float64 { return float64(len(m.design.columns) + 2) }
