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
	n, d := m.rowsOf(s), len(m.y[0])
	left := 0.0
	for i := range n {
		m.row.set(m.y[i], m.attributes(i, s), m.features)
		left += dot(m.row.rest, m.row.rest)
	}
	s.Hyper.FeatureVariance = varianceGiven(1, m.k*d, squares(m.features.mean, d)).Sample(c)
	s.Hyper.NoiseVariance = varianceGiven(b, n*d, left).Sample(c)
	for k := range s.Hyper.Pi {
		set := s.gram[k*m.k+k]
		s.Hyper.Pi[k] = Beta{1 + set, 1 + float64(n) - set}.Sample(c)
	}
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
