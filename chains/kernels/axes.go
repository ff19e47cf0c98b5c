package kernels

import (
	"fmt"
	"strconv"

	"breadboard/chains"
	"breadboard/grid"
)

// axes returns one kernel for each axis of a space.
func axes(space *grid.Lattice, kernel func(axis int) chains.Kernel) []chains.Kernel {
	parts := make([]chains.Kernel, space.Dims())
	for axis := range parts {
		parts[axis] = kernel(axis)
	}
	return parts
}

// anyAxis returns the random scan: a mixture that draws one axis, each with equal probability, and applies its kernel.
func anyAxis(name string, space *grid.Lattice, kernel func(axis int) chains.Kernel) chains.Kernel {
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

// lattice returns the space as a grid, for a kernel that needs one because of what it does. It fails where the space is another graph.
func (on Env) lattice(does string) (*grid.Lattice, error) {
	if l, is := on.Space.(*grid.Lattice); is {
		return l, nil
	}
	return nil, fmt.Errorf("it %s, so that it needs a grid, and the space %s is none; on a graph metropolis and barker propose a neighbour, jump:EPS and independence any state", does, on.Space)
}
