package latent

import (
	"math"

	"breadboard/chains"
	"breadboard/chains/evidence"
)

// GrowingClustering is a clustering along its data. It implements evidence.Data. A state of no data is nil. Draws from the posterior of a
// part of the data are not known, so that there are no perfect moves.
type GrowingClustering struct{ *Clustering }

// Growing returns the model along its data, for one-particle sequential Monte Carlo. It shares the room to work in of the model.
func (m *Clustering) Growing() GrowingClustering { return GrowingClustering{m} }

// Data implements evidence.Data.
func (g GrowingClustering) Data() int { return len(g.rows) }

// Posterior implements evidence.Data for all data: it returns a clone of the state that Start was given.
func (g GrowingClustering) Posterior(c chains.RealChooser, t int) *ClusteringState {
	if t != len(g.rows) {
		panic("latent: exact draws from the posterior of a part of the data are not known; make scans in place of perfect moves")
	}
	return g.Clustering.Posterior(c)
}

// Extend implements evidence.Data.
func (g GrowingClustering) Extend(c chains.RealChooser, t int, q evidence.Proposal, s *ClusteringState) (*ClusteringState, float64) {
	if s == nil {
		s = g.empty()
	}
	return s, g.ExtendBy(c, t, q, s)
}

// ExtendBy is Extend for any Chooser, on a state that is not nil. It returns the log weight.
func (g GrowingClustering) ExtendBy(c chains.Chooser, t int, q evidence.Proposal, s *ClusteringState) (logWeight float64) {
	law := g.conditional(1, t-1, s)
	var k int
	if q == evidence.ProposePrior {
		k = c.Choose(s.Hyper.Pi)
	} else {
		k = law.Sample(c)
	}
	logWeight = g.weight(q, k, s)
	s.Z = append(s.Z, k)
	g.put(t-1, k, s)
	return logWeight
}

// Drop implements evidence.Data.
func (g GrowingClustering) Drop(t int, q evidence.Proposal, s *ClusteringState) (*ClusteringState, float64) {
	k := s.Z[t-1]
	g.take(t-1, s)
	s.Z = s.Z[:t-1]
	g.conditional(1, t-1, s)
	logWeight := g.weight(q, k, s)
	if t == 1 {
		return nil, logWeight
	}
	return s, logWeight
}

// weight returns the log weight of a new row in cluster k: the log predictive density of the row in that cluster, or under the posterior
// in any. The law of the row's cluster stands in m.law.
func (g GrowingClustering) weight(q evidence.Proposal, k int, s *ClusteringState) float64 {
	constant := -float64(g.columns) * logNormalizer(s.Hyper.NoiseVariance)
	if q == evidence.ProposePrior {
		return constant + g.law.Logs[k] - math.Log(s.Hyper.Pi[k])
	}
	return constant + chains.LogSumExp(g.law.Logs)
}

// Moves implements evidence.Data: a move draws the cluster of a row, in turn. There are none over the first row alone, whose cluster a
// proposal draws from its posterior.
func (g GrowingClustering) Moves(t int) int {
	if t == 1 {
		return 0
	}
	return t
}

// Move implements evidence.Data: it draws z_i given the clusters of the other rows.
func (g GrowingClustering) Move(c chains.RealChooser, t, i int, s *ClusteringState) *ClusteringState {
	g.MoveBy(c, i, s)
	return s
}

// MoveBy is Move for any Chooser.
func (g GrowingClustering) MoveBy(c chains.Chooser, i int, s *ClusteringState) {
	g.drawn.c = c
	if i == 0 {
		g.Refresh(s)
	}
	g.update(&g.drawn, 1, i, s)
}

// Back implements evidence.Data: each move is its own time reversal.
func (g GrowingClustering) Back(c chains.RealChooser, t, i int, s *ClusteringState) *ClusteringState {
	return g.Move(c, t, i, s)
}

// ScanWork implements evidence.Data: a move weighs the K - 1 other clusters of a row.
func (g GrowingClustering) ScanWork(t int) float64 { return float64(g.Moves(t) * (g.k - 1)) }

// ExtendWork implements evidence.Data: the posterior asks for every cluster of the new row, and the prior for the one drawn.
func (g GrowingClustering) ExtendWork(t int, q evidence.Proposal) float64 {
	if q == evidence.ProposePrior {
		return 1
	}
	return float64(g.k)
}

// DropWork implements evidence.Data: the value of the state before, which is one where there are no data, and under the posterior those
// of the other clusters of the row.
func (g GrowingClustering) DropWork(t int, q evidence.Proposal) float64 {
	work := 1.0
	if t == 1 {
		work = 0
	}
	if q == evidence.ProposePosterior {
		work += float64(g.k - 1)
	}
	return work
}
