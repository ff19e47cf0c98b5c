package exacttest

import (
	"math"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/grid"
	"breadboard/grid/graphs"
	"breadboard/grid/longtest"
)

// Problem draws a small annealing: any lattice or graph, path, schedule and kernel, with zeros in either end of the path.
func Problem(t *rapid.T, maxStates, maxT int) *chains.Annealing {
	l := SmallLattice(t, maxStates)
	target := DrawLogF(t, "target", l.States(), true)
	var initial []float64
	if rapid.Bool().Draw(t, "given start") {
		initial = DrawLogF(t, "initial", l.States(), true)
	}
	path, err := DrawPath(t, initial, target)
	if err != nil {
		t.Skip(err) // every state has zero probability
	}
	schedule := rapid.SampledFrom([]chains.Schedule{schedules.Linear{}, schedules.Sigmoid{Delta: 4}, schedules.Power{P: 2}}).Draw(t, "schedule")
	var space grid.Graph = l
	if rapid.IntRange(0, 3).Draw(t, "graph") == 3 {
		space = DrawGraph(t, l.States())
	}
	kernel := rapid.SampledFrom([]chains.Kernel{
		kernels.Metropolis{Space: space}, kernels.Barker{Space: space}, MoveOnly{Kernel: kernels.Barker{Space: space}}, Scan{Space: l},
	}).Draw(t, "kernel")
	a := longtest.Must(chains.NewAnnealing(path, schedule, kernel, rapid.IntRange(2, maxT).Draw(t, "T")))(t)
	if _, scan := kernel.(Scan); scan && TinyMoves(t, a) {
		t.Skip("of a kernel from outside that is not reversible all flows must be such as rows can hold (see kernel.Flows.Turn)")
	}
	return a
}

// DrawPath draws a path of any kind between two ends.
func DrawPath(t *rapid.T, initial, target []float64) (chains.Path, error) {
	switch rapid.SampledFrom([]string{"geometric", "geometric", "arithmetic", "q", "piecewise"}).Draw(t, "path") {
	case "arithmetic":
		return paths.NewArithmetic(initial, target)
	case "q":
		return paths.NewPowerMean(rapid.Float64Range(-2, 3).Draw(t, "q"), initial, target)
	case "piecewise":
		middle := DrawLogF(t, "intermediate", len(target), true)
		return paths.NewPiecewise("via", initial, middle, target, rapid.Float64Range(0.1, 0.9).Draw(t, "at"))
	}
	return paths.NewGeometric(initial, target)
}

// SmallLattice draws a lattice of one to three dimensions with at most so many states, with walls or rings.
func SmallLattice(t *rapid.T, maxStates int) *grid.Lattice {
	dims := rapid.IntRange(1, 3).Draw(t, "dims")
	sides, wrap := make([]int, dims), make([]bool, dims)
	left := maxStates
	for k := range sides {
		sides[k] = rapid.IntRange(1, max(1, min(left, 4))).Draw(t, "side")
		left /= sides[k]
		wrap[k] = sides[k] >= 3 && rapid.Bool().Draw(t, "ring")
	}
	return longtest.Must(grid.NewWrapped(sides, wrap))(t)
}

// DrawLogF draws log f of n states from -6 to 6, under the label what. With zeros, about one in ten states has f = 0.
func DrawLogF(t *rapid.T, what string, n int, zeros bool) []float64 {
	v := rapid.SliceOfN(rapid.Float64Range(-6, 6), n, n).Draw(t, what)
	for x := range v {
		if zeros && rapid.IntRange(0, 9).Draw(t, "zero") == 0 {
			v[x] = math.Inf(-1)
		}
	}
	return v
}

// DrawGraph draws a graph of n states with any edges, none among them.
func DrawGraph(t *rapid.T, n int) grid.Graph {
	neighbours := make([][]int, n)
	for x := range n {
		for y := range x {
			if rapid.IntRange(0, 2).Draw(t, "edge") == 0 {
				neighbours[x], neighbours[y] = append(neighbours[x], y), append(neighbours[y], x)
			}
		}
	}
	return longtest.Must(graphs.NewAdjacency(nil, neighbours))(t)
}
