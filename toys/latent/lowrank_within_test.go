package latent_test

import (
	"math"
	"slices"
	"testing"

	"breadboard/chains"
	"breadboard/toys/latent"
)

// TestLowRankWithin: moves above a floor leave the prior there invariant: from exact draws, by rejection, the entries of U and V and the
// likelihood have the law that independent draws have. They stay above the floor, and leave the state where they started.
func TestLowRankWithin(t *testing.T) {
	y, h := small()
	m := must(latent.NewLowRank(y, 1, h))
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
	drawn, moved := make([][]float64, len(of)), make([][]float64, len(of))
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

// TestLowRankWithinAtTheLimit: a state at the floor but for rounding stays above it. The noise is as small as the rounding of data, so that some
// moves end below the floor, and are taken back.
func TestLowRankWithinAtTheLimit(t *testing.T) {
	h := latent.LowRankHyper{UVariance: 1, VVariance: 1, NoiseVariance: 1e-31}
	m, s := simulated(t, 3, 7, 4, 2, h)
	c := sampler(4)
	stayed := 0
	for range 1000 {
		m.Move(c, chains.At(1), s)
		before := m.Clone(s)
		floor := math.Nextafter(m.Level(s), math.Inf(-1))
		if m.Within(c, floor, s); !(m.Level(s) > floor) {
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
