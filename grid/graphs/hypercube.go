package graphs

import (
	"fmt"

	"breadboard/grid"
)

// maxBits is the number of bits of the largest hypercube: 2^24 states are grid.MaxStates.
const maxBits = 24

// Hypercube is the graph of the binary strings of n bits, joined where they differ in one. The number of a state is what
// its string says in binary, and direction d flips bit d of the string, counted from the left: every direction leads
// somewhere. (The lattice 2x2x...x2 has the same edges, and two directions an axis of which one always meets a wall.)
type Hypercube struct{ bits int }

// NewHypercube returns the strings of n bits, 1 <= n <= 24. It takes no memory for the states.
func NewHypercube(n int) (*Hypercube, error) {
	if n < 1 || n > maxBits {
		return nil, fmt.Errorf("graphs: a hypercube of %d bits; it has from 1 to %d bits, which are %d states", n, maxBits, grid.MaxStates)
	}
	return &Hypercube{n}, nil
}

// States returns 2^n.
func (g *Hypercube) States() int { return 1 << g.bits }

// Directions returns n.
func (g *Hypercube) Directions() int { return g.bits }

// Neighbour flips bit d, counted from the left.
func (g *Hypercube) Neighbour(x, d int) (int, bool) { return x ^ 1<<(g.bits-1-d), true }

// Label returns the string: "0110".
func (g *Hypercube) Label(x int) string { return fmt.Sprintf("%0*b", g.bits, x) }

// String returns "hypercube:" and the number of bits.
func (g *Hypercube) String() string { return fmt.Sprintf("hypercube:%d", g.bits) }
