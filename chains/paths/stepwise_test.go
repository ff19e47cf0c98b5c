package paths_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/paths"
)

// TestStepwise: at the distributions the path is exact, ratios add up along it, also over several kinks, and centring takes out a
// constant alone.
func TestStepwise(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, k := rapid.IntRange(1, 4).Draw(t, "states"), rapid.IntRange(1, 7).Draw(t, "steps")
		logf := make([][]float64, k+1)
		for i := range logf {
			shift := rapid.SampledFrom([]float64{0, 1e6, -1e6}).Draw(t, "shift")
			for range n {
				logf[i] = append(logf[i], shift+rapid.Float64Range(-5, 5).Draw(t, "log f"))
			}
		}
		p := must(paths.NewStepwise("data", logf))
		got := make([]float64, n)
		for i := range logf {
			p.LogF(got, chains.At(float64(i)/float64(k)))
			for x := range got {
				if got[x] != logf[i][x] {
					t.Fatalf("distribution %d is %v, want %v", i, got, logf[i])
				}
			}
		}
		a, b := rapid.Float64Range(0, 1).Draw(t, "from"), rapid.Float64Range(0, 1).Draw(t, "to")
		a, b = min(a, b), max(a, b)
		path, constant := p.Centred()
		for _, q := range []chains.Path{p, path} {
			low, high := make([]float64, n), make([]float64, n)
			q.LogF(low, chains.At(a))
			q.LogF(high, chains.At(b))
			q.LogRatio(got, chains.At(a), chains.At(b), b-a)
			for x := range got {
				if want := high[x] - low[x]; math.Abs(got[x]-want) > 1e-8 {
					t.Fatalf("from %v to %v the ratio is %v, want %v", a, b, got[x], want)
				}
			}
		}
		first, last := make([]float64, n), make([]float64, n)
		path.LogF(first, chains.At(0))
		path.LogF(last, chains.At(1))
		if got, want := last[0]-first[0]+constant, logf[k][0]-logf[0][0]; math.Abs(got-want) > 1e-9 {
			t.Fatalf("with the constant the centred path rises by %v, want %v", got, want)
		}
	})
}

// TestStepwiseRefuses: ends that are missing, spaces that differ, and numbers that are not finite.
func TestStepwiseRefuses(t *testing.T) {
	for _, logf := range [][][]float64{{{0, 1}}, {{0, 1}, {0}}, {{0, 1}, {0, math.Inf(-1)}}, {{math.NaN()}, {0}}} {
		if _, err := paths.NewStepwise("data", logf); err == nil {
			t.Errorf("%v is a path", logf)
		}
	}
}
