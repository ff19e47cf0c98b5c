package geweke

import (
	"math"

	"breadboard/chains"
	"breadboard/toys/latent"
)

// binaryForm is the model of binary attributes of package latent.
func binaryForm() modelForm {
	return newModelForm("binary", "sums of the features that a datum has, which are integrated out", 10,
		func(name, key string, s Size, k int) (tested, error) {
			m, err := latent.NewBinary(s.zeros(), k, latent.DefaultBinaryHyper(k))
			if err != nil {
				return nil, err
			}
			t := newBinarySampler(name, key, m)
			t.simulate = func(_ *latent.Binary, c chains.RealChooser) ([][]float64, *latent.BinaryState) {
				return latent.SimulateBinary(c, s.Rows, s.Columns, k, latent.DefaultBinaryHyper(k))
			}
			return t, nil
		},
		func(name, key string, s Size, k int) (tested, error) {
			m, err := latent.NewInferredBinary(s.zeros(), k)
			if err != nil {
				return nil, err
			}
			return withBinaryHyper(newBinarySampler(name, key, m)), nil
		})
}

// binarySampler is the sampler of binary attributes.
type binarySampler = sampler[*latent.Binary, *latent.BinaryState]

// newBinarySampler returns the sampler of binary attributes with known hyperparameters.
func newBinarySampler(name, key string, m *latent.Binary) *binarySampler {
	s := newSampler(name, key, m)
	k := m.Attributes()
	s.features = []feature[*latent.BinaryState]{
		{"attributes_on", "attributes that are on", func(s *latent.BinaryState) float64 {
			on := 0
			for _, z := range s.Z {
				on += z
			}
			return float64(on)
		}},
		{"pairs_with_an_attribute", "pairs of data with an attribute", func(s *latent.BinaryState) float64 {
			pairs := 0
			for _, n := range owners(s.Z, k) {
				pairs += n * (n - 1) / 2
			}
			return float64(pairs)
		}},
	}
	s.cuts = []cut[*latent.BinaryState]{{"reversal", "reversal: first rows, last rows", func(to, from *latent.BinaryState) {
		copy(to.Z[:len(to.Z)/k/2*k], from.Z)
	}}}
	return s
}

// owners returns how many data have each of k attributes.
func owners(z []int, k int) []int {
	n := make([]int, k)
	for i, v := range z {
		n[i%k] += v
	}
	return n
}

// withBinaryHyper adds the hyperparameters, which a scan draws before the attributes of the data.
func withBinaryHyper(s *binarySampler) *binarySampler {
	s.features = append(s.features,
		feature[*latent.BinaryState]{"log_feature_variance", "log variance of the features", func(s *latent.BinaryState) float64 { return math.Log(s.Hyper.FeatureVariance) }},
		feature[*latent.BinaryState]{"log_noise_variance", "log variance of the noise", func(s *latent.BinaryState) float64 { return math.Log(s.Hyper.NoiseVariance) }},
		feature[*latent.BinaryState]{"log_pi", "log probability of an attribute", func(s *latent.BinaryState) float64 { return math.Log(s.Hyper.Pi[0]) }},
	)
	hyper := func(to, from *latent.BinaryState) {
		to.Hyper.FeatureVariance, to.Hyper.NoiseVariance = from.Hyper.FeatureVariance, from.Hyper.NoiseVariance
		copy(to.Hyper.Pi, from.Hyper.Pi)
	}
	rows := s.cuts[0].early
	s.cuts[0].early = func(to, from *latent.BinaryState) { hyper(to, from); rows(to, from) }
	s.cuts = append(s.cuts, cut[*latent.BinaryState]{"reversal_of_hyperparameters", "reversal: hyperparameters, rows", hyper})
	return s
}
