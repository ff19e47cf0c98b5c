package latent

import (
	"math/rand/v2"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/grid/longtest"
)

// noted is a RealChooser that notes the kinds of its choices in turn: n for a normal number, c for a category, f for a flip.
type noted struct {
	chains.RealChooser
	kinds strings.Builder
}

func (n *noted) Normal() float64 {
	n.kinds.WriteByte('n')
	return n.RealChooser.Normal()
}

func (n *noted) Choose(p []float64) int {
	n.kinds.WriteByte('c')
	return n.RealChooser.Choose(p)
}

func (n *noted) Flip(p float64) bool {
	n.kinds.WriteByte('f')
	return n.RealChooser.Flip(p)
}

// kindsOf returns the kinds of the choices that a move makes.
func kindsOf(seed uint64, move func(c chains.RealChooser)) string {
	n := &noted{RealChooser: chains.NewSampler(rand.NewPCG(seed, 1))}
	move(n)
	return n.kinds.String()
}

// TestHyperparametersAreLastInReverse: a move draws unknown hyperparameters first, for which it draws normal numbers, and then scans; its
// time reversal scans first. Both leave the same law invariant, so that no test of that tells one from the other.
func TestHyperparametersAreLastInReverse(t *testing.T) {
	c := chains.NewSampler(rand.NewPCG(31, 1))
	y := [][]float64{{1}, {2}, {-1}, {0.5}}
	clustering := must(NewInferredClustering(y, 2))
	binary := must(NewInferredBinary(y, 2))
	s, x, at := clustering.Prior(c), binary.Prior(c), chains.At(0.5)
	for name, of := range map[string]struct {
		scan       string
		move, back func(c chains.RealChooser)
	}{
		"clustering": {strings.Repeat("c", 4), func(c chains.RealChooser) { clustering.Move(c, at, s) }, func(c chains.RealChooser) { clustering.Back(c, at, s) }},
		"binary":     {strings.Repeat("f", 8), func(c chains.RealChooser) { binary.Move(c, at, x) }, func(c chains.RealChooser) { binary.Back(c, at, x) }},
	} {
		if kinds := kindsOf(1, of.move); !strings.HasPrefix(kinds, "n") || !strings.HasSuffix(kinds, of.scan) {
			t.Errorf("%s: a move makes the choices %s; the normal numbers of the hyperparameters come first, and the scan last", name, kinds)
		}
		if kinds := kindsOf(1, of.back); !strings.HasPrefix(kinds, of.scan+"n") {
			t.Errorf("%s: a reversed move makes the choices %s; the scan comes first", name, kinds)
		}
	}
}

// TestAlongWithUnknownHyperparameters: over t data there are moves of the hyperparameters and of each row, and the mean weight of sequential
// Monte Carlo on two numbers is Z by quadrature, within six standard errors.
func TestAlongWithUnknownHyperparameters(t *testing.T) {
	clustering, z := pairOfClusters()
	sumsTo(t, "clustering", clustering.Along(), z)
	binary, z := pairOfAttributes()
	sumsTo(t, "binary", binary.Along(), z)
}

// sumsTo fails where the mean weight of sequential Monte Carlo along two data is not z, or a scan does not draw the hyperparameters and then
// each row once.
func sumsTo[S comparable](t *testing.T, name string, data estimators.Data[chains.RealChooser, S], z float64) {
	t.Helper()
	c := chains.NewSampler(rand.NewPCG(33, 1))
	e := must(estimators.NewSequential(data, estimators.ProposePosterior, 2))
	var s S
	for k := 1; k <= 2; k++ {
		s, _ = data.Extend(c, k, estimators.ProposePosterior, s)
		if data.Moves(k) != k+1 {
			t.Fatalf("%s: %d moves over %d data, and the hyperparameters and each row are drawn", name, data.Moves(k), k)
		}
		for i := range k + 1 {
			forth := kindsOf(3, func(c chains.RealChooser) { data.Move(c, k, i, s) })
			back := kindsOf(3, func(c chains.RealChooser) { data.Back(c, k, i, s) })
			if first := i == 0; strings.Contains(forth, "n") != first || strings.Contains(back, "n") != first {
				t.Errorf("%s: move %d over %d data makes the choices %s, and in reverse %s", name, i, k, forth, back)
			}
		}
	}
	longtest.NotShort(t)
	checkMeanWeight(t, name, e, c, longtest.Times(3000, 6000), z)
}
