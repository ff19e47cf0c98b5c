package quotients

import (
	"fmt"
	"slices"

	"breadboard/grid"
)

// Larger is the space whose states the classes of a quotient have as members.
type Larger struct {
	Space grid.Graph
	Class []int32 // the class of each state
}

// Listed is a Quotient whose larger space can be listed if it is small enough.
type Listed interface {
	Quotient
	// Larger lists the space. It fails, before it allocates memory, if the space has more than
	// grid.MaxStates states.
	Larger() (Larger, error)
}

// Larger returns the lattice 2x2x...x2, whose axes are in the order of the kinds.
func (q *Counts) Larger() (Larger, error) {
	return listLattice(2, q.axes, func(values []int) int {
		x := 0
		for _, n := range q.kinds {
			ones := 0
			for _, v := range values[:n] {
				ones += v
			}
			x = x*(n+1) + ones
			values = values[n:]
		}
		return x
	})
}

// Larger returns the lattice of one axis for each axis that is counted.
func (q *Compositions) Larger() (Larger, error) {
	return listLattice(q.values, q.axes, func(values []int) int { return q.Index(countsOf(values, q.values)) })
}

// Larger returns the lattice of one axis for each axis that is counted.
func (q *Partitions) Larger() (Larger, error) {
	return listLattice(q.values, q.axes, func(values []int) int {
		counts := countsOf(values, q.values)
		slices.SortFunc(counts, func(a, b int) int { return b - a })
		return q.index[joined(counts[:len(counts)-count(counts, 0)])] // without the zeros at the end
	})
}

// listLattice returns a lattice of axes of the same side, and the class of each state by its
// coordinates.
func listLattice(side, axes int, class func(values []int) int) (Larger, error) {
	if err := grid.FitsPower(float64(side), float64(axes)); err != nil {
		return Larger{}, err
	}
	space, err := grid.New(slices.Repeat([]int{side}, axes)...)
	if err != nil {
		return Larger{}, err
	}
	l := Larger{space, make([]int32, space.States())}
	values := make([]int, axes)
	for x := range l.Class {
		for axis := range values {
			values[axis] = space.Coord(x, axis)
		}
		l.Class[x] = int32(class(values))
	}
	return l, nil
}

// countsOf returns how often each of the given number of values stands in a list.
func countsOf(list []int, values int) []int {
	counts := make([]int, values)
	for _, v := range list {
		counts[v]++
	}
	return counts
}

// count returns how often a number stands in a list.
func count(list []int, number int) (n int) {
	for _, v := range list {
		if v == number {
			n++
		}
	}
	return n
}

// Larger returns the graph of all permutations, in which any exchange of two items gives a
// neighbour. It keeps the lists of neighbours.
func (q *Cycles) Larger() (Larger, error) {
	const most = 8 // 40,320 permutations with 28 neighbours each
	if q.items > most {
		return Larger{}, fmt.Errorf("quotients: the permutations of %d items are listed up to %d items", q.items, most)
	}
	orders, err := grid.NewPermutations(q.items)
	if err != nil {
		return Larger{}, err
	}
	labels := make([]string, orders.States())
	neighbours := make([][]int, orders.States())
	class := make([]int32, orders.States())
	for x := range class {
		order := orders.Order(x)
		labels[x], class[x] = orders.Label(x), int32(q.index[joined(cycleLengths(order))])
		for i := range order {
			for j := range i {
				order[i], order[j] = order[j], order[i]
				neighbours[x] = append(neighbours[x], orders.Index(order))
				order[i], order[j] = order[j], order[i]
			}
		}
	}
	space, err := grid.NewAdjacency(labels, neighbours)
	return Larger{space, class}, err
}

// cycleLengths returns the lengths of the cycles of a permutation in decreasing order.
func cycleLengths(permutation []int) (lengths []int) {
	seen := make([]bool, len(permutation))
	for i := range permutation {
		length := 0
		for j := i; !seen[j]; j = permutation[j] {
			seen[j] = true
			length++
		}
		if length > 0 {
			lengths = append(lengths, length)
		}
	}
	slices.SortFunc(lengths, func(a, b int) int { return b - a })
	return lengths
}
