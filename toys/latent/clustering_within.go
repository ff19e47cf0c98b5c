package latent

import "breadboard/chains"

// Level implements estimators.Constrained. States whose log likelihoods at b = 1 agree in 40 binary digits have the same level, as those with
// their clusters renamed do but for rounding.
func (m *Clustering) Level(s *ClusteringState) float64 {
	return levelOf(m.LogLikelihood(chains.At(1), s))
}

// Within implements estimators.Constrained: it draws z_i from its prior among the clusters with which the level is above the floor, for
// i = 0..N-1 in turn. The level of s must be above the floor. It panics where the hyperparameters are unknown.
func (m *Clustering) Within(c chains.RealChooser, floor float64, s *ClusteringState) *ClusteringState {
	if m.inferred {
		panic("latent: Within of a clustering with unknown hyperparameters, which it does not draw")
	}
	m.ScanWithin(c, floor, s)
	return s
}

// ScanWithin is Within for any Chooser.
func (m *Clustering) ScanWithin(c chains.Chooser, floor float64, s *ClusteringState) {
	m.Refresh(s)
	logL := m.LogLikelihood(chains.At(1), s)
	m.expect(1, s)
	for i := range s.Z {
		logL = m.updateWithin(c, floor, logL, i, s)
	}
}

// updateWithin draws z_i from its prior among the clusters with which the level is above the floor, and returns the new log likelihood. The
// cluster of the row is one of them, also where rounding says otherwise.
func (m *Clustering) updateWithin(c chains.Chooser, floor, logL float64, i int, s *ClusteringState) float64 {
	old := s.Z[i]
	m.open(i, s)
	m.predict(i, s)
	rest, p, total := logL-m.law.Logs[old], m.law.p, 0.0
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
	m.close(i, c.Choose(p), s)
	return rest + m.law.Logs[s.Z[i]]
}
