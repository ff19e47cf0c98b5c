package graphs

import (
	"fmt"
	"strconv"

	"breadboard/grid"
)

// Complete is the graph of n states that are all neighbours of one another: each of the other states is proposed with probability 1/(n-1).
type Complete struct{ states int }

// NewComplete returns the complete graph of n states, 1 <= n <= grid.MaxDirections + 1. It takes no memory for the states.
func NewComplete(n int) (*Complete, error) {
	if n < 1 || n > grid.MaxDirections+1 {
		return nil, fmt.Errorf("graphs: a complete graph of %d states; it has from 1 to %d, each with one direction less", n, grid.MaxDirections+1)
	}
	return &Complete{n}, nil
}

// States returns n.
func (g *Complete) States() int { return g.states }

// Directions returns n - 1, and 1 where there is a single state, whose direction leads nowhere.
func (g *Complete) Directions() int { return max(1, g.states-1) }

// Neighbour returns the d-th of the other states, in the order of their numbers.
func (g *Complete) Neighbour(x, d int) (int, bool) {
	if d >= x {
		d++
	}
	return d, d < g.states
}

// Label returns the number of the state.
func (g *Complete) Label(x int) string { return strconv.Itoa(x) }

// String returns "complete:" and the number of states.
func (g *Complete) String() string { return fmt.Sprintf("complete:%d", g.states) }
