package models

import "breadboard/chains/estimators"

// Clu6 returns a clustering of six points of the plane in three clusters. Its log Z is
// -24.1127294912719.
func Clu6() *Clustering {
	return &Clustering{
		Y:        [][]float64{{2.1, -0.3}, {1.4, 0.6}, {-1.8, 1.1}, {0.2, 2.7}, {-2.6, 0.4}, {1.9, -1.2}},
		Clusters: estimators.Clusters{Pi: []float64{0.5, 0.3, 0.2}, CentreVariance: 4, NoiseVariance: 1},
	}
}

// Clu8 returns a clustering of eight points of the line in two clusters that are alike, so that a
// state and the one with the clusters renamed have the same probability. Its log Z is
// -19.0105840334197.
func Clu8() *Clustering {
	return &Clustering{
		Y:        [][]float64{{2.3}, {3.1}, {-1.7}, {2.0}, {-2.9}, {-1.2}, {3.4}, {0.6}},
		Clusters: estimators.Clusters{Pi: []float64{0.5, 0.5}, CentreVariance: 9, NoiseVariance: 1},
	}
}

// Clu4 returns a clustering of four points whose centres are so near zero that the data say almost
// nothing of the clusters. Its log Z is -4.5010601950244.
func Clu4() *Clustering {
	return &Clustering{[][]float64{{0.4}, {-0.7}, {0.9}, {-0.2}},
		estimators.Clusters{Pi: []float64{0.5, 0.5}, CentreVariance: 0.05, NoiseVariance: 1}}
}

// Bin4 returns a model of four data with three columns and two binary attributes. Its log Z is
// -17.2153696775554.
func Bin4() *Binary {
	return &Binary{
		Y:          [][]float64{{1.3, -0.8, 0.4}, {0.2, 1.1, -1.6}, {1.4, 0.5, -1.0}, {-0.3, 0.1, 0.6}},
		Attributes: estimators.Attributes{Pi: []float64{0.5, 0.3}, FeatureVariance: 2, NoiseVariance: 0.5},
	}
}

// Low returns a matrix of two rows and two columns, approximated by one of rank one. Its log Z is
// -5.97803850282467.
func Low() *LowRank {
	return &LowRank{
		Y:             [][]float64{{1.2, -0.7}, {-0.9, 1.1}},
		Grid:          []float64{-1.8, -1.2, -0.6, 0, 0.6, 1.2, 1.8},
		NoiseVariance: 0.05,
	}
}

// GridClu returns a clustering of four points of the line in two clusters, whose centres lie on a
// grid of seven points. Its log Z is -9.95515256655392.
func GridClu() *GridClustering {
	return &GridClustering{
		Y: []float64{1.9, -1.4, 2.6, 0.3}, Pi: []float64{0.6, 0.4},
		Grid: []float64{-3, -2, -1, 0, 1, 2, 3}, CentreVariance: 4, NoiseVariance: 0.3,
	}
}

// Hyper returns a clustering of five points of the line in two clusters, whose noise variance is
// one of three. Its log Z is -11.0935094920847.
func Hyper() *HyperClustering {
	return &HyperClustering{
		Y:  [][]float64{{2.1}, {-1.3}, {1.6}, {-2.4}, {0.3}},
		Pi: []float64{0.5, 0.5}, CentreVariance: 4,
		NoiseVariances: []float64{0.25, 1, 4}, Weights: []float64{0.25, 0.5, 0.25},
	}
}
