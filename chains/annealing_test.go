package chains_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/grid"
)

func TestGeometricPath(t *testing.T) {
	inf := math.Inf(-1)
	initial, target := []float64{0, -1, inf, 2}, []float64{3, inf, 1, -2}
	p, err := chains.NewGeometric(initial, target)
	if err != nil {
		t.Fatal(err)
	}
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
		draw := func(what string) []float64 {
			return rapid.SliceOfN(rapid.Float64Range(-50, 50), n, n).Draw(t, what)
		}
		initial := draw("initial")
		if rapid.Bool().Draw(t, "uniform") {
			initial = nil
		}
		p, err := chains.NewGeometric(initial, draw("target"))
		if err != nil {
			t.Fatal(err)
		}
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
	p, err := chains.NewGeometric(nil, g)
	if err != nil {
		t.Fatal(err)
	}
	g[0] = 99
	p.Difference()[1] = 99
	got := make([]float64, 2)
	p.LogF(got, chains.At(1))
	if got[0] != 1 || got[1] != 2 {
		t.Errorf("the path changed to %v behind its back", got)
	}
}

func TestAnnealingErrors(t *testing.T) {
	good, err := chains.NewGeometric(nil, make([]float64, 9))
	if err != nil {
		t.Fatal(err)
	}
	space := grid.MustNew(3, 3)
	if _, err := chains.NewAnnealing(good, chains.Linear{}, chains.Metropolis{Space: space}, 1); err == nil {
		t.Error("T = 1 is accepted")
	}
	if _, err := chains.NewAnnealing(good, chains.Linear{}, chains.Metropolis{Space: grid.MustNew(2, 2)}, 5); err == nil {
		t.Error("a kernel for another space is accepted")
	}
	for _, c := range []struct {
		initial, target []float64
		want            string
	}{
		{nil, []float64{0, math.NaN()}, "state 1"},
		{nil, []float64{math.Inf(1)}, "state 0"},
		{nil, []float64{math.Inf(-1), math.Inf(-1)}, "no mass"},
		{nil, nil, "no mass"},
		{[]float64{0}, []float64{0, 0}, "1 states and the target 2"},
		{[]float64{0, math.Inf(-1)}, []float64{math.Inf(-1), 0}, "no common state"},
		{[]float64{0, math.NaN()}, []float64{0, 0}, "initial distribution has log f = NaN at state 1"},
	} {
		if _, err := chains.NewGeometric(c.initial, c.target); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v to %v: error %v, want one with %q", c.initial, c.target, err, c.want)
		}
	}
}

// A researcher's own annealing: five states in a row, a target with two modes, a schedule that lingers at the
// start.
func ExampleNewAnnealing() {
	line, _ := grid.New(5)
	path, _ := chains.NewGeometric(nil, []float64{2, 0, -3, 0, 1})
	a, err := chains.NewAnnealing(path, chains.Power{P: 2}, chains.Metropolis{Space: line}, 5)
	if err != nil {
		fmt.Println(err)
		return
	}
	logf := make([]float64, a.States())
	for t := 1; t <= a.Distributions(); t++ {
		a.LogF(logf, t)
		fmt.Println(t, a.Beta(t), logf)
	}
	// Output:
	// 1 0 [0 0 0 0 0]
	// 2 0.0625 [0.125 0 -0.1875 0 0.0625]
	// 3 0.25 [0.5 0 -0.75 0 0.25]
	// 4 0.5625 [1.125 0 -1.6875 0 0.5625]
	// 5 1 [2 0 -3 0 1]
}
