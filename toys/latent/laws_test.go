package latent

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/exact/program"
	"breadboard/grid/longtest"
	"breadboard/toys/models"
)

// unreal lets a Chooser that enumerates stand for a RealChooser in programs that draw no real
// numbers.
type unreal struct{ chains.Chooser }

func (unreal) Normal() float64 {
	panic("a discrete model with known hyperparameters has drawn a real number")
}

// estimator is an estimator of log Z that makes its choices by a RealChooser.
type estimator interface {
	Estimate(c chains.RealChooser) float64
}

// meanOf returns the exact mean of exp(sign (log Z-hat - log Z)) of an estimator.
func meanOf(t *testing.T, e estimator, sign, logZ float64) float64 {
	t.Helper()
	law := longtest.Must(program.Enumerate(context.Background(), func(c chains.Chooser) float64 { return e.Estimate(unreal{c}) },
		program.Options{Cut: math.SmallestNonzeroFloat64}))(t)
	return law.Mean(func(l float64) float64 { return math.Exp(sign * (l - logZ)) })
}

// startsAt is a model whose Posterior is exact, from the list of its states.
type startsAt[S comparable] struct {
	estimators.Model[chains.RealChooser, S]
	states []S
	p      []float64
}

func (m startsAt[S]) Posterior(c chains.RealChooser) S { return m.Clone(m.states[c.Choose(m.p)]) }

// along is a model along data, under a name that its method Data leaves free.
type along[S comparable] estimators.Data[chains.RealChooser, S]

// growsTo is the same along data.
type growsTo[S comparable] struct {
	along[S]
	exact startsAt[S]
}

func (m growsTo[S]) Posterior(c chains.RealChooser, t int) S { return m.exact.Posterior(c) }

// TestEstimatorsAreUnbiased: the enumerated distributions of annealing and of sequential Monte
// Carlo on tiny models have the mean Z forward, and that of one over them in reverse is 1/Z. The
// models are cut to three or two rows: a run then has at most some ten thousand outcomes.
func TestEstimatorsAreUnbiased(t *testing.T) {
	longtest.Only(t)
	clu := smallClusterings(t, 3)["clu8"]
	var clusters []*ClusteringState
	for x := range clu.lattice.Space().States() {
		clusters = append(clusters, clu.state(x))
	}
	p, logZ := exactly(clu.lattice)
	unbiased(t, "clustering", startsAt[*ClusteringState]{clu.Clustering, clusters, p}, clu.Along(), logZ)

	bin := bin4(t, 2)
	var attributes []*BinaryState
	for x := range bin.lattice.Space().States() {
		attributes = append(attributes, bin.state(x))
	}
	p, logZ = exactly(bin.lattice)
	unbiased(t, "binary", startsAt[*BinaryState]{bin.Binary, attributes, p}, bin.Along(), logZ)
}

// exactly returns the posterior and log Z of a model on a lattice.
func exactly(m models.Model) (p []float64, logZ float64) {
	p = m.LogPrior()
	for x, l := range m.LogLikelihood(1) {
		p[x] += l
	}
	return p, chains.Normalize(p)
}

func unbiased[S comparable](t *testing.T, name string, m startsAt[S], data estimators.Data[chains.RealChooser, S], logZ float64) {
	places := []chains.Place{chains.At(0), chains.At(0.4), chains.At(1)}
	forth := longtest.Sure(estimators.NewAnnealed[chains.RealChooser](m, places))
	back := longtest.Sure(estimators.NewReverseAnnealed[chains.RealChooser](m, places))
	check := func(what string, e estimator, sign float64) {
		if got := meanOf(t, e, sign, logZ); !(math.Abs(got-1) <= 1e-12) {
			t.Errorf("%s, %s: the mean is %v times what it has to be", name, what, got)
		}
	}
	check("annealing", forth, 1)
	check("annealing in reverse", back, -1)
	for _, q := range []estimators.Proposal{estimators.ProposePosterior, estimators.ProposePrior} {
		for scans := range estimators.Sweeps(2) {
			forth := longtest.Sure(estimators.NewSequential(data, q, scans))
			back := longtest.Sure(estimators.NewReverseSequential[chains.RealChooser, S](growsTo[S]{data, m}, q, scans))
			check("sequential, "+q.String(), forth, 1)
			check("sequential in reverse, "+q.String(), back, -1)
		}
	}
}

// TestRowsAreReversed: along the data each move of a row has its time reversal: p(x) P(x, y) = p(y)
// B(y, x) with the posterior p. Both moves leave p invariant in any order of the attributes, so
// that means of weights do not tell one order from another.
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

// TestHyperparametersAreReversedAlong: along the data the move of the hyperparameters is its own
// time reversal.
func TestHyperparametersAreReversedAlong(t *testing.T) {
	c := chains.NewSampler(rand.NewPCG(51, 1))
	y, _ := SimulateBinary(c, 4, 3, 2, estimators.EvenAttributes(2))
	binary := longtest.Sure(NewInferredBinary(y, 2))
	s := binary.Prior(c)
	a, b := binary.Clone(s), binary.Clone(s)
	binary.Along().Move(chains.NewSampler(rand.NewPCG(52, 1)), 4, 0, a)
	binary.Along().Back(chains.NewSampler(rand.NewPCG(52, 1)), 4, 0, b)
	if a.Hyper.NoiseVariance != b.Hyper.NoiseVariance || a.Hyper.FeatureVariance != b.Hyper.FeatureVariance || !slices.Equal(a.Hyper.Pi, b.Hyper.Pi) {
		t.Errorf("forth to %v, and back to %v", a.Hyper, b.Hyper)
	}
}

// TestPosteriorIsACopy: moves of a state that Posterior has returned do not change the one that it
// returns next.
func TestPosteriorIsACopy(t *testing.T) {
	c := chains.NewSampler(rand.NewPCG(53, 1))
	clustering, s := fullClustering(t, c)
	binary, x := fullBinary(t, c)
	y, f := SimulateLowRank(c, 5, 4, 2, estimators.EqualFactors())
	lowRank := longtest.Sure(NewLowRank(y, 2, estimators.EqualFactors()))
	lowRank.Start(f)
	collapsed := longtest.Sure(NewCollapsedLowRank(y, 2, estimators.EqualFactors()))
	collapsed.Start(collapsed.FromFull(f))
	early := chains.At(0.01)
	clustering.Move(c, early, clustering.Posterior(c))
	binary.Move(c, early, binary.Posterior(c))
	lowRank.Move(c, early, lowRank.Posterior(c))
	collapsed.Move(c, early, collapsed.Posterior(c))
	if !slices.Equal(clustering.Posterior(c).Z, s.Z) || !slices.Equal(binary.Posterior(c).Z, x.Z) || !slices.Equal(lowRank.Posterior(c).V[1], f.V[1]) ||
		!slices.Equal(collapsed.Posterior(c).V[1], f.V[1]) {
		t.Error("a move has changed the exact draw")
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
		want, along, x := 0.0, m.Along(), m.Clone(s)
		for n := len(y); n > 0; n-- {
			var weight float64
			x, weight = along.Drop(n, estimators.ProposePrior, x)
			want += weight
		}
		near(t, m.LogLikelihood(chains.At(1), s), want, 1e-11, "with %d rows apart the log likelihood", apart)
	}
}

// TestClonesKeepTheirHyperparameters: a move of a clone does not change the hyperparameters of the
// state.
func TestClonesKeepTheirHyperparameters(t *testing.T) {
	c := chains.NewSampler(rand.NewPCG(55, 1))
	y := zeros(4, 3)
	clustering := longtest.Sure(NewInferredClustering(y, 3))
	binary := longtest.Sure(NewInferredBinary(y, 3))
	s, x := clustering.Prior(c), binary.Prior(c)
	pi, on := slices.Clone(s.Hyper.Pi), slices.Clone(x.Hyper.Pi)
	clustering.Move(c, chains.At(1), clustering.Clone(s))
	binary.Move(c, chains.At(1), binary.Clone(x))
	if !slices.Equal(s.Hyper.Pi, pi) || !slices.Equal(x.Hyper.Pi, on) {
		t.Errorf("the probabilities were %v and %v, and are %v and %v", pi, on, s.Hyper.Pi, x.Hyper.Pi)
	}
}

// TestScansComputeAnew: a scan, its reversal and one within a floor compute anew what the state
// keeps at their start, so that what rounding has left there does not grow with the number of
// scans.
func TestScansComputeAnew(t *testing.T) {
	c := chains.NewSampler(rand.NewPCG(41, 1))
	clustering, s := fullClustering(t, c)
	along, end := clustering.Along(), chains.At(1)
	for name, scan := range map[string]func(){
		"forth":  func() { clustering.Scan(c, 1, s) },
		"back":   func() { clustering.ScanBack(c, 1, s) },
		"within": func() { clustering.ScanWithin(c, clustering.Level(s)-1e6, s) },
		"along":  func() { along.MoveBy(c, 0, s) },
	} {
		s.sums[s.Z[1]*25] += 0.01
		scan()
		if got, want := clustering.LogLikelihood(end, s), clustering.LogLikelihood(end, refreshed(clustering.Clone(s), clustering.Refresh)); !isNear(got,
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

// TestForksShareNothing: a fork does not write to what the model has computed, so that both can be
// used at once.
func TestForksShareNothing(t *testing.T) {
	c := chains.NewSampler(rand.NewPCG(42, 1))
	clustering, s := fullClustering(t, c)
	fork := clustering.Fork()
	law := clustering.Conditional(1, 3, s)
	logs := slices.Clone(law.Logs)
	fork.Move(c, chains.At(0.3), fork.Prior(c))
	if !slices.Equal(law.Logs, logs) {
		t.Error("clustering: a move of a fork has changed a distribution of the model")
	}
	if &fork.means[0][0] == &clustering.means[0][0] || &fork.terms.byCount[0] == &clustering.terms.byCount[0] || &fork.weights[0] == &clustering.weights[0] ||
		&fork.fit.Size[0] == &clustering.fit.Size[0] || fork.replay == clustering.replay {
		t.Error("clustering: a fork has room in common with the model")
	}
	binary, _ := fullBinary(t, c)
	other := binary.Fork()
	if other.features == binary.features || other.spectrum == binary.spectrum || other.replay == binary.replay ||
		&other.row.rest[0] == &binary.row.rest[0] || &other.odds.logs[0] == &binary.odds.logs[0] {
		t.Error("binary: a fork has room in common with the model")
	}
	y, _ := SimulateLowRank(c, 5, 4, 2, estimators.EqualFactors())
	collapsed := longtest.Sure(NewCollapsedLowRank(y, 2, estimators.EqualFactors()))
	third := collapsed.Fork()
	full, fourth := collapsed.full, third.full
	if fourth.block.factor == full.block.factor || &fourth.block.white[0] == &full.block.white[0] || &fourth.rest[0] == &full.rest[0] ||
		&fourth.lengths[0] == &full.lengths[0] ||
		&fourth.first[0] == &full.first[0] || fourth.keep == full.keep || third.column.factor == collapsed.column.factor ||
		&third.column.v[0] == &collapsed.column.v[0] {
		t.Error("low rank: a fork has room in common with the model")
	}
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
		"a cluster back to the posterior":                       {known.Along().DropWork(2, posterior), 1 + 3},
		"the first cluster back to the posterior":               {known.Along().DropWork(1, posterior), 3},
		"attributes back to the posterior":                      {binary.Along().DropWork(2, posterior), 1 + 3},
	} {
		if got[0] != got[1] {
			t.Errorf("%s: %v evaluations, and by hand %v", name, got[0], got[1])
		}
	}
}
