package latent

import (
	"math"

	"breadboard/chains"
)

// ScanBack is the time reversal of Scan: it draws the same from the last to the first.
func (m *Binary) ScanBack(c chains.Chooser, b float64, s *BinaryState) {
	m.drawn.c = c
	m.Refresh(s)
	for i := m.rowsOf(s) - 1; i >= 0; i-- {
		m.updateRowBack(&m.drawn, b, i, s)
	}
}

// scan makes a scan whose draws are decided by d.
func (m *Binary) scan(d decider, b float64, s *BinaryState) {
	m.Refresh(s)
	for i := range m.rowsOf(s) {
		m.updateRow(d, b, i, s)
	}
}

// updateRow has d decide on the attributes of row i, each given all else, from the first to the
// last.
func (m *Binary) updateRow(d decider, b float64, i int, s *BinaryState) {
	logDensity := m.openRow(b, i, s)
	for k := range m.k {
		logDensity = m.updateBit(d, logDensity, i, k, s)
	}
	m.addRow(i, s)
}

// updateRowBack does what update does, from the last attribute to the first.
func (m *Binary) updateRowBack(d decider, b float64, i int, s *BinaryState) {
	logDensity := m.openRow(b, i, s)
	for k := m.k - 1; k >= 0; k-- {
		logDensity = m.updateBit(d, logDensity, i, k, s)
	}
	m.addRow(i, s)
}

// openRow takes row i out, makes m.row its state as the other rows see it, and returns its log
// density.
func (m *Binary) openRow(b float64, i int, s *BinaryState) (logDensity float64) {
	m.removeRow(i, s)
	m.setConditionals(b, s)
	m.row.setRow(m.y[i], m.attributesOf(i, s), m.features)
	return m.row.logDensity()
}

// setConditionals makes m.features and m.row.law those of a row beside those that are kept, with
// the power b.
func (m *Binary) setConditionals(b float64, s *BinaryState) {
	m.features.setConditional(s.gram, s.cross, b*s.Hyper.Signal())
	m.row.law = rowLaw{float64(len(m.y[0])) / 2, b / (2 * s.Hyper.NoiseVariance)}
}

// updateBit has d decide on z_ik given all else. It takes and returns the log density of the row
// that is open.
func (m *Binary) updateBit(d decider, logDensity float64, i, k int, s *BinaryState) float64 {
	law, other := m.conditionalOf(logDensity, i, k, s)
	if d.bit(law) == s.Z[i*m.k+k] {
		return logDensity
	}
	m.flipEntry(i, k, s)
	return other
}

// conditionalOf returns the distribution of z_ik given all else, and the log density of the row
// that is open with the other value of z_ik.
func (m *Binary) conditionalOf(logDensity float64, i, k int, s *BinaryState) (law Bernoulli, other float64) {
	other = m.logDensityFlipped(i, k, s)
	gain := flipSign(s.Z[i*m.k+k]) * (other - logDensity)
	return Bernoulli(m.odds.logOdds(s.Hyper.Pi)[k] + gain), other
}

// logDensityFlipped returns the log density of the row that is open with the other value of z_ik.
func (m *Binary) logDensityFlipped(i, k int, s *BinaryState) float64 {
	return m.row.logDensityWith(k, flipSign(s.Z[i*m.k+k]), m.features)
}

// flipEntry gives z_ik its other value, in the row that is open.
func (m *Binary) flipEntry(i, k int, s *BinaryState) {
	z := &s.Z[i*m.k+k]
	m.row.toggleFeature(k, flipSign(*z), m.features)
	*z = 1 - *z
}

// flipSign returns the sign with which the other value of an attribute adds its feature.
func flipSign(z int) float64 { return float64(1 - 2*z) }

func (m *Binary) scanWork(t int) float64 {
	work := t * m.k
	if m.inferred {
		work += 2 + m.k
	}
	return float64(work)
}

// drawHyperparameters draws the hyperparameters given the attributes and the data with the power b,
// if they are unknown: first the features, and then the hyperparameters given these. The two draws
// together are their own time reversal.
func (m *Binary) drawHyperparameters(c chains.RealChooser, b float64, s *BinaryState) {
	if !m.inferred {
		return
	}
	m.Refresh(s)
	m.setConditionals(b, s)
	m.drawFeatures(c, s)
	features, noise := m.variancesGiven(b, s)
	s.Hyper.FeatureVariance, s.Hyper.NoiseVariance = features.Sample(c), noise.Sample(c)
	for k := range s.Hyper.Pi {
		s.Hyper.Pi[k] = m.piGiven(k, s).sample(c)
	}
}

// variancesGiven returns the distributions of the variances of features and noise given the
// attributes of the rows, the features in m.features.mean, and the data with the power b. The two
// are independent.
func (m *Binary) variancesGiven(b float64, s *BinaryState) (features, noise InverseGamma) {
	n := m.rowsOf(s)
	d := len(m.y[0])
	left := 0.0
	for i := range n {
		m.row.setRow(m.y[i], m.attributesOf(i, s), m.features)
		left += dot(m.row.rest, m.row.rest)
	}
	return varianceGiven(1, m.k*d, squares(m.features.mean, d)), varianceGiven(b, n*d, left)
}

// piGiven returns the distribution of the probability of an attribute given the attributes of the
// rows.
func (m *Binary) piGiven(k int, s *BinaryState) Beta {
	set := s.gram[k*m.k+k]
	return Beta{1 + set, 1 + float64(m.rowsOf(s)) - set}
}

// drawFeatures draws the features given all rows, instead of their means.
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

// ScanWithin is Within for any Chooser.
func (m *Binary) ScanWithin(c chains.Chooser, floor float64, s *BinaryState) {
	m.Refresh(s)
	logL := m.LogLikelihood(chains.At(1), s)
	for i := range m.rowsOf(s) {
		logDensity := m.openRow(1, i, s)
		rest := logL - logDensity
		for k := range m.k {
			logDensity = m.updateWithin(c, floor, rest, logDensity, i, k, s)
		}
		m.addRow(i, s)
		logL = rest + logDensity
	}
}

// updateWithin draws z_ik from its prior where both of its values have a level above the floor;
// else it stays. It takes the log likelihood without the row that is open, and takes and returns
// the log density of that row.
func (m *Binary) updateWithin(c chains.Chooser, floor, rest, logDensity float64, i, k int,
	s *BinaryState) float64 {
	other := m.logDensityFlipped(i, k, s)
	if levelOf(rest+other) <= floor || flip(c, s.Hyper.Pi[k]) == s.Z[i*m.k+k] {
		return logDensity
	}
	m.flipEntry(i, k, s)
	return other
}
