package external

import (
	"slices"
	"testing"

	"breadboard/grid"
	"breadboard/grid/graphs"
	"breadboard/grid/longtest"
)

// TestShapeOf: a program is told the sides of a grid, and of another graph how many states it has.
func TestShapeOf(t *testing.T) {
	cube := longtest.Must(graphs.NewHypercube(5))(t)
	if a, b := shapeOf(grid.MustNew(3, 4)), shapeOf(cube); !slices.Equal(a, []int{3, 4}) || !slices.Equal(b, []int{32}) {
		t.Errorf("the shapes are %v and %v", a, b)
	}
}
