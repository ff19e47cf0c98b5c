package latent_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/grid/longtest"
	"breadboard/toys/latent"
)

// alarm is how often a test of this file fails by chance, at most, for each number that it
// compares.
const alarm = 1e-10

// runs is how many runs the tests of distributions make.
func runs() int {
	if !longtest.Enabled() {
		return 500
	}
	return longtest.Times(3_000, 10_000)
}

// testBelow fails if the share of independent numbers below each of them differs from a
// distribution function by more than chance.
func testBelow(t *testing.T, what string, x []float64, below func(float64) float64) {
	t.Helper()
	slices.Sort(x)
	n := float64(len(x))
	bound := math.Sqrt(math.Log(2/alarm)/(2*n)) + 1/n
	for i, v := range x {
		if p := below(v); !(math.Abs(p-float64(i)/n) <= bound) {
			t.Errorf("%s: a share of %v lies below %v, and the probability is %v", what, float64(i)/n, v, p)
			return
		}
	}
}

// testSame fails if two samples of that many independent numbers differ by more than chance in the
// share below a number.
func testSame(t *testing.T, what any, x, y []float64) {
	t.Helper()
	slices.Sort(x)
	slices.Sort(y)
	n := float64(len(x))
	bound := 2*math.Sqrt(math.Log(4/alarm)/(2*n)) + 1/n // each differs from its distribution by half of that
	for i, v := range x {
		j, _ := slices.BinarySearch(y, v)
		if math.Abs(float64(i-j)/n) > bound {
			t.Errorf("%v: shares of %v and %v lie below %v; they differ by chance by at most %v", what,
				float64(i)/n, float64(j)/n, v, bound)
			return
		}
	}
}

// normalBelow is the distribution function of a standard normal number.
func normalBelow(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }

// table returns data of zeros.
func table(n, d int) [][]float64 {
	y := make([][]float64, n)
	for i := range y {
		y[i] = make([]float64, d)
	}
	return y
}

// small is the data of which Z is known by quadrature: two rows of two columns, of one component.
func small() ([][]float64, estimators.Factors) {
	return [][]float64{{1.2, -0.4}, {-0.8, 0.9}}, estimators.Factors{
		UVariance:     1.5,
		VVariance:     0.8,
		NoiseVariance: 0.7,
	}
}

// simulator is a model that draws data given a state.
type simulator[S, M any] interface {
	estimators.Model[chains.RealChooser, S]
	Refresh(S)
	Redraw(chains.RealChooser, S) [][]float64
	WithData([][]float64) (M, error)
}

// geweke fails if moves in either order, from the prior and with data given the state, do not leave
// numbers of the state the distributions that they have under the prior, or the log likelihood that
// is kept is not that of the state.
//
// Source: Geweke 2004, Getting it right, with independent runs from exact draws.
func geweke[S any, M simulator[S, M]](t *testing.T, name string, m M, numbers func(S) []float64,
	below ...func(float64) float64) {
	t.Helper()
	c := sampler(31)
	at := chains.At(1)
	for _, back := range []bool{false, true} {
		all := make([][]float64, len(below))
		for range runs() {
			s := m.Prior(c)
			given := longtest.Sure(m.WithData(m.Redraw(c, s)))
			given.Refresh(s)
			for range 3 {
				if back {
					given.Back(c, at, s)
				} else {
					given.Move(c, at, s)
				}
			}
			kept := given.LogLikelihood(at, s)
			given.Refresh(s)
			if math.Abs(given.LogLikelihood(at, s)-kept) > 1e-9*max(1, math.Abs(kept)) {
				t.Fatalf("%s: the log likelihood is %v, and %v was kept", name, given.LogLikelihood(at, s), kept)
			}
			for i, x := range numbers(s) {
				all[i] = append(all[i], x)
			}
		}
		for i, x := range all {
			testBelow(t, fmt.Sprint(name, " number ", i), x, below[i])
		}
	}
}

// TestGeweke: moves leave the joint distribution of states and data, at b = 1.
func TestGeweke(t *testing.T) {
	variance := func(x float64) float64 { return math.Exp(-1 / x) } // inverse gamma of shape and scale one
	uniform := func(x float64) float64 { return x }
	geweke(t, "linear", longtest.Sure(latent.NewRegression(predictors())),
		func(s *latent.RegressionState) []float64 {
			sd := math.Sqrt(s.Hyper.WeightVariance)
			return []float64{
				s.Weights[0] / sd, s.Weights[2] / sd, s.Hyper.WeightVariance, s.Hyper.NoiseVariance}
		}, normalBelow, normalBelow, variance, variance)
	geweke(t, "logistic", longtest.Sure(latent.NewLogistic(predictors())),
		func(s *latent.LogisticState) []float64 {
			sd := math.Sqrt(s.Hyper.WeightVariance)
			return []float64{s.Weights[0] / sd, s.Weights[2] / sd, s.Hyper.WeightVariance}
		}, normalBelow, normalBelow, variance)
	geweke(t, "autoregression", longtest.Sure(latent.NewAutoregression(series())),
		func(s *latent.AutoregressionState) []float64 {
			return []float64{s.Hyper.Alpha, (s.Hyper.Beta - 1) / 0.1, s.Hyper.NoiseVariance}
		}, normalBelow, normalBelow, variance)
	geweke(t, "low rank", longtest.Sure(latent.NewInferredLowRank(table(3, 2), 1)),
		func(s *latent.LowRankState) []float64 {
			return []float64{
				s.U[0][0] / math.Sqrt(s.Hyper.UVariance), s.V[0][0] / math.Sqrt(s.Hyper.VVariance),
				s.Hyper.UVariance, s.Hyper.NoiseVariance}
		}, normalBelow, normalBelow, variance, variance)
	h := estimators.Factors{UVariance: 2, VVariance: 0.5, NoiseVariance: 0.3}
	geweke(t, "collapsed", longtest.Sure(latent.NewCollapsedLowRank(table(3, 2), 1, h)),
		func(s *latent.CollapsedLowRankState) []float64 {
			return []float64{
				s.V[0][0] / math.Sqrt(h.VVariance), (s.V[0][0]*s.V[0][0] + s.V[0][1]*s.V[0][1]) / h.VVariance}
		}, normalBelow, func(x float64) float64 { return -math.Expm1(-x / 2) })
	geweke(t, "clustering", longtest.Sure(latent.NewInferredClustering(table(3, 2), 2)),
		func(s *latent.ClusteringState) []float64 {
			return []float64{s.Hyper.CentreVariance, s.Hyper.NoiseVariance, s.Hyper.Pi[0]}
		}, variance, variance, uniform)
	geweke(t, "binary", longtest.Sure(latent.NewInferredBinary(table(3, 2), 2)),
		func(s *latent.BinaryState) []float64 {
			return []float64{s.Hyper.FeatureVariance, s.Hyper.NoiseVariance, s.Hyper.Pi[0]}
		}, variance, variance, uniform)
}
