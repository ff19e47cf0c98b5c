package linear

import (
	"cmp"
	"slices"
)

// Graph is an undirected graph: the neighbours of x are To[Start[x]:Start[x+1]].
type Graph struct {
	Start []int
	To    []int32
}

func (g Graph) states() int                { return len(g.Start) - 1 }
func (g Graph) neighbours(x int32) []int32 { return g.To[g.Start[x]:g.Start[x+1]] }
func (g Graph) degree(x int32) int         { return len(g.neighbours(x)) }

// Order returns the states of a connected graph in an order in which neighbours stand close together, and the bandwidth,
// which is the largest difference of the places of two neighbours. Time is O(edges), and sorting.
//
// Source: Cuthill and McKee 1969, reversed as George 1971 proposed; the first state is found as by Gibbs, Poole and
// Stockmeyer 1976.
func Order(g Graph) (order []int32, width int) {
	levels := make([]int32, g.states())
	order = g.from(0, levels, nil)
	for depth := int32(-1); levels[order[len(order)-1]] > depth; { // go to the far end for as long as that is farther
		depth = levels[order[len(order)-1]]
		order = g.from(order[len(order)-1], levels, order)
	}
	slices.Reverse(order)
	place := levels
	for i, x := range order {
		place[x] = int32(i)
	}
	for x := range int32(len(order)) {
		for _, y := range g.neighbours(x) {
			width = max(width, int(place[y]-place[x]))
		}
	}
	return order, width
}

// from returns the states in the order of a search from the given one, which takes the neighbours of a state with few
// neighbours of their own first, and writes the distance of each to levels.
func (g Graph) from(first int32, levels, order []int32) []int32 {
	for x := range levels {
		levels[x] = -1
	}
	levels[first] = 0
	order = append(order[:0], first)
	for at := 0; at < len(order); at++ {
		x, began := order[at], len(order)
		for _, y := range g.neighbours(x) {
			if levels[y] < 0 {
				levels[y] = levels[x] + 1
				order = append(order, y)
			}
		}
		slices.SortStableFunc(order[began:], func(a, b int32) int { return cmp.Compare(g.degree(a), g.degree(b)) })
	}
	return order
}

// Colours returns 1 and -1 for the states of a connected graph so that neighbours differ, and whether there are such
// colours.
func Colours(g Graph) ([]float64, bool) {
	levels := make([]int32, g.states())
	g.from(0, levels, nil)
	colours := make([]float64, g.states())
	for x, l := range levels {
		colours[x] = float64(1 - 2*(l%2))
	}
	for x := range int32(g.states()) {
		for _, y := range g.neighbours(x) {
			if colours[x] == colours[y] {
				return nil, false
			}
		}
	}
	return colours, true
}
