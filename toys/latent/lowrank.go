package latent

import (
	"math"

	"breadboard/chains"
	"breadboard/chains/estimators"
)

// LowRank approximates data of N rows and D columns by the product of two matrices: y_ij ~
// N((UV)_ij, NoiseVariance), where U has N rows of K entries u_ik ~ N(0, UVariance), and V has K
// rows of D entries v_kj ~ N(0, VVariance). The hyperparameters are known, or they are part of the
// state, each variance with the inverse gamma prior of shape and scale one.
//
// A path raises the likelihood to the power b, so that U given V is normal at every b, and V given
// U. A move draws first U and then V, each at once, and then the hyperparameters where they are
// unknown.
//
// Only one goroutine may use a LowRank. Fork returns another one of the same data.
//
// Source: Grosse, Ghahramani and Adams 2015, section 6; Grosse, Ancha and Roy 2016, sections 5.2.1
// and Appendix C.
type LowRank struct {
	inParts[LowRankState]

	byColumn [][]float64 // the data by column
	k        int
	hyper    estimators.Factors
	inferred bool

	block   Block
	rest    []float64   // what the product leaves of a row or a column
	first   [][]float64 // the parts of the rows of U that belong to the data of a state
	keep    *LowRankState
	lengths []float64 // squared lengths of the rows of a factor
}

// LowRankState is a state of a LowRank: its factors, by component, and its hyperparameters. Call
// Refresh after writing to it.
type LowRankState struct {
	U     [][]float64 // K rows of N entries: U[k][i] is u_ik
	V     [][]float64 // K rows of D entries: V[k][j] is v_kj
	Hyper estimators.Factors

	rows   int     // of how many data: entries of U from there on have no meaning
	square float64 // the sum of the squares that UV leaves of the data, or NaN if it is not known
}

// NewLowRankState returns the state with these factors, which it keeps: K rows of N entries and K
// rows of D.
func NewLowRankState(u, v [][]float64, hyper estimators.Factors) *LowRankState {
	return &LowRankState{U: u, V: v, Hyper: hyper, rows: len(u[0]), square: math.NaN()}
}

// NewLowRank returns the model of data y with K components and known hyperparameters. It copies the
// data. It fails for data without rows or columns, for rows of different lengths, for numbers that
// are not finite or exceed 1e40, for hyperparameters that Validate refuses, and where not 1 <= K <
// min(N, D).
func NewLowRank(y [][]float64, k int, hyper estimators.Factors) (*LowRank, error) {
	if err := hyper.Validate(); err != nil {
		return nil, err
	}
	return buildLowRank(y, k, hyper, false)
}

// NewInferredLowRank returns the model of data y with K components whose hyperparameters are part
// of the state. It fails as NewLowRank does.
func NewInferredLowRank(y [][]float64, k int) (*LowRank, error) {
	return buildLowRank(y, k, estimators.EqualFactors(), true)
}

func buildLowRank(y [][]float64, k int, hyper estimators.Factors, inferred bool) (*LowRank, error) {
	if err := estimators.CheckRows(y); err != nil {
		return nil, err
	}
	if err := estimators.CheckRank(k, y); err != nil {
		return nil, err
	}
	m := &LowRank{byColumn: transposed(y), k: k, hyper: hyper, inferred: inferred}
	m.y = transposed(m.byColumn)
	m.makeRoom()
	return m, nil
}

// makeRoom allocates the memory in which moves compute.
func (m *LowRank) makeRoom() {
	m.owner, m.scan, m.model = m, m, "a low-rank model"
	side := max(len(m.y), len(m.byColumn))
	m.block = newBlock(m.k, side)
	m.rest = make([]float64, side)
	m.first = make([][]float64, m.k)
	m.lengths = make([]float64, m.k)
	m.keep = m.newState()
}

// newState returns a state of no data whose entries are zero.
func (m *LowRank) newState() *LowRankState {
	all := zeros(m.k, len(m.y)+len(m.byColumn))
	s := &LowRankState{Hyper: m.hyper, square: math.NaN()}
	for _, row := range all {
		s.U = append(s.U, row[:len(m.y):len(m.y)])
		s.V = append(s.V, row[len(m.y):])
	}
	return s
}

// SimulateLowRank draws a state of a model of n rows and d columns with k components from its
// prior, with known hyperparameters, and data given it. The state is an exact draw from the
// posterior given the data. It panics if NewLowRank would fail.
func SimulateLowRank(c chains.RealChooser, n, d, k int,
	hyper estimators.Factors) (y [][]float64, s *LowRankState) {
	m, err := NewLowRank(zeros(n, d), k, hyper)
	mustBeValid(err)
	s = m.Prior(c)
	return m.Redraw(c, s), s
}

// Components returns K.
func (m *LowRank) Components() int { return m.k }

// Inferred reports whether the hyperparameters are part of the state.
func (m *LowRank) Inferred() bool { return m.inferred }

// Fork returns an equal model, which another goroutine may use.
func (m *LowRank) Fork() *LowRank {
	fork := *m
	fork.makeRoom()
	return &fork
}

// WithData returns the same model of other data, of any numbers of rows and columns. It has no
// start. It fails as NewLowRank does.
func (m *LowRank) WithData(y [][]float64) (*LowRank, error) {
	return buildLowRank(y, m.k, m.hyper, m.inferred)
}

// Redraw draws data given a state.
func (m *LowRank) Redraw(c chains.RealChooser, s *LowRankState) [][]float64 {
	y := zeros(len(m.y), len(m.byColumn))
	fillNormal(c, y, len(m.byColumn), s.Hyper.NoiseVariance)
	for i, row := range y {
		for k, v := range s.V {
			u := s.U[k][i]
			for j := range row {
				row[j] += u * v[j]
			}
		}
	}
	return y
}

// Refresh updates what a state caches, after it was changed or was taken from a model of other
// data.
func (m *LowRank) Refresh(s *LowRankState) { s.square = math.NaN() }

// Clone implements estimators.Model.
func (m *LowRank) Clone(s *LowRankState) *LowRankState {
	clone := m.newState()
	clone.copyFrom(s)
	return clone
}

// copyFrom makes a state equal to another one.
func (s *LowRankState) copyFrom(x *LowRankState) {
	copyRows(s.U, x.U)
	copyRows(s.V, x.V)
	s.Hyper = x.Hyper
	s.rows = x.rows
	s.square = x.square
}

// Prior implements estimators.Model.
func (m *LowRank) Prior(c chains.RealChooser) *LowRankState {
	s := m.emptyState(c)
	s.rows = len(m.y)
	fillNormal(c, s.U, s.rows, s.Hyper.UVariance)
	return s
}

// emptyState draws a state of no data from the prior: hyperparameters, if they are unknown, and V.
func (m *LowRank) emptyState(c chains.RealChooser) *LowRankState {
	s := m.newState()
	if m.inferred {
		prior := variancePrior()
		s.Hyper = estimators.Factors{
			UVariance:     prior.Sample(c),
			VVariance:     prior.Sample(c),
			NoiseVariance: prior.Sample(c),
		}
	}
	fillNormal(c, s.V, len(m.byColumn), s.Hyper.VVariance)
	return s
}

// variancePrior returns the prior of an unknown variance.
//
// Source: Grosse, Ghahramani and Adams 2015, section 6.3; Grosse, Ancha and Roy 2016, Appendix C.
func variancePrior() InverseGamma { return InverseGamma{1, 1} }

// LogPrior returns the log prior density of a state, in nats.
func (m *LowRank) LogPrior(s *LowRankState) float64 {
	h := s.Hyper
	logs := logNormal(m.k*s.rows, squares(s.U, s.rows), h.UVariance) +
		logNormal(m.k*len(m.byColumn), squares(s.V, len(m.byColumn)), h.VVariance)
	if m.inferred {
		for _, v := range []float64{h.UVariance, h.VVariance, h.NoiseVariance} {
			logs += variancePrior().LogDensity(v)
		}
	}
	return logs
}

// squareOf returns the sum of the squares that UV leaves of the data of a state. It takes O(NKD)
// where the state has moved.
func (m *LowRank) squareOf(s *LowRankState) float64 {
	if math.IsNaN(s.square) {
		rest := m.rest[:len(m.byColumn)]
		s.square = 0
		for i, y := range m.y[:s.rows] {
			m.block.copyEntries(s.U, i)
			s.square += residual(rest, y, m.block.row, s.V)
		}
	}
	return s.square
}

// LogLikelihood implements estimators.Model: b times the log likelihood.
func (m *LowRank) LogLikelihood(at chains.Place, s *LowRankState) float64 {
	return at.Beta * logNormal(s.rows*len(m.byColumn), m.squareOf(s), s.Hyper.NoiseVariance)
}

// MoveWork implements estimators.Model: one evaluation for each number that is drawn.
func (m *LowRank) MoveWork() float64 { return m.scanWork(len(m.y)) }

// scanWork returns how many numbers a scan over the first t data draws.
func (m *LowRank) scanWork(t int) float64 {
	work := m.k * (t + len(m.byColumn))
	if m.inferred {
		work += 3
	}
	return float64(work)
}
