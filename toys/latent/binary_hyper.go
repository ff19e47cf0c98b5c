package latent

import (
	"math"

	"breadboard/chains"
)

// renew draws the hyperparameters given the attributes and the data with the power b, where they are unknown: first the features, and then
// the hyperparameters given these. The two draws together are their own time reversal.
func (m *Binary) renew(c chains.RealChooser, b float64, s *BinaryState) {
	if !m.inferred {
		return
	}
	m.Refresh(s)
	m.expect(b, s)
	m.drawFeatures(c, s)
	features, noise := m.variancesGiven(b, s)
	s.Hyper.FeatureVariance, s.Hyper.NoiseVariance = features.Sample(c), noise.Sample(c)
	for k := range s.Hyper.Pi {
		s.Hyper.Pi[k] = m.piGiven(k, s).Sample(c)
	}
}

// variancesGiven returns the distributions of the variances of features and noise given the attributes of the rows, the features in
// m.features.mean, and the data with the power b. The two are independent.
func (m *Binary) variancesGiven(b float64, s *BinaryState) (features, noise InverseGamma) {
	n, d := m.rowsOf(s), len(m.y[0])
	left := 0.0
	for i := range n {
		m.row.set(m.y[i], m.attributes(i, s), m.features)
		left += dot(m.row.rest, m.row.rest)
	}
	return varianceGiven(1, m.k*d, squares(m.features.mean, d)), varianceGiven(b, n*d, left)
}

// piGiven returns the distribution of the probability of an attribute given the attributes of the rows.
func (m *Binary) piGiven(k int, s *BinaryState) Beta {
	set := s.gram[k*m.k+k]
	return Beta{1 + set, 1 + float64(m.rowsOf(s)) - set}
}

// drawFeatures draws the features given all rows, in place of their means.
func (m *Binary) drawFeatures(c chains.RealChooser, s *BinaryState) {
	sd := math.Sqrt(s.Hyper.FeatureVariance)
	away := m.row.along
	for j := range m.y[0] {
		for k := range away {
			away[k] = c.Normal()
		}
		m.features.factor.backward(away)
		for k, mean := range m.features.mean {
			mean[j] += sd * away[k]
		}
	}
}
