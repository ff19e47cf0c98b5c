package latent

import "breadboard/chains"

// SimulateClustering draws clusters, centres and a table of n rows and d columns from the model with k clusters. The state is an exact draw
// from the posterior given the table. It panics where NewClustering would fail.
func SimulateClustering(c chains.RealChooser, n, d, k int, hyper ClusteringHyper) (y [][]float64, s *ClusteringState) {
	m, err := NewClustering(zeros(n, d), k, hyper)
	if err != nil {
		panic("latent: " + err.Error())
	}
	s = m.Prior(c)
	m.y = m.Redraw(c, s)
	m.Refresh(s)
	return m.y, s
}

// Redraw draws a table given the clusters and the hyperparameters of a state. The centres are drawn from their prior on the way.
func (m *Clustering) Redraw(c chains.RealChooser, s *ClusteringState) [][]float64 {
	columns := len(m.y[0])
	centres, y := zeros(m.k, columns), zeros(len(s.Z), columns)
	fillNormal(c, centres, columns, s.Hyper.CentreVariance)
	fillNormal(c, y, columns, s.Hyper.NoiseVariance)
	for i, row := range y {
		addTo(row, centres[s.Z[i]], 1)
	}
	return y
}
