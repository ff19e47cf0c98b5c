package geweke

import (
	"math"

	"breadboard/chains"
	"breadboard/toys/latent"
)

// clusteringForm is the clustering of package latent.
func clusteringForm() modelForm {
	return newModelForm("clustering", "a mixture of normals whose centres are integrated out", 10,
		func(name, key string, s Size, k int) (tested, error) {
			m, err := latent.NewClustering(s.zeros(), k, latent.DefaultClusteringHyper(k))
			if err != nil {
				return nil, err
			}
			t := newClusteringSampler(name, key, m)
			t.simulate = func(_ *latent.Clustering, c chains.RealChooser) ([][]float64, *latent.ClusteringState) {
				return latent.SimulateClustering(c, s.Rows, s.Columns, k, latent.DefaultClusteringHyper(k))
			}
			return t, nil
		},
		func(name, key string, s Size, k int) (tested, error) {
			m, err := latent.NewInferredClustering(s.zeros(), k)
			if err != nil {
				return nil, err
			}
			return withClusteringHyper(newClusteringSampler(name, key, m)), nil
		})
}

// clusteringSampler is the sampler of a clustering.
type clusteringSampler = sampler[*latent.Clustering, *latent.ClusteringState]

// newClusteringSampler returns the sampler of a clustering with known hyperparameters.
func newClusteringSampler(name, key string, m *latent.Clustering) *clusteringSampler {
	s := newSampler(name, key, m)
	s.features = []feature[*latent.ClusteringState]{
		{"clusters_used", "clusters with data", func(s *latent.ClusteringState) float64 { return float64(len(sizes(s.Z))) }},
		{"pairs_in_a_cluster", "pairs of data in one cluster", func(s *latent.ClusteringState) float64 {
			pairs := 0
			for _, n := range sizes(s.Z) {
				pairs += n * (n - 1) / 2
			}
			return float64(pairs)
		}},
	}
	s.cuts = []cut[*latent.ClusteringState]{{"reversal", "reversal: first rows, last rows", func(to, from *latent.ClusteringState) {
		copy(to.Z[:len(to.Z)/2], from.Z)
	}}}
	return s
}

// sizes returns how many data each cluster has that has any.
func sizes(z []int) map[int]int {
	n := map[int]int{}
	for _, k := range z {
		n[k]++
	}
	return n
}

// withClusteringHyper adds the hyperparameters, which a scan draws before the clusters of the data.
func withClusteringHyper(s *clusteringSampler) *clusteringSampler {
	s.features = append(s.features,
		feature[*latent.ClusteringState]{"log_centre_variance", "log variance of the centres", func(s *latent.ClusteringState) float64 { return math.Log(s.Hyper.CentreVariance) }},
		feature[*latent.ClusteringState]{"log_noise_variance", "log variance of the noise", func(s *latent.ClusteringState) float64 { return math.Log(s.Hyper.NoiseVariance) }},
		feature[*latent.ClusteringState]{"log_pi", "log probability of a cluster", func(s *latent.ClusteringState) float64 { return math.Log(s.Hyper.Pi[0]) }},
	)
	hyper := func(to, from *latent.ClusteringState) {
		to.Hyper.CentreVariance, to.Hyper.NoiseVariance = from.Hyper.CentreVariance, from.Hyper.NoiseVariance
		copy(to.Hyper.Pi, from.Hyper.Pi)
	}
	rows := s.cuts[0].early
	s.cuts[0].early = func(to, from *latent.ClusteringState) { hyper(to, from); rows(to, from) }
	s.cuts = append(s.cuts, cut[*latent.ClusteringState]{"reversal_of_hyperparameters", "reversal: hyperparameters, rows", hyper})
	return s
}
