package external

import (
	"slices"
	"testing"

	"breadboard/grid"
	"breadboard/grid/graphs"
)

// TestShapeOf: a program is told the sides of a grid, and of another graph how many states it has.
func TestShapeOf(t *testing.T) {
	cube, err := graphs.NewHypercube(5)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := shapeOf(grid.MustNew(3, 4)), shapeOf(cube); !slices.Equal(a, []int{3, 4}) || !slices.Equal(b, []int{32}) {
		t.Errorf("the shapes are %v and %v", a, b)
	}
}
