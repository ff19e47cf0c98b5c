package toys

import (
	"fmt"

	"breadboard/grid"
)

// Barrier returns BARRIER: four quadrants parted by the middle row and the middle column, where f = e^-10.
// The upper right quadrant has f = e^3, the other three f = 1. Both sides are odd and at least 3; the
// paper's is 7 by 7.
//
// Source: Grosse, Ancha and Roy 2016, Eq. 24.
func Barrier(rows, cols int) (*Toy, error) {
	if rows < 3 || cols < 3 || rows%2 == 0 || cols%2 == 0 {
		return nil, fmt.Errorf("toy barrier:%dx%d: the sides must be odd and at least 3, so that there is a middle", rows, cols)
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
			{"relative_gap", 1000, "9%", paperSource},
		}
	}
	return t, nil
}
