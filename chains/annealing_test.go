package chains_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

func TestAnnealingErrors(t *testing.T) {
	good := longtest.Sure(paths.NewGeometric(nil, make([]float64, 9)))
	space := grid.MustNew(3, 3)
	if _, err := chains.NewAnnealing(good, schedules.Linear{}, kernels.Metropolis{Space: space}, 1); err == nil {
		t.Error("T = 1 is accepted")
	}
	if _, err := chains.NewAnnealing(good, schedules.Linear{}, kernels.Metropolis{Space: grid.MustNew(2, 2)}, 5); err == nil {
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
		if _, err := paths.NewGeometric(c.initial, c.target); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v to %v: error %v, want one with %q", c.initial, c.target, err, c.want)
		}
	}
}

// A researcher's own annealing: five states in a row, a target with two modes, a schedule that lingers at the start.
func ExampleNewAnnealing() {
	line, _ := grid.New(5)
	path, _ := paths.NewGeometric(nil, []float64{2, 0, -3, 0, 1})
	a, err := chains.NewAnnealing(path, schedules.Power{P: 2}, kernels.Metropolis{Space: line}, 5)
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
