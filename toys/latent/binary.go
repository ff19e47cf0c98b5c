package latent

import (
	"cmp"
	"math"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/estimators"
	"breadboard/chains/number"
	"breadboard/toys/models"
)

// Binary is a model of binary attributes with K features, which are integrated out. The
// hyperparameters are known, or they are part of the state: the variances then have inverse gamma
// priors of shape and scale one, and the probabilities are uniform between 0 and 1.
//
// It implements estimators.Transitional and estimators.Constrained, and Along returns it along its
// data. Where attributes are linear combinations of one another, conditionals lose about as many
// digits as N K FeatureVariance/NoiseVariance has. Drawn hyperparameters have a ratio with more
// than ten with a probability of 1e-10.
//
// Source: Grosse, Ghahramani and Adams 2015, section 6; Doshi-Velez and Ghahramani 2009 for the
// scan.
type Binary struct {
	discrete[BinaryState, *BinaryState]
	hyper estimators.Attributes

	features *features
	row      rowState
	odds     attributeOdds
	spectrum *spectrum
}

// BinaryState is a state of a model of binary attributes of the first len(Z)/K rows. Code that
// changes it from outside calls Refresh before it is used.
type BinaryState struct {
	Z     []int // the attributes, 0 or 1, K for each row: Z[i*K+k] is z_ik
	Hyper estimators.Attributes
	gram  []float64   // Z'Z, K numbers a row, which are whole
	cross [][]float64 // Z'Y, K rows
}

// NewBinary returns the model of a table with k attributes and fixed hyperparameters, all of which
// it copies. It fails if there are not k probabilities, where the hyperparameters are not valid,
// and if the table is empty or ragged, or has a number that is not finite or exceeds 1e40.
func NewBinary(y [][]float64, k int, hyper estimators.Attributes) (*Binary, error) {
	return buildBinary(y, k, hyper, false)
}

// NewInferredBinary returns the model of a table with k attributes whose hyperparameters are part
// of the state. It fails as NewBinary does.
func NewInferredBinary(y [][]float64, k int) (*Binary, error) {
	return buildBinary(y, k, estimators.EvenAttributes(k), true)
}

func buildBinary(y [][]float64, k int, hyper estimators.Attributes, inferred bool) (*Binary, error) {
	if len(hyper.Pi) != k {
		return nil, errs.New("%d attributes with %d probabilities; give one for each", k, len(hyper.Pi))
	}
	if err := cmp.Or(hyper.Validate(), estimators.CheckRows(y)); err != nil {
		return nil, err
	}
	m := &Binary{hyper: hyper.Clone()}
	m.y = transposed(transposed(y))
	m.k = k
	m.inferred = inferred
	m.makeRoom()
	return m, nil
}

// makeRoom allocates the memory in which moves compute.
func (m *Binary) makeRoom() {
	m.owner, m.self, m.model, m.latents = m, m, "a model of binary attributes", "binary attributes"
	columns := len(m.y[0])
	m.features = newFeatures(m.k, columns)
	m.row = newRowState(m.k, columns)
	m.odds = attributeOdds{make([]float64, m.k), make([]float64, m.k)}
	m.spectrum = newSpectrum(m.k, columns)
	m.replay = m.empty()
}

// Fork returns an equal model for another goroutine. The two share the data and what Posterior
// returns clones of.
func (m *Binary) Fork() *Binary {
	fork := *m
	fork.makeRoom()
	return &fork
}

// WithData returns the same model of other data. A state of the one is a state of the other after
// Refresh, if there are as many rows. It has no exact draw of its posterior until Start. It fails
// as NewBinary does.
func (m *Binary) WithData(y [][]float64) (*Binary, error) {
	return buildBinary(y, m.k, m.hyper, m.inferred)
}

// empty returns the state of no data.
func (m *Binary) empty() *BinaryState {
	return &BinaryState{
		Z:     make([]int, 0, len(m.y)*m.k),
		Hyper: m.hyper.Clone(),
		gram:  make([]float64, m.k*m.k),
		cross: zeros(m.k, len(m.y[0])),
	}
}

// Clone implements estimators.Model.
func (m *Binary) Clone(s *BinaryState) *BinaryState {
	clone := m.empty()
	clone.set(s)
	return clone
}

func (s *BinaryState) latents() []int { return s.Z }

func (s *BinaryState) set(x *BinaryState) {
	s.Z = append(s.Z[:0], x.Z...)
	s.Hyper, s.Hyper.Pi = x.Hyper, append(s.Hyper.Pi[:0], x.Hyper.Pi...)
	copy(s.gram, x.gram)
	copyRows(s.cross, x.cross)
}

// Refresh computes what the state keeps of its attributes anew. It takes N K (K + D) additions
// where all attributes are set.
func (m *Binary) Refresh(s *BinaryState) {
	if len(s.cross) != m.k || len(s.cross[0]) != len(m.y[0]) {
		s.gram, s.cross = make([]float64, m.k*m.k), zeros(m.k, len(m.y[0]))
	}
	clear(s.gram)
	for _, row := range s.cross {
		clear(row)
	}
	for i := range m.rowsOf(s) {
		m.addRow(i, s)
	}
}

// rowsOf returns of how many rows s is a state.
func (m *Binary) rowsOf(s *BinaryState) int { return len(s.Z) / m.k }

func (m *Binary) attributesOf(i int, s *BinaryState) []int { return s.Z[i*m.k : (i+1)*m.k] }

// addRow adds row i to what is kept, and removeRow takes it out.
func (m *Binary) addRow(i int, s *BinaryState)    { m.tally(i, 1, s) }
func (m *Binary) removeRow(i int, s *BinaryState) { m.tally(i, -1, s) }

// tally adds row i, times one or minus one, to what is kept. Of an attribute that no row has after
// that no rounding is left.
func (m *Binary) tally(i int, sign float64, s *BinaryState) {
	z := m.attributesOf(i, s)
	for k, set := range z {
		if set == 0 {
			continue
		}
		for l, other := range z {
			s.gram[k*m.k+l] += sign * float64(other)
		}
		if s.gram[k*m.k+k] == 0 {
			clear(s.cross[k])
			continue
		}
		addTo(s.cross[k], m.y[i], sign)
	}
}

// Prior implements estimators.Model.
func (m *Binary) Prior(c chains.RealChooser) *BinaryState {
	s := m.emptyState(c)
	for i := range m.y {
		s.Z = append(s.Z, m.row.bits...) // which are drawn below
		for k, p := range s.Hyper.Pi {
			s.Z[i*m.k+k] = flip(c, p)
		}
		m.addRow(i, s)
	}
	return s
}

// flip draws 1 with probability p, and else 0.
func flip(c chains.Chooser, p float64) int {
	if c.Flip(p) {
		return 1
	}
	return 0
}

// emptyState returns the state of no data, with hyperparameters from their prior where they are
// unknown.
func (m *Binary) emptyState(c chains.RealChooser) *BinaryState {
	s := m.empty()
	if m.inferred {
		s.Hyper.FeatureVariance, s.Hyper.NoiseVariance = variancePrior().Sample(c), variancePrior().Sample(c)
		for k := range s.Hyper.Pi {
			s.Hyper.Pi[k] = Beta{1, 1}.sample(c)
		}
	}
	return s
}

// LogPrior returns the log prior probability of the attributes given the hyperparameters, in nats,
// and if these are unknown adds their log density.
func (m *Binary) LogPrior(s *BinaryState) float64 {
	total := 0.0
	for i, z := range s.Z {
		total += logBit(s.Hyper.Pi[i%m.k], z)
	}
	if m.inferred { // that of the probabilities is one
		total += variancePrior().LogDensity(s.Hyper.FeatureVariance) +
			variancePrior().LogDensity(s.Hyper.NoiseVariance)
	}
	return total
}

// logBit returns the log probability of 0 or 1, where 1 has probability p.
func logBit(p float64, z int) float64 {
	if z == 0 {
		return math.Log1p(-p)
	}
	return number.Log(p)
}

// LogLikelihood implements estimators.Model: the likelihood of the first len(s.Z)/K rows. It takes
// some 10 K^3 + 3 K^2 D + N K D operations.
func (m *Binary) LogLikelihood(at chains.Place, s *BinaryState) float64 {
	return m.gaussian(s).LogLikelihood(at.Beta, m.fitOf(s))
}

// LogStep implements estimators.Model.
func (m *Binary) LogStep(from, to chains.Place, s *BinaryState) float64 {
	return m.gaussian(s).LogStep(from, to, m.fitOf(s))
}

// gaussian returns what the likelihood depends on beside the fit.
func (m *Binary) gaussian(s *BinaryState) models.Gaussian {
	return models.Gaussian{
		Rows:    m.rowsOf(s),
		Columns: len(m.y[0]),
		Noise:   s.Hyper.NoiseVariance,
		Signal:  s.Hyper.Signal(),
	}
}

// fitOf returns the fit of a state. What the features leave of the data is summed up row by row,
// not found as a difference of squares.
func (m *Binary) fitOf(s *BinaryState) models.Fit {
	m.spectrum.decompose(s.gram, s.cross)
	f := &m.spectrum.fit
	f.Rest = 0
	for i := range m.rowsOf(s) {
		copy(m.row.rest, m.y[i])
		for k, set := range m.attributesOf(i, s) {
			if set == 1 {
				addTo(m.row.rest, m.spectrum.best[k], -1)
			}
		}
		f.Rest += dot(m.row.rest, m.row.rest)
	}
	return *f
}

// SimulateBinary draws attributes, features and a table of n rows and d columns from the model with
// k attributes. The state is an exact draw from the posterior given the table. It panics if
// NewBinary would fail.
func SimulateBinary(c chains.RealChooser, n, d, k int,
	hyper estimators.Attributes) (y [][]float64, s *BinaryState) {
	m, err := NewBinary(zeros(n, d), k, hyper)
	mustBeValid(err)
	s = m.Prior(c)
	m.y = m.Redraw(c, s)
	m.Refresh(s)
	return m.y, s
}

// Redraw draws a table given the attributes and the hyperparameters of a state. The features are
// drawn from their prior on the way.
func (m *Binary) Redraw(c chains.RealChooser, s *BinaryState) [][]float64 {
	columns := len(m.y[0])
	features := zeros(m.k, columns)
	y := zeros(m.rowsOf(s), columns)
	fillNormal(c, features, columns, s.Hyper.FeatureVariance)
	fillNormal(c, y, columns, s.Hyper.NoiseVariance)
	for i, row := range y {
		for k, set := range m.attributesOf(i, s) {
			if set == 1 {
				addTo(row, features[k], 1)
			}
		}
	}
	return y
}
