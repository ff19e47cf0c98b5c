package latent

import (
	"math"

	"breadboard/chains"
)

// CollapsedLowRank is a LowRank of known hyperparameters whose U is integrated out: the rows of the data are independent, y_i ~ N(0,
// UVariance V'V + NoiseVariance I). A path raises this density to the power b. A move draws the columns of V in turn by elliptical slice
// sampling, each K numbers.
//
// Only one goroutine may use a CollapsedLowRank. Fork returns another one of the same data.
//
// Source: Grosse, Ancha and Roy 2016, section 5.2.1, which prints standard deviations where variances are meant.
type CollapsedLowRank struct {
	exactDraw[CollapsedLowRankState]

	full  *LowRank    // the same model, U kept
	pairs [][]float64 // Y'Y

	column columnSlice
}

// CollapsedLowRankState is a state of a CollapsedLowRank. Whoever writes to it calls Refresh.
type CollapsedLowRankState struct {
	V     [][]float64 // K rows of D entries: V[k][j] is v_kj
	Hyper LowRankHyper

	logL float64 // the log likelihood, or NaN where it is not known
}

// NewCollapsedLowRank returns the model of data y with K components. It fails as NewLowRank does.
func NewCollapsedLowRank(y [][]float64, k int, hyper LowRankHyper) (*CollapsedLowRank, error) {
	full, err := NewLowRank(y, k, hyper)
	if err != nil {
		return nil, err
	}
	m := &CollapsedLowRank{full: full, pairs: zeros(len(y[0]), len(y[0]))}
	for i, v := range full.byColumn {
		for j, w := range full.byColumn {
			m.pairs[i][j] = dot(v, w)
		}
	}
	m.owner, m.model = m, "a collapsed low-rank model"
	m.column = newColumnSlice(k)
	return m, nil
}

// FromFull returns the state that an uncollapsed state is without its U: an exact draw from the posterior where that is one.
func (m *CollapsedLowRank) FromFull(s *LowRankState) *CollapsedLowRankState {
	x := m.newState()
	copyRows(x.V, s.V)
	x.Hyper = s.Hyper
	return x
}

// newState returns a state whose entries are zero.
func (m *CollapsedLowRank) newState() *CollapsedLowRankState {
	return &CollapsedLowRankState{zeros(m.full.k, len(m.pairs)), m.full.hyper, math.NaN()}
}

// Rows returns the data. The caller must not change them.
func (m *CollapsedLowRank) Rows() [][]float64 { return m.full.y }

// Components returns K.
func (m *CollapsedLowRank) Components() int { return m.full.k }

// Fork returns an equal model, which another goroutine may use.
func (m *CollapsedLowRank) Fork() *CollapsedLowRank {
	fork := *m
	fork.owner, fork.full, fork.column = &fork, m.full.Fork(), newColumnSlice(m.full.k)
	return &fork
}

// WithData returns the same model of other data, of any numbers of rows and columns. It has no start. It fails as NewLowRank does.
func (m *CollapsedLowRank) WithData(y [][]float64) (*CollapsedLowRank, error) {
	return NewCollapsedLowRank(y, m.full.k, m.full.hyper)
}

// Redraw draws data given a state. U is drawn from its prior on the way.
func (m *CollapsedLowRank) Redraw(c chains.RealChooser, s *CollapsedLowRankState) [][]float64 {
	full := m.full.newState()
	copyRows(full.V, s.V)
	full.Hyper, full.rows = s.Hyper, len(m.full.y)
	fillNormal(c, full.U, full.rows, s.Hyper.UVariance)
	return m.full.Redraw(c, full)
}

// Refresh makes a state whose factor or hyperparameters somebody has written, or which comes from a model of other data, one of this model.
func (m *CollapsedLowRank) Refresh(s *CollapsedLowRankState) { s.logL = math.NaN() }

// Clone implements estimators.Model.
func (m *CollapsedLowRank) Clone(s *CollapsedLowRankState) *CollapsedLowRankState {
	clone := m.newState()
	copyRows(clone.V, s.V)
	clone.Hyper, clone.logL = s.Hyper, s.logL
	return clone
}

// Prior implements estimators.Model.
func (m *CollapsedLowRank) Prior(c chains.RealChooser) *CollapsedLowRankState {
	s := m.newState()
	fillNormal(c, s.V, len(m.pairs), s.Hyper.VVariance)
	return s
}

// LogPrior returns the log prior density of a state, in nats.
func (m *CollapsedLowRank) LogPrior(s *CollapsedLowRankState) float64 {
	return logNormal(m.full.k*len(m.pairs), squares(s.V, len(m.pairs)), s.Hyper.VVariance)
}

// LogLikelihood implements estimators.Model: b times the log likelihood. It takes O(NKD) where the state has moved.
func (m *CollapsedLowRank) LogLikelihood(at chains.Place, s *CollapsedLowRankState) float64 {
	if math.IsNaN(s.logL) {
		s.logL = m.full.block.logMarginal(m.full.y, s.V, s.Hyper.UVariance, s.Hyper.NoiseVariance, m.full.rest)
	}
	return at.Beta * s.logL
}

// LogStep implements estimators.Model.
func (m *CollapsedLowRank) LogStep(from, to chains.Place, s *CollapsedLowRankState) float64 {
	return from.StepTo(to) * m.LogLikelihood(chains.At(1), s)
}

// Move implements estimators.Model: it draws the columns of V, from the first to the last.
func (m *CollapsedLowRank) Move(c chains.RealChooser, at chains.Place, s *CollapsedLowRankState) *CollapsedLowRankState {
	m.column.begin(s, m.pairs)
	for j := range m.pairs {
		m.draw(c, at.Beta, j, s)
	}
	m.Refresh(s)
	return s
}

// Back implements estimators.Model: it draws the columns of V, from the last to the first. Each draw is its own time reversal.
func (m *CollapsedLowRank) Back(c chains.RealChooser, at chains.Place, s *CollapsedLowRankState) *CollapsedLowRankState {
	m.column.begin(s, m.pairs)
	for j := len(m.pairs) - 1; j >= 0; j-- {
		m.draw(c, at.Beta, j, s)
	}
	m.Refresh(s)
	return s
}

// draw draws column j of V.
func (m *CollapsedLowRank) draw(c chains.RealChooser, b float64, j int, s *CollapsedLowRankState) {
	m.column.take(j, s, m.pairs[j])
	m.column.draw(c, b, float64(len(m.full.y)), s.Hyper)
	m.column.put(j, s)
}

// MoveWork implements estimators.Model: one evaluation for each number that is drawn. Proposals that are refused are not counted.
func (m *CollapsedLowRank) MoveWork() float64 { return float64(m.full.k * len(m.pairs)) }
