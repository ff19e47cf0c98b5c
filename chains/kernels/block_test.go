package kernels_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/chainstest"
	"breadboard/chains/kernels"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// TestBlockRows compares the rows of a block at every place of a plane of 2x3 sites with
// conditional probabilities, by a search of all states for those that differ from x in the block
// alone, and the mixture with their mean.
func TestBlockRows(t *testing.T) {
	space := grid.MustNew(2, 3, 2, 2, 2, 2).OnPlane(3)
	rapid.Check(t, func(t *rapid.T) {
		logf := drawLogF(t, space.States())
		x := rapid.IntRange(0, len(logf)-1).Draw(t, "x")
		sides := rapid.SampledFrom([]string{"1x1", "2x2", "1x2", "2x1", "rows", "columns", "2x3"}).Draw(t, "block")
		mixture := longtest.Must(kernels.Parse("block:"+sides, space))(t)
		if mixture.(fmt.Stringer).String() != "block:"+sides {
			t.Fatalf("block:%s is called %v", sides, mixture)
		}
		parts, _ := chains.PartsOf(mixture)
		want := make([]float64, len(logf))
		for _, part := range parts.Kernels {
			k := part.(kernels.HeatBathBlock)
			if again := longtest.Must(kernels.Parse(k.String(), space))(t); again != chains.Kernel(k) {
				t.Fatalf("%v reads back as %v", k, again)
			}
			var states []int
			top := math.Inf(-1)
			for y := range logf {
				same := true
				for axis := range space.Dims() {
					in := axis/3 >= k.Row && axis/3 < k.Row+k.Height && axis%3 >= k.Column &&
						axis%3 < k.Column+k.Width
					same = same && (in || space.Coord(x, axis) == space.Coord(y, axis))
				}
				if same {
					states = append(states, y)
					top = max(top, logf[y])
				}
			}
			if math.IsInf(top, -1) {
				want[x] += 1 / float64(len(parts.Kernels))
				continue
			}
			total := 0.0
			for _, y := range states {
				total += math.Exp(logf[y] - top)
			}
			for _, y := range states {
				want[y] += math.Exp(logf[y]-top) / total / float64(len(parts.Kernels))
			}
		}
		got := chainstest.Row(mixture.(chains.Rower), logf, x)
		for y := range want {
			if math.Abs(got[y]-want[y]) > 1e-14 {
				t.Fatalf("block:%s: T(%d,%d) = %v, want %v", sides, x, y, got[y], want[y])
			}
		}
	})
}

// TestBlocksRefuse what does not fit the plane, and say which plane that is.
func TestBlocksRefuse(t *testing.T) {
	space := grid.MustNew(2, 2, 2, 2).OnPlane(2)
	for selector, message := range map[string]string{
		"block:3x1": "plane of 2x2", "block:2x2:0:1": "not the place of a block",
		"block:1x1:-1:0": "not the place", "block:1x1:0": "not the place",
		"block:2": "not the sides", "block:0x1": "not the sides",
		"block:": "sides", "block:1x1:0:0:0": "not the place",
		"block:99999999999999999999x1": "not the sides",
	} {
		longtest.Refuses(kernels.Parse(selector, space))(t, message)
	}
	longtest.Refuses(kernels.Parse("block:2x1", grid.MustNew(2, 2)))(t, "plane of 1x2")
}
