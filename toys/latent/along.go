package latent

import (
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/number"
)

// rowsAlong is what models of discrete latent variables share along their data, a row after
// another.
type rowsAlong[S any] struct {
	model interface {
		Rows() [][]float64
		Inferred() bool
		Posterior(c chains.RealChooser) *S
		emptyState(c chains.RealChooser) *S
		drawHyperparameters(c chains.RealChooser, b float64, s *S)
		scanWork(t int) float64
	}
	along interface {
		ExtendBy(c chains.Chooser, t int, q estimators.Proposal, s *S) (logWeight float64)
		MoveBy(c chains.Chooser, i int, s *S)
		BackBy(c chains.Chooser, i int, s *S)
	}
	latents string // what the variables are, for messages
	values  int    // how many values the variables of a row have together
}

// Data implements estimators.Data.
func (a *rowsAlong[S]) Data() int { return len(a.model.Rows()) }

// Posterior implements estimators.Data if t is the number of all data: it returns a clone of the
// start. It panics for fewer data.
func (a *rowsAlong[S]) Posterior(c chains.RealChooser, t int) *S {
	mustBeAll(t, a.Data(), a.latents)
	return a.model.Posterior(c)
}

// mustBeAll panics if t data are not all n.
func mustBeAll(t, n int, model string) {
	if t != n {
		panic("latent: Posterior of the first data of " + model +
			", of which there are no exact draws; make scans in place of perfect moves")
	}
}

// Extend implements estimators.Data.
func (a *rowsAlong[S]) Extend(c chains.RealChooser, t int, q estimators.Proposal, s *S) (*S, float64) {
	if t == 1 {
		s = a.model.emptyState(c)
	}
	return s, a.along.ExtendBy(c, t, q, s)
}

// Moves implements estimators.Data. Each move draws the latent variables of a row; if the
// hyperparameters are unknown, one more draws these. With one row and known hyperparameters there
// are no moves, since a proposal draws the variables of the first row from their posterior.
func (a *rowsAlong[S]) Moves(t int) int {
	switch {
	case a.model.Inferred():
		return t + 1
	case t == 1:
		return 0
	}
	return t
}

// Move implements estimators.Data. If the hyperparameters are unknown, the first move draws them.
func (a *rowsAlong[S]) Move(c chains.RealChooser, _, i int, s *S) *S {
	return a.by(a.along.MoveBy, c, i, s)
}

// Back implements estimators.Data.
func (a *rowsAlong[S]) Back(c chains.RealChooser, _, i int, s *S) *S {
	return a.by(a.along.BackBy, c, i, s)
}

// by makes move i of a scan, that of a row by move.
func (a *rowsAlong[S]) by(move func(c chains.Chooser, i int, s *S), c chains.RealChooser, i int, s *S) *S {
	if a.model.Inferred() {
		i--
	}
	if i < 0 {
		a.model.drawHyperparameters(c, 1, s)
	} else {
		move(c, i, s)
	}
	return s
}

// ScanWork implements estimators.Data.
func (a *rowsAlong[S]) ScanWork(t int) float64 {
	if a.Moves(t) == 0 {
		return 0
	}
	return a.model.scanWork(t)
}

// ExtendWork implements estimators.Data: the posterior evaluates all values of the new row's
// variables, and the prior only the values drawn.
func (a *rowsAlong[S]) ExtendWork(_ int, q estimators.Proposal) float64 {
	if q == estimators.ProposePrior {
		return 1
	}
	return float64(a.values)
}

// DropWork implements estimators.Data: one evaluation for the value before, if there are data
// before, and under the posterior one for each other value of the row's variables.
func (a *rowsAlong[S]) DropWork(t int, q estimators.Proposal) float64 {
	return a.ExtendWork(t, q) - float64(max(0, 2-t))
}

// BinaryAlong is a model of binary attributes along its data. It implements estimators.Data. A
// state of no data is nil; if the hyperparameters are unknown, they are drawn from their prior
// before the first row.
//
// A move draws the attributes of a row in turn. Exact draws from the posterior are known only for
// all data, so sequential Monte Carlo uses scans, not perfect moves.
type BinaryAlong struct {
	*Binary
	rowsAlong[BinaryState]
	patterns *Categorical // the attributes of a new row: z_0 counts 2^(K-1), and z_(K-1) counts 1
	rows     []rowState   // with the first k attributes of a pattern, for k = 0..K
}

// maxPatterned is the most attributes of which a proposal weighs all patterns.
const maxPatterned = 16

// Along returns the model along its data. It shares the memory of m, so that only one goroutine may
// use both. A proposal weighs all 2^K patterns of attributes of a row: it panics for more than 16
// attributes.
func (m *Binary) Along() *BinaryAlong {
	if m.k > maxPatterned {
		panic(fmt.Sprintf("latent: %d attributes along the data, of which all patterns are weighed; take at most %d",
			m.k, maxPatterned))
	}
	a := &BinaryAlong{Binary: m, patterns: newCategorical(1 << m.k), rows: make([]rowState, m.k+1)}
	a.rowsAlong = rowsAlong[BinaryState]{m, a, m.latents, 1 << m.k}
	for k := range a.rows {
		a.rows[k] = newRowState(m.k, len(m.y[0]))
	}
	return a
}

// ExtendBy is Extend for any Chooser, on a state that is not nil. It returns the log weight.
func (a *BinaryAlong) ExtendBy(c chains.Chooser, t int, q estimators.Proposal,
	s *BinaryState) (logWeight float64) {
	a.setPatterns(t, s)
	s.Z = append(s.Z, a.row.bits...)
	z := a.attributesOf(t-1, s)
	if q == estimators.ProposePrior {
		for k, p := range s.Hyper.Pi {
			z[k] = flip(c, p)
		}
	} else {
		pattern := a.patterns.Sample(c)
		for k := range z {
			z[k] = pattern >> (a.k - 1 - k) & 1
		}
	}
	logWeight = a.logWeight(q, z, s)
	a.addRow(t-1, s)
	return logWeight
}

// Drop implements estimators.Data.
func (a *BinaryAlong) Drop(t int, q estimators.Proposal, s *BinaryState) (*BinaryState, float64) {
	a.removeRow(t-1, s)
	z := a.attributesOf(t-1, s)
	s.Z = s.Z[:(t-1)*a.k]
	a.setPatterns(t, s)
	logWeight := a.logWeight(q, z, s)
	if t == 1 {
		return nil, logWeight
	}
	return s, logWeight
}

// setPatterns makes patterns the distribution of the attributes of row t, whose logarithms are
// those of the joint density with the row over that without, apart from the constant of the
// density.
func (a *BinaryAlong) setPatterns(t int, s *BinaryState) {
	a.setConditionals(1, s)
	a.rows[0].setRow(a.y[t-1], nil, a.features)
	a.branch(0, 0, 0, s)
}

// branch weighs the patterns that begin with the first k attributes of a pattern, which have this
// log prior probability.
func (a *BinaryAlong) branch(k, pattern int, logPrior float64, s *BinaryState) {
	row := &a.rows[k]
	if k == a.k {
		row.law = a.row.law
		a.patterns.Logs[pattern] = logPrior + row.logDensity()
		return
	}
	for z := range 2 {
		next := &a.rows[k+1]
		copy(next.rest, row.rest)
		copy(next.along, row.along)
		if z == 1 {
			next.toggleFeature(k, 1, a.features)
		}
		a.branch(k+1, 2*pattern+z, logPrior+logBit(s.Hyper.Pi[k], z), s)
	}
}

// logWeight returns the log weight of a new row with attributes z: the log predictive density of
// the row with these, or under the posterior with any. It is for the row of the last call of weigh.
func (a *BinaryAlong) logWeight(q estimators.Proposal, z []int, s *BinaryState) float64 {
	constant := logNormal(len(a.y[0]), 0, s.Hyper.NoiseVariance)
	if q == estimators.ProposePosterior {
		return constant + number.LogSumExp(a.patterns.Logs)
	}
	pattern := 0
	logPrior := 0.0
	for k, set := range z {
		pattern = 2*pattern + set
		logPrior += logBit(s.Hyper.Pi[k], set)
	}
	return constant + a.patterns.Logs[pattern] - logPrior
}

// MoveBy draws the attributes of row i for any Chooser.
func (a *BinaryAlong) MoveBy(c chains.Chooser, i int, s *BinaryState) {
	a.drawn.c = c
	if i == 0 {
		a.Refresh(s)
	}
	a.updateRow(&a.drawn, 1, i, s)
}

// BackBy is the time reversal of MoveBy.
func (a *BinaryAlong) BackBy(c chains.Chooser, i int, s *BinaryState) {
	a.drawn.c = c
	if i == a.rowsOf(s)-1 {
		a.Refresh(s)
	}
	a.updateRowBack(&a.drawn, 1, i, s)
}

// ClusteringAlong is a clustering along its data. It implements estimators.Data. A state of no data
// is nil; if the hyperparameters are unknown, they are drawn from their prior before the first row.
//
// A move draws the cluster of a row. Exact draws from the posterior are known only for all data, so
// sequential Monte Carlo uses scans, not perfect moves.
type ClusteringAlong struct {
	*Clustering
	rowsAlong[ClusteringState]
}

// Along returns the model along its data. It shares the memory of m, so that only one goroutine may
// use both.
func (m *Clustering) Along() *ClusteringAlong {
	a := &ClusteringAlong{Clustering: m}
	a.rowsAlong = rowsAlong[ClusteringState]{m, a, m.latents, m.k}
	return a
}

// ExtendBy is Extend for any Chooser, on a state that is not nil. It returns the log weight.
func (a *ClusteringAlong) ExtendBy(c chains.Chooser, t int, q estimators.Proposal,
	s *ClusteringState) (logWeight float64) {
	a.setConditionals(1, s)
	law := a.conditionalOf(t-1, s)
	var k int
	if q == estimators.ProposePrior {
		k = c.Choose(s.Hyper.Pi)
	} else {
		k = law.Sample(c)
	}
	logWeight = a.logWeight(q, k, s)
	s.Z = append(s.Z, k)
	a.addRow(t-1, k, s)
	return logWeight
}

// Drop implements estimators.Data.
func (a *ClusteringAlong) Drop(t int, q estimators.Proposal, s *ClusteringState) (*ClusteringState, float64) {
	k := s.Z[t-1]
	a.removeRow(t-1, s)
	s.Z = s.Z[:t-1]
	a.setConditionals(1, s)
	a.conditionalOf(t-1, s)
	logWeight := a.logWeight(q, k, s)
	if t == 1 {
		return nil, logWeight
	}
	return s, logWeight
}

// logWeight returns the log weight of a new row in cluster k: the log predictive density of the row
// in that cluster, or under the posterior in any. The distribution of the row's cluster stands in
// m.law.
func (a *ClusteringAlong) logWeight(q estimators.Proposal, k int, s *ClusteringState) float64 {
	constant := logNormal(len(a.y[0]), 0, s.Hyper.NoiseVariance)
	if q == estimators.ProposePrior {
		return constant + a.law.Logs[k] - number.Log(s.Hyper.Pi[k])
	}
	return constant + number.LogSumExp(a.law.Logs)
}

// MoveBy draws the cluster of row i for any Chooser.
func (a *ClusteringAlong) MoveBy(c chains.Chooser, i int, s *ClusteringState) {
	a.drawn.c = c
	if i == 0 {
		a.Refresh(s)
	}
	a.setConditionals(1, s)
	a.update(&a.drawn, i, s)
}

// BackBy is the time reversal of MoveBy, which is MoveBy itself.
func (a *ClusteringAlong) BackBy(c chains.Chooser, i int, s *ClusteringState) { a.MoveBy(c, i, s) }

// LowRankAlong is a LowRank along its data, one row after another. It implements estimators.Data.
// The state of no data is nil; V, and the hyperparameters if they are unknown, are drawn from their
// prior before the first row of U.
//
// The moves over the first t data are the parts of a scan over them. Exact draws from the posterior
// are known only for all data, so sequential Monte Carlo uses scans, not perfect moves.
type LowRankAlong struct{ m *LowRank }

// Along returns the model along its data. It shares the memory of m, so that only one goroutine may
// use both.
func (m *LowRank) Along() *LowRankAlong { return &LowRankAlong{m} }

// Data implements estimators.Data.
func (a *LowRankAlong) Data() int { return len(a.m.y) }

// Posterior implements estimators.Data if t is the number of all data: it returns a copy of the
// start. It panics for fewer data.
func (a *LowRankAlong) Posterior(c chains.RealChooser, t int) *LowRankState {
	mustBeAll(t, len(a.m.y), a.m.model)
	return a.m.Posterior(c)
}

// Extend implements estimators.Data.
func (a *LowRankAlong) Extend(c chains.RealChooser, t int, q estimators.Proposal,
	s *LowRankState) (*LowRankState, float64) {
	if t == 1 {
		s = a.m.emptyState(c)
	}
	s.rows = t
	a.m.Refresh(s)
	row := a.m.block.row
	if q == estimators.ProposePosterior {
		a.m.rowGivenV(s).sample(c, row)
	} else {
		for k := range row {
			row[k] = math.Sqrt(s.Hyper.UVariance) * c.Normal()
		}
	}
	for k, u := range row {
		s.U[k][t-1] = u
	}
	return s, a.m.rowWeight(q, s)
}

// Drop implements estimators.Data.
func (a *LowRankAlong) Drop(t int, q estimators.Proposal, s *LowRankState) (*LowRankState, float64) {
	logWeight := a.m.rowWeight(q, s)
	if t == 1 {
		return nil, logWeight
	}
	s.rows = t - 1
	a.m.Refresh(s)
	return s, logWeight
}

// rowGivenV returns the distribution of the last row of U in a state given V and the row's data.
func (m *LowRank) rowGivenV(s *LowRankState) Gaussian {
	m.block.setConditional(m.y[s.rows-1:s.rows], s.V, s.Hyper.UVariance, s.Hyper.NoiseVariance, 1)
	return m.block.RowLaw(0)
}

// rowWeight returns the log weight of the last row of U in a state: under the prior log p(y_t |
// u_t, V), and under the posterior log p(y_t | V).
func (m *LowRank) rowWeight(q estimators.Proposal, s *LowRankState) float64 {
	h := s.Hyper
	last := s.rows - 1
	rest := m.rest[:len(m.byColumn)]
	if q == estimators.ProposePrior {
		m.block.copyEntries(s.U, last)
		return logNormal(len(rest), residual(rest, m.y[last], m.block.row, s.V), h.NoiseVariance)
	}
	return m.block.logMarginal(m.y[last:s.rows], s.V, h.UVariance, h.NoiseVariance, rest)
}

// Moves implements estimators.Data.
func (a *LowRankAlong) Moves(int) int { return a.m.parts() }

// Move implements estimators.Data.
func (a *LowRankAlong) Move(c chains.RealChooser, _, i int, s *LowRankState) *LowRankState {
	a.m.part(c, 1, i, s)
	return s
}

// Back implements estimators.Data: each part is its own time reversal.
func (a *LowRankAlong) Back(c chains.RealChooser, t, i int, s *LowRankState) *LowRankState {
	return a.Move(c, t, i, s)
}

// ScanWork implements estimators.Data: one evaluation for each number that is drawn.
func (a *LowRankAlong) ScanWork(t int) float64 { return a.m.scanWork(t) }

// ExtendWork implements estimators.Data. The density of a new row is known in closed form under
// both proposals, and counts as one evaluation.
func (a *LowRankAlong) ExtendWork(int, estimators.Proposal) float64 { return 1 }

// DropWork implements estimators.Data: as ExtendWork.
func (a *LowRankAlong) DropWork(int, estimators.Proposal) float64 { return 1 }
