package kernels_test

import (
	"math"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// TestNearlyFlatRejections holds the probabilities of staying on spins whose log f are nearly alike
// to formulas in the small differences alone. They are rejections, one minus a ratio of sums near
// one, and have all of their digits.
func TestNearlyFlatRejections(t *testing.T) {
	space := grid.MustNew(2, 2)
	for _, size := range []float64{1e-12, 1e-9, 1e-5, 1e-2} {
		logf := []float64{0, 3 * size, -size / 3, size * math.Pi}
		// rejected returns the probability of staying, for weights least + by(d) of a rise d.
		rejected := func(least float64, by func(d float64) float64) func(x int) float64 {
			over := func(x int) float64 { return by(logf[x^1]-logf[x]) + by(logf[x^2]-logf[x]) }
			return func(x int) (stay float64) {
				for _, y := range []int{x ^ 1, x ^ 2} {
					stay += (least + by(logf[y]-logf[x])) / (2*least + over(x)) * max(0, over(y)-over(x)) / (2*least + over(y))
				}
				return stay
			}
		}
		root := func(d float64) float64 { return math.Expm1(d / 2) }
		refused := func(d float64) float64 { return min(0, math.Expm1(d)) }
		metropolis := func(x int) float64 { return -(refused(logf[x^1]-logf[x]) + refused(logf[x^2]-logf[x])) / 2 }
		for name, want := range map[string]func(x int) float64{
			"flip": metropolis, "suwa-todo": metropolis, "gradient": rejected(1, root), "balanced:sqrt": rejected(1, root),
			"balanced:barker": rejected(0.5, func(d float64) float64 { return math.Tanh(d/2) / 2 }), "balanced:min:flip": rejected(1, refused),
		} {
			k := longtest.Must(kernels.Parse(name, space))(t).(chains.Rower)
			var rows chains.PreparedRows
			rows.Prepare(k, logf, nil)
			for x := range logf {
				for way, row := range [][]chains.Entry{k.AppendRow(nil, logf, x), longtest.Must(rows.AppendRow(nil, x))(t)} {
					got := 0.0
					for _, e := range row {
						if e.To == x {
							got += e.P
						}
					}
					if stay := want(x); math.Abs(got-stay) > 1e-13*stay {
						t.Errorf("%s on %v, way %d: state %d stays with probability %v, want %v", name, logf, way, x, got, stay)
					}
				}
			}
		}
	}
}
