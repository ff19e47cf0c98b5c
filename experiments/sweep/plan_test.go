package sweep

import (
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/grid"
	"breadboard/grid/graphs"
)

// TestPlannedGraphs: only a line or a plane with walls has the stencil, the rows of a graph are those of its most joined
// state, and two graphs of one size are two.
func TestPlannedGraphs(t *testing.T) {
	parsed := func(edges string) grid.Graph {
		g, err := graphs.ParseEdges([]byte(edges))
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	torus, err := graphs.Torus(6, 6)
	if err != nil {
		t.Fatal(err)
	}
	star, row := parsed("a,f\nhub,a\nhub,c\nhub,d\nhub,e\n"), parsed("a,b\nb,c\nc,d\nd,e\ne,f\n")
	w := (&Sweep{study: Studies()[0], spaces: map[string]grid.Graph{"plane": grid.MustNew(6, 6), "torus": torus, "cube": grid.MustNew(6, 6, 1), "star": star, "row": row}}).weigher()
	seconds := map[string]float64{}
	for toy := range w.sweep.spaces {
		seconds[toy], _, _ = w.weigh(Cell{{Name: "toy", Value: toy}, {Name: "path", Value: "geometric"}, {Name: "initial", Value: "uniform"}, {Name: "schedule", Value: "linear"}, {Name: "kernel", Value: "metropolis"}, {Name: "T", Value: "100000"}})
	}
	if !(seconds["torus"] > 3*seconds["plane"]) || !(seconds["cube"] > 3*seconds["plane"]) {
		t.Errorf("without the stencil it takes as long as with it: %v", seconds)
	}
	if star.String() != row.String() || seconds["star"] == seconds["row"] {
		t.Errorf("a star takes as long as a row: %v", seconds)
	}
	if got := w.row("metropolis", "star").entries; got != 5 {
		t.Errorf("the hub of a star of four has %v entries in its row, want 5", got)
	}
}

// TestPlannedMemory: a plan counts the rows of parts, those of every state, and the rows of a time reversal.
func TestPlannedMemory(t *testing.T) {
	space := grid.MustNew(20, 20)
	bytes := func(kernel string) (perState float64) {
		k, err := kernels.Parse(kernel, space)
		if err != nil {
			t.Fatal(err)
		}
		c := costOf(k.(chains.Rower), space)
		return c.bytes()
	}
	metropolis, heat := bytes("metropolis"), bytes("heatbath")
	// Two moves to one of 4 neighbours each reach 13 states, of which the middle can be left in all directions.
	if got, want := bytes("repeat:2:metropolis"), entryBytes*13+0.9*metropolis; got < want {
		t.Errorf("repeat:2:metropolis: %v bytes a state, and its rows and those of its part take %v", got, want)
	}
	if got, want := bytes("repeat:30:heatbath"), entryBytes*400+0.9*heat; got < want {
		t.Errorf("repeat:30:heatbath: %v bytes a state, and its rows and those of its part take %v", got, want)
	}
	// The scan reaches all 400 states through rows of 20 in each of two parts, and so does its reversal.
	if got, want := bytes("heatbath-scan"), 2*entryBytes*(400+20+20.0); got != want {
		t.Errorf("heatbath-scan: %v bytes a state, and its rows, those of its parts and of its reversal take %v", got, want)
	}
}
