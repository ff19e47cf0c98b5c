package diagnostics_test

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
	mean := stat.Mean(x, nil)
	out := make([]float64, len(x))
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

// TestMedian by hand.
func TestMedian(t *testing.T) {
	for want, v := range map[float64][]float64{
		3: {3}, 2.5: {1, 4}, 4: {9, 1, 4}, 6.5: {11, 4, 9, 1}, math.Inf(1): {1, math.Inf(1)}} {
		if got := diagnostics.Median(v); got != want {
			t.Errorf("the median of %v is %v", v, got)
		}
	}
	if !math.IsNaN(diagnostics.Median(nil)) {
		t.Error("no numbers have a median")
	}
}
