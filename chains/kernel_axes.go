package chains

import (
	"fmt"
	"strconv"

	"breadboard/grid"
)

// axes returns one kernel for each axis of a space.
func axes(space *grid.Lattice, kernel func(axis int) Kernel) []Kernel {
	parts := make([]Kernel, space.Dims())
	for axis := range parts {
		parts[axis] = kernel(axis)
	}
	return parts
}

// anyAxis is the random scan: one axis, each with equal probability.
func anyAxis(name string, space *grid.Lattice, kernel func(axis int) Kernel) Kernel {
	p := make([]float64, space.Dims())
	for axis := range p {
		p[axis] = 1 / float64(len(p))
	}
	return mix(name, p, axes(space, kernel))
}

// parseAxis reads the number of an axis.
func parseAxis(arg string, space *grid.Lattice) (int, error) {
	axis, err := strconv.Atoi(arg)
	if err != nil || axis < 0 || axis >= space.Dims() {
		return 0, fmt.Errorf("%q is no axis of %s; they are numbered from 0 to %d", arg, space, space.Dims()-1)
	}
	return axis, nil
}
