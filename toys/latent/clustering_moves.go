package latent

import (
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/number"
)

// clusterTerm is what the predictive density of a row under a cluster of n other rows depends on
// beside their sum S. With r the ratio of the variances of centres and noise sn2, and u_n = 1 + b n
// r, the ratio of the likelihoods with power b with the row y in the cluster and without is, apart
// from (2 pi sn2)^(-b D/2),
//
//	(u_n/u_(n+1))^(D/2) exp(-b u_n/(2 sn2 u_(n+1)) |y - b r S/u_n|^2).
//
// At b = 1 it is the normal density with mean r S/u_n and variance sn2 (1 + r/u_n).
type clusterTerm struct {
	gain  float64 // b r/u_n
	scale float64 // b u_n/(2 sn2 u_(n+1))
	log   float64 // -D/2 log(u_(n+1)/u_n)
}

// clusteringTerms are the terms of all numbers n of rows for the power and the hyperparameters that
// they were last asked for.
type clusteringTerms struct {
	b, centre, noise float64
	byCount          []clusterTerm
	pi, logPi        []float64
}

// newClusteringTerms returns room for the terms, which are those of no power yet.
func newClusteringTerms(rows, k int) clusteringTerms {
	return clusteringTerms{
		b:       math.NaN(),
		byCount: make([]clusterTerm, rows+1),
		pi:      make([]float64, k),
		logPi:   make([]float64, k),
	}
}

// prepare makes the terms those of a power and hyperparameters.
func (t *clusteringTerms) prepare(b float64, h *estimators.Clusters, columns int) {
	if !slices.Equal(t.pi, h.Pi) {
		for k, p := range h.Pi {
			t.pi[k], t.logPi[k] = p, number.Log(p)
		}
	}
	if t.b == b && t.centre == h.CentreVariance && t.noise == h.NoiseVariance {
		return
	}
	t.b = b
	t.centre = h.CentreVariance
	t.noise = h.NoiseVariance
	r := h.Signal()
	for n := range t.byCount {
		u := 1 + b*float64(n)*r
		more := b * r / u // u_(n+1)/u_n - 1
		t.byCount[n] = clusterTerm{
			more, b / (2 * t.noise * (1 + more)), -float64(columns) / 2 * math.Log1p(more)}
	}
}

// ScanBack is the time reversal of Scan: it draws the same from the last to the first.
func (m *Clustering) ScanBack(c chains.Chooser, b float64, s *ClusteringState) {
	m.drawn.c = c
	m.Refresh(s)
	m.setConditionals(b, s)
	for i := len(s.Z) - 1; i >= 0; i-- {
		m.update(&m.drawn, i, s)
	}
}

// scan makes a scan whose draws are decided by d.
func (m *Clustering) scan(d decider, b float64, s *ClusteringState) {
	m.Refresh(s)
	m.setConditionals(b, s)
	for i := range s.Z {
		m.update(d, i, s)
	}
}

// update has d decide on z_i given all else, with the power given to expect.
func (m *Clustering) update(d decider, i int, s *ClusteringState) {
	m.openRow(i, s)
	m.closeRow(i, d.category(m.conditionalOf(i, s)), s)
}

// setConditionals prepares what conditionals with the power b need: the terms, and the means that
// the rows of every cluster predict for one more.
func (m *Clustering) setConditionals(b float64, s *ClusteringState) {
	m.terms.prepare(b, &s.Hyper, len(m.y[0]))
	for k := range m.means {
		m.expectOf(k, s)
	}
}

// expectOf computes the mean that the rows of a cluster predict.
func (m *Clustering) expectOf(k int, s *ClusteringState) {
	mean := m.means[k]
	gain := m.terms.byCount[s.counts[k]].gain
	sum := m.clusterSum(k, s)[:len(mean)]
	for j := range mean {
		mean[j] = gain * sum[j]
	}
}

// openRow takes row i out of its cluster.
func (m *Clustering) openRow(i int, s *ClusteringState) {
	m.removeRow(i, s)
	m.expectOf(s.Z[i], s)
}

// closeRow puts row i, which is open, into cluster k.
func (m *Clustering) closeRow(i, k int, s *ClusteringState) {
	s.Z[i] = k
	m.addRow(i, k, s)
	m.expectOf(k, s)
}

// conditionalOf returns the distribution of z_i given the clusters of the other rows, where row i
// is in none.
func (m *Clustering) conditionalOf(i int, s *ClusteringState) *Categorical {
	m.predict(i, s)
	for k, p := range m.terms.logPi {
		m.law.Logs[k] += p
	}
	return m.law
}

// predict writes the log predictive density of row i under each cluster to m.law, apart from -b D/2
// log(2 pi sn2).
func (m *Clustering) predict(i int, s *ClusteringState) {
	row := m.y[i]
	for k, n := range s.counts {
		t := &m.terms.byCount[n]
		m.law.Logs[k] = t.log - t.scale*squaredDistance(row, m.means[k])
	}
}

func (m *Clustering) scanWork(t int) float64 {
	work := t * (m.k - 1)
	if m.inferred {
		work += 3
	}
	return float64(work)
}

// drawHyperparameters draws the hyperparameters given the clusters and the data with the power b,
// if they are unknown: first the centres, and then the hyperparameters given these. The two draws
// together are their own time reversal.
func (m *Clustering) drawHyperparameters(c chains.RealChooser, b float64, s *ClusteringState) {
	if !m.inferred {
		return
	}
	m.Refresh(s)
	m.drawCentres(c, b, s)
	centres, noise, weights := m.hyperGiven(b, s)
	s.Hyper.CentreVariance, s.Hyper.NoiseVariance = centres.Sample(c), noise.Sample(c)
	weights.sample(c, s.Hyper.Pi)
}

// hyperGiven returns the distributions of the variances of centres and noise and of the
// probabilities of the clusters, given the clusters of the rows, the centres in m.means, and the
// data with the power b. The three are independent, and the last one is the model's own, good until
// it is used again.
func (m *Clustering) hyperGiven(b float64,
	s *ClusteringState) (centres, noise InverseGamma, weights dirichlet) {
	n := len(s.Z)
	d := len(m.y[0])
	left := 0.0
	for i, k := range s.Z {
		left += squaredDistance(m.y[i], m.means[k])
	}
	return varianceGiven(1, m.k*d, squares(m.means, d)), varianceGiven(b, n*d, left), m.weightsGiven(s)
}

// drawCentres draws the centres, into m.means, given the clusters and the data with the power b.
// With r the ratio of the variances of centres and noise and u = 1 + b n r, a centre of n rows with
// the sum S has the mean b r S/u and the variance CentreVariance/u.
func (m *Clustering) drawCentres(c chains.RealChooser, b float64, s *ClusteringState) {
	r := s.Hyper.Signal()
	for k, centre := range m.means {
		u := 1 + b*float64(s.counts[k])*r
		gain := b * r / u
		sd := math.Sqrt(s.Hyper.CentreVariance / u)
		for j, sum := range m.clusterSum(k, s) {
			centre[j] = gain*sum + sd*c.Normal()
		}
	}
}

// weightsGiven returns the distribution of the probabilities of the clusters given the clusters of
// the rows.
func (m *Clustering) weightsGiven(s *ClusteringState) dirichlet {
	for k, n := range s.counts {
		m.weights[k] = 1 + float64(n)
	}
	return m.weights
}

// ScanWithin is Within for any Chooser.
func (m *Clustering) ScanWithin(c chains.Chooser, floor float64, s *ClusteringState) {
	m.Refresh(s)
	logL := m.LogLikelihood(chains.At(1), s)
	m.setConditionals(1, s)
	for i := range s.Z {
		logL = m.updateWithin(c, floor, logL, i, s)
	}
}

// updateWithin draws z_i from its prior among the clusters with which the level is above the floor,
// and returns the new log likelihood. The cluster of the row is one of them, also if rounding says
// otherwise.
func (m *Clustering) updateWithin(c chains.Chooser, floor, logL float64, i int, s *ClusteringState) float64 {
	old := s.Z[i]
	m.openRow(i, s)
	m.predict(i, s)
	rest := logL - m.law.Logs[old]
	p := m.law.p
	total := 0.0
	for k, l := range m.law.Logs {
		p[k] = 0
		if k == old || levelOf(rest+l) > floor {
			p[k] = s.Hyper.Pi[k]
		}
		total += p[k]
	}
	for k := range p {
		p[k] /= total
	}
	m.closeRow(i, c.Choose(p), s)
	return rest + m.law.Logs[s.Z[i]]
}
