package averages_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/diagnostics"
	"breadboard/chains/kernels"
	"breadboard/exact/averages"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// TestReferenceExpectations: values of a program independent of this one, from a uniform start with
// four chains.
func TestReferenceExpectations(t *testing.T) {
	for _, c := range []struct {
		toy, kernel, function                                             string
		n                                                                 int
		s2, variance, mse, batches, rhat, lag1, geweke, ess, single, ress float64
	}{
		{"easy", "metropolis", "x0", 100,
			0.18710906048091253, 0.9155327148458072, 0.9715578888606584, 1.712518637830552, 2.425498545370316,
			0.17041062610790306, 0.5664769897605397,
			2.525966638824668, 5.0000405548256355, 1.0292747467396879},
		{"barrier", "metropolis", "mode", 100,
			0.01305739425233145, 1.6389527430754227, 5.055200748876962, 0.0483647436501163,
			11.247627669729594, 0.007180524278555253, 0.04728454278419542,
			2.0999214061624265, 28.898093247230744, 0.19781608083955024},
		{"random:1:3:5x5", "moore", "x0", 200,
			0.8070573690181968, 0.1892774879418772, 0.1896191553124504, 8.792056609499882, 1.1088408011573705,
			0.7393822234267367, 0.9709312759334556,
			12.892573031708787, 9.146754916898663, 5.273728797874989},
	} {
		chain, f, start := setting(t, c.toy, c.kernel, "uniform", c.function)
		e := longtest.Must(chain.Expectations(context.Background(), f, start, c.n, 4, nil))(t)
		for what, v := range map[string][2]float64{
			"the mean variance": {e.MeanVariance, c.s2}, "the variance of the mean": {
				e.VarianceOfMean, c.variance}, "the mean squared error": {e.MSE, c.mse},
			"batch means": {e.BatchMeans, c.batches}, "R-hat": {e.RHat, c.rhat},
			"the autocovariance at lag 1": {e.Autocovariances[1], c.lag1},
			"Geweke's difference":         {e.GewekeDifference2, c.geweke}, "ESS": {e.ESS, c.ess},
			"ESS of one chain": {e.ESSSingle, c.single}, "RESS": {1 / e.MSE, c.ress},
		} {
			if !(math.Abs(v[0]-v[1]) <= 1e-11*math.Abs(v[1])) {
				t.Errorf("%s %s %s, N = %d: %s is %v, want %v", c.toy, c.kernel, c.function, c.n, what, v[0], v[1])
			}
		}
	}
}

// tiny draws a chain on two or three states, a function and a start, with zeros.
func tiny(t *rapid.T) (*averages.Chain, *averages.Function, []float64) {
	states := rapid.IntRange(2, 3).Draw(t, "states")
	logf := rapid.SliceOfN(rapid.Float64Range(-3, 3), states, states).Draw(t, "log f")
	constant := rapid.SampledFrom([]float64{0, 1e12}).Draw(t, "constant")
	g := make([]float64, states)
	for x := range g {
		g[x] = constant + float64(x*x)
	}
	k := rapid.SampledFrom([]chains.Kernel{kernels.Metropolis{Space: grid.MustNew(states)},
		kernels.Barker{Space: grid.MustNew(states)}}).Draw(t, "kernel")
	c := longtest.Must(averages.New(context.Background(), k, logf))(t)
	f := longtest.Must(c.Standardise(g))(t)
	start := make([]float64, states)
	start[rapid.IntRange(0, states-1).Draw(t, "likelier")] = 0.5
	start[rapid.IntRange(0, states-1).Draw(t, "start")] += 0.5
	return c, f, start
}

// TestExpectationsOverAllPaths: on tiny spaces every path is followed, and what enters the
// diagnostics is computed from its draws by the definitions.
func TestExpectationsOverAllPaths(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		c, f, start := tiny(t)
		n := rapid.IntRange(4, map[int]int{2: 12, 3: 7}[c.States()]).Draw(t, "N")
		got := longtest.Must(c.Expectations(ctx, f, start, n, 3, nil))(t)
		want := overPaths(c, f, start, n)
		check := func(what string, got, want float64) {
			if !(math.Abs(got-want) <= 1e-11*(1+math.Abs(want))) && !(math.IsNaN(got) && n < 10) {
				t.Fatalf("N = %d: %s is %v, and %v over all paths", n, what, got, want)
			}
		}
		check("bias", got.Bias, want.Bias)
		check("MSE", got.MSE, want.MSE)
		check("variance of the mean", got.VarianceOfMean, want.MSE-want.Bias*want.Bias)
		check("mean variance", got.MeanVariance, want.MeanVariance)
		check("batch means", got.BatchMeans, want.BatchMeans)
		check("Geweke's difference", got.GewekeDifference2, want.GewekeDifference2)
		for k, v := range want.Autocovariances {
			check("an autocovariance", got.Autocovariances[k], v)
		}
	})
}

// pathMeans are means over paths.
type pathMeans struct{ averages.Expectations }

// overPaths follows all paths.
func overPaths(c *averages.Chain, f *averages.Function, start []float64, n int) *pathMeans {
	m := &pathMeans{averages.Expectations{Autocovariances: make([]float64, n)}}
	draws := make([]float64, n)
	averages.EachPath(c, start, n, func(path []int, p float64) {
		for i, x := range path {
			draws[i] = f.Values[x]
		}
		m.path(draws, p)
	})
	return m
}

// mean and variance (divisor N - 1) by their definitions.
func mean(x []float64) (m float64) {
	for _, v := range x {
		m += v / float64(len(x))
	}
	return m
}

func variance(x []float64) (v float64) {
	for _, y := range x {
		v += (y - mean(x)) * (y - mean(x)) / float64(len(x)-1)
	}
	return v
}

// path adds one path of a probability.
func (m *pathMeans) path(draws []float64, p float64) {
	average := mean(draws)
	n := len(draws)
	m.Bias += p * average
	m.MSE += p * average * average
	m.MeanVariance += p * variance(draws)
	for k, v := range diagnostics.Autocovariances(draws) {
		m.Autocovariances[k] += p * v
	}
	size := int(math.Sqrt(float64(n)))
	var batches []float64
	for j := range n / size {
		batches = append(batches, mean(draws[j*size:(j+1)*size]))
	}
	m.BatchMeans += p * variance(batches) * float64(size)
	difference := mean(draws[:n/10]) - mean(draws[n-n/2:])
	m.GewekeDifference2 += p * difference * difference
}

// TestExpectationsOfSlowChains: a chain that leaves its state once in 1e12 moves has a tiny
// variance, all of whose digits are right: on two states D(i, i+k) is the probability of a change
// in units of the variance.
func TestExpectationsOfSlowChains(t *testing.T) {
	const leave, n = 1e-12, 50
	c := longtest.Must(averages.New(context.Background(), slow(leave), []float64{0, 0}))(t)
	f := longtest.Must(c.Standardise([]float64{0, 1}))(t)
	e := longtest.Must(c.Expectations(context.Background(), f, []float64{0.5, 0.5}, n, 4, nil))(t)
	// the mean over pairs of half the squared difference, 4 times the probability of a change over
	// 2
	want := 0.0
	for k := 1; k < n; k++ {
		want += 2 * float64(n-k) * 2 * -math.Expm1(float64(k)*math.Log1p(-2*leave)) / 2 / (n * (n - 1))
	}
	if math.Abs(e.MeanVariance-want) > 1e-13*want {
		t.Errorf("the mean variance is %v, want %v", e.MeanVariance, want)
	}
}

// slow is a kernel on two states that goes to the other with a small probability.
type slow float64

func (s slow) Move(c chains.Chooser, _ []float64, x int) int {
	return c.Choose([]float64{0: map[int]float64{0: 1 - float64(s), 1: float64(s)}[x],
		1: map[int]float64{0: float64(s), 1: 1 - float64(s)}[x]})
}

// TestBadExpectations: what is refused, and in which words.
func TestBadExpectations(t *testing.T) {
	c, f, start := setting(t, "random:0:0:2", "metropolis", "uniform", "x0")
	ctx := context.Background()
	ask := func(start []float64, n, chains int) string {
		_, err := c.Expectations(ctx, f, start, n, chains, nil)
		if err == nil {
			return ""
		}
		return err.Error()
	}
	for got, want := range map[string]string{
		ask(start, 3, 4): "3 samples are too few for diagnostics; give at least 4",
		ask(start, 100_001,
			4): "100001 samples are too many for the expectations of diagnostics, whose rounding grows " +
			"with their number; give at most 100000",
		ask(start, 100, 0):             "0 chains; give at least one",
		ask([]float64{1}, 100, 4):      "start: it has 1 states and the target 2",
		ask([]float64{0.5, 0}, 100, 4): "start: the probabilities sum to 0.5",
	} {
		if !strings.HasPrefix(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if err := averages.CheckExpectations(65536, 2048); err != nil {
		t.Error(err)
	}
	if err := averages.CheckExpectations(65536, 2049); err == nil ||
		err.Error() !=
			"2049 samples on 65536 states take too long for the expectations of diagnostics; give at most "+
				"2048 samples" {
		t.Error(err)
	}
	zero := longtest.Must(
		averages.New(ctx, kernels.Metropolis{Space: grid.MustNew(3)}, []float64{0, 0, math.Inf(-1)}),
	)(t)
	infinite := longtest.Must(zero.Standardise([]float64{0, 1, math.Inf(-1)}))(t)
	longtest.Refuses(zero.Expectations(ctx, infinite, []float64{0.5, 0, 0.5}, 10, 2, nil))(t, "-Inf at state 2")
}
