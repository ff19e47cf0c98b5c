package grid

import (
	"fmt"
	"slices"
	"strconv"

	"breadboard/chains/errs"
)

// Path returns n states in a row, joined to the one before and the one after: a lattice of one
// axis.
func Path(n int) (*Lattice, error) {
	if n < 1 {
		return nil, errs.New("graphs: a path of %d states; it has 1 or more", n)
	}
	return New(n)
}

// Cycle returns n states around a ring, n at least 3.
func Cycle(n int) (*Lattice, error) {
	if n < 3 {
		return nil, errs.New(
			"graphs: a cycle of %d states; a ring needs 3 or more, so that each state has two neighbours",
			n,
		)
	}
	return NewWrapped([]int{n}, []bool{true})
}

// Torus returns the lattice of the given sides, each at least 3, whose axes are all rings.
func Torus(sides ...int) (*Lattice, error) {
	wrap := make([]bool, len(sides))
	for k := range wrap {
		if sides[k] < 3 {
			return nil, errs.New(
				"graphs: axis %d of a torus has side %d; a ring needs 3 or more, so that each state has "+
					"two neighbours on it",
				k,
				sides[k],
			)
		}
		wrap[k] = true
	}
	return NewWrapped(sides, wrap)
}

// Complete is the graph of n states that are all neighbours of one another: each of the other
// states is proposed with probability 1/(n-1).
type Complete struct{ states int }

// NewComplete returns the complete graph of n states, 1 <= n <= MaxDirections + 1. It takes no
// memory for the states.
func NewComplete(n int) (*Complete, error) {
	if n < 1 || n > MaxDirections+1 {
		return nil, errs.New(
			"graphs: a complete graph of %d states; it has from 1 to %d, each with one direction less",
			n,
			MaxDirections+1,
		)
	}
	return &Complete{n}, nil
}

// States returns n.
func (g *Complete) States() int { return g.states }

// Directions returns n - 1, and 1 if there is a single state, whose direction leads nowhere.
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

// Hypercube is the graph of the binary strings of n bits; two strings are neighbours if they differ
// in one bit. The number of a state is its string read as a binary number, and direction d flips
// bit d of the string, counted from the left: every direction leads to a state. (The lattice
// 2x2x...x2 has the same edges, but two directions for each axis, one of which always meets a
// wall.)
type Hypercube struct{ bits int }

// NewHypercube returns the strings of n bits, 1 <= n <= MaxBits. It takes no memory for the states.
func NewHypercube(n int) (*Hypercube, error) {
	if n < 1 || n > MaxBits {
		return nil, errs.New("graphs: a hypercube of %d bits; it has from 1 to %d bits, which are %d states", n,
			MaxBits, MaxStates)
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

// Permutations is the graph of the n! orders of n items; two orders are neighbours if they differ
// by an exchange of two adjacent items, as in bubble sort. States are numbered in lexicographic
// order, so that state 0 is the sorted one, and direction d exchanges the items in places d and
// d+1, counted from 0. A label holds the items in their order, each written as one character, from
// 1 to 9 and then a: "2413".
type Permutations struct {
	items      int
	factorials []uint32 // by place, (items-1-place)!: the number of orders of the items after the place
}

// maxItems is the largest number of items: 11! states, and 12! are more than MaxStates.
const maxItems = 11

// itemNames are the characters of labels.
const itemNames = "123456789ab"

// NewPermutations returns the orders of n items, 1 <= n <= 11. It takes no memory for them: a
// neighbour is computed from the number of a state in some ten nanoseconds.
func NewPermutations(n int) (*Permutations, error) {
	const countable = 170 // 171! is beyond float64
	switch {
	case n < 1:
		return nil, errs.New("graphs: permutations of %d items; give a number from 1 to %d", n, maxItems)
	case n > countable:
		return nil, errs.New(
			"graphs: permutations of %d items are more states than can be counted; permutations have at most %d items",
			n,
			maxItems,
		)
	}
	states := 1.0
	for i := 2; i <= n; i++ {
		states *= float64(i)
	}
	if n > maxItems {
		if err := Fits(fmt.Sprintf("permutations:%d", n), states, 0); err != nil {
			return nil, errs.New("%w; permutations have at most %d items", err, maxItems)
		}
	}
	g := &Permutations{items: n, factorials: make([]uint32, n)}
	f := uint32(1)
	for place := n - 1; place >= 0; place-- {
		g.factorials[place] = f
		f *= uint32(n - place)
	}
	return g, nil
}

// States returns n!.
func (g *Permutations) States() int { return int(g.factorials[0]) * g.items }

// Directions returns n - 1, and 1 if there is a single item, whose direction leads nowhere.
func (g *Permutations) Directions() int { return max(1, g.items-1) }

// Neighbour exchanges the items in places d and d+1. The number of a state is the sum of c_i
// (n-1-i)! over the places i, where the digit c_i counts the items after place i that are less than
// the one in it (Lehmer's code). An exchange changes two digits: (a, b) becomes (b+1, a) if a <= b,
// that is if the items were in order, and (b, a-1) if a > b.
func (g *Permutations) Neighbour(x, d int) (int, bool) {
	if d+1 >= g.items {
		return 0, false
	}
	big := g.factorials[d]
	small := g.factorials[d+1]
	pair := uint32(x) / small            // the digits of places up to d+1
	radix := uint32(g.items - d - 1)     // the digit of place d+1 is below this
	b := pair % radix                    // the digit of place d+1
	a := pair / radix % (radix + 1)      // the digit of place d
	low := x - int(a*big) - int(b*small) // the number of the state with both digits set to zero
	if a <= b {
		return low + int((b+1)*big) + int(a*small), true
	}
	return low + int(b*big) + int((a-1)*small), true
}

// Order returns the items of state x in their order, numbered from 0.
func (g *Permutations) Order(x int) []int {
	left := make([]int, g.items)
	for i := range left {
		left[i] = i
	}
	order := make([]int, 0, g.items)
	for _, f := range g.factorials {
		c := x / int(f)
		x %= int(f)
		order = append(order, left[c])
		left = slices.Delete(left, c, c+1)
	}
	return order
}

// Index returns the state of an order of the items 0 to n-1. It panics on any other list.
func (g *Permutations) Index(order []int) int {
	x := 0
	for i, v := range order {
		if len(order) != g.items || v < 0 || v >= g.items || slices.Contains(order[:i], v) {
			panic(fmt.Sprintf("graphs: %v is not an order of the items from 0 to %d", order, g.items-1))
		}
		for _, w := range order[i+1:] {
			if w < v {
				x += int(g.factorials[i])
			}
		}
	}
	return x
}

// Label returns the items in their order, from 1 on.
func (g *Permutations) Label(x int) string {
	label := make([]byte, 0, g.items)
	for _, item := range g.Order(x) {
		label = append(label, itemNames[item])
	}
	return string(label)
}

// String returns "permutations:" and the number of items.
func (g *Permutations) String() string { return fmt.Sprintf("permutations:%d", g.items) }
