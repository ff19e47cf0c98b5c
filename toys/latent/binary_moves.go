package latent

import (
	"math"

	"breadboard/chains"
)

// Scan draws the rows in turn with the power b, and of a row z_ik given all else for k = 0..K-1 in turn. The law of the features given the
// other rows is found once a row. It takes some N (K^3 + 2 K^2 D + 4 K D) operations. What the state keeps of its attributes is
// computed anew at the start, so that rounding does not grow with the number of scans.
//
// Source: Doshi-Velez and Ghahramani 2009.
func (m *Binary) Scan(c chains.Chooser, b float64, s *BinaryState) {
	m.drawn.c = c
	m.scan(&m.drawn, b, s)
}

// ScanBack is the time reversal of Scan: it draws the same from the last to the first.
func (m *Binary) ScanBack(c chains.Chooser, b float64, s *BinaryState) {
	m.drawn.c = c
	m.Refresh(s)
	for i := m.rowsOf(s) - 1; i >= 0; i-- {
		m.updateBack(&m.drawn, b, i, s)
	}
}

// scan makes a scan whose draws are decided by d.
func (m *Binary) scan(d decider, b float64, s *BinaryState) {
	m.Refresh(s)
	for i := range m.rowsOf(s) {
		m.update(d, b, i, s)
	}
}

// update has d decide on the attributes of row i, each given all else, from the first to the last.
func (m *Binary) update(d decider, b float64, i int, s *BinaryState) {
	logDensity := m.open(b, i, s)
	for k := range m.k {
		logDensity = m.updateBit(d, logDensity, i, k, s)
	}
	m.put(i, s)
}

// updateBack does what update does, from the last attribute to the first.
func (m *Binary) updateBack(d decider, b float64, i int, s *BinaryState) {
	logDensity := m.open(b, i, s)
	for k := m.k - 1; k >= 0; k-- {
		logDensity = m.updateBit(d, logDensity, i, k, s)
	}
	m.put(i, s)
}

// open takes row i out, makes m.row its state as the other rows see it, and returns its log density.
func (m *Binary) open(b float64, i int, s *BinaryState) (logDensity float64) {
	m.take(i, s)
	m.expect(b, s)
	m.row.set(m.y[i], m.attributes(i, s), m.features)
	return m.row.logDensity()
}

// expect makes m.features and m.row.law those of a row beside those that are kept, with the power b.
func (m *Binary) expect(b float64, s *BinaryState) {
	m.features.given(s.gram, s.cross, b*s.Hyper.signal())
	m.row.law = rowLaw{float64(len(m.y[0])) / 2, b / (2 * s.Hyper.NoiseVariance)}
}

// updateBit has d decide on z_ik given all else. It takes and returns the log density of the row that is open.
func (m *Binary) updateBit(d decider, logDensity float64, i, k int, s *BinaryState) float64 {
	law, other := m.bit(logDensity, i, k, s)
	if d.bit(law) == s.Z[i*m.k+k] {
		return logDensity
	}
	m.turn(i, k, s)
	return other
}

// bit returns the law of z_ik given all else, and the log density of the row that is open with the other value of z_ik.
func (m *Binary) bit(logDensity float64, i, k int, s *BinaryState) (law Bernoulli, other float64) {
	other = m.other(i, k, s)
	gain := turning(s.Z[i*m.k+k]) * (other - logDensity)
	return Bernoulli(m.odds.of(s.Hyper.Pi)[k] + gain), other
}

// other returns the log density of the row that is open with the other value of z_ik.
func (m *Binary) other(i, k int, s *BinaryState) float64 {
	return m.row.logDensityWith(k, turning(s.Z[i*m.k+k]), m.features)
}

// turn gives z_ik its other value, in the row that is open.
func (m *Binary) turn(i, k int, s *BinaryState) {
	z := &s.Z[i*m.k+k]
	m.row.turn(k, turning(*z), m.features)
	*z = 1 - *z
}

// turning returns the sign with which the other value of an attribute adds its feature.
func turning(z int) float64 { return float64(1 - 2*z) }

// Conditional returns the law of z_ik with the power b given all other attributes, apart from what it is in the state.
func (m *Binary) Conditional(b float64, i, k int, s *BinaryState) Bernoulli {
	law, _ := m.bit(m.open(b, i, s), i, k, s)
	m.put(i, s)
	return law
}

// Move implements estimators.Model: where the hyperparameters are unknown it draws them first.
func (m *Binary) Move(c chains.RealChooser, at chains.Place, s *BinaryState) *BinaryState {
	m.renew(c, at.Beta, s)
	m.Scan(c, at.Beta, s)
	return s
}

// Back implements estimators.Model.
func (m *Binary) Back(c chains.RealChooser, at chains.Place, s *BinaryState) *BinaryState {
	m.ScanBack(c, at.Beta, s)
	m.renew(c, at.Beta, s)
	return s
}

// MoveWork implements estimators.Model: a scan weighs the other value of each attribute, and each hyperparameter is one more.
func (m *Binary) MoveWork() float64 { return m.scanWork(len(m.y)) }

// scanWork returns the work of a scan over the first t rows.
func (m *Binary) scanWork(t int) float64 {
	work := t * m.k
	if m.inferred {
		work += 2 + m.k
	}
	return float64(work)
}

// LogTransition implements estimators.Transitional. It is NaN where the hyperparameters are unknown: the features that a move draws with
// them would have to be integrated out.
func (m *Binary) LogTransition(x, y *BinaryState) float64 {
	if m.inferred {
		return math.NaN()
	}
	m.replay.set(x)
	m.given = given{values: y.Z}
	m.scan(&m.given, 1, m.replay)
	return m.given.logP
}
