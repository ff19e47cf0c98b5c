package latent

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/number"
	"breadboard/grid/longtest"
)

// pairZ returns the marginal likelihood of two numbers y under unknown variances with inverse gamma
// priors of shape and scale one, by the trapezoid rule on the logarithms of the variances. The
// function returns the log likelihood given both.
func pairZ(logL func(signal, noise float64) float64) float64 {
	const step = 0.1
	prior := InverseGamma{1, 1}
	total := 0.0
	for s := -6.0; s < 40; s += step {
		for n := -6.0; n < 40; n += step {
			signal, noise := math.Exp(s), math.Exp(n)
			total += math.Exp(prior.LogDensity(signal) + s + prior.LogDensity(noise) + n + logL(signal, noise))
		}
	}
	return total * step * step
}

// logPair returns the log density of two normal numbers with mean zero, whose covariance is noise
// on the diagonal plus signal zz'.
func logPair(y0, y1, signal, noise, z0, z1 float64) float64 {
	det := noise * (noise + signal*(z0*z0+z1*z1))
	across := z1*y0 - z0*y1
	return -math.Log(2*math.Pi) - math.Log(det)/2 - (noise*(y0*y0+y1*y1)+signal*across*across)/(2*det)
}

// pairOfClusters returns a clustering of two numbers into two clusters with unknown
// hyperparameters, and its Z by quadrature. Under the uniform prior of Pi the two are together with
// probability 2/3.
func pairOfClusters() (*Clustering, float64) {
	const y0, y1 = 1.3, 0.9
	return longtest.Sure(NewInferredClustering([][]float64{{y0}, {y1}}, 2)), pairZ(func(signal, noise float64) float64 {
		together, apart := logPair(y0, y1, signal, noise, 1, 1), logPair(y0, y1, 0, noise+signal, 0, 0)
		return number.LogSumExp([]float64{math.Log(2./3) + together, math.Log(1./3) + apart})
	})
}

// pairOfAttributes is the same for one binary attribute.
func pairOfAttributes() (*Binary, float64) {
	const y0, y1 = 1.3, 0.9
	return longtest.Sure(NewInferredBinary([][]float64{{y0}, {y1}}, 1)), pairZ(func(signal, noise float64) float64 {
		return number.LogSumExp([]float64{
			math.Log(1./3) + logPair(y0, y1, signal, noise, 0, 0), math.Log(1./3) + logPair(y0, y1, signal, noise, 1, 1),
			math.Log(1./6) + logPair(y0, y1, signal, noise, 0, 1), math.Log(1./6) + logPair(y0, y1, signal, noise, 1, 0),
		})
	})
}

// checkMeanWeight fails if the mean weight of an estimator is farther from z than six standard
// errors.
func checkMeanWeight(t *testing.T, name string, e estimator, c chains.RealChooser, runs int, z float64) {
	t.Helper()
	sum, squares := 0.0, 0.0
	for range runs {
		w := math.Exp(e.Estimate(c)) / z
		sum, squares = sum+w, squares+w*w
	}
	mean := sum / float64(runs)
	se := math.Sqrt((squares/float64(runs) - mean*mean) / float64(runs))
	if !(math.Abs(mean-1) <= 6*se) {
		t.Errorf("%s: the mean weight is %v times Z, with a standard error of %v", name, mean, se)
	}
}

// TestAnnealingWithUnknownHyperparameters: the mean weight of annealing on two numbers is Z by
// quadrature, within six standard errors. That fails if moves do not leave prior times likelihood
// invariant at every power.
func TestAnnealingWithUnknownHyperparameters(t *testing.T) {
	clustering, z := pairOfClusters()
	annealsTo(t, "clustering", clustering, z)
	binary, z := pairOfAttributes()
	annealsTo(t, "binary", binary, z)
}

// annealsTo fails if the mean weight of annealing is not z.
func annealsTo[S any](t *testing.T, name string, m estimators.Model[chains.RealChooser, S], z float64) {
	t.Helper()
	longtest.Only(t)
	places := make([]chains.Place, 8)
	for i := range places {
		places[i] = chains.At(float64(i) / float64(len(places)-1))
	}
	e := longtest.Sure(estimators.NewAnnealed(m, places))
	checkMeanWeight(t, name, e, chains.NewSampler(rand.NewPCG(8, 1)), longtest.Times(6000, 12_000), z)
}

// TestExtremeHyperparameters: whatever hyperparameters the prior draws, nothing becomes NaN on the
// way from the prior to the posterior.
func TestExtremeHyperparameters(t *testing.T) {
	longtest.Only(t)
	c := chains.NewSampler(rand.NewPCG(10, 1))
	y, _ := SimulateClustering(c, 20, 5, 4, estimators.EqualClusters(4))
	clustering := longtest.Sure(NewInferredClustering(y, 4))
	binary := longtest.Sure(NewInferredBinary(y, 4))
	places := []chains.Place{chains.At(0), chains.At(1e-9), chains.At(1e-3), chains.At(1)}
	for range 300 {
		clusters, attributes := clustering.Prior(c), binary.Prior(c)
		clusters.Hyper.NoiseVariance *= math.Exp(10 * c.Normal())
		clusters.Hyper.CentreVariance *= math.Exp(10 * c.Normal())
		attributes.Hyper.NoiseVariance *= math.Exp(2 * c.Normal())
		for i, at := range places[1:] {
			for _, v := range []float64{clustering.LogStep(places[i], at, clusters), binary.LogStep(places[i], at, attributes), clustering.LogPrior(clusters),
				binary.LogPrior(attributes)} {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Fatalf("a step or a prior of %v at %+v and %+v", v, clusters.Hyper, attributes.Hyper)
				}
			}
			clustering.Move(c, at, clusters)
			binary.Move(c, at, attributes)
			clustering.Back(c, at, clusters)
			binary.Back(c, at, attributes)
		}
	}
	if v := clustering.LogTransition(clustering.Prior(c), clustering.Prior(c)); !math.IsNaN(v) {
		t.Errorf("a log transition of %v, which nobody knows", v)
	}
	if n := testing.AllocsPerRun(10, func() {
		clustering.Move(c, chains.At(0.5), clustering.replay)
		binary.Move(c, chains.At(0.5), binary.replay)
	}); n > 0 {
		t.Errorf("moves with hyperparameters allocate %v times", n)
	}
}

// TestBadModels: errors say what is wrong and where.
func TestBadModels(t *testing.T) {
	table, two, even := [][]float64{{1, 2}, {3, 4}}, estimators.EqualClusters(2), estimators.EvenAttributes(2)
	longtest.Refuses(NewClustering(nil, 2, two))(t, "no data")
	longtest.Refuses(NewClustering(table, 3, two))(t, "3 clusters with 2 probabilities")
	longtest.Refuses(NewClustering(table, -1, estimators.EqualClusters(-1)))(t, "-1 clusters")
	longtest.Refuses(NewClustering(table, 0, estimators.Clusters{}))(t, "sum to 0")
	longtest.Refuses(NewBinary(nil, 2, even))(t, "no data")
	longtest.Refuses(NewBinary(table, 3, even))(t, "3 attributes with 2 probabilities")
	longtest.Refuses(NewBinary(table, 0, estimators.Attributes{}))(t, "no attributes")
}

// TestModelsKeepTheirData: a model does not change with what it was made from, forks are equal and
// draw the same, and states share nothing.
func TestModelsKeepTheirData(t *testing.T) {
	c := chains.NewSampler(rand.NewPCG(11, 1))
	m, s := fullClustering(t, c)
	y, k := m.Rows()[3][4], s.Z[0]
	clone, fork := m.Clone(s), m.Fork()
	other := chains.NewSampler(rand.NewPCG(12, 1))
	same := chains.NewSampler(rand.NewPCG(12, 1))
	x := fork.Posterior(c)
	for range 3 {
		m.Move(other, chains.At(0.3), clone)
		fork.Move(same, chains.At(0.3), x)
	}
	if s.Z[0] != k || m.Rows()[3][4] != y {
		t.Error("a move of a clone has changed the state, or the data")
	}
	for i := range clone.Z {
		if clone.Z[i] != x.Z[i] {
			t.Fatal("a fork moves to another state")
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("no panic if there is no exact draw")
		}
	}()
	empty, err := m.WithData(m.Rows())
	if err != nil || empty.Started() {
		t.Fatal(err, "or a start of other data")
	}
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

// TestAlongWithUnknownHyperparameters: over t data there are moves of the hyperparameters and of
// each row, and the mean weight of sequential Monte Carlo on two numbers is Z by quadrature, within
// six standard errors.
func TestAlongWithUnknownHyperparameters(t *testing.T) {
	clustering, z := pairOfClusters()
	sumsTo(t, "clustering", clustering.Along(), z)
	binary, z := pairOfAttributes()
	sumsTo(t, "binary", binary.Along(), z)
}

// sumsTo fails if the mean weight of sequential Monte Carlo along two data is not z, or a scan does
// not draw the hyperparameters and then each row once.
func sumsTo[S comparable](t *testing.T, name string, data estimators.Data[chains.RealChooser, S], z float64) {
	t.Helper()
	c := chains.NewSampler(rand.NewPCG(33, 1))
	e := longtest.Sure(estimators.NewSequential(data, estimators.ProposePosterior, 2))
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
	longtest.Only(t)
	checkMeanWeight(t, name, e, c, longtest.Times(3000, 6000), z)
}
