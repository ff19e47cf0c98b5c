package latent

import (
	"cmp"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/estimators"
	"breadboard/chains/number"
	"breadboard/toys/models"
)

// Clustering is a mixture of normals with K clusters, whose centres are integrated out. The
// hyperparameters are known, or they are part of the state: the variances then have inverse gamma
// priors of shape and scale one, and the probabilities are uniform among those that sum to one.
//
// It implements estimators.Transitional and estimators.Constrained, and Along returns it along its
// data.
//
// Source: Grosse, Ghahramani and Adams 2015, sections 6 and 6.3; Grosse, Ancha and Roy 2016,
// Appendix C.
type Clustering struct {
	discrete[ClusteringState, *ClusteringState]
	hyper estimators.Clusters

	terms   clusteringTerms
	law     *Categorical
	fit     models.Fit
	means   [][]float64 // K rows: what the rows of each cluster predict, or centres
	weights dirichlet
}

// ClusteringState is a state of a clustering of the first len(Z) rows. Code that changes it from
// outside calls Refresh before it is used.
type ClusteringState struct {
	Z      []int // the cluster of each row
	Hyper  estimators.Clusters
	counts []int
	sums   []float64 // of the rows of each cluster, D numbers each
}

// NewClustering returns the clustering of a table with k clusters and fixed hyperparameters, all of
// which it copies. It fails if there are not k probabilities of clusters, where the hyperparameters
// are not valid, and if the table is empty or ragged, or has a number that is not finite or exceeds
// 1e40.
func NewClustering(y [][]float64, k int, hyper estimators.Clusters) (*Clustering, error) {
	return buildClustering(y, k, hyper, false)
}

// NewInferredClustering returns the clustering of a table with k clusters whose hyperparameters are
// part of the state. It fails as NewClustering does.
func NewInferredClustering(y [][]float64, k int) (*Clustering, error) {
	return buildClustering(y, k, estimators.EqualClusters(k), true)
}

func buildClustering(y [][]float64, k int, hyper estimators.Clusters, inferred bool) (*Clustering, error) {
	if len(hyper.Pi) != k {
		return nil, errs.New("%d clusters with %d probabilities; give one for each", k, len(hyper.Pi))
	}
	if err := cmp.Or(hyper.Validate(), estimators.CheckRows(y)); err != nil {
		return nil, err
	}
	m := &Clustering{hyper: hyper.Clone()}
	m.y = transposed(transposed(y))
	m.k = k
	m.inferred = inferred
	m.makeRoom()
	return m, nil
}

// makeRoom allocates the memory in which moves compute.
func (m *Clustering) makeRoom() {
	m.owner, m.self, m.model, m.latents = m, m, "a clustering", "a clustering"
	m.terms = newClusteringTerms(len(m.y), m.k)
	m.law, m.fit, m.weights = newCategorical(m.k), models.NewFit(m.k), make(dirichlet, m.k)
	m.means = zeros(m.k, len(m.y[0]))
	m.replay = m.empty()
}

// Fork returns an equal model for another goroutine. The two share the data and what Posterior
// returns clones of.
func (m *Clustering) Fork() *Clustering {
	fork := *m
	fork.makeRoom()
	return &fork
}

// WithData returns the same model of other data. A state of the one is a state of the other after
// Refresh, if there are as many rows. It has no exact draw of its posterior until Start. It fails
// as NewClustering does.
func (m *Clustering) WithData(y [][]float64) (*Clustering, error) {
	return buildClustering(y, m.k, m.hyper, m.inferred)
}

// empty returns the state of no data.
func (m *Clustering) empty() *ClusteringState {
	return &ClusteringState{
		Z:      make([]int, 0, len(m.y)),
		Hyper:  m.hyper.Clone(),
		counts: make([]int, m.k),
		sums:   make([]float64, m.k*len(m.y[0])),
	}
}

// Clone implements estimators.Model.
func (m *Clustering) Clone(s *ClusteringState) *ClusteringState {
	clone := m.empty()
	clone.set(s)
	return clone
}

func (s *ClusteringState) latents() []int { return s.Z }

func (s *ClusteringState) set(x *ClusteringState) {
	s.Z = append(s.Z[:0], x.Z...)
	s.Hyper, s.Hyper.Pi = x.Hyper, append(s.Hyper.Pi[:0], x.Hyper.Pi...)
	copy(s.counts, x.counts)
	copy(s.sums, x.sums)
}

// Refresh computes what the state keeps of its clusters anew. It takes N D additions.
func (m *Clustering) Refresh(s *ClusteringState) {
	if len(s.counts) != m.k || len(s.sums) != m.k*len(m.y[0]) {
		s.counts = make([]int, m.k)
		s.sums = make([]float64, m.k*len(m.y[0]))
	}
	clear(s.counts)
	clear(s.sums)
	for i, k := range s.Z {
		m.addRow(i, k, s)
	}
}

// clusterSum returns the sum of the rows of a cluster.
func (m *Clustering) clusterSum(k int, s *ClusteringState) []float64 {
	return s.sums[k*len(m.y[0]) : (k+1)*len(m.y[0])]
}

// addRow adds row i to what is kept of a cluster.
func (m *Clustering) addRow(i, k int, s *ClusteringState) {
	s.counts[k]++
	addTo(m.clusterSum(k, s), m.y[i], 1)
}

// removeRow takes row i out of what is kept of its cluster. Of a cluster that is empty after that
// no rounding is left.
func (m *Clustering) removeRow(i int, s *ClusteringState) {
	k := s.Z[i]
	s.counts[k]--
	if s.counts[k] == 0 {
		clear(m.clusterSum(k, s))
		return
	}
	addTo(m.clusterSum(k, s), m.y[i], -1)
}

// Prior implements estimators.Model.
func (m *Clustering) Prior(c chains.RealChooser) *ClusteringState {
	s := m.emptyState(c)
	for i := range m.y {
		k := c.Choose(s.Hyper.Pi)
		s.Z = append(s.Z, k)
		m.addRow(i, k, s)
	}
	return s
}

// emptyState returns the state of no data, with hyperparameters from their prior where they are
// unknown.
func (m *Clustering) emptyState(c chains.RealChooser) *ClusteringState {
	s := m.empty()
	if m.inferred {
		s.Hyper.CentreVariance, s.Hyper.NoiseVariance = variancePrior().Sample(c), variancePrior().Sample(c)
		m.weightsGiven(s).sample(c, s.Hyper.Pi)
	}
	return s
}

// LogPrior returns the log prior probability of the clusters given the hyperparameters, in nats,
// and if these are unknown adds their log density.
func (m *Clustering) LogPrior(s *ClusteringState) float64 {
	total := 0.0
	for _, k := range s.Z {
		total += number.Log(s.Hyper.Pi[k])
	}
	if m.inferred { // that of the probabilities is (K-1)!, for the first K-1 of them
		total += variancePrior().LogDensity(s.Hyper.CentreVariance) +
			variancePrior().LogDensity(s.Hyper.NoiseVariance) + logGamma(float64(m.k))
	}
	return total
}

// LogLikelihood implements estimators.Model: the likelihood of the first len(s.Z) rows. It takes
// some 3 N D operations.
func (m *Clustering) LogLikelihood(at chains.Place, s *ClusteringState) float64 {
	return m.gaussian(s).LogLikelihood(at.Beta, m.fitOf(s))
}

// LogStep implements estimators.Model.
func (m *Clustering) LogStep(from, to chains.Place, s *ClusteringState) float64 {
	return m.gaussian(s).LogStep(from, to, m.fitOf(s))
}

// gaussian returns what the likelihood depends on beside the fit.
func (m *Clustering) gaussian(s *ClusteringState) models.Gaussian {
	return models.Gaussian{
		Rows:    len(s.Z),
		Columns: len(m.y[0]),
		Noise:   s.Hyper.NoiseVariance,
		Signal:  s.Hyper.Signal(),
	}
}

// fitOf returns the fit of a state (see models.Clustering). Sums of rows that have been kept for
// long cost no digits of the deviations from their means, in which the error is squared.
func (m *Clustering) fitOf(s *ClusteringState) models.Fit {
	f := &m.fit
	f.Rest = 0
	for k, n := range s.counts {
		f.Eigenvalues[k], f.Size[k] = float64(n), 0
		if n == 0 {
			continue
		}
		for _, v := range m.clusterSum(k, s) {
			f.Size[k] += v * v
		}
		f.Size[k] /= float64(n)
		clear(m.means[k])
		addTo(m.means[k], m.clusterSum(k, s), 1/float64(n))
	}
	for i, k := range s.Z {
		f.Rest += squaredDistance(m.y[i], m.means[k])
	}
	return *f
}

// SimulateClustering draws clusters, centres and a table of n rows and d columns from the model
// with k clusters. The state is an exact draw from the posterior given the table. It panics if
// NewClustering would fail.
func SimulateClustering(c chains.RealChooser, n, d, k int,
	hyper estimators.Clusters) (y [][]float64, s *ClusteringState) {
	m, err := NewClustering(zeros(n, d), k, hyper)
	mustBeValid(err)
	s = m.Prior(c)
	m.y = m.Redraw(c, s)
	m.Refresh(s)
	return m.y, s
}

// Redraw draws a table given the clusters and the hyperparameters of a state. The centres are drawn
// from their prior on the way.
func (m *Clustering) Redraw(c chains.RealChooser, s *ClusteringState) [][]float64 {
	columns := len(m.y[0])
	centres := zeros(m.k, columns)
	y := zeros(len(s.Z), columns)
	fillNormal(c, centres, columns, s.Hyper.CentreVariance)
	fillNormal(c, y, columns, s.Hyper.NoiseVariance)
	for i, row := range y {
		addTo(row, centres[s.Z[i]], 1)
	}
	return y
}
