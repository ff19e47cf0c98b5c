package crosscheck

import (
	"math"

	"breadboard/chains"
	"breadboard/grid"
)

// These kernels are variants of Metropolis on a plane with one thing changed. Most have a bug; orEqual and reordered have
// none.
type (
	redrawn       struct{ space *grid.Lattice }
	untilAccepted struct{ space *grid.Lattice }
	coarse        struct {
		space  *grid.Lattice
		levels float64
	}
	skewed    struct{ space *grid.Lattice }
	truncated struct {
		space *grid.Lattice
		grain float64
	}
	uneven struct {
		space *grid.Lattice
		p     []float64 // the probability of each direction
	}
	orEqual   struct{ space *grid.Lattice }
	reordered struct{ space *grid.Lattice }
)

func acceptance(logf []float64, x, y int) float64 { return math.Exp(min(0, logf[y]-logf[x])) }

func (k redrawn) Move(c chains.Chooser, logf []float64, x int) int {
	for {
		if y, inside := k.space.Neighbour(x, c.Uniform(k.space.Directions())); inside {
			if c.Flip(acceptance(logf, x, y)) {
				return y
			}
			return x
		}
	}
}

// maxTries ends a loop that the bug of untilAccepted would make endless.
const maxTries = 1000

func (k untilAccepted) Move(c chains.Chooser, logf []float64, x int) int {
	for range maxTries {
		if y, inside := k.space.Neighbour(x, c.Uniform(k.space.Directions())); inside && c.Flip(acceptance(logf, x, y)) {
			return y
		}
	}
	return x
}

func (k coarse) Move(c chains.Chooser, logf []float64, x int) int {
	y, inside := k.space.Neighbour(x, c.Uniform(k.space.Directions()))
	if inside && c.Flip(k.accept(logf, x, y)) {
		return y
	}
	return x
}

// accept returns the probability that a uniform draw with a limited number of levels is below the acceptance probability.
func (k coarse) accept(logf []float64, x, y int) float64 {
	return math.Ceil(acceptance(logf, x, y)*k.levels) / k.levels
}

func (k uneven) Move(c chains.Chooser, logf []float64, x int) int {
	y, inside := k.space.Neighbour(x, c.Choose(k.p))
	if inside && c.Flip(acceptance(logf, x, y)) {
		return y
	}
	return x
}

func (k skewed) Move(c chains.Chooser, logf []float64, x int) int {
	n := k.space.Directions()
	y, inside := k.space.Neighbour(x, c.Uniform(n+1)%n)
	if inside && c.Flip(acceptance(logf, x, y)) {
		return y
	}
	return x
}

func (k truncated) Move(c chains.Chooser, logf []float64, x int) int {
	y, inside := k.space.Neighbour(x, c.Uniform(k.space.Directions()))
	if inside && c.Flip(math.Exp(min(0, k.trunc(logf[y])-k.trunc(logf[x])))) {
		return y
	}
	return x
}

func (k truncated) trunc(v float64) float64 { return math.Trunc(v/k.grain) * k.grain }

func (k orEqual) Move(c chains.Chooser, logf []float64, x int) int {
	y, inside := k.space.Neighbour(x, c.Uniform(k.space.Directions()))
	if inside && !c.Flip(1-acceptance(logf, x, y)) {
		return y
	}
	return x
}

func (k reordered) Move(c chains.Chooser, logf []float64, x int) int {
	n := k.space.Directions()
	y, inside := k.space.Neighbour(x, n-1-c.Uniform(n))
	if inside && c.Flip(acceptance(logf, x, y)) {
		return y
	}
	return x
}
