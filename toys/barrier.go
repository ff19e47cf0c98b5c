package toys

import (
	"fmt"

	"breadboard/chains/selector"
	"breadboard/grid"
)

// Barrier returns BARRIER: four quadrants separated by the middle row and the middle column, where
// f = e^-10. The upper right quadrant has f = e^3, the other three f = 1. Both sides are odd and at
// least 3; the paper's is 7 by 7.
//
// Source: Grosse, Ancha and Roy 2016, Eq. 24.
func Barrier(rows, cols int) (*Toy, error) {
	if rows < 3 || cols < 3 || rows%2 == 0 || cols%2 == 0 {
		return nil, fmt.Errorf("toy barrier:%dx%d: the sides must be odd and at least 3, so that there is a middle",
			rows, cols)
	}
	space, err := grid.New(rows, cols)
	if err != nil {
		return nil, err
	}
	t := &Toy{
		Name:        "barrier:" + space.String(),
		Description: "four modes behind a wall of e^-10; the upper right one is e^3 times the others",
		Space:       space,
		G:           make([]float64, space.States()),
	}
	for x := range t.G {
		row, col := space.Coord(x, 0), space.Coord(x, 1)
		switch {
		case row == rows/2 || col == cols/2:
			t.G[x] = -10
		case row < rows/2 && col > cols/2:
			t.G[x] = 3
			t.Mode = append(t.Mode, x)
		}
	}
	if rows == 7 && cols == 7 {
		t.Printed = []Printed{
			{"dominant_mode_mass", 0, "87%", paperSource},
			{"J", 100, "1.65", paperSource},
			{"J", 1000, "1.085", paperSource},
			{"B", 1000, "1.184", paperSource},
			{"relative_error", 1000, "9%", paperSource},
		}
	}
	return t, nil
}

func barrierForm() toyForm {
	return toyForm{
		Syntax:  "barrier[:DIMS]",
		Doc:     "four modes with a barrier between them; DIMS 7x7",
		Source:  paperSource,
		Example: "barrier:9x9",
		Parse:   parseBarrier,
	}
}

func parseBarrier(args selector.Args, _ Forms) (*Toy, error) {
	if !args.Given {
		return mustBarrier("barrier", 7, 7), nil
	}
	space, err := grid.Parse(args.Text)
	if err != nil {
		return nil, args.Wrap(err)
	}
	if space.Dims() != 2 {
		return nil, args.Errorf("the barrier is a plane with two sides, as in barrier:9x9")
	}
	return Barrier(space.Side(0), space.Side(1))
}

func mustBarrier(name string, rows, cols int) *Toy {
	t, err := Barrier(rows, cols)
	if err != nil {
		panic(err)
	}
	t.Name = name
	return t
}
