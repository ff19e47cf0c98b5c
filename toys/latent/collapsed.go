package latent

import (
	"math"

	"breadboard/chains"
	"breadboard/chains/estimators"
)

// CollapsedLowRank is a LowRank of known hyperparameters whose U is integrated out: the rows of the
// data are independent, y_i ~ N(0, UVariance V'V + NoiseVariance I). A path raises this density to
// the power b. A move draws the columns of V in turn by elliptical slice sampling, each K numbers.
//
// Only one goroutine may use a CollapsedLowRank. Fork returns another one of the same data.
//
// Source: Grosse, Ancha and Roy 2016, section 5.2.1, which prints standard deviations where
// variances are meant.
type CollapsedLowRank struct {
	exactDraw[CollapsedLowRankState]

	full  *LowRank    // the same model, U kept
	pairs [][]float64 // Y'Y

	column columnSlice
}

// CollapsedLowRankState is a state of a CollapsedLowRank. Call Refresh after writing to it.
type CollapsedLowRankState struct {
	V     [][]float64 // K rows of D entries: V[k][j] is v_kj
	Hyper estimators.Factors

	logL float64 // the log likelihood, or NaN if it is not known
}

// NewCollapsedLowRank returns the model of data y with K components. It fails as NewLowRank does.
func NewCollapsedLowRank(y [][]float64, k int, hyper estimators.Factors) (*CollapsedLowRank, error) {
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
	m.y, m.owner, m.model = full.y, m, "a collapsed low-rank model"
	m.column = newColumnSlice(k)
	return m, nil
}

// FromFull returns an uncollapsed state without its U. It is an exact draw from the posterior if
// the uncollapsed state is one.
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

// Fork returns an equal model, which another goroutine may use.
func (m *CollapsedLowRank) Fork() *CollapsedLowRank {
	fork := *m
	fork.owner, fork.full, fork.column = &fork, m.full.Fork(), newColumnSlice(m.full.k)
	return &fork
}

// WithData returns the same model of other data, of any numbers of rows and columns. It has no
// start. It fails as NewLowRank does.
func (m *CollapsedLowRank) WithData(y [][]float64) (*CollapsedLowRank, error) {
	return NewCollapsedLowRank(y, m.full.k, m.full.hyper)
}

// Redraw draws data given a state. U is drawn from its prior on the way.
func (m *CollapsedLowRank) Redraw(c chains.RealChooser, s *CollapsedLowRankState) [][]float64 {
	full := m.full.newState()
	copyRows(full.V, s.V)
	full.Hyper = s.Hyper
	full.rows = len(m.y)
	fillNormal(c, full.U, full.rows, s.Hyper.UVariance)
	return m.full.Redraw(c, full)
}

// Refresh updates what a state caches, after it was changed or was taken from a model of other
// data.
func (m *CollapsedLowRank) Refresh(s *CollapsedLowRankState) { s.logL = math.NaN() }

// Clone implements estimators.Model.
func (m *CollapsedLowRank) Clone(s *CollapsedLowRankState) *CollapsedLowRankState {
	clone := m.newState()
	copyRows(clone.V, s.V)
	clone.Hyper = s.Hyper
	clone.logL = s.logL
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

// LogLikelihood implements estimators.Model: b times the log likelihood. It takes O(NKD) if the
// state has changed.
func (m *CollapsedLowRank) LogLikelihood(at chains.Place, s *CollapsedLowRankState) float64 {
	if math.IsNaN(s.logL) {
		s.logL = m.full.block.logMarginal(m.y, s.V, s.Hyper.UVariance, s.Hyper.NoiseVariance, m.full.rest)
	}
	return at.Beta * s.logL
}

// Move implements estimators.Model: it draws the columns of V, from the first to the last.
func (m *CollapsedLowRank) Move(c chains.RealChooser, at chains.Place,
	s *CollapsedLowRankState) *CollapsedLowRankState {
	m.column.recompute(s, m.pairs)
	for j := range m.pairs {
		m.drawColumn(c, at.Beta, j, s)
	}
	m.Refresh(s)
	return s
}

// Back implements estimators.Model: it draws the columns of V, from the last to the first. Each
// draw is its own time reversal.
func (m *CollapsedLowRank) Back(c chains.RealChooser, at chains.Place,
	s *CollapsedLowRankState) *CollapsedLowRankState {
	m.column.recompute(s, m.pairs)
	for j := len(m.pairs) - 1; j >= 0; j-- {
		m.drawColumn(c, at.Beta, j, s)
	}
	m.Refresh(s)
	return s
}

// drawColumn draws column j of V.
func (m *CollapsedLowRank) drawColumn(c chains.RealChooser, b float64, j int, s *CollapsedLowRankState) {
	m.column.removeColumn(j, s, m.pairs[j])
	m.column.drawSlice(c, b, float64(len(m.y)), s.Hyper)
	m.column.addColumn(j, s)
}

// MoveWork implements estimators.Model: one evaluation for each number that is drawn. Rejected
// proposals are not counted.
func (m *CollapsedLowRank) MoveWork() float64 { return float64(m.full.k * len(m.pairs)) }

// columnSlice draws a column v of V given the other ones. With S = Y'Y and r =
// NoiseVariance/UVariance the log likelihood depends on V by
//
//	-N/2 log det(VV' + rI) + tr((VV' + rI)^-1 V S V')/(2 NoiseVariance),
//
// and it keeps both K by K matrices while a scan goes through the columns. Without the column they
// are M and Q, and with w the sum of S_jl v_l over the other columns l, the matrices with it are M
// + vv' and Q + vw' + wv' + S_jj vv'. The Sherman-Morrison formula then leaves, with a = M^-1 v and
// q = v'a, what logOf computes in O(K^2).
type columnSlice struct {
	k            int
	outer, inner []float64 // VV' and V S V', all rows, or without a column M - rI and Q
	factor       *cholesky // of M
	w            []float64
	own          float64   // S_jj
	v, nu, next  []float64 // the column, a draw from its prior, and a proposal
	a            []float64
}

// newColumnSlice returns room for columns of k numbers.
func newColumnSlice(k int) columnSlice {
	room := zeros(5, k)
	return columnSlice{
		k: k, outer: make([]float64, k*k), inner: make([]float64, k*k), factor: newCholesky(k),
		w: room[0], v: room[1], nu: room[2], next: room[3], a: room[4],
	}
}

// recompute computes both matrices of a state anew, so that rounding does not grow from scan to
// scan. It takes O(K D^2 + K^2 D).
func (s *columnSlice) recompute(x *CollapsedLowRankState, pairs [][]float64) {
	clear(s.outer)
	clear(s.inner)
	for j, row := range pairs {
		s.setColumnSum(x, row)
		for k, v := range x.V {
			s.v[k] = v[j]
			for l, w := range x.V[:k+1] {
				s.outer[k*s.k+l] += v[j] * w[j]
			}
		}
		for k, v := range s.v {
			for l := range k + 1 {
				s.inner[k*s.k+l] += v * s.w[l]
			}
		}
	}
}

// setColumnSum computes w as the sum of row_l v_l over all columns.
func (s *columnSlice) setColumnSum(x *CollapsedLowRankState, row []float64) {
	for k, v := range x.V {
		s.w[k] = dot(v, row)
	}
}

// removeColumn takes column j out of both matrices.
func (s *columnSlice) removeColumn(j int, x *CollapsedLowRankState, row []float64) {
	for k, v := range x.V {
		s.v[k] = v[j]
	}
	s.own = row[j]
	s.setColumnSum(x, row)
	for k, v := range s.v {
		s.w[k] -= s.own * v
	}
	s.addSquares(-1)
	copy(s.factor.l, s.outer)
	r := x.Hyper.NoiseVariance / x.Hyper.UVariance
	for k := range s.k {
		s.factor.l[k*s.k+k] += r
	}
	s.factor.factorise()
}

// addSquares adds the column to the lower triangles of both matrices, times one or minus one.
func (s *columnSlice) addSquares(sign float64) {
	for k, v := range s.v {
		for l, w := range s.v[:k+1] {
			s.outer[k*s.k+l] += sign * v * w
			s.inner[k*s.k+l] += sign * (v*s.w[l] + s.w[k]*w + s.own*v*w)
		}
	}
}

// addColumn writes the column to a state, and adds it to both matrices.
func (s *columnSlice) addColumn(j int, x *CollapsedLowRankState) {
	for k, v := range s.v {
		x.V[k][j] = v
	}
	s.addSquares(1)
}

// drawSlice draws the column by elliptical slice sampling, under the likelihood of n data to the
// power b.
func (s *columnSlice) drawSlice(c chains.RealChooser, b, n float64, h estimators.Factors) {
	sd := math.Sqrt(h.VVariance)
	for k := range s.nu {
		s.nu[k] = sd * c.Normal()
	}
	e, drop := newEllipse(c)
	level := b*s.logOf(s.v, n, h.NoiseVariance) - drop
	for {
		e.point(s.next, s.v, s.nu)
		if b*s.logOf(s.next, n, h.NoiseVariance) >= level {
			s.v, s.next = s.next, s.v
			return
		}
		e.shrink(c)
	}
}

// logOf returns the log likelihood as a function of the column v, less a constant.
func (s *columnSlice) logOf(v []float64, n, noise float64) float64 {
	copy(s.a, v)
	s.factor.forward(s.a)
	s.factor.backward(s.a)
	q := dot(v, s.a)
	w := dot(s.w, s.a)
	square := 0.0
	for k, a := range s.a {
		row := s.inner[k*s.k : k*s.k+k+1]
		square += a * (2*dot(row[:k], s.a[:k]) + row[k]*a)
	}
	return -n/2*math.Log1p(q) + (2*w+s.own*q-square)/(1+q)/(2*noise)
}
