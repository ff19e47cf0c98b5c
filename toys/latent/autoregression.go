package latent

import (
	"math"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/estimators"
	"breadboard/chains/number"
)

// AutoregressionHyper are the hyperparameters of an Autoregression, which are all of its state: the
// intercept, the coefficient, and the variance of the noise.
type AutoregressionHyper struct{ Alpha, Beta, NoiseVariance float64 }

// The prior of the coefficient is N(1, 0.1^2), since the next value is likely to be near the one
// before it.
const (
	coefficientMean = 1
	coefficientSD   = 0.1
)

// Validate returns an error if alpha or beta is not finite or exceeds 1e40 in size, or if the
// variance is not between 1e-40 and 1e40.
func (h AutoregressionHyper) Validate() error {
	if !(math.Abs(h.Alpha) <= estimators.MaxDatum && math.Abs(h.Beta) <= estimators.MaxDatum) {
		return errs.New("alpha is %v and beta is %v; both must be between %v and %v", h.Alpha, h.Beta,
			-estimators.MaxDatum, estimators.MaxDatum)
	}
	return estimators.CheckVariance("the noise", h.NoiseVariance)
}

// Autoregression is the autoregression of order one of a series, given its first value: y_n ~
// N(alpha + beta y_(n-1), NoiseVariance) for n = 2..N, where alpha ~ N(0, 1), beta ~ N(1, 0.1^2),
// and the variance has the inverse gamma prior of shape and scale one.
//
// It is a linear regression of the differences y_n - y_(n-1) whose weights, alpha and (beta -
// 1)/0.1, are standard normal. A path raises the likelihood to the power b. A move draws the
// weights given the rest, both at once, and then the variance.
//
// Only one goroutine may use an Autoregression. Fork returns another one of the same data.
//
// Source: Grosse, Ancha and Roy 2016, Appendix C, whose program takes standard deviations.
type Autoregression struct {
	inParts[AutoregressionState]

	design  design
	weights []float64
}

// AutoregressionState is a state of an Autoregression. Call Refresh after writing to it.
type AutoregressionState struct {
	Hyper AutoregressionHyper

	square float64 // the sum of squares that the prediction leaves, or NaN if it is not known
}

// NewAutoregression returns the autoregression of a series, a table of one column, which it copies.
// It fails for fewer than two rows, for more than one column, and for numbers that are not finite
// or exceed 1e40.
func NewAutoregression(rows [][]float64) (*Autoregression, error) {
	if err := estimators.CheckRows(rows); err != nil {
		return nil, err
	}
	if len(rows) < 2 || len(rows[0]) != 1 {
		return nil, errs.New("%d rows of %d columns; a series has at least two rows of one column",
			len(rows), len(rows[0]))
	}
	m := &Autoregression{}
	m.y = transposed(transposed(rows))
	series := transposed(rows)[0]
	before := make([]float64, len(rows)-1)
	steps := make([]float64, len(rows)-1)
	for i := range steps {
		before[i], steps[i] = coefficientSD*series[i], series[i+1]-series[i]*coefficientMean
	}
	m.design = design{columns: [][]float64{ones(len(steps)), before}, targets: [][]float64{steps}}
	m.makeRoom()
	return m, nil
}

// Fork returns an equal model, which another goroutine may use.
func (m *Autoregression) Fork() *Autoregression {
	fork := *m
	fork.makeRoom()
	return &fork
}

// makeRoom allocates memory that no other model shares.
func (m *Autoregression) makeRoom() {
	m.owner, m.scan, m.model = m, m, "an autoregression"
	m.design.makeRoom()
	m.weights = make([]float64, 2)
}

// WithData returns the same model of other data. It has no start. It fails as NewAutoregression
// does.
func (m *Autoregression) WithData(rows [][]float64) (*Autoregression, error) {
	return NewAutoregression(rows)
}

// SimulateGiven draws a series of the same length and first value given hyperparameters, which are
// all of its state. It panics if Validate returns an error.
func (m *Autoregression) SimulateGiven(c chains.RealChooser,
	h AutoregressionHyper) ([][]float64, *AutoregressionState) {
	mustBeValid(h.Validate())
	s := &AutoregressionState{h, math.NaN()}
	return m.Redraw(c, s), s
}

// Redraw draws the series after its first value given a state.
func (m *Autoregression) Redraw(c chains.RealChooser, s *AutoregressionState) [][]float64 {
	y := zeros(len(m.y), 1)
	sd := math.Sqrt(s.Hyper.NoiseVariance)
	y[0][0] = m.y[0][0]
	for i := 1; i < len(y); i++ {
		y[i][0] = s.Hyper.Alpha + s.Hyper.Beta*y[i-1][0] + sd*c.Normal()
	}
	return y
}

// Refresh updates what a state caches, after it was changed or was taken from a model of other
// data.
func (m *Autoregression) Refresh(s *AutoregressionState) { s.square = math.NaN() }

// Clone implements estimators.Model.
func (m *Autoregression) Clone(s *AutoregressionState) *AutoregressionState {
	clone := *s
	return &clone
}

// Prior implements estimators.Model.
func (m *Autoregression) Prior(c chains.RealChooser) *AutoregressionState {
	s := &AutoregressionState{Hyper: AutoregressionHyper{NoiseVariance: variancePrior().Sample(c)}}
	m.weights[0], m.weights[1] = c.Normal(), c.Normal()
	m.write(s)
	return s
}

// write gives a state the intercept and the coefficient of the weights.
func (m *Autoregression) write(s *AutoregressionState) {
	s.Hyper.Alpha = m.weights[0]
	s.Hyper.Beta = coefficientMean + coefficientSD*m.weights[1]
	m.Refresh(s)
}

// setWeights sets the weights to those of a state.
func (m *Autoregression) setWeights(s *AutoregressionState) {
	m.weights[0], m.weights[1] = s.Hyper.Alpha, (s.Hyper.Beta-coefficientMean)/coefficientSD
}

// LogPrior returns the log prior density of a state, in nats.
func (m *Autoregression) LogPrior(s *AutoregressionState) float64 {
	m.setWeights(s)
	return logNormal(2, dot(m.weights, m.weights), 1) - number.Log(coefficientSD) +
		variancePrior().LogDensity(s.Hyper.NoiseVariance)
}

// squareOf returns the sum of the squares that the prediction leaves.
func (m *Autoregression) squareOf(s *AutoregressionState) float64 {
	if math.IsNaN(s.square) {
		m.setWeights(s)
		s.square = m.design.squareOf(m.weights)
	}
	return s.square
}

// LogLikelihood implements estimators.Model: b times the log likelihood.
func (m *Autoregression) LogLikelihood(at chains.Place, s *AutoregressionState) float64 {
	return at.Beta * logNormal(len(m.design.target()), m.squareOf(s), s.Hyper.NoiseVariance)
}

// WeightsGiven returns the distribution of alpha and (beta - 1)/0.1 given the variance of a state,
// under the likelihood to the power b. It is valid until the next call.
func (m *Autoregression) WeightsGiven(b float64, s *AutoregressionState) Gaussian {
	return m.design.weightsGiven(b, 1, s.Hyper.NoiseVariance)
}

// NoiseGiven returns the distribution of the variance given alpha and beta of a state, under the
// likelihood to the power b.
func (m *Autoregression) NoiseGiven(b float64, s *AutoregressionState) InverseGamma {
	return varianceGiven(b, len(m.design.target()), m.squareOf(s))
}

func (m *Autoregression) parts() int { return 2 }

// part draws the weights for i = 0, and the variance for i = 1.
func (m *Autoregression) part(c chains.RealChooser, b float64, i int, s *AutoregressionState) {
	if i == 0 {
		m.WeightsGiven(b, s).sample(c, m.weights)
		m.write(s)
	} else {
		s.Hyper.NoiseVariance = m.NoiseGiven(b, s).Sample(c)
	}
}

// MoveWork implements estimators.Model: one evaluation for each number that is drawn.
func (m *Autoregression) MoveWork() float64 { return 3 }
