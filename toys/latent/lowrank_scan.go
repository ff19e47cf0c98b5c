package latent

import "breadboard/chains"

// Scan leaves the prior times the likelihood to the power b invariant: it draws U given V, V given U, and where they are unknown the
// hyperparameters given both.
func (m *LowRank) Scan(c chains.RealChooser, b float64, s *LowRankState) {
	for i := range m.parts() {
		m.part(c, b, i, s)
	}
}

// ScanBack is the time reversal of Scan. Each part is its own, so that it makes the parts in reverse order.
func (m *LowRank) ScanBack(c chains.RealChooser, b float64, s *LowRankState) {
	for i := m.parts() - 1; i >= 0; i-- {
		m.part(c, b, i, s)
	}
}

// parts returns the number of parts of a scan.
func (m *LowRank) parts() int {
	if m.inferred {
		return 3
	}
	return 2
}

// part makes part i of a scan.
func (m *LowRank) part(c chains.RealChooser, b float64, i int, s *LowRankState) {
	switch i {
	case 0:
		m.UGivenV(b, s).Sample(c, s.U)
		m.Refresh(s)
	case 1:
		m.VGivenU(b, s).Sample(c, s.V)
		m.Refresh(s)
	case 2:
		h := m.HyperGiven(b, s)
		s.Hyper = LowRankHyper{h[0].Sample(c), h[1].Sample(c), h[2].Sample(c)}
	}
}

// UGivenV returns the distribution of U given V, the hyperparameters and the data of a state, under the likelihood to the power b.
func (m *LowRank) UGivenV(b float64, s *LowRankState) *Block {
	m.block.given(m.y[:s.rows], s.V, s.Hyper.UVariance, s.Hyper.NoiseVariance, b)
	return &m.block
}

// VGivenU returns the distribution of V given U, the hyperparameters and the data of a state, under the likelihood to the power b.
func (m *LowRank) VGivenU(b float64, s *LowRankState) *Block {
	for k, u := range s.U {
		m.first[k] = u[:s.rows]
	}
	m.block.given(m.byColumn, m.first, s.Hyper.VVariance, s.Hyper.NoiseVariance, b)
	return &m.block
}

// HyperGiven returns the distributions of the variances of U, V and the noise given the factors of a state, under the likelihood to the
// power b. The three are independent.
func (m *LowRank) HyperGiven(b float64, s *LowRankState) [3]InverseGamma {
	d := len(m.byColumn)
	return [3]InverseGamma{
		varianceGiven(1, m.k*s.rows, squares(s.U, s.rows)),
		varianceGiven(1, m.k*d, squares(s.V, d)),
		varianceGiven(b, s.rows*d, m.squareOf(s)),
	}
}

// varianceGiven returns the distribution of an unknown variance given n normal numbers of mean zero that have it, whose squares sum to
// square and whose density is raised to the power b.
func varianceGiven(b float64, n int, square float64) InverseGamma {
	prior := variancePrior()
	return InverseGamma{prior.Shape + b*float64(n)/2, prior.Scale + b*square/2}
}

// LogTransition implements estimators.Transitional: the log density of Scan at b = 1 from x to y, in nats. Both states are of all data.
func (m *LowRank) LogTransition(x, y *LowRankState) float64 {
	s := m.keep
	s.set(x)
	logs := m.UGivenV(1, s).LogDensity(y.U)
	copyRows(s.U, y.U)
	logs += m.VGivenU(1, s).LogDensity(y.V)
	if !m.inferred {
		return logs
	}
	copyRows(s.V, y.V)
	m.Refresh(s)
	h := m.HyperGiven(1, s)
	return logs + h[0].LogDensity(y.Hyper.UVariance) + h[1].LogDensity(y.Hyper.VVariance) + h[2].LogDensity(y.Hyper.NoiseVariance)
}
