package latent

import (
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/estimators"
)

// LogisticHyper is the hyperparameter of a logistic regression: the variance of the weights.
type LogisticHyper struct{ WeightVariance float64 }

// Validate returns an error if the variance is not positive, or not between 1e-40 and 1e40.
func (h LogisticHyper) Validate() error {
	return estimators.CheckVariance("the weights", h.WeightVariance)
}

// Logistic is the logistic regression of the last column of a table, of zeros and ones, on the
// others: log P(y_i = 1)/P(y_i = 0) is alpha + x_i beta, where alpha and all beta_k ~ N(0,
// WeightVariance). The variance is unknown, with the inverse gamma prior of shape and scale one.
//
// A path raises the likelihood to the power b. A move draws all weights by elliptical slice
// sampling, and then the variance.
//
// Only one goroutine may use a Logistic. Fork returns another one of the same data.
//
// Source: Grosse, Ancha and Roy 2016, Appendix C.
type Logistic struct {
	inParts[LogisticState]

	design   design
	nu, next []float64 // a draw from the prior of the weights, and a proposal
}

// LogisticState is a state of a Logistic. Call Refresh after writing to it.
type LogisticState struct {
	Weights []float64 // alpha, and after it beta
	Hyper   LogisticHyper

	logL float64 // the log likelihood, or NaN if it is not known
}

// NewLogistic returns the regression of a table, which it copies. It fails as NewRegression does,
// and for targets other than 0 and 1.
func NewLogistic(rows [][]float64) (*Logistic, error) {
	d, err := designOf(rows)
	if err != nil {
		return nil, err
	}
	if err := checkBinary(rows); err != nil {
		return nil, err
	}
	m := &Logistic{design: d}
	m.y = transposed(transposed(rows))
	m.makeRoom()
	return m, nil
}

func (m *Logistic) makeRoom() {
	m.owner, m.scan, m.model = m, m, "a logistic regression"
	m.design.makeRoom()
	m.nu = make([]float64, len(m.design.columns))
	m.next = make([]float64, len(m.design.columns))
}

// Fork returns an equal model, which another goroutine may use.
func (m *Logistic) Fork() *Logistic {
	fork := *m
	fork.makeRoom()
	return &fork
}

// WithData returns the same model of other data. It has no start. It fails as NewLogistic does.
func (m *Logistic) WithData(rows [][]float64) (*Logistic, error) { return NewLogistic(rows) }

// SimulateGiven draws weights from their prior given the hyperparameter, and a table with the same
// predictors and a new target. The state is an exact draw from the posterior of the weights given
// the new table and the hyperparameter. It panics if Validate returns an error.
func (m *Logistic) SimulateGiven(c chains.RealChooser, h LogisticHyper) ([][]float64, *LogisticState) {
	mustBeValid(h.Validate())
	s := m.drawState(c, h)
	return m.Redraw(c, s), s
}

// drawState draws a state from the prior given the hyperparameter.
func (m *Logistic) drawState(c chains.RealChooser, h LogisticHyper) *LogisticState {
	s := &LogisticState{make([]float64, len(m.design.columns)), h, math.NaN()}
	fillNormal(c, [][]float64{s.Weights}, len(s.Weights), h.WeightVariance)
	return s
}

// Redraw draws the target given a state.
func (m *Logistic) Redraw(c chains.RealChooser, s *LogisticState) [][]float64 {
	target := make([]float64, len(m.y))
	m.design.predict(target, s.Weights)
	for i, odds := range target {
		target[i] = float64(Bernoulli(odds).Sample(c))
	}
	return withTarget(m.y, target)
}

// Refresh updates what a state caches, after it was changed or was taken from a model of other
// data.
func (m *Logistic) Refresh(s *LogisticState) { s.logL = math.NaN() }

// Clone implements estimators.Model.
func (m *Logistic) Clone(s *LogisticState) *LogisticState {
	clone := *s
	clone.Weights = slices.Clone(s.Weights)
	return &clone
}

// Prior implements estimators.Model.
func (m *Logistic) Prior(c chains.RealChooser) *LogisticState {
	return m.drawState(c, LogisticHyper{variancePrior().Sample(c)})
}

// LogPrior returns the log prior density of a state, in nats.
func (m *Logistic) LogPrior(s *LogisticState) float64 {
	v := s.Hyper.WeightVariance
	return logNormal(len(s.Weights), dot(s.Weights, s.Weights), v) + variancePrior().LogDensity(v)
}

// logLikelihoodOf returns the log likelihood of weights, in nats.
func (m *Logistic) logLikelihoodOf(weights []float64) float64 {
	m.design.predict(m.design.rest, weights)
	logL := 0.0
	for i, odds := range m.design.rest {
		logL += Bernoulli(odds).LogDensity(int(m.design.target()[i]))
	}
	return logL
}

// LogLikelihood implements estimators.Model: b times the log likelihood.
func (m *Logistic) LogLikelihood(at chains.Place, s *LogisticState) float64 {
	if math.IsNaN(s.logL) {
		s.logL = m.logLikelihoodOf(s.Weights)
	}
	return at.Beta * s.logL
}

// drawWeights draws all weights by elliptical slice sampling.
func (m *Logistic) drawWeights(c chains.RealChooser, b float64, s *LogisticState) {
	sd := math.Sqrt(s.Hyper.WeightVariance)
	for k := range m.nu {
		m.nu[k] = sd * c.Normal()
	}
	e, drop := newEllipse(c)
	level := m.LogLikelihood(chains.At(b), s) - drop
	for {
		e.point(m.next, s.Weights, m.nu)
		if logL := m.logLikelihoodOf(m.next); b*logL >= level {
			copy(s.Weights, m.next)
			s.logL = logL
			return
		}
		e.shrink(c)
	}
}

// HyperGiven returns the distribution of the variance of the weights given these, at every b.
func (m *Logistic) HyperGiven(s *LogisticState) InverseGamma {
	return varianceGiven(1, len(s.Weights), dot(s.Weights, s.Weights))
}

func (m *Logistic) parts() int { return 2 }

// part draws the weights for i = 0, and the variance for i = 1.
func (m *Logistic) part(c chains.RealChooser, b float64, i int, s *LogisticState) {
	if i == 0 {
		m.drawWeights(c, b, s)
	} else {
		s.Hyper.WeightVariance = m.HyperGiven(s).Sample(c)
	}
}

// MoveWork implements estimators.Model: one evaluation for each number that is drawn. Rejected
// proposals are not counted.
func (m *Logistic) MoveWork() float64 { return float64(len(m.design.columns) + 1) }
