package smc

import (
	"slices"

	"breadboard/chains/particle"
)

// pathTree is the tree of the paths of a filter.
//
// A state at stage t is a path x_1, ..., x_t, which continues one state at stage t - 1, its parent.
// The tree lists the continuations of each state side by side, in time and memory O(states of all
// stages). Two states of one type have the same weights from there on, so that their subtrees agree
// if childTypes does.
type pathTree struct {
	types    [][]int32 // the class of the type of each state, by stage from 0
	first    [][]int32 // first[t][x] is where the continuations of x begin in children[t]
	children [][]int32
}

func newPathTree(f particle.Filter, class [][]int) *pathTree {
	tree := &pathTree{}
	for t := 1; t <= f.Stages()+1; t++ {
		types := make([]int32, f.States(t))
		for x := range types {
			types[x] = int32(class[t-1][f.Type(t, x)])
		}
		tree.types = append(tree.types, types)
		if t > 1 {
			tree.link(f, t)
		}
	}
	return tree
}

// link sorts the states at stage t by their parents.
func (tree *pathTree) link(f particle.Filter, t int) {
	first := make([]int32, f.States(t-1)+1)
	parents := make([]int32, f.States(t))
	for y := range parents {
		parents[y] = int32(f.Parent(t, y))
		first[parents[y]+1]++
	}
	for x := 1; x < len(first); x++ {
		first[x] += first[x-1]
	}
	at := append([]int32(nil), first...)
	children := make([]int32, len(parents))
	for y, x := range parents {
		children[at[x]] = int32(y)
		at[x]++
	}
	tree.first, tree.children = append(tree.first, first), append(tree.children, children)
}

// leaves returns the outputs that continue a state at a stage, in the order of the tree.
func (tree *pathTree) leaves(t, x int) []int {
	if t+1 == len(tree.types) {
		return []int{x}
	}
	var out []int
	for _, y := range tree.after(t, x) {
		out = append(out, tree.leaves(t+1, int(y))...)
	}
	return out
}

// after returns the continuations of a state at a stage.
func (tree *pathTree) after(t, x int) []int32 {
	return tree.children[t][tree.first[t][x]:tree.first[t][x+1]]
}

// childTypes returns the types of the continuations of a state by its type, in the order of the
// tree, and false if states of one type differ in these.
func (tree *pathTree) childTypes(t, types int) ([][]int, bool) {
	out := make([][]int, types)
	seen := make([]bool, types)
	for x, k := range tree.types[t] {
		var list []int
		for _, y := range tree.after(t, x) {
			list = append(list, int(tree.types[t+1][y]))
		}
		if seen[k] && !slices.Equal(out[k], list) {
			return nil, false
		}
		out[k], seen[k] = list, true
	}
	return out, true
}
