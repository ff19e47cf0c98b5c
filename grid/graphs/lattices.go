package graphs

import (
	"breadboard/grid"
)

// Path returns n states in a row, joined to the one before and the one after: a lattice of one axis.
func Path(n int) (*grid.Lattice, error) { return grid.New(n) }

// Cycle returns n states around a ring, n at least 3.
func Cycle(n int) (*grid.Lattice, error) { return grid.NewWrapped([]int{n}, []bool{true}) }

// Torus returns the lattice of the given sides, each at least 3, whose axes are all rings.
func Torus(sides ...int) (*grid.Lattice, error) {
	wrap := make([]bool, len(sides))
	for k := range wrap {
		wrap[k] = true
	}
	return grid.NewWrapped(sides, wrap)
}
