package latent

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/grid/longtest"
)

// TestBadModels: errors say what is wrong and where.
func TestBadModels(t *testing.T) {
	table := [][]float64{{1, 2}, {3, 4}}
	two := estimators.EqualClusters(2)
	even := estimators.EvenAttributes(2)
	longtest.Refuses(NewClustering(nil, 2, two))(t, "no data")
	longtest.Refuses(NewClustering(table, 3, two))(t, "3 clusters with 2 probabilities")
	longtest.Refuses(NewClustering(table, -1, estimators.EqualClusters(-1)))(t, "-1 clusters")
	longtest.Refuses(NewClustering(table, 0, estimators.Clusters{}))(t, "sum to 0")
	longtest.Refuses(NewBinary(nil, 2, even))(t, "no data")
	longtest.Refuses(NewBinary(table, 3, even))(t, "3 attributes with 2 probabilities")
	longtest.Refuses(NewBinary(table, 0, estimators.Attributes{}))(t, "no attributes")
}

// TestModelsKeepTheirData: forks are equal and draw the same, and states share nothing, with
// unknown hyperparameters too.
func TestModelsKeepTheirData(t *testing.T) {
	c := chains.NewSampler(rand.NewPCG(11, 1))
	m, s := fullClustering(t, c)
	k := slices.Clone(s.Z)
	clone := m.Clone(s)
	fork := m.Fork()
	other := chains.NewSampler(rand.NewPCG(12, 1))
	same := chains.NewSampler(rand.NewPCG(12, 1))
	x := fork.Posterior(c)
	for range 3 {
		m.Move(other, chains.At(0.3), clone)
		fork.Move(same, chains.At(0.3), x)
	}
	if !slices.Equal(s.Z, k) || !slices.Equal(m.Posterior(c).Z, k) {
		t.Error("a move of a clone has changed the state")
	}
	if !slices.Equal(clone.Z, x.Z) {
		t.Error("a fork moves to another state")
	}
	inferred := longtest.Sure(NewInferredBinary(m.Rows(), 3))
	z := inferred.Prior(c)
	pi := slices.Clone(z.Hyper.Pi)
	inferred.Move(c, chains.At(1), inferred.Clone(z))
	if !slices.Equal(z.Hyper.Pi, pi) {
		t.Errorf("the probabilities were %v, and are %v after a move of a clone", pi, z.Hyper.Pi)
	}
	defer func() {
		if recover() == nil {
			t.Error("no panic if there is no exact draw")
		}
	}()
	empty, err := m.WithData(m.Rows())
	longtest.NoError(t, err)
	empty.Posterior(c)
}

// noted is a RealChooser that notes the kinds of its choices in turn: n for a normal number, c for
// a category, f for a flip.
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

// TestHyperparametersAreLastInReverse: a move draws unknown hyperparameters first, for which it
// draws normal numbers, and then scans; its time reversal scans first. Both leave the same
// distribution invariant, so that no test of that tells one from the other.
func TestHyperparametersAreLastInReverse(t *testing.T) {
	c := chains.NewSampler(rand.NewPCG(31, 1))
	y := [][]float64{{1}, {2}, {-1}, {0.5}}
	clustering := longtest.Sure(NewInferredClustering(y, 2))
	binary := longtest.Sure(NewInferredBinary(y, 2))
	s := clustering.Prior(c)
	x := binary.Prior(c)
	at := chains.At(0.5)
	for name, of := range map[string]struct {
		scan       string
		move, back func(c chains.RealChooser)
	}{
		"clustering": {strings.Repeat("c", 4), func(c chains.RealChooser) { clustering.Move(c, at, s) },
			func(c chains.RealChooser) { clustering.Back(c, at, s) }},
		"binary": {strings.Repeat("f", 8), func(c chains.RealChooser) { binary.Move(c, at, x) },
			func(c chains.RealChooser) { binary.Back(c, at, x) }},
	} {
		if kinds := kindsOf(1, of.move); !strings.HasPrefix(kinds, "n") ||
			!strings.HasSuffix(kinds, of.scan) {
			t.Errorf("%s: a move makes the choices %s; the normal numbers of the hyperparameters come "+
				"first, and the scan last",
				name, kinds)
		}
		if kinds := kindsOf(1, of.back); !strings.HasPrefix(kinds, of.scan+"n") {
			t.Errorf("%s: a reversed move makes the choices %s; the scan comes first", name, kinds)
		}
	}
}

// TestAlongWithUnknownHyperparameters: over t data there are moves of the hyperparameters, which
// draw normal numbers, and of each row, which do not.
func TestAlongWithUnknownHyperparameters(t *testing.T) {
	y := [][]float64{{1.3}, {0.9}}
	drawsApart(t, "clustering", longtest.Sure(NewInferredClustering(y, 2)).Along())
	drawsApart(t, "binary", longtest.Sure(NewInferredBinary(y, 1)).Along())
}

func drawsApart[S comparable](t *testing.T, name string, data estimators.Data[chains.RealChooser, S]) {
	t.Helper()
	c := chains.NewSampler(rand.NewPCG(33, 1))
	var s S
	for k := 1; k <= 2; k++ {
		s, _ = data.Extend(c, k, estimators.ProposePosterior, s)
		if data.Moves(k) != k+1 {
			t.Fatalf("%s: %d moves over %d data, and the hyperparameters and each row are drawn", name,
				data.Moves(k), k)
		}
		for i := range k + 1 {
			forth := kindsOf(3, func(c chains.RealChooser) { data.Move(c, k, i, s) })
			back := kindsOf(3, func(c chains.RealChooser) { data.Back(c, k, i, s) })
			if first := i == 0; strings.Contains(forth, "n") != first ||
				strings.Contains(back, "n") != first {
				t.Errorf("%s: move %d over %d data makes the choices %s, and in reverse %s", name, i, k,
					forth, back)
			}
		}
	}
}
