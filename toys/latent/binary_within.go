package latent

import "breadboard/chains"

// Level implements estimators.Constrained. States whose log likelihoods at b = 1 agree in 40 binary digits have the same level, as those with
// their attributes in another order do but for rounding.
func (m *Binary) Level(s *BinaryState) float64 { return levelOf(m.LogLikelihood(chains.At(1), s)) }

// Within implements estimators.Constrained: it draws each z_ik in turn from its prior among the values with which the level is above the
// floor. The level of s must be above the floor. It panics where the hyperparameters are unknown.
func (m *Binary) Within(c chains.RealChooser, floor float64, s *BinaryState) *BinaryState {
	if m.inferred {
		panic("latent: Within of binary attributes with unknown hyperparameters, which it does not draw")
	}
	m.ScanWithin(c, floor, s)
	return s
}

// ScanWithin is Within for any Chooser.
func (m *Binary) ScanWithin(c chains.Chooser, floor float64, s *BinaryState) {
	m.Refresh(s)
	logL := m.LogLikelihood(chains.At(1), s)
	for i := range m.rowsOf(s) {
		logDensity := m.open(1, i, s)
		rest := logL - logDensity
		for k := range m.k {
			logDensity = m.updateWithin(c, floor, rest, logDensity, i, k, s)
		}
		m.put(i, s)
		logL = rest + logDensity
	}
}

// updateWithin draws z_ik from its prior where both of its values have a level above the floor; else it stays. It takes the log likelihood
// without the row that is open, and takes and returns the log density of that row.
func (m *Binary) updateWithin(c chains.Chooser, floor, rest, logDensity float64, i, k int, s *BinaryState) float64 {
	other := m.other(i, k, s)
	if levelOf(rest+other) <= floor || flip(c, s.Hyper.Pi[k]) == s.Z[i*m.k+k] {
		return logDensity
	}
	m.turn(i, k, s)
	return other
}
