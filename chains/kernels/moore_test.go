package kernels

import (
	"math"
	"slices"
	"testing"

	"breadboard/grid"
	"breadboard/grid/longtest"
)

// TestMooreOnManyAxes: a row of half a million proposals sums to one as any other.
func TestMooreOnManyAxes(t *testing.T) {
	longtest.Only(t)
	sides := slices.Repeat([]int{2}, 12)
	space := grid.MustNew(sides...)
	logf := make([]float64, space.States())
	for x := range logf {
		logf[x] = math.Sin(float64(x))
	}
	to := make([]float64, len(logf))
	for _, e := range (Moore{space}).AppendRow(nil, logf, 0) {
		to[e.To] += e.P
	}
	total := 0.0
	for _, p := range to {
		total += p
	}
	if math.Abs(total-1) > 1e-13 {
		t.Errorf("the row sums to one but for %v", total-1)
	}
}
