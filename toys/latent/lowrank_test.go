package latent_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/grid/longtest"
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

// simulated returns a low-rank model of data that it has simulated, and the exact draw.
func simulated(tb testing.TB, seed uint64, n, d, k int,
	hyper estimators.Factors) (*latent.LowRank, *latent.LowRankState) {
	tb.Helper()
	y, s := latent.SimulateLowRank(sampler(seed), n, d, k, hyper)
	m := longtest.Sure(latent.NewLowRank(y, k, hyper))
	m.Start(s)
	return m, s
}

// near fails if two numbers differ by more than a tolerance times the larger of one and their size.
func near(tb rapid.TB, what string, got, want, tolerance float64) {
	tb.Helper()
	if !(math.Abs(got-want) <= tolerance*max(1, math.Abs(want))) {
		tb.Errorf("%s is %v, want %v; they differ by %.2g", what, got, want, got-want)
	}
}

// plainLogJoint is the log joint density of factors and data under the likelihood to the power b, a
// normal density at a time.
func plainLogJoint(y [][]float64, s *latent.LowRankState, b float64) float64 {
	logs := 0.0
	for k := range s.U {
		for _, u := range s.U[k] {
			logs += latent.PlainNormal(u, 0, s.Hyper.UVariance)
		}
		for _, v := range s.V[k] {
			logs += latent.PlainNormal(v, 0, s.Hyper.VVariance)
		}
	}
	for i, row := range y {
		for j, v := range row {
			mean := 0.0
			for k := range s.U {
				mean += s.U[k][i] * s.V[k][j]
			}
			logs += b * latent.PlainNormal(v, mean, s.Hyper.NoiseVariance)
		}
	}
	return logs
}

// shape is the size of a low-rank model.
type shape struct{ n, d, k int }

// shapes are the size of the study, and tiny ones.
func shapes() []shape { return []shape{{50, 25, 5}, {2, 2, 1}, {3, 4, 2}, {7, 3, 2}} }

// TestLowRankWithin: moves above a floor leave the prior there invariant: from exact draws, by
// rejection, the entries of U and V and the likelihood have the distribution that independent draws
// have. They stay above the floor, and leave the state where they started.
func TestLowRankWithin(t *testing.T) {
	y, h := small()
	m := longtest.Sure(latent.NewLowRank(y, 1, h))
	c := sampler(21)
	floor := math.Inf(-1)
	for range 5 { // about one in six states of the prior is above the best of five
		floor = max(floor, m.Level(m.Prior(c)))
	}
	exact := func() *latent.LowRankState {
		for {
			if s := m.Prior(c); m.Level(s) > floor {
				return s
			}
		}
	}
	of := []func(*latent.LowRankState) float64{
		m.Level,
		func(s *latent.LowRankState) float64 { return s.U[0][0] },
		func(s *latent.LowRankState) float64 { return s.U[0][1] * s.V[0][0] },
		func(s *latent.LowRankState) float64 { return s.V[0][1] },
	}
	drawn := make([][]float64, len(of))
	moved := make([][]float64, len(of))
	for range runs() {
		a, b := exact(), exact()
		before := b.U[0][0]
		for range 2 {
			b = m.Within(c, floor, b)
		}
		if !(m.Level(b) > floor) {
			t.Fatalf("the level is %v, and the floor %v", m.Level(b), floor)
		}
		if b.U[0][0] == before {
			t.Fatal("the state has not moved")
		}
		for i, f := range of {
			drawn[i], moved[i] = append(drawn[i], f(a)), append(moved[i], f(b))
		}
	}
	for i := range of {
		testSame(t, i, drawn[i], moved[i])
	}
}

// TestLowRankWithinAtTheLimit: a state at the floor but for rounding stays above it. The noise is
// as small as the rounding of data, so that some moves end below the floor, and are taken back.
func TestLowRankWithinAtTheLimit(t *testing.T) {
	h := estimators.Factors{UVariance: 1, VVariance: 1, NoiseVariance: 1e-31}
	m, s := simulated(t, 3, 7, 4, 2, h)
	c := sampler(4)
	stayed := 0
	for range 1000 {
		m.Move(c, chains.At(1), s)
		before := m.Clone(s)
		floor := math.Nextafter(m.Level(s), math.Inf(-1))
		m.Within(c, floor, s)
		if !(m.Level(s) > floor) {
			t.Fatalf("the level is %v, and the floor %v", m.Level(s), floor)
		}
		if slices.Equal(s.U[1], before.U[1]) && slices.Equal(s.V[1], before.V[1]) {
			stayed++
			if again := m.Level(before); m.Level(s) != again {
				t.Fatalf("the level of a state that has stayed is %v, and was %v", m.Level(s), again)
			}
		}
	}
	if stayed == 0 || stayed == 1000 {
		t.Errorf("%d of 1000 moves have been taken back", stayed)
	}
}
