package latent

import (
	"math/rand/v2"
	"slices"
	"testing"

	"breadboard/chains"
	"breadboard/chains/estimators"
)

// TestScansComputeAnew: a scan, its reversal and one within a floor compute anew what the state keeps at their start, so that what rounding has
// left there does not grow with the number of scans.
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
		if got, want := clustering.LogLikelihood(end, s), clustering.LogLikelihood(end, refreshed(clustering.Clone(s), clustering.Refresh)); closeTo(got, want, 1e-13) != nil {
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

// TestForksShareNothing: a fork does not write to what the model has computed, so that both can be used at once.
func TestForksShareNothing(t *testing.T) {
	c := chains.NewSampler(rand.NewPCG(42, 1))
	clustering, s := fullClustering(t, c)
	fork := clustering.Fork()
	law := clustering.Conditional(1, 3, s)
	logs := slices.Clone(law.Logs)
	fork.Move(c, chains.At(0.3), fork.Prior(c))
	if !slices.Equal(law.Logs, logs) {
		t.Error("clustering: a move of a fork has changed a law of the model")
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
	y, _ := SimulateLowRank(c, 5, 4, 2, DefaultLowRankHyper())
	collapsed := must(NewCollapsedLowRank(y, 2, DefaultLowRankHyper()))
	third := collapsed.Fork()
	full, fourth := collapsed.full, third.full
	if fourth.block.factor == full.block.factor || &fourth.block.white[0] == &full.block.white[0] || &fourth.rest[0] == &full.rest[0] || &fourth.lengths[0] == &full.lengths[0] ||
		&fourth.first[0] == &full.first[0] || fourth.keep == full.keep || third.column.factor == collapsed.column.factor || &third.column.v[0] == &collapsed.column.v[0] {
		t.Error("low rank: a fork has room in common with the model")
	}
}

// TestWork: what moves, proposals and drops count, by hand for five rows and three columns.
func TestWork(t *testing.T) {
	y := zeros(5, 3)
	clustering := must(NewInferredClustering(y, 4))
	binary := must(NewInferredBinary(y, 2))
	lowRank := must(NewInferredLowRank(y, 2))
	known := must(NewClustering(y, 4, DefaultClusteringHyper(4)))
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
