package paths_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/paths"
	"breadboard/grid/longtest"
)

func TestGeometricPath(t *testing.T) {
	inf := math.Inf(-1)
	initial, target := []float64{0, -1, inf, 2}, []float64{3, inf, 1, -2}
	p := longtest.Sure(paths.NewGeometric(initial, target))
	for _, c := range []struct {
		beta float64
		want []float64
	}{
		{0, initial}, {1, target}, {0.25, []float64{0.75, inf, inf, 1}},
	} {
		got := make([]float64, 4)
		p.LogF(got, chains.At(c.beta))
		for x := range got {
			if got[x] != c.want[x] {
				t.Errorf("beta %v: log f(%d) = %v, want %v", c.beta, x, got[x], c.want[x])
			}
		}
	}
}

// TestLogRatio compares the increment with the difference of the two ends.
func TestLogRatio(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "n")
		draw := func(what string) []float64 { return rapid.SliceOfN(rapid.Float64Range(-50, 50), n, n).Draw(t, what) }
		initial := draw("initial")
		if rapid.Bool().Draw(t, "uniform") {
			initial = nil
		}
		p := longtest.Sure(paths.NewGeometric(initial, draw("target")))
		beta := rapid.Float64Range(0, 0.9).Draw(t, "beta")
		step := rapid.Float64Range(0, 0.1).Draw(t, "step")
		low, high, ratio := make([]float64, n), make([]float64, n), make([]float64, n)
		p.LogF(low, chains.At(beta))
		p.LogF(high, chains.At(beta+step))
		p.LogRatio(ratio, chains.At(beta), chains.At(beta+step), step)
		for x := range ratio {
			if d := high[x] - low[x]; math.Abs(d-ratio[x]) > 1e-13 {
				t.Fatalf("state %d: %v, difference %v", x, ratio[x], d)
			}
		}
	})
}

func TestPathsDoNotShareMemory(t *testing.T) {
	g := []float64{1, 2}
	p := longtest.Sure(paths.NewGeometric(nil, g))
	g[0] = 99
	p.Difference()[1] = 99
	got := make([]float64, 2)
	p.LogF(got, chains.At(1))
	if got[0] != 1 || got[1] != 2 {
		t.Errorf("the path changed to %v behind its back", got)
	}
}
