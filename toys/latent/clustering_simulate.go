package latent

import (
	"math"

	"breadboard/chains"
)

// SimulateClustering draws clusters, centres and a table of n rows and d columns from the model with k clusters. The state is an exact draw
// from the posterior given the table. It panics where n or d is not positive, or where the hyperparameters are not valid or not for k.
func SimulateClustering(c chains.RealChooser, n, d, k int, hyper ClusteringHyper) (y [][]float64, s *ClusteringState) {
	zeros := make([][]float64, n)
	for i := range zeros {
		zeros[i] = make([]float64, d)
	}
	m, err := NewClustering(zeros, k, hyper)
	if err != nil {
		panic("latent: " + err.Error())
	}
	s = m.empty()
	m.drawPrior(c, s)
	y = m.Redraw(c, s)
	m.table = table{y, d}
	m.Refresh(s)
	return y, s
}

// Redraw draws a table given the clusters and the hyperparameters of a state. The centres are drawn from their prior on the way.
func (m *Clustering) Redraw(c chains.RealChooser, s *ClusteringState) [][]float64 {
	centres := normalTable(c, m.k, m.columns, s.Hyper.CentreVariance)
	y := normalTable(c, len(s.Z), m.columns, s.Hyper.NoiseVariance)
	for i, row := range y {
		addTo(row, centres[s.Z[i]], 1)
	}
	return y
}

// normalTable draws a table of independent normal numbers with mean zero.
func normalTable(c chains.RealChooser, rows, columns int, variance float64) [][]float64 {
	out := make([][]float64, rows)
	for i := range out {
		out[i] = make([]float64, columns)
		for j := range out[i] {
			out[i][j] = math.Sqrt(variance) * c.Normal()
		}
	}
	return out
}
