package sweep

import (
	"testing"

	"breadboard/grid"
	"breadboard/grid/graphs"
)

// TestPlannedGraphs: a graph of edges has no stencil, although it is the same as a lattice, and two graphs of one size are two.
func TestPlannedGraphs(t *testing.T) {
	parsed := func(edges string) grid.Graph {
		g, err := graphs.ParseEdges([]byte(edges))
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	star, row := parsed("a,f\nhub,a\nhub,c\nhub,d\nhub,e\n"), parsed("a,b\nb,c\nc,d\nd,e\ne,f\n")
	w := (&Sweep{study: Studies()[0], spaces: map[string]grid.Graph{"line": grid.MustNew(6), "star": star, "row": row}}).weigher()
	seconds := map[string]float64{}
	for toy := range w.sweep.spaces {
		seconds[toy], _, _ = w.weigh(Cell{{Name: "toy", Value: toy}, {Name: "path", Value: "geometric"}, {Name: "initial", Value: "uniform"}, {Name: "schedule", Value: "linear"}, {Name: "kernel", Value: "metropolis"}, {Name: "T", Value: "100000"}})
	}
	if !(seconds["row"] > 1.5*seconds["line"]) {
		t.Errorf("without the stencil it takes as long as with it: %v", seconds)
	}
	const kernel = "lazy:0.5:repeat:2:metropolis" // rows of two moves: the hub reaches more states
	if star.String() != row.String() || w.work(kernel, "star") == w.work(kernel, "row") {
		t.Error("a star of four is taken for a row")
	}
}
