package chains_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"breadboard/chains/diagnostics"
	"breadboard/grid/longtest"
)

// plainAutocovariances are the sums of the definition.
func plainAutocovariances(x []float64) []float64 {
	mean, out := stat.Mean(x, nil), make([]float64, len(x))
	for k := range out {
		for i := range len(x) - k {
			out[k] += (x[i] - mean) * (x[i+k] - mean) / float64(len(x))
		}
	}
	return out
}

// TestAutocovariances compares the transform with the sums, and the lags of a chain of many draws,
// which come from blocks of several sizes, with those of one transform.
func TestAutocovariances(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.SliceOfN(rapid.Float64Range(-1, 1), 1, 200).Draw(t, "values")
		size := rapid.SampledFrom([]float64{1e-12, 1, 1e100}).Draw(t, "size")
		for i := range x {
			x[i] *= size
		}
		for k, want := range plainAutocovariances(x) {
			if got := diagnostics.Autocovariances(x)[k]; !(math.Abs(got-want) <= 1e-14*size*size) {
				t.Fatalf("lag %d of %d: %v, want %v", k, len(x), got, want)
			}
		}
	})
	d := walks(1, 20_001, 0.9995, 3)
	got := longtest.Must(diagnostics.ESS(d))(t)
	if want := diagnostics.ESSFrom(diagnostics.Autocovariances(d[0]), 1, 0); !(math.Abs(got-want) <= 1e-10*want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// plainESSFrom follows the effective sample size of ArviZ statement by statement.
func plainESSFrom(cov []float64, chains int, between float64) float64 {
	n := len(cov)
	meanVar := cov[0] * float64(n) / float64(n-1)
	varPlus := meanVar * float64(n-1) / float64(n)
	if chains > 1 {
		varPlus += between
	}
	if varPlus == 0 {
		return float64(chains * n)
	}
	rho := make([]float64, n)
	even, odd := 1.0, 1-(meanVar-cov[1])/varPlus
	rho[0], rho[1] = even, odd
	t := 1
	for t < n-3 && even+odd > 0 {
		even, odd = 1-(meanVar-cov[t+1])/varPlus, 1-(meanVar-cov[t+2])/varPlus
		if even+odd >= 0 {
			rho[t+1], rho[t+2] = even, odd
		}
		t += 2
	}
	last := t - 2
	if even > 0 {
		rho[last+1] = even
	}
	for t = 1; t <= last-2; t += 2 {
		if rho[t+1]+rho[t+2] > rho[t-1]+rho[t] {
			rho[t+1] = (rho[t-1] + rho[t]) / 2
			rho[t+2] = rho[t+1]
		}
	}
	tau := -1.0
	for k := range last + 1 {
		tau += 2 * rho[k]
	}
	tau += rho[last+1]
	size := float64(chains * n)
	return size / max(tau, 1/math.Log10(size))
}

// walks returns chains of autoregressive draws of the first order.
func walks(chains, draws int, stay float64, seed uint64) diagnostics.Draws {
	r := rand.New(rand.NewPCG(seed, 1))
	d := make(diagnostics.Draws, chains)
	for k := range d {
		v := r.NormFloat64()
		for range draws {
			v = stay*v + math.Sqrt(1-stay*stay)*r.NormFloat64()
			d[k] = append(d[k], v)
		}
	}
	return d
}

// TestESSFromFollowsArviZ takes correlations that no chain has, among them sums of pairs of exactly
// zero and sequences that never end.
func TestESSFromFollowsArviZ(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, chains := rapid.IntRange(2, 12).Draw(t, "draws"), rapid.IntRange(1, 3).Draw(t, "chains")
		quarters := rapid.SliceOfN(rapid.IntRange(-2, 4), n, n).Draw(t, "quarters")
		cov := make([]float64, n)
		for k := range cov { // so that the first is 1 and the correlations are multiples of a quarter
			cov[k] = float64(quarters[k])/4 + float64(n)/float64(n-1) - 1
		}
		cov[0] = 1
		between := 0.0
		if chains > 1 {
			between = float64(rapid.IntRange(0, 2).Draw(t, "between"))
		}
		got, want := diagnostics.ESSFrom(cov, chains, between), plainESSFrom(cov, chains, between)
		if !(math.Abs(got-want) <= 1e-13*want) {
			t.Fatalf("%v: %v, want %v", cov, got, want)
		}
	})
	for _, v := range []float64{diagnostics.ESSFrom([]float64{1}, 1, 0), diagnostics.ESSFrom([]float64{1, 1}, 0, 0),
		diagnostics.ESSFrom([]float64{1, math.NaN()}, 1, 0),
		diagnostics.ESSFrom([]float64{1, 0, 0}, 2, math.NaN())} {
		if !math.IsNaN(v) {
			t.Errorf("%v, want NaN", v)
		}
	}
	if got := diagnostics.ESSFrom([]float64{0, 0, 0}, 2, 0); got != 6 {
		t.Errorf("constant draws have an effective sample size of %v", got)
	}
}

// TestMedian by hand.
func TestMedian(t *testing.T) {
	for want, v := range map[float64][]float64{3: {3}, 2.5: {1, 4}, 4: {9, 1, 4}, 6.5: {11, 4, 9, 1}, math.Inf(1): {1, math.Inf(1)}} {
		if got := diagnostics.Median(v); got != want {
			t.Errorf("the median of %v is %v", v, got)
		}
	}
	if !math.IsNaN(diagnostics.Median(nil)) {
		t.Error("no numbers have a median")
	}
}
