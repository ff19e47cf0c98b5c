package exact

import (
	"math"

	"breadboard/chains"
	"breadboard/exact/internal/operator"
	"breadboard/exact/internal/stage"
	"breadboard/grid"
)

// Work is what a solution is estimated to take, on one core of the machine on which the README's times were measured, without
// its vectors. It is the same on every machine.
type Work struct {
	Method  Method
	Start   float64 // the seconds before the first step
	Seconds float64 // of a step
	Bytes   float64 // in all, however many steps there are
}

// Measured: nanoseconds of a step of the stencil, by slot and by slot and edge of a state; and bytes by slot.
const (
	slotNanos     = 2.4
	slotEdgeNanos = 1.6
	slotBytes     = 120
)

// Measured: nanoseconds of the method that applies kernels, by state, and by what operators go through (see
// operator.Pass); those of finding an edge, once; and bytes by state, by array of an operator and by edge.
const (
	stateNanos   = 10
	edgeNanos    = 1.2
	lineNanos    = 1.2
	flowNanos    = 14
	sortedNanos  = 8
	copyNanos    = 0.7
	findNanos    = 40
	stateBytes   = 160
	arrayBytes   = 8
	edgeBytes    = 16
	averageTimes = 2 // in a step, for either direction one
)

// Measured: nanoseconds of the general method by state, and by entry of the rows of each move; of making rows that are products, by product and by
// entry of the rows of parts; those of an entry when the rows are found and checked, once; and bytes by state and by entry.
const (
	generalStateNanos = 150
	entryNanos        = 10
	productNanos      = 1.6
	partNanos         = 20
	firstNanos        = 150
	generalStateBytes = 300
	entryBytes        = 40
)

// WorkOf estimates what Solve takes with a kernel on a space where the path is geometric and without zeros: by the method that Solve tries first.
// It makes no rows and no large arrays, and takes some milliseconds at most, or as long as one row takes that is a product of many.
func WorkOf(k chains.Kernel, space grid.Graph) Work {
	if b, ok := boxOf(k); ok {
		l := b.layout()
		slots := float64(l.rows * l.pitch)
		return Work{MethodStencil, 0, slots * (slotNanos + slotEdgeNanos*float64(b.edges())) * 1e-9, slotBytes * slots}
	}
	n := float64(space.States())
	if w, has := operator.WorkOf(k, space.States()); has {
		nanos := stateNanos*n + passNanos(w.Load) + averageTimes*passNanos(w.Average)
		return Work{MethodApplied, findNanos * w.Kept * 1e-9, nanos * 1e-9, (stateBytes+arrayBytes*w.Arrays)*n + edgeBytes*w.Kept}
	}
	return GeneralWorkOf(k, space)
}

// passNanos returns the nanoseconds of a pass over a function.
func passNanos(p operator.Pass) float64 {
	return edgeNanos*p.Edges + lineNanos*p.Lines + flowNanos*p.Flows + sortedNanos*p.Sorted + copyNanos*p.Copies
}

// mostCounted is the number of entries above which rows are taken to be alike.
const mostCounted = 1e5

// GeneralWorkOf estimates what the general method takes, on any path. Rows of a kernel that does not say which entries they have are taken to be
// like one in the middle of the space; those of a kernel that has none in closed form to lead to the neighbours of a state.
func GeneralWorkOf(k chains.Kernel, space grid.Graph) Work {
	states := space.States()
	n := float64(states)
	work := func(kept, applied, nanos float64) Work {
		return Work{MethodGeneral, firstNanos * kept * 1e-9, (generalStateNanos*n + entryNanos*applied + nanos) * 1e-9, generalStateBytes*n + entryBytes*kept}
	}
	if p, apart := stage.PartsOf(k, states, mostCounted); apart {
		return work(p.Kept, p.Applied, 0)
	}
	reversal := 1.0 // how many matrices there are
	if _, reverses := k.(chains.Reverser); reverses {
		reversal = 2
	}
	if entries, framed := chains.FrameEntries(k, states, mostCounted); framed {
		return work(reversal*entries, entries, 0)
	}
	rower, closed := k.(chains.Rower)
	if !closed {
		entries := n * float64(space.Directions()+1)
		return work(2*entries, entries, 0)
	}
	// Log f is neither flat nor smooth, so that a kernel reaches as many states, and takes as many repeats to mix, as on a toy.
	logf := make([]float64, states)
	for x := range logf {
		logf[x] = 2 * math.Sin(1+12.9898*float64(x))
	}
	row := chains.RowWorkOf(rower, logf, middleOf(space))
	nanos := productNanos*(n*row.Products+row.Shared) + partNanos*row.Parts + partNanos*n*row.Entries
	return work(reversal*(n*row.Entries+row.Parts), n*row.Entries, reversal*nanos)
}

// middleOf returns a state that has all its neighbours: the middle of a grid, and of another graph the first state with as many neighbours as any.
func middleOf(space grid.Graph) int {
	if l, ok := space.(*grid.Lattice); ok {
		middle := l.Sides()
		for k := range middle {
			middle[k] /= 2
		}
		return l.Index(middle...)
	}
	for x := range space.States() {
		if _, all := space.Neighbour(x, space.Directions()-1); all {
			return x
		}
	}
	return 0
}
