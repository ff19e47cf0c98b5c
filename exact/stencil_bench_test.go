package exact

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/exact/internal/lanes"
	"breadboard/grid"
)

// BenchmarkStencil measures the stencil on each unit of the processor: ns/step.
func BenchmarkStencil(b *testing.B) {
	spins := slices.Repeat([]int{2}, 16)
	for _, c := range []struct {
		name    string
		space   *grid.Lattice
		T       int
		workers []int
	}{
		{"7x7", grid.MustNew(7, 7), 20_000, []int{1}}, {"256x256", grid.MustNew(256, 256), 1000, []int{1, 2}},
		{"spins", grid.MustNew(spins...), 100, []int{1, 2}},
	} {
		g := make([]float64, c.space.States())
		for x := range g {
			g[x] = 2 * math.Sin(1+12.9898*float64(x))
		}
		var kernel chains.Kernel = kernels.Metropolis{Space: c.space}
		if c.name == "spins" {
			kernel = kernels.Flip{Space: c.space}
		}
		a := annealingOf(b, g, kernel, c.T)
		for _, unit := range lanes.Units() {
			for _, workers := range c.workers {
				b.Run(fmt.Sprintf("%s/%v/workers=%d", c.name, unit, workers), func(b *testing.B) {
					for b.Loop() {
						solvedBy(b, a, workers, unit)
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(c.T-1), "ns/step")
				})
			}
		}
	}
}
