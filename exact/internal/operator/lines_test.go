package operator

import (
	"math"
	"math/rand/v2"
	"testing"

	"breadboard/grid"
)

// TestLines compares the heat bath on every axis with the mean of each line, added up state after
// state, where axes have one value, two or more, and lines are next to each other, close, and so
// many that they are taken in parts.
func TestLines(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, sides := range [][]int{{2}, {1, 2, 1}, {2, 2, 2, 2, 2, 2}, {2, 3, 2, 2}, {3, 2, 3}, {2, 2, 11}, {2, 1100}, {3, 700}, {2, 2, linesAtOnce + 9}} {
		space := grid.MustNew(sides...)
		n := space.States()
		f, v, got, changed := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
		for x := range f {
			f[x], v[x] = math.Exp(70*random.Float64()-35), random.NormFloat64()
		}
		for axis := range sides {
			o := newLines(space, axis)
			o.Load(&Distribution{F: f})
			twin := o.Twin()
			twin.AverageTerms(got, v)
			copy(changed, v)
			twin.AddChange(changed, v, 1)
			for x := range got {
				first := x - space.Coord(x, axis)*space.Stride(axis)
				sum, weights, size := 0.0, 0.0, 0.0
				for k := range sides[axis] {
					y := first + k*space.Stride(axis)
					sum, weights, size = sum+f[y]*v[y], weights+f[y], max(size, math.Abs(v[y]))
				}
				for what, at := range map[string]float64{"the mean": got[x], "the change": changed[x]} {
					if !(math.Abs(at-sum/weights) <= 1e-15*float64(sides[axis])*size) {
						t.Fatalf("sides %v, axis %d, state %d: %s is %v, want %v", sides, axis, x, what, at, sum/weights)
					}
				}
			}
		}
	}
}
