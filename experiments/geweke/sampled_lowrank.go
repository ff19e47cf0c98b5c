package geweke

import (
	"math"

	"breadboard/chains"
	"breadboard/toys/latent"
)

// lowRankForm is the model of a matrix of low rank of package latent.
func lowRankForm() modelForm {
	return newModelForm("lowrank", "the product of two matrices, and noise", 5,
		func(name, key string, s Size, k int) (tested, error) {
			m, err := latent.NewLowRank(s.zeros(), k, latent.DefaultLowRankHyper())
			if err != nil {
				return nil, err
			}
			t := newLowRankSampler(name, key, m)
			t.simulate = func(_ *latent.LowRank, c chains.RealChooser) ([][]float64, *latent.LowRankState) {
				return latent.SimulateLowRank(c, s.Rows, s.Columns, k, latent.DefaultLowRankHyper())
			}
			return t, nil
		},
		func(name, key string, s Size, k int) (tested, error) {
			m, err := latent.NewInferredLowRank(s.zeros(), k)
			if err != nil {
				return nil, err
			}
			return withLowRankHyper(newLowRankSampler(name, key, m)), nil
		})
}

// lowRankSampler is the sampler of a model of low rank.
type lowRankSampler = sampler[*latent.LowRank, *latent.LowRankState]

// newLowRankSampler returns the sampler of a model of low rank with known hyperparameters.
func newLowRankSampler(name, key string, m *latent.LowRank) *lowRankSampler {
	s := newSampler(name, key, m)
	s.features = []feature[*latent.LowRankState]{
		{"squares_of_u", "sum of the squares of U", func(s *latent.LowRankState) float64 { return sumOfSquares(s.U) }},
		{"squares_of_v", "sum of the squares of V", func(s *latent.LowRankState) float64 { return sumOfSquares(s.V) }},
	}
	s.cuts = []cut[*latent.LowRankState]{{"reversal", "reversal: U, V", func(to, from *latent.LowRankState) { copyTable(to.U, from.U) }}}
	return s
}

// withLowRankHyper adds the hyperparameters, which a scan draws after U and V.
func withLowRankHyper(s *lowRankSampler) *lowRankSampler {
	s.features = append(s.features,
		feature[*latent.LowRankState]{"log_u_variance", "log variance of U", func(s *latent.LowRankState) float64 { return math.Log(s.Hyper.UVariance) }},
		feature[*latent.LowRankState]{"log_v_variance", "log variance of V", func(s *latent.LowRankState) float64 { return math.Log(s.Hyper.VVariance) }},
		feature[*latent.LowRankState]{"log_noise_variance", "log variance of the noise", func(s *latent.LowRankState) float64 { return math.Log(s.Hyper.NoiseVariance) }},
	)
	s.cuts = append(s.cuts, cut[*latent.LowRankState]{"reversal_of_hyperparameters", "reversal: U and V, hyperparameters", func(to, from *latent.LowRankState) {
		copyTable(to.U, from.U)
		copyTable(to.V, from.V)
	}})
	return s
}

// sumOfSquares returns the sum of the squares of a table.
func sumOfSquares(x [][]float64) float64 {
	sum := 0.0
	for _, row := range x {
		for _, v := range row {
			sum += v * v
		}
	}
	return sum
}

// copyTable copies a table to one of the same shape.
func copyTable(to, from [][]float64) {
	for i, row := range from {
		copy(to[i], row)
	}
}
