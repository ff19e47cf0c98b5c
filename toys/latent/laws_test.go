package latent

import (
	"math"
	"math/rand/v2"
	"testing"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/grid/longtest"
)

// TestRowsAreReversed: along the data each move of a row has its time reversal: p(x) P(x, y) = p(y)
// B(y, x) with the posterior p. Both moves leave p invariant in any order of the attributes, so
// that means of weights do not tell one order from another.
func TestRowsAreReversed(t *testing.T) {
	m := bin4(t, 2)
	along := m.Along()
	n := m.lattice.Space().States()
	p := posteriorOf(m.lattice.LogPrior(), m.lattice.LogLikelihood(1))
	for i := range 2 {
		forth := rows(t, n,
			func(c chains.Chooser, x int) int { s := m.state(x); along.MoveBy(c, i, s); return m.number(s) })
		back := rows(t, n,
			func(c chains.Chooser, x int) int { s := m.state(x); along.BackBy(c, i, s); return m.number(s) })
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

// TestNearlyEqualAttributes: two attributes that all rows but one have in common have an eigenvalue
// that is a small part of the others, and is not zero. Two that all rows have in common have one
// that is zero. The likelihood is that of the rows one after another, which knows no eigenvalues.
func TestNearlyEqualAttributes(t *testing.T) {
	c := chains.NewSampler(rand.NewPCG(54, 1))
	h := estimators.EvenAttributes(3)
	h.FeatureVariance = 100
	y, _ := SimulateBinary(c, 1000, 2, 3, h)
	m := longtest.Sure(NewBinary(y, 3, h))
	for _, apart := range []int{0, 1} {
		s := m.Prior(c)
		for i := range y {
			s.Z[3*i], s.Z[3*i+1] = 1, 1
		}
		s.Z[3*500+1] = 1 - apart
		m.Refresh(s)
		want := 0.0
		along := m.Along()
		x := m.Clone(s)
		for n := len(y); n > 0; n-- {
			var weight float64
			x, weight = along.Drop(n, estimators.ProposePrior, x)
			want += weight
		}
		near(t, m.LogLikelihood(chains.At(1), s), want, 1e-11, "with %d rows apart the log likelihood", apart)
	}
}

// TestScansComputeAnew: a scan, its reversal and one within a floor compute anew what the state
// keeps at their start, so that what rounding has left there does not grow with the number of
// scans.
func TestScansComputeAnew(t *testing.T) {
	c := chains.NewSampler(rand.NewPCG(41, 1))
	clustering, s := fullClustering(t, c)
	along := clustering.Along()
	end := chains.At(1)
	for name, scan := range map[string]func(){
		"forth":  func() { clustering.Scan(c, 1, s) },
		"back":   func() { clustering.ScanBack(c, 1, s) },
		"within": func() { clustering.ScanWithin(c, clustering.Level(s)-1e6, s) },
		"along":  func() { along.MoveBy(c, 0, s) },
	} {
		s.sums[s.Z[1]*25] += 0.01
		scan()
		if got, want := clustering.LogLikelihood(end, s),
			clustering.LogLikelihood(end, refreshed(clustering.Clone(s), clustering.Refresh)); !isNear(got,
			want, 1e-13) {
			t.Errorf("clustering, %s: the log likelihood is %v, and anew %v", name, got, want)
		}
	}
	binary, x := fullBinary(t, c)
	rows := binary.Along()
	for name, scan := range map[string]func(){
		"forth":      func() { binary.Scan(c, 1, x) },
		"back":       func() { binary.ScanBack(c, 1, x) },
		"within":     func() { binary.ScanWithin(c, binary.Level(x)-1e6, x) },
		"along":      func() { rows.MoveBy(c, 0, x) },
		"along back": func() { rows.BackBy(c, 49, x) },
	} {
		x.cross[3][2] += 0.01
		scan()
		anew := refreshed(binary.Clone(x), binary.Refresh)
		if d := x.cross[3][2] - anew.cross[3][2]; !(d < 1e-9 && d > -1e-9) {
			t.Errorf("binary, %s: what is kept differs by %v from what is computed anew", name, d)
		}
	}
}

// refreshed returns a state after Refresh.
func refreshed[S any](s S, refresh func(S)) S {
	refresh(s)
	return s
}

// TestWork: what moves, proposals and drops count, by hand for five rows and three columns.
func TestWork(t *testing.T) {
	y := zeros(5, 3)
	clustering := longtest.Sure(NewInferredClustering(y, 4))
	binary := longtest.Sure(NewInferredBinary(y, 2))
	lowRank := longtest.Sure(NewInferredLowRank(y, 2))
	known := longtest.Sure(NewClustering(y, 4, estimators.EqualClusters(4)))
	const prior, posterior = estimators.ProposePrior, estimators.ProposePosterior
	for name, got := range map[string][2]float64{
		"a scan over five rows of three other clusters":         {known.MoveWork(), 15},
		"and the variances and probabilities":                   {clustering.MoveWork(), 15 + 3},
		"a scan of ten attributes, variances and probabilities": {binary.MoveWork(), 10 + 2 + 2},
		"a scan of sixteen numbers and the variances":           {lowRank.MoveWork(), 16 + 3},
		"no scan over the first row":                            {known.Along().ScanWork(1), 0},
		"but of the hyperparameters":                            {clustering.Along().ScanWork(1), 3 + 3},
		"a scan over two rows":                                  {known.Along().ScanWork(2), 6},
		"a cluster from the prior":                              {known.Along().ExtendWork(2, prior), 1},
		"a cluster from the posterior":                          {known.Along().ExtendWork(2, posterior), 4},
		"attributes from the posterior":                         {binary.Along().ExtendWork(2, posterior), 4},
		"a cluster back to the prior":                           {known.Along().DropWork(2, prior), 1},
		"a cluster back to the posterior": {
			known.Along().DropWork(2, posterior), 1 + 3},
		"the first cluster back to the posterior": {known.Along().DropWork(1, posterior), 3},
		"attributes back to the posterior": {
			binary.Along().DropWork(2, posterior), 1 + 3},
	} {
		if got[0] != got[1] {
			t.Errorf("%s: %v evaluations, and by hand %v", name, got[0], got[1])
		}
	}
}

// TestForksShareNothing: a fork has its own memory for what moves compute, so that both can be used
// at once.
func TestForksShareNothing(t *testing.T) {
	c := chains.NewSampler(rand.NewPCG(42, 1))
	a, _ := fullClustering(t, c)
	b := a.Fork()
	x, _ := fullBinary(t, c)
	y := x.Fork()
	z := longtest.Sure(NewCollapsedLowRank(zeros(5, 4), 2, estimators.EqualFactors()))
	w := z.Fork()
	for i, shared := range []bool{
		&a.means[0][0] == &b.means[0][0], &a.terms.byCount[0] == &b.terms.byCount[0],
		&a.weights[0] == &b.weights[0], &a.fit.Size[0] == &b.fit.Size[0],
		a.replay == b.replay, x.features == y.features, x.spectrum == y.spectrum, x.replay == y.replay,
		&x.row.rest[0] == &y.row.rest[0],
		&x.odds.logs[0] == &y.odds.logs[0], z.full.block.factor == w.full.block.factor,
		&z.full.rest[0] == &w.full.rest[0],
		z.full.keep == w.full.keep, z.column.factor == w.column.factor, &z.column.v[0] == &w.column.v[0],
	} {
		if shared {
			t.Errorf("pair %d of the list is one memory", i)
		}
	}
}
