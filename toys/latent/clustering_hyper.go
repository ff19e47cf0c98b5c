package latent

import (
	"math"

	"breadboard/chains"
)

// renew draws the hyperparameters given the clusters and the data with the power b, where they are unknown: first the centres, and then the
// hyperparameters given these. The two draws together are their own time reversal.
func (m *Clustering) renew(c chains.RealChooser, b float64, s *ClusteringState) {
	if !m.inferred {
		return
	}
	m.Refresh(s)
	m.drawCentres(c, b, s)
	centres, noise, weights := m.hyperGiven(b, s)
	s.Hyper.CentreVariance, s.Hyper.NoiseVariance = centres.Sample(c), noise.Sample(c)
	weights.Sample(c, s.Hyper.Pi)
}

// hyperGiven returns the distributions of the variances of centres and noise and of the probabilities of the clusters, given the clusters of
// the rows, the centres in m.means, and the data with the power b. The three are independent, and the last one is the
// model's own, good until it is used again.
func (m *Clustering) hyperGiven(b float64, s *ClusteringState) (centres, noise InverseGamma, weights Dirichlet) {
	n, d := len(s.Z), len(m.y[0])
	left := 0.0
	for i, k := range s.Z {
		left += squaredDistance(m.y[i], m.means[k])
	}
	return varianceGiven(1, m.k*d, squares(m.means, d)), varianceGiven(b, n*d, left), m.weightsGiven(s)
}

// drawCentres draws the centres, into m.means, given the clusters and the data with the power b. With r the ratio of the variances of centres and noise and
// u = 1 + b n r, a centre of n rows with the sum S has the mean b r S/u and the variance CentreVariance/u.
func (m *Clustering) drawCentres(c chains.RealChooser, b float64, s *ClusteringState) {
	r := s.Hyper.signal()
	for k, centre := range m.means {
		u := 1 + b*float64(s.counts[k])*r
		gain, sd := b*r/u, math.Sqrt(s.Hyper.CentreVariance/u)
		for j, sum := range m.sum(k, s) {
			centre[j] = gain*sum + sd*c.Normal()
		}
	}
}

// weightsGiven returns the distribution of the probabilities of the clusters given the clusters of the rows.
func (m *Clustering) weightsGiven(s *ClusteringState) Dirichlet {
	for k, n := range s.counts {
		m.weights[k] = 1 + float64(n)
	}
	return m.weights
}
