package graphs

import (
	"fmt"

	"breadboard/grid"
)

// Path returns n states in a row, joined to the one before and the one after: a lattice of one axis.
func Path(n int) (*grid.Lattice, error) {
	if n < 1 {
		return nil, fmt.Errorf("graphs: a path of %d states; it has 1 or more", n)
	}
	return grid.New(n)
}

// Cycle returns n states around a ring, n at least 3.
func Cycle(n int) (*grid.Lattice, error) {
	if n < 3 {
		return nil, fmt.Errorf("graphs: a cycle of %d states; a ring needs 3 or more, so that each state has two neighbours", n)
	}
	return grid.NewWrapped([]int{n}, []bool{true})
}

// Torus returns the lattice of the given sides, each at least 3, whose axes are all rings.
func Torus(sides ...int) (*grid.Lattice, error) {
	wrap := make([]bool, len(sides))
	for k := range wrap {
		if sides[k] < 3 {
			return nil, fmt.Errorf("graphs: axis %d of a torus has side %d; a ring needs 3 or more, so that each state has two neighbours on it", k, sides[k])
		}
		wrap[k] = true
	}
	return grid.NewWrapped(sides, wrap)
}
