package latent

import (
	"math"

	"breadboard/chains"
	"breadboard/chains/estimators"
)

// LowRankAlong is a LowRank along its data, a row after another. It implements estimators.Data. The state of no data is nil; what draws the
// first row of U draws V from its prior first, and the hyperparameters where they are unknown.
//
// Moves over the first t data are the parts of a scan over them. Exact draws from the posterior are known for all data alone, so that
// sequential Monte Carlo makes scans, and no perfect moves.
type LowRankAlong struct{ m *LowRank }

// Along returns the model along its data. It shares the memory of m, so that only one goroutine may use both.
func (m *LowRank) Along() *LowRankAlong { return &LowRankAlong{m} }

// Data implements estimators.Data.
func (a *LowRankAlong) Data() int { return len(a.m.y) }

// Posterior implements estimators.Data for all data: a copy of the start. It panics for fewer.
func (a *LowRankAlong) Posterior(c chains.RealChooser, t int) *LowRankState {
	if t != len(a.m.y) {
		panic("latent: Posterior of the first data of a low-rank model, of which there are no exact draws; make scans in place of perfect moves")
	}
	return a.m.Posterior(c)
}

// Extend implements estimators.Data.
func (a *LowRankAlong) Extend(c chains.RealChooser, t int, q estimators.Proposal, s *LowRankState) (*LowRankState, float64) {
	if t == 1 {
		s = a.m.begin(c)
	}
	s.rows = t
	a.m.Refresh(s)
	row := a.m.block.row
	if q == estimators.ProposePosterior {
		a.m.rowGivenV(s).Sample(c, row)
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
	m.block.given(m.y[s.rows-1:s.rows], s.V, s.Hyper.UVariance, s.Hyper.NoiseVariance, 1)
	return m.block.Row(0)
}

// rowWeight returns the log weight of the last row of U in a state: under the prior log p(y_t | u_t, V), and under the posterior
// log p(y_t | V).
func (m *LowRank) rowWeight(q estimators.Proposal, s *LowRankState) float64 {
	h, last := s.Hyper, s.rows-1
	rest := m.rest[:len(m.byColumn)]
	if q == estimators.ProposePrior {
		m.block.gather(s.U, last)
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

// ExtendWork implements estimators.Data. The density of a new row is known in closed form under both proposals, and counts as one evaluation.
func (a *LowRankAlong) ExtendWork(int, estimators.Proposal) float64 { return 1 }

// DropWork implements estimators.Data: as ExtendWork.
func (a *LowRankAlong) DropWork(int, estimators.Proposal) float64 { return 1 }
