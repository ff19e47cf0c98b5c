package latent

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"breadboard/chains"
	"breadboard/chains/estimators"
)

// TestRowsAreReversed: along the data each move of a row has its time reversal: p(x) P(x, y) = p(y) B(y, x) with the posterior p. Both moves
// leave p invariant in any order of the attributes, so that means of weights do not tell one order from another.
func TestRowsAreReversed(t *testing.T) {
	m := bin4(t, 2)
	along, n := m.Along(), m.lattice.Space().States()
	p := posteriorOf(m.lattice.LogPrior(), m.lattice.LogLikelihood(1))
	for i := range 2 {
		forth := rows(t, n, func(c chains.Chooser, x int) int { s := m.state(x); along.MoveBy(c, i, s); return m.number(s) })
		back := rows(t, n, func(c chains.Chooser, x int) int { s := m.state(x); along.BackBy(c, i, s); return m.number(s) })
		apart := 0.0
		for x := range n {
			for y := range n {
				apart = max(apart, math.Abs(forth[x][y]-back[x][y]))
				if d := p[x]*forth[x][y] - p[y]*back[y][x]; !(math.Abs(d) <= 1e-15) {
					t.Fatalf("row %d: from %d to %d and back differ by %v", i, x, y, d)
				}
			}
		}
		if !(apart > 1e-3) {
			t.Errorf("row %d: a move and its reversal are the same within %v, so that this says nothing", i, apart)
		}
	}
}

// TestHyperparametersAreReversedAlong: along the data the move of the hyperparameters is its own time reversal.
func TestHyperparametersAreReversedAlong(t *testing.T) {
	c := chains.NewSampler(rand.NewPCG(51, 1))
	y, _ := SimulateBinary(c, 4, 3, 2, DefaultBinaryHyper(2))
	binary := must(NewInferredBinary(y, 2))
	s := binary.Prior(c)
	a, b := binary.Clone(s), binary.Clone(s)
	binary.Along().Move(chains.NewSampler(rand.NewPCG(52, 1)), 4, 0, a)
	binary.Along().Back(chains.NewSampler(rand.NewPCG(52, 1)), 4, 0, b)
	if a.Hyper.NoiseVariance != b.Hyper.NoiseVariance || a.Hyper.FeatureVariance != b.Hyper.FeatureVariance || !slices.Equal(a.Hyper.Pi, b.Hyper.Pi) {
		t.Errorf("forth to %v, and back to %v", a.Hyper, b.Hyper)
	}
}

// TestPosteriorIsACopy: moves of a state that Posterior has returned do not change the one that it returns next.
func TestPosteriorIsACopy(t *testing.T) {
	c := chains.NewSampler(rand.NewPCG(53, 1))
	clustering, s := fullClustering(t, c)
	binary, x := fullBinary(t, c)
	y, f := SimulateLowRank(c, 5, 4, 2, DefaultLowRankHyper())
	lowRank := must(NewLowRank(y, 2, DefaultLowRankHyper()))
	lowRank.Start(f)
	collapsed := must(NewCollapsedLowRank(y, 2, DefaultLowRankHyper()))
	collapsed.Start(collapsed.FromFull(f))
	early := chains.At(0.01)
	clustering.Move(c, early, clustering.Posterior(c))
	binary.Move(c, early, binary.Posterior(c))
	lowRank.Move(c, early, lowRank.Posterior(c))
	collapsed.Move(c, early, collapsed.Posterior(c))
	if !slices.Equal(clustering.Posterior(c).Z, s.Z) || !slices.Equal(binary.Posterior(c).Z, x.Z) || !slices.Equal(lowRank.Posterior(c).V[1], f.V[1]) || !slices.Equal(collapsed.Posterior(c).V[1], f.V[1]) {
		t.Error("a move has changed the exact draw")
	}
}

// TestNearlyEqualAttributes: two attributes that all rows but one have in common have an eigenvalue that is a small part of the others, and is
// not zero. Two that all rows have in common have one that is zero. The likelihood is that of the rows one after another, which knows no
// eigenvalues.
func TestNearlyEqualAttributes(t *testing.T) {
	c := chains.NewSampler(rand.NewPCG(54, 1))
	h := DefaultBinaryHyper(3)
	h.FeatureVariance = 100
	y, _ := SimulateBinary(c, 1000, 2, 3, h)
	m := must(NewBinary(y, 3, h))
	for _, apart := range []int{0, 1} {
		s := m.Prior(c)
		for i := range y {
			s.Z[3*i], s.Z[3*i+1] = 1, 1
		}
		s.Z[3*500+1] = 1 - apart
		m.Refresh(s)
		want, along, x := 0.0, m.Along(), m.Clone(s)
		for n := len(y); n > 0; n-- {
			var weight float64
			x, weight = along.Drop(n, estimators.ProposePrior, x)
			want += weight
		}
		if err := closeTo(m.LogLikelihood(chains.At(1), s), want, 1e-11); err != nil {
			t.Errorf("with %d rows apart the log likelihood is %v", apart, err)
		}
	}
}

// TestClonesKeepTheirHyperparameters: a move of a clone does not change the hyperparameters of the state.
func TestClonesKeepTheirHyperparameters(t *testing.T) {
	c := chains.NewSampler(rand.NewPCG(55, 1))
	y := zeros(4, 3)
	clustering := must(NewInferredClustering(y, 3))
	binary := must(NewInferredBinary(y, 3))
	s, x := clustering.Prior(c), binary.Prior(c)
	pi, on := slices.Clone(s.Hyper.Pi), slices.Clone(x.Hyper.Pi)
	clustering.Move(c, chains.At(1), clustering.Clone(s))
	binary.Move(c, chains.At(1), binary.Clone(x))
	if !slices.Equal(s.Hyper.Pi, pi) || !slices.Equal(x.Hyper.Pi, on) {
		t.Errorf("the probabilities were %v and %v, and are %v and %v", pi, on, s.Hyper.Pi, x.Hyper.Pi)
	}
}
