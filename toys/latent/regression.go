package latent

import (
	"cmp"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/estimators"
)

// RegressionHyper are the hyperparameters of a linear regression: the variances of the weights and
// of the noise.
type RegressionHyper struct{ WeightVariance, NoiseVariance float64 }

// Validate returns an error if a variance is not positive, or not between 1e-40 and 1e40.
func (h RegressionHyper) Validate() error {
	return cmp.Or(estimators.CheckVariance("the weights", h.WeightVariance),
		estimators.CheckVariance("the noise", h.NoiseVariance))
}

// Regression is the linear regression of the last column of a table on the others: y_i ~ N(alpha +
// x_i beta, NoiseVariance), where alpha and all beta_k ~ N(0, WeightVariance). Both variances are
// unknown, with the inverse gamma prior of shape and scale one.
//
// A path raises the likelihood to the power b. A move draws the weights given the rest, all at
// once, and then the variances.
//
// Only one goroutine may use a Regression. Fork returns another one of the same data.
//
// Source: Grosse, Ancha and Roy 2016, Appendix C.
type Regression struct {
	inParts[RegressionState]

	design design
}

// RegressionState is a state of a Regression. Call Refresh after writing to it.
type RegressionState struct {
	Weights []float64 // alpha, and after it beta
	Hyper   RegressionHyper

	square float64 // the sum of squares that the prediction leaves, or NaN if it is not known
}

// NewRegression returns the regression of a table, which it copies. It fails for a table without
// rows or with fewer than two columns, for rows of different lengths, and for numbers that are not
// finite or exceed 1e40.
func NewRegression(rows [][]float64) (*Regression, error) {
	d, err := designOf(rows)
	if err != nil {
		return nil, err
	}
	m := &Regression{design: d}
	m.y = transposed(transposed(rows))
	m.makeRoom()
	return m, nil
}

// Fork returns an equal model, which another goroutine may use.
func (m *Regression) Fork() *Regression {
	fork := *m
	fork.makeRoom()
	return &fork
}

func (m *Regression) makeRoom() {
	m.owner, m.scan, m.model = m, m, "a regression"
	m.design.makeRoom()
}

// WithData returns the same model of other data. It has no start. It fails as NewRegression does.
func (m *Regression) WithData(rows [][]float64) (*Regression, error) { return NewRegression(rows) }

// SimulateGiven draws weights from their prior given hyperparameters, and a table with the same
// predictors and a new target. The state is an exact draw from the posterior of the weights given
// the new table and the hyperparameters. It panics if Validate returns an error.
func (m *Regression) SimulateGiven(c chains.RealChooser, h RegressionHyper) ([][]float64, *RegressionState) {
	mustBeValid(h.Validate())
	s := &RegressionState{make([]float64, len(m.design.columns)), h, math.NaN()}
	fillNormal(c, [][]float64{s.Weights}, len(s.Weights), h.WeightVariance)
	return m.Redraw(c, s), s
}

// Redraw draws the target given a state.
func (m *Regression) Redraw(c chains.RealChooser, s *RegressionState) [][]float64 {
	target := make([]float64, len(m.y))
	sd := math.Sqrt(s.Hyper.NoiseVariance)
	m.design.predict(target, s.Weights)
	for i := range target {
		target[i] += sd * c.Normal()
	}
	return withTarget(m.y, target)
}

// Refresh updates what a state caches, after it was changed or was taken from a model of other
// data.
func (m *Regression) Refresh(s *RegressionState) { s.square = math.NaN() }

// Clone implements estimators.Model.
func (m *Regression) Clone(s *RegressionState) *RegressionState {
	clone := *s
	clone.Weights = slices.Clone(s.Weights)
	return &clone
}

// Prior implements estimators.Model.
func (m *Regression) Prior(c chains.RealChooser) *RegressionState {
	prior := variancePrior()
	s := &RegressionState{
		make([]float64, len(m.design.columns)), RegressionHyper{prior.Sample(c), prior.Sample(c)}, math.NaN()}
	fillNormal(c, [][]float64{s.Weights}, len(s.Weights), s.Hyper.WeightVariance)
	return s
}

// LogPrior returns the log prior density of a state, in nats.
func (m *Regression) LogPrior(s *RegressionState) float64 {
	h := s.Hyper
	prior := variancePrior()
	return logNormal(len(s.Weights), dot(s.Weights, s.Weights), h.WeightVariance) +
		prior.LogDensity(h.WeightVariance) + prior.LogDensity(h.NoiseVariance)
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
	return at.Beta * logNormal(len(m.y), m.squareOf(s), s.Hyper.NoiseVariance)
}

// WeightsGiven returns the distribution of the weights given the hyperparameters of a state, under
// the likelihood to the power b. It is valid until the next call.
func (m *Regression) WeightsGiven(b float64, s *RegressionState) Gaussian {
	return m.design.weightsGiven(b, s.Hyper.WeightVariance, s.Hyper.NoiseVariance)
}

// HyperGiven returns the distributions of the variances of the weights and of the noise given the
// weights of a state, under the likelihood to the power b. The two are independent.
func (m *Regression) HyperGiven(b float64, s *RegressionState) [2]InverseGamma {
	return [2]InverseGamma{
		varianceGiven(1, len(s.Weights), dot(s.Weights, s.Weights)),
		varianceGiven(b, len(m.y), m.squareOf(s)),
	}
}

func (m *Regression) parts() int { return 2 }

// part draws the weights for i = 0, and the variances for i = 1.
func (m *Regression) part(c chains.RealChooser, b float64, i int, s *RegressionState) {
	if i == 0 {
		m.WeightsGiven(b, s).sample(c, s.Weights)
		m.Refresh(s)
	} else {
		h := m.HyperGiven(b, s)
		s.Hyper = RegressionHyper{h[0].Sample(c), h[1].Sample(c)}
	}
}

// MoveWork implements estimators.Model: one evaluation for each number that is drawn.
func (m *Regression) MoveWork() float64 { return float64(len(m.design.columns) + 2) }

// design is what a regression is made of: the target y_i is predicted by the sum over k of w_k
// columns[k][i]. It also has room to work in.
type design struct {
	columns [][]float64
	targets [][]float64 // the target, as the only row

	block Block
	rest  []float64 // what the prediction leaves of the target
}

// makeRoom allocates memory that no other design shares.
func (d *design) makeRoom() {
	d.block = newBlock(len(d.columns), 1)
	d.rest = make([]float64, len(d.targets[0]))
}

// designOf returns the design of a table whose last column is the target. The first column of the
// design is the intercept's, all ones, and the others are those of the table. It fails for what
// checkRows refuses, and for a table of one column.
func designOf(rows [][]float64) (design, error) {
	if err := estimators.CheckRows(rows); err != nil {
		return design{}, err
	}
	if len(rows[0]) < 2 {
		return design{}, errs.New(
			"one column; a regression takes at least one column that predicts and, after it, the target",
		)
	}
	byColumn := transposed(rows)
	last := len(byColumn) - 1
	return design{
		columns: append([][]float64{ones(len(rows))}, byColumn[:last]...),
		targets: byColumn[last:],
	}, nil
}

func ones(n int) []float64 {
	out := slices.Repeat([]float64{1}, n)
	return out
}

// withTarget returns a copy of a table with another last column.
func withTarget(rows [][]float64, target []float64) [][]float64 {
	out := transposed(transposed(rows))
	for i, row := range out {
		row[len(row)-1] = target[i]
	}
	return out
}

func (d *design) target() []float64 { return d.targets[0] }

// predict writes the prediction of the target to dst.
func (d *design) predict(dst, weights []float64) {
	clear(dst)
	for k, column := range d.columns {
		for i, v := range column {
			dst[i] += weights[k] * v
		}
	}
}

// squareOf returns the sum of the squares that the prediction leaves of the target.
func (d *design) squareOf(weights []float64) float64 {
	return residual(d.rest, d.target(), weights, d.columns)
}

// weightsGiven returns the distribution of the weights given variances of weights and noise, under
// the likelihood to the power b.
func (d *design) weightsGiven(b, variance, noise float64) Gaussian {
	d.block.setConditional(d.targets, d.columns, variance, noise, b)
	return d.block.RowLaw(0)
}

// checkBinary returns an error if the last column of a table has anything but zeros and ones.
func checkBinary(rows [][]float64) error {
	for i, row := range rows {
		if v := row[len(row)-1]; v != 0 && v != 1 {
			return errs.New("row %d: the target is %v; it must be 0 or 1", i+1, v)
		}
	}
	return nil
}
