package latent

import (
	"math"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/number"
)

// ClusteringAlong is a clustering along its data. It implements estimators.Data. A state of no data is nil; what draws the first row draws
// the hyperparameters from their prior first, where they are unknown.
//
// A move draws the cluster of a row. Exact draws from the posterior are known for all data alone, so that sequential Monte Carlo makes
// scans, and no perfect moves.
type ClusteringAlong struct{ *Clustering }

// Along returns the model along its data. It shares the memory of m, so that only one goroutine may use both.
func (m *Clustering) Along() *ClusteringAlong { return &ClusteringAlong{m} }

// Data implements estimators.Data.
func (a *ClusteringAlong) Data() int { return len(a.y) }

// Posterior implements estimators.Data for all data: a clone of the start. It panics for fewer.
func (a *ClusteringAlong) Posterior(c chains.RealChooser, t int) *ClusteringState {
	if t != len(a.y) {
		panic("latent: Posterior of the first data of a clustering, of which there are no exact draws; make scans in place of perfect moves")
	}
	return a.Clustering.Posterior(c)
}

// Extend implements estimators.Data.
func (a *ClusteringAlong) Extend(c chains.RealChooser, t int, q estimators.Proposal, s *ClusteringState) (*ClusteringState, float64) {
	if t == 1 {
		s = a.begin(c)
	}
	return s, a.ExtendBy(c, t, q, s)
}

// ExtendBy is Extend for any Chooser, on a state that is not nil. It returns the log weight.
func (a *ClusteringAlong) ExtendBy(c chains.Chooser, t int, q estimators.Proposal, s *ClusteringState) (logWeight float64) {
	a.expect(1, s)
	law := a.conditional(t-1, s)
	var k int
	if q == estimators.ProposePrior {
		k = c.Choose(s.Hyper.Pi)
	} else {
		k = law.Sample(c)
	}
	logWeight = a.weight(q, k, s)
	s.Z = append(s.Z, k)
	a.put(t-1, k, s)
	return logWeight
}

// Drop implements estimators.Data.
func (a *ClusteringAlong) Drop(t int, q estimators.Proposal, s *ClusteringState) (*ClusteringState, float64) {
	k := s.Z[t-1]
	a.take(t-1, s)
	s.Z = s.Z[:t-1]
	a.expect(1, s)
	a.conditional(t-1, s)
	logWeight := a.weight(q, k, s)
	if t == 1 {
		return nil, logWeight
	}
	return s, logWeight
}

// weight returns the log weight of a new row in cluster k: the log predictive density of the row in that cluster, or under the posterior
// in any. The law of the row's cluster stands in m.law.
func (a *ClusteringAlong) weight(q estimators.Proposal, k int, s *ClusteringState) float64 {
	constant := logNormal(len(a.y[0]), 0, s.Hyper.NoiseVariance)
	if q == estimators.ProposePrior {
		return constant + a.law.Logs[k] - math.Log(s.Hyper.Pi[k])
	}
	return constant + number.LogSumExp(a.law.Logs)
}

// Moves implements estimators.Data: a move draws the cluster of a row. There are none over the first row alone, whose cluster a proposal
// draws from its posterior.
func (a *ClusteringAlong) Moves(t int) int { return movesAlong(t, a.inferred) }

// Move implements estimators.Data. Where the hyperparameters are unknown the first move draws these.
func (a *ClusteringAlong) Move(c chains.RealChooser, t, i int, s *ClusteringState) *ClusteringState {
	if a.inferred {
		if i == 0 {
			a.renew(c, 1, s)
			return s
		}
		i--
	}
	a.MoveBy(c, i, s)
	return s
}

// MoveBy draws the cluster of row i for any Chooser.
func (a *ClusteringAlong) MoveBy(c chains.Chooser, i int, s *ClusteringState) {
	a.drawn.c = c
	if i == 0 {
		a.Refresh(s)
	}
	a.expect(1, s)
	a.update(&a.drawn, i, s)
}

// Back implements estimators.Data: each move is its own time reversal.
func (a *ClusteringAlong) Back(c chains.RealChooser, t, i int, s *ClusteringState) *ClusteringState {
	return a.Move(c, t, i, s)
}

// ScanWork implements estimators.Data.
func (a *ClusteringAlong) ScanWork(t int) float64 {
	if a.Moves(t) == 0 {
		return 0
	}
	return a.scanWork(t)
}

// ExtendWork implements estimators.Data: the posterior asks for every cluster of the new row, and the prior for the one drawn.
func (a *ClusteringAlong) ExtendWork(t int, q estimators.Proposal) float64 { return extendWork(q, a.k) }

// DropWork implements estimators.Data: the value of the state before, which is one where there are no data, and under the posterior those
// of the other clusters of the row.
func (a *ClusteringAlong) DropWork(t int, q estimators.Proposal) float64 { return dropWork(t, q, a.k) }
