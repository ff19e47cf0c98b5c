package exacttest

import (
	"math"

	"breadboard/chains"
	"breadboard/grid"
)

// Scan is a kernel that is not reversible: a Metropolis step along each axis in turn.
type Scan struct {
	Space    *grid.Lattice
	Backward bool
}

// Reversal returns the scan along the axes in the opposite order.
func (k Scan) Reversal() chains.Kernel { return Scan{k.Space, !k.Backward} }

// Move implements chains.Kernel.
func (k Scan) Move(c chains.Chooser, logf []float64, x int) int {
	for i := range k.Space.Dims() {
		axis := i
		if k.Backward {
			axis = k.Space.Dims() - 1 - i
		}
		y, inside := k.Space.Neighbour(x, 2*axis+c.Uniform(2))
		if !inside || math.IsInf(logf[y], -1) {
			continue
		}
		if c.Flip(math.Exp(min(0, logf[y]-logf[x]))) {
			x = y
		}
	}
	return x
}

// MoveFunc is a function that serves as a kernel.
type MoveFunc func(chains.Chooser, []float64, int) int

// Move implements chains.Kernel.
func (f MoveFunc) Move(c chains.Chooser, logf []float64, x int) int { return f(c, logf, x) }

// MoveOnly hides the closed form of a kernel, so that its rows are enumerated.
type MoveOnly struct{ chains.Kernel }
