package averages_test

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains/kernels"
	"breadboard/exact/averages"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// stationaryErrors returns tau and the mean squared errors, by N, of the mean of log f along a
// stationary chain of a named kernel on a line.
func stationaryErrors(ctx context.Context, t rapid.TB, name string, logf []float64, numbers ...int64) (tau float64, mse map[int64]float64) {
	t.Helper()
	k := longtest.Must(kernels.Forms().Parse(name, kernels.Env{Space: grid.MustNew(len(logf))}))(t)
	c := longtest.Must(averages.New(ctx, k, logf))(t)
	f := longtest.Must(c.Standardise(logf))(t)
	all := longtest.Must(c.FastestErrors(ctx, averages.Question{Function: f, Starts: [][]float64{c.Target}, N: numbers}))(t)
	mse = map[int64]float64{}
	for _, e := range all[0] {
		mse[e.N] = e.MSE.Float()
	}
	return longtest.Must(c.Variance(ctx, f))(t).Autocorrelation, mse
}

// TestPeskun: Metropolis makes every move with at least the probability of Barker, and both are
// reversible, so that tau is smaller (Peskun 1973, Theorem 2.1.1), and the error of two samples. At
// N = 3 the order may fail, as on a line of six, by values that another program has found.
func TestPeskun(t *testing.T) {
	for _, c := range []struct {
		logf               []float64
		n                  int64
		metropolis, barker float64
	}{
		{[]float64{3, 3, -3, -2, -3, 3}, 3, 0.8038074369003924, 0.8027142578732862},
		{[]float64{4, -3, -2}, 1000, 0.020728982004349607, 0.023325047608851283},
	} {
		tau, first := stationaryErrors(t.Context(), t, "metropolis", c.logf, 2, c.n)
		tauBarker, second := stationaryErrors(t.Context(), t, "barker", c.logf, 2, c.n)
		near := func(got, want float64) bool { return math.Abs(got-want) <= 1e-11*want }
		if !(tau < tauBarker && first[2] < second[2]) || !near(first[c.n], c.metropolis) || !near(second[c.n], c.barker) {
			t.Errorf("%v: tau %v and %v, errors %v and %v", c.logf, tau, tauBarker, first, second)
		}
	}
}

// TestLazyAndThinned: a chain that stays with probability p has tau' = (tau + p)/(1 - p), and the
// mean of all m N samples has at most the error of the mean of every m-th of them (MacEachern and
// Berliner 1994), for kernels that are reversible and one that is not.
func TestLazyAndThinned(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		logf := rapid.SliceOfN(rapid.Float64Range(-2, 2), 3, 7).Draw(rt, "log f")
		logf[0] = 3 // so that log f is no constant
		for _, name := range []string{"metropolis", "barker", "compose:barker+metropolis"} {
			tau, all := stationaryErrors(t.Context(), rt, name, logf, 3, 30)
			lazy, _ := stationaryErrors(t.Context(), rt, "lazy:0.25:"+name, logf, 2)
			thinned, kept := stationaryErrors(t.Context(), rt, "repeat:3:"+name, logf, 1, 10)
			if want := (tau + 0.25) / 0.75; math.Abs(lazy-want) > 1e-10*want {
				rt.Errorf("%s: tau %v, and %v if lazy instead of %v", name, tau, lazy, want)
			}
			if all[3] > kept[1]*(1+1e-10) || all[30] > kept[10]*(1+1e-10) || tau/3 > thinned*(1+1e-10) {
				rt.Errorf("%s: errors %v and tau/3 = %v of all samples, %v and %v of every third", name, all, tau/3, kept, thinned)
			}
		}
	})
}
