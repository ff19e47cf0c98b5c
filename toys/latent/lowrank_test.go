package latent_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/toys/latent"
)

// The interfaces that a low-rank model implements.
var (
	_ estimators.Transitional[chains.RealChooser, *latent.LowRankState] = (*latent.LowRank)(nil)
	_ estimators.Constrained[chains.RealChooser, *latent.LowRankState]  = (*latent.LowRank)(nil)
	_ estimators.Data[chains.RealChooser, *latent.LowRankState]         = (*latent.LowRankAlong)(nil)
)

// sampler returns a chooser of a seed.
func sampler(seed uint64) chains.Sampler { return chains.NewSampler(rand.NewPCG(seed, 1)) }

// must returns a model, and panics where there is an error in place of one.
func must[M any](m M, err error) M {
	if err != nil {
		panic(err)
	}
	return m
}

// simulated returns a low-rank model of data that it has simulated, and the exact draw.
func simulated(tb testing.TB, seed uint64, n, d, k int, hyper latent.LowRankHyper) (*latent.LowRank, *latent.LowRankState) {
	tb.Helper()
	y, s := latent.SimulateLowRank(sampler(seed), n, d, k, hyper)
	m := must(latent.NewLowRank(y, k, hyper))
	m.Start(s)
	return m, s
}

// near fails where two numbers differ by more than a tolerance times the larger of one and their size.
func near(tb rapid.TB, what string, got, want, tolerance float64) {
	tb.Helper()
	if !(math.Abs(got-want) <= tolerance*max(1, math.Abs(want))) {
		tb.Errorf("%s is %v, want %v; they differ by %.2g", what, got, want, got-want)
	}
}

// plainLogJoint is the log joint density of factors and data under the likelihood to the power b, a normal density at a time.
func plainLogJoint(y [][]float64, s *latent.LowRankState, b float64) float64 {
	logs := 0.0
	for k := range s.U {
		for _, u := range s.U[k] {
			logs += normalLog(u, 0, s.Hyper.UVariance)
		}
		for _, v := range s.V[k] {
			logs += normalLog(v, 0, s.Hyper.VVariance)
		}
	}
	for i, row := range y {
		for j, v := range row {
			mean := 0.0
			for k := range s.U {
				mean += s.U[k][i] * s.V[k][j]
			}
			logs += b * normalLog(v, mean, s.Hyper.NoiseVariance)
		}
	}
	return logs
}

// shape is the size of a low-rank model.
type shape struct{ n, d, k int }

// shapes are the size of the study, and tiny ones.
func shapes() []shape { return []shape{{50, 25, 5}, {2, 2, 1}, {3, 4, 2}, {7, 3, 2}} }

// TestLowRankJoint: prior and likelihood are those of one number at a time.
func TestLowRankJoint(t *testing.T) {
	for i, h := range shapes() {
		hyper := latent.LowRankHyper{UVariance: 2, VVariance: 0.5, NoiseVariance: 0.1}
		m, s := simulated(t, uint64(i), h.n, h.d, h.k, hyper)
		for _, b := range []float64{0, 0.3, 1} {
			near(t, "log joint density", m.LogPrior(s)+m.LogLikelihood(chains.At(b), s), plainLogJoint(m.Rows(), s, b), 1e-12)
		}
	}
}

// TestLowRankConditionals: at triples of factors, the ratio of two densities of one factor given the other is that of the joint
// densities, at every b.
func TestLowRankConditionals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := rapid.SampledFrom(shapes()).Draw(t, "shape")
		hyper := latent.LowRankHyper{
			UVariance:     rapid.SampledFrom([]float64{1, 0.01, 100}).Draw(t, "variance of U"),
			VVariance:     rapid.SampledFrom([]float64{1, 0.1, 10}).Draw(t, "variance of V"),
			NoiseVariance: rapid.SampledFrom([]float64{1, 1e-2, 1e2}).Draw(t, "variance of the noise"),
		}
		c := sampler(rapid.Uint64().Draw(t, "seed"))
		y, _ := latent.SimulateLowRank(c, h.n, h.d, h.k, hyper)
		m := must(latent.NewLowRank(y, h.k, hyper))
		b := rapid.SampledFrom([]float64{0, 1e-6, 0.5, 1}).Draw(t, "b")
		x, z := m.Prior(c), m.Prior(c)
		for _, side := range []struct {
			name  string
			given func(float64, *latent.LowRankState) *latent.Block
			of    func(*latent.LowRankState) [][]float64
		}{
			{"U given V", m.UGivenV, func(s *latent.LowRankState) [][]float64 { return s.U }},
			{"V given U", m.VGivenU, func(s *latent.LowRankState) [][]float64 { return s.V }},
		} {
			block := side.given(b, x)
			got := block.LogDensity(side.of(z)) - block.LogDensity(side.of(x))
			other := m.Clone(x)
			for k, row := range side.of(z) {
				copy(side.of(other)[k], row)
			}
			want := plainLogJoint(y, other, b) - plainLogJoint(y, x, b)
			size := math.Abs(plainLogJoint(y, other, b)) + math.Abs(plainLogJoint(y, x, b))
			if !(math.Abs(got-want) <= 1e-12*size) {
				t.Errorf("%s at %v, b = %v: log ratio %v, want %v", side.name, h, b, got, want)
			}
		}
	})
}
