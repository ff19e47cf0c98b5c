package latent

import (
	"math"
	"slices"

	"breadboard/chains"
)

// clusterTerm is what the predictive density of a row under a cluster of n other rows depends on beside their sum S. With r the ratio of
// the variances of centres and noise sn2, and u_n = 1 + b n r, the ratio of the likelihoods with power b with the row y in the cluster and
// without is, apart from (2 pi sn2)^(-b D/2),
//
//	(u_n/u_(n+1))^(D/2) exp(-b u_n/(2 sn2 u_(n+1)) |y - b r S/u_n|^2).
//
// At b = 1 it is the normal density with mean r S/u_n and variance sn2 (1 + r/u_n).
type clusterTerm struct {
	gain  float64 // b r/u_n
	scale float64 // b u_n/(2 sn2 u_(n+1))
	log   float64 // -D/2 log(u_(n+1)/u_n)
}

// clusteringTerms are the terms of all numbers n of rows for the power and the hyperparameters that they were last asked for.
type clusteringTerms struct {
	b, centre, noise float64
	byCount          []clusterTerm
	pi, logPi        []float64
}

// newClusteringTerms returns room for the terms, which are those of no power yet.
func newClusteringTerms(rows, k int) clusteringTerms {
	return clusteringTerms{b: math.NaN(), byCount: make([]clusterTerm, rows+1), pi: make([]float64, k), logPi: make([]float64, k)}
}

// prepare makes the terms those of a power and hyperparameters.
func (t *clusteringTerms) prepare(b float64, h *ClusteringHyper, columns int) {
	if !slices.Equal(t.pi, h.Pi) {
		for k, p := range h.Pi {
			t.pi[k], t.logPi[k] = p, math.Log(p)
		}
	}
	if t.b == b && t.centre == h.CentreVariance && t.noise == h.NoiseVariance {
		return
	}
	t.b, t.centre, t.noise = b, h.CentreVariance, h.NoiseVariance
	r := h.signal()
	for n := range t.byCount {
		u := 1 + b*float64(n)*r
		more := b * r / u // u_(n+1)/u_n - 1
		t.byCount[n] = clusterTerm{more, b / (2 * t.noise * (1 + more)), -float64(columns) / 2 * math.Log1p(more)}
	}
}

// Scan draws z_i given all else with the power b, for i = 0..N-1 in turn. It takes some 3 N K D operations. What the state keeps of its
// clusters is computed anew at the start, so that rounding does not grow with the number of scans.
func (m *Clustering) Scan(c chains.Chooser, b float64, s *ClusteringState) {
	m.drawn.c = c
	m.scan(&m.drawn, b, s)
}

// ScanBack is the time reversal of Scan: it draws the same from the last to the first.
func (m *Clustering) ScanBack(c chains.Chooser, b float64, s *ClusteringState) {
	m.drawn.c = c
	m.Refresh(s)
	m.expect(b, s)
	for i := len(s.Z) - 1; i >= 0; i-- {
		m.update(&m.drawn, i, s)
	}
}

// scan makes a scan whose draws are decided by d.
func (m *Clustering) scan(d decider, b float64, s *ClusteringState) {
	m.Refresh(s)
	m.expect(b, s)
	for i := range s.Z {
		m.update(d, i, s)
	}
}

// update has d decide on z_i given all else, with the power that expect was told.
func (m *Clustering) update(d decider, i int, s *ClusteringState) {
	m.open(i, s)
	m.close(i, d.category(m.conditional(i, s)), s)
}

// expect prepares what conditionals with the power b need: the terms, and the means that the rows of every cluster predict for one more.
func (m *Clustering) expect(b float64, s *ClusteringState) {
	m.terms.prepare(b, &s.Hyper, len(m.y[0]))
	for k := range m.means {
		m.expectOf(k, s)
	}
}

// expectOf computes the mean that the rows of a cluster predict.
func (m *Clustering) expectOf(k int, s *ClusteringState) {
	mean, gain := m.means[k], m.terms.byCount[s.counts[k]].gain
	sum := m.sum(k, s)[:len(mean)]
	for j := range mean {
		mean[j] = gain * sum[j]
	}
}

// open takes row i out of its cluster.
func (m *Clustering) open(i int, s *ClusteringState) {
	m.take(i, s)
	m.expectOf(s.Z[i], s)
}

// close puts row i, which is open, into cluster k.
func (m *Clustering) close(i, k int, s *ClusteringState) {
	s.Z[i] = k
	m.put(i, k, s)
	m.expectOf(k, s)
}

// conditional returns the law of z_i given the clusters of the other rows, where row i is in none.
func (m *Clustering) conditional(i int, s *ClusteringState) *Categorical {
	m.predict(i, s)
	for k, p := range m.terms.logPi {
		m.law.Logs[k] += p
	}
	return m.law
}

// predict writes the log predictive density of row i under each cluster to m.law, apart from -b D/2 log(2 pi sn2).
func (m *Clustering) predict(i int, s *ClusteringState) {
	row := m.y[i]
	for k, n := range s.counts {
		t := &m.terms.byCount[n]
		m.law.Logs[k] = t.log - t.scale*squaredDistance(row, m.means[k])
	}
}

// Conditional returns the law of z_i with the power b given the clusters of all other rows, apart from what it is in the state. The law
// is the model's own, and good until it is used again.
func (m *Clustering) Conditional(b float64, i int, s *ClusteringState) *Categorical {
	m.expect(b, s)
	m.open(i, s)
	law := m.conditional(i, s)
	m.put(i, s.Z[i], s)
	return law
}

// Move implements estimators.Model: where the hyperparameters are unknown it draws them first.
func (m *Clustering) Move(c chains.RealChooser, at chains.Place, s *ClusteringState) *ClusteringState {
	m.renew(c, at.Beta, s)
	m.Scan(c, at.Beta, s)
	return s
}

// Back implements estimators.Model.
func (m *Clustering) Back(c chains.RealChooser, at chains.Place, s *ClusteringState) *ClusteringState {
	m.ScanBack(c, at.Beta, s)
	m.renew(c, at.Beta, s)
	return s
}

// MoveWork implements estimators.Model: a scan weighs the K - 1 other clusters of each row, and each hyperparameter is one more, where the
// probabilities count as one.
func (m *Clustering) MoveWork() float64 { return m.scanWork(len(m.y)) }

// scanWork returns the work of a scan over the first t rows.
func (m *Clustering) scanWork(t int) float64 {
	work := t * (m.k - 1)
	if m.inferred {
		work += 3
	}
	return float64(work)
}

// LogTransition implements estimators.Transitional. It is NaN where the hyperparameters are unknown: the centres that a move draws with them
// would have to be integrated out.
func (m *Clustering) LogTransition(x, y *ClusteringState) float64 {
	if m.inferred {
		return math.NaN()
	}
	m.replay.set(x)
	m.given = given{values: y.Z}
	m.scan(&m.given, 1, m.replay)
	return m.given.logP
}
