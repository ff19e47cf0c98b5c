package targets

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

// TestCollage: the slices of a grid have each state once, in a place of its own; the marginals of its pairs of axes are those that are found
// the slow way, and each sums to one where the numbers do.
func TestCollage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sides := rapid.SliceOfN(rapid.IntRange(1, 4), 1, 5).Draw(t, "sides")
		l := longtest.Must(grid.New(sides...))(t)
		if len(sides) == 2 {
			return // a plane
		}
		c := longtest.Must(collageOf(&toys.Toy{Space: l}))(t)
		v := make([]float64, l.States())
		for x := range v {
			v[x] = float64(1 + x)
		}
		if !c.marginals {
			var all []float64
			for i := range c.tiles {
				all = append(all, c.tiles[i].values(v)...)
			}
			if len(all) != len(v) {
				t.Fatalf("%d cells of %d states", len(all), len(v))
			}
			for x := range v { // slices are in the order of the states
				if all[x] != v[x] {
					t.Fatalf("cell %d has the number of state %v", x, all[x]-1)
				}
			}
			return
		}
		for n := range c.tiles {
			i, j := 1+n/c.columns, n%c.columns
			if j >= i {
				if c.tiles[n].rows != 0 {
					t.Fatalf("a tile of the axes %d and %d", i, j)
				}
				continue
			}
			got := c.tiles[n].values(v)
			for a := range sides[i] {
				for b := range sides[j] {
					want := 0.0
					for x := range v {
						if coords := l.Coords(x); coords[i] == a && coords[j] == b {
							want += v[x]
						}
					}
					if math.Abs(got[a*sides[j]+b]-want) > 1e-9 {
						t.Fatalf("axes %d and %d: %v at %d,%d, want %v", i, j, got[a*sides[j]+b], a, b, want)
					}
				}
			}
		}
	})
}
