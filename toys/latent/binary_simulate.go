package latent

import "breadboard/chains"

// SimulateBinary draws attributes, features and a table of n rows and d columns from the model with k attributes. The state is an exact draw
// from the posterior given the table. It panics where NewBinary would fail.
func SimulateBinary(c chains.RealChooser, n, d, k int, hyper BinaryHyper) (y [][]float64, s *BinaryState) {
	m, err := NewBinary(zeros(n, d), k, hyper)
	if err != nil {
		panic("latent: " + err.Error())
	}
	s = m.Prior(c)
	m.y = m.Redraw(c, s)
	m.Refresh(s)
	return m.y, s
}

// Redraw draws a table given the attributes and the hyperparameters of a state. The features are drawn from their prior on the way.
func (m *Binary) Redraw(c chains.RealChooser, s *BinaryState) [][]float64 {
	columns := len(m.y[0])
	features, y := zeros(m.k, columns), zeros(m.rowsOf(s), columns)
	fillNormal(c, features, columns, s.Hyper.FeatureVariance)
	fillNormal(c, y, columns, s.Hyper.NoiseVariance)
	for i, row := range y {
		for k, set := range m.attributes(i, s) {
			if set == 1 {
				addTo(row, features[k], 1)
			}
		}
	}
	return y
}
