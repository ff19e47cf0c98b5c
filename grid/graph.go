package grid

import (
	"fmt"
	"iter"
	"math"
	"strconv"
	"strings"

	"breadboard/chains/errs"
)

// MaxDirections is the largest number of directions of a graph. A kernel sums the probabilities of
// rejected proposals over all directions, and each addition rounds by up to 2^-53: with more
// directions the error of the probability of staying could exceed 1e-12.
const MaxDirections = 10_000

// Graph is a finite space whose states have neighbours: a Lattice, or another graph. Kernels that
// propose a neighbour (Metropolis, Barker) run on any Graph.
//
// All states have the same number of directions, Directions(). If a state has fewer neighbours,
// some of its directions lead nowhere. A kernel proposes each direction with probability
// 1/Directions(), and a direction that leads nowhere is a rejection, like a wall of a grid.
//
// Proposals must be symmetric: as many directions lead from x to y as from y to x. Otherwise these
// kernels do not leave their target invariant. No direction leads from a state to itself. A Graph
// is immutable, and its methods may be called from several goroutines at once.
//
// Heat bath and heat maps need a product of axes, with sides, strides and coordinates. Every such
// product is a Lattice, whose axes may be rings.
type Graph interface {
	// States returns the number of states, which are numbered from 0.
	States() int
	// Directions returns the number of directions, from 1 to MaxDirections.
	Directions() int
	// Neighbour returns the state that direction d leads to from x, and false if it leads nowhere.
	// Both x and d must be in range.
	Neighbour(x, d int) (int, bool)
	// Label returns the name of state x in tables and files. No two states have the same one.
	Label(x int) string
	// String names the graph: "7x7", "hypercube:4".
	String() string
}

// Neighbours yields the neighbours of x in the order of the directions.
func Neighbours(g Graph, x int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for d := range g.Directions() {
			if y, ok := g.Neighbour(x, d); ok && !yield(y) {
				return
			}
		}
	}
}

// Find returns the state with a label, and false if there is none. It makes the labels of the
// states one by one, so its time is proportional to the number of states.
func Find(g Graph, label string) (int, bool) {
	for x := range g.States() {
		if g.Label(x) == label {
			return x, true
		}
	}
	return 0, false
}

// Fits returns an error if a graph with these numbers of states and of entries in lists of
// neighbours would be too large. Call it before memory is allocated. The numbers are floats because
// they may exceed an int.
func Fits(name string, states, neighbours float64) error {
	const bytesPerNeighbour = 4
	if states > MaxStates || neighbours > maxNeighbours {
		return tooManyStates(states,
			errs.New("grid: %s has %.15g states and would take %s; the limit is %d states and %d "+
				"entries in their lists of neighbours (%.2g GB)",
				name, states, errs.Memory(states*bytesPerState+neighbours*bytesPerNeighbour), MaxStates, maxNeighbours,
				(MaxStates*bytesPerState+maxNeighbours*bytesPerNeighbour)/1e9))
	}
	return nil
}

// FitsPower returns an error if a lattice of the given number of axes, all of the same side, would
// have more than MaxStates states. Call it before memory is allocated. The arguments are floats
// because they may exceed an int. The error writes a number of more than fifteen digits as a power
// of ten.
func FitsPower(side, axes float64) error {
	states := math.Pow(side, axes)
	if states <= MaxStates {
		return nil
	}
	count := size(states, axes*math.Log10(side))
	most := ""
	if side <= MaxStates {
		most = fmt.Sprintf(", which are at most %.0f axes of side %.0f",
			math.Floor(math.Log(MaxStates)/math.Log(side)+1e-9), side)
	}
	return tooManyStates(states, errs.New(
		"grid: a lattice of %.0f^%.0f states (%s) would take %s; the limit is %d states (%.2g GB)%s",
		side,
		axes,
		count,
		errs.Memory(states*bytesPerState),
		MaxStates,
		MaxStates*bytesPerState/1e9,
		most,
	))
}

// tooManyStates returns the error of a space of more states than MaxStates, or with too many
// neighbours.
func tooManyStates(states float64, err error) error {
	return TooLarge{What: "states", Need: states, Limit: MaxStates, Err: err}
}

// size returns a number of states that is too large, for a message. A number of more than fifteen
// digits is given as a power of ten, by its decimal logarithm, since it may be infinite.
func size(states, log10 float64) string {
	if log10 > 15 {
		return fmt.Sprintf("10^%.4g", log10)
	}
	return fmt.Sprintf("%.0f", states)
}

// maxNeighbours is the largest number of entries in the neighbour lists of a graph that keeps them:
// 400 MB.
const maxNeighbours = 100_000_000

// Label returns the coordinates of state x, joined by commas: "3,4".
func (l *Lattice) Label(x int) string {
	var b strings.Builder
	for k := range l.axes {
		if k > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(l.Coord(x, k)))
	}
	return b.String()
}
