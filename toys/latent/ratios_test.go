package latent_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/grid/longtest"
	"breadboard/toys/latent"
)

// normalLog is the log density of a normal number.
func normalLog(x, mean, variance float64) float64 {
	return -(x-mean)*(x-mean)/(2*variance) - math.Log(2*math.Pi*variance)/2
}

// ratioSizes are the sizes at which ratios are compared: rows, columns and components.
func ratioSizes() map[string][3]int {
	return map[string][3]int{"tiny": {5, 4, 2}, "full": {50, 25, 10}}
}

// ratioPowers are powers of the likelihood. A density with the power b is, but for a constant, that with the noise over b.
func ratioPowers() []float64 { return []float64{0.3, 1} }

// ratioRows are some rows of a table, the first and the last among them.
func ratioRows(n int) []int { return []int{0, n / 3, n - 1} }

// states returns states from the posterior and from the prior of a model.
func states[S any](c chains.RealChooser, exact S, m interface {
	Prior(c chains.RealChooser) S
	Move(c chains.RealChooser, at chains.Place, s S) S
	Clone(s S) S
}) []S {
	return []S{exact, m.Move(c, chains.At(0.7), m.Clone(exact)), m.Prior(c), m.Prior(c)}
}

// judge compares ratios, and expects that they are found wrong exactly where a bug is planted.
func judge[S any](t *testing.T, name string, wrong bool, joint func(S) float64, blocks []block[S], list []S) {
	t.Helper()
	errs := checkRatios(joint, blocks, list)
	if wrong && len(errs) != len(blocks) {
		t.Errorf("%s with noise that is too large by 1e-6 in the conditionals: of %d blocks %d are found wrong", name, len(blocks), len(errs))
	}
	for _, err := range errs {
		if !wrong {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// clusteringJoint is the log joint density of clusters and data: each row is predicted from those before it.
func clusteringJoint(y [][]float64, h estimators.Clusters) func(*latent.ClusteringState) float64 {
	return func(s *latent.ClusteringState) float64 {
		total := 0.0
		for i, row := range y {
			total += math.Log(h.Pi[s.Z[i]])
			for j, v := range row {
				precision, sum := 1/h.CentreVariance, 0.0
				for before := range i {
					if s.Z[before] == s.Z[i] {
						precision += 1 / h.NoiseVariance
						sum += y[before][j] / h.NoiseVariance
					}
				}
				total += normalLog(v, sum/precision, h.NoiseVariance+1/precision)
			}
		}
		return total
	}
}

func TestClusteringRatios(t *testing.T) {
	for name, size := range ratioSizes() {
		n, d, k := size[0], size[1], size[2]
		c := chains.NewSampler(rand.NewPCG(1, 0))
		hyper := estimators.EqualClusters(k)
		hyper.Pi[0], hyper.Pi[1], hyper.CentreVariance, hyper.NoiseVariance = 0.4*hyper.Pi[0], 1.6*hyper.Pi[1], 2, 0.7
		y, exact := latent.SimulateClustering(c, n, d, k, hyper)
		m := longtest.Sure(latent.NewClustering(y, k, hyper))
		for _, b := range ratioPowers() {
			for _, loud := range []float64{1, 1 + 1e-6} {
				var blocks []block[*latent.ClusteringState]
				for _, i := range ratioRows(n) {
					blocks = append(blocks, block[*latent.ClusteringState]{
						name: fmt.Sprintf("z_%d", i),
						conditional: func(u *latent.ClusteringState) func(*latent.ClusteringState) float64 {
							u = m.Clone(u)
							u.Hyper.NoiseVariance *= loud
							law := m.Conditional(b, i, u)
							return func(s *latent.ClusteringState) float64 { return law.LogDensity(s.Z[i]) }
						},
						replace: func(u, x *latent.ClusteringState) *latent.ClusteringState {
							u = m.Clone(u)
							u.Z[i] = (u.Z[i] + 1 + x.Z[i]%(k-1)) % k // another cluster, so that no triple is of one alone
							m.Refresh(u)
							return u
						},
					})
				}
				h := hyper
				h.NoiseVariance /= b
				judge(t, name, loud != 1, clusteringJoint(y, h), blocks, states(c, exact, m))
			}
		}
	}
}

// binaryJoint is the log joint density of attributes and data: the columns are normal with the covariance FeatureVariance ZZ' +
// NoiseVariance I.
func binaryJoint(y [][]float64, k int, h estimators.Attributes) func(*latent.BinaryState) float64 {
	return func(s *latent.BinaryState) float64 {
		n := len(y)
		covariance := mat.NewSymDense(n, nil)
		total := 0.0
		for i := range n {
			for j := i; j < n; j++ {
				common := 0
				for p := range k {
					common += s.Z[i*k+p] * s.Z[j*k+p]
				}
				covariance.SetSym(i, j, h.FeatureVariance*float64(common))
			}
			covariance.SetSym(i, i, covariance.At(i, i)+h.NoiseVariance)
			for p, pi := range h.Pi {
				if s.Z[i*k+p] == 0 {
					pi = 1 - pi
				}
				total += math.Log(pi)
			}
		}
		var factor mat.Cholesky
		if !factor.Factorize(covariance) {
			return math.NaN()
		}
		column, solved := mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
		for j := range y[0] {
			for i, row := range y {
				column.SetVec(i, row[j])
			}
			if err := factor.SolveVecTo(solved, column); err != nil {
				return math.NaN()
			}
			total -= (mat.Dot(column, solved) + factor.LogDet() + float64(n)*math.Log(2*math.Pi)) / 2
		}
		return total
	}
}

func TestBinaryRatios(t *testing.T) {
	longtest.NotShort(t)
	for name, size := range ratioSizes() {
		n, d, k := size[0], size[1], size[2]
		c := chains.NewSampler(rand.NewPCG(2, 0))
		hyper := estimators.EvenAttributes(k)
		hyper.Pi[0], hyper.Pi[1], hyper.FeatureVariance, hyper.NoiseVariance = 0.2, 0.7, 2, 0.7
		y, exact := latent.SimulateBinary(c, n, d, k, hyper)
		m := longtest.Sure(latent.NewBinary(y, k, hyper))
		for _, b := range ratioPowers() {
			for _, loud := range []float64{1, 1 + 1e-6} {
				var blocks []block[*latent.BinaryState]
				for _, i := range ratioRows(n) {
					at := i*k + i%k
					blocks = append(blocks, block[*latent.BinaryState]{
						name: fmt.Sprintf("z_%d,%d", i, i%k),
						conditional: func(u *latent.BinaryState) func(*latent.BinaryState) float64 {
							u = m.Clone(u)
							u.Hyper.NoiseVariance *= loud
							law := m.Conditional(b, i, i%k, u)
							return func(s *latent.BinaryState) float64 { return law.LogDensity(s.Z[at]) }
						},
						replace: func(u, _ *latent.BinaryState) *latent.BinaryState {
							u = m.Clone(u)
							u.Z[at] = 1 - u.Z[at] // the other value, so that no triple is of one alone
							m.Refresh(u)
							return u
						},
					})
				}
				h := hyper
				h.NoiseVariance /= b
				judge(t, name, loud != 1, binaryJoint(y, k, h), blocks, states(c, exact, m)[:3])
			}
		}
	}
}

// lowRankJoint is plainLogJoint with the prior of the hyperparameters.
func lowRankJoint(y [][]float64, b float64) func(*latent.LowRankState) float64 {
	prior := func(v float64) float64 { return -2*math.Log(v) - 1/v } // inverse gamma (1, 1)
	return func(s *latent.LowRankState) float64 {
		return prior(s.Hyper.UVariance) + prior(s.Hyper.VVariance) + prior(s.Hyper.NoiseVariance) + plainLogJoint(y, s, b)
	}
}

// lowRankBlocks are U, V and the three variances of a model of low rank, with noise that is too large by a factor in the conditionals.
func lowRankBlocks(m *latent.LowRank, b, loud float64) []block[*latent.LowRankState] {
	type state = *latent.LowRankState
	noisy := func(u state) state {
		u = m.Clone(u)
		u.Hyper.NoiseVariance *= loud
		m.Refresh(u)
		return u
	}
	of := func(name string, conditional func(u state) func(state) float64, set func(to, from state)) block[state] {
		return block[state]{name: name, conditional: conditional, replace: func(u, x state) state {
			u = m.Clone(u)
			set(u, m.Clone(x))
			m.Refresh(u)
			return u
		}}
	}
	blocks := []block[state]{
		of("U", func(u state) func(state) float64 {
			law := m.UGivenV(b, noisy(u))
			return func(s state) float64 { return law.LogDensity(s.U) }
		}, func(to, from state) { to.U = from.U }),
		of("V", func(u state) func(state) float64 {
			law := m.VGivenU(b, noisy(u))
			return func(s state) float64 { return law.LogDensity(s.V) }
		}, func(to, from state) { to.V = from.V }),
	}
	for i, variance := range []func(s state) *float64{
		func(s state) *float64 { return &s.Hyper.UVariance },
		func(s state) *float64 { return &s.Hyper.VVariance },
		func(s state) *float64 { return &s.Hyper.NoiseVariance },
	} {
		blocks = append(blocks, of(fmt.Sprintf("variance %d", i), func(u state) func(state) float64 {
			law := m.HyperGiven(b, u)[i]
			law.Scale *= loud
			return func(s state) float64 { return law.LogDensity(*variance(s)) }
		}, func(to, from state) { *variance(to) = *variance(from) }))
	}
	return blocks
}

func TestLowRankRatios(t *testing.T) {
	for name, size := range ratioSizes() {
		n, d, k := size[0], size[1], size[2]
		c := chains.NewSampler(rand.NewPCG(3, 0))
		y, _ := latent.SimulateLowRank(c, n, d, k, estimators.Factors{UVariance: 2, VVariance: 0.5, NoiseVariance: 0.7})
		m := longtest.Sure(latent.NewInferredLowRank(y, k))
		list := states(c, m.Prior(c), m)
		for _, b := range ratioPowers() {
			for _, loud := range []float64{1, 1 + 1e-6} {
				judge(t, name, loud != 1, lowRankJoint(y, b), lowRankBlocks(m, b, loud), list)
			}
		}
	}
}
