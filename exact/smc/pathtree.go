package smc

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains/particle"
)

// pathTree is the tree of the paths of a filter.
type pathTree struct {
	types    [][]int32 // of each state, by stage from 0
	first    [][]int32 // first[t][x] is where the continuations of x begin in children[t]
	children [][]int32
}

func newPathTree(f particle.Filter) *pathTree {
	tree := &pathTree{}
	for t := 1; t <= f.Stages()+1; t++ {
		types := make([]int32, f.States(t))
		for x := range types {
			types[x] = int32(f.Type(t, x))
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

// childTypes returns the types of the continuations of a state by its type, in the order of the tree, and false where states of one type differ
// in these.
func (tree *pathTree) childTypes(t, types int) ([][]int, bool) {
	out, seen := make([][]int, types), make([]bool, types)
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

// pathSweep takes columns of numbers along every path. A column has a number for each multiset of the types of the particles
// beside the path. At each stage the numbers are weighed and then go through the law of the multiset at the next stage;
// at the end they are summed. Columns are in groups, which are weighed together and share a scale.
type pathSweep struct {
	tables *filterTables
	tree   *pathTree
	groups int // of columns
	width  int // the number of columns of a group
	// weigh weighs the columns at stage t (from 0) for the type k of the path's particle and the multiset c.
	weigh func(t, k, c int, columns []float64)
	// meet takes the columns of a state at stage until (from 0) before they are weighed, and the sweep goes no further; nil for a sweep
	// to the end. Those of group g are to be multiplied by 2^scale[g].
	meet  func(x int, columns []float64, scale []int)
	until int
	// leaf takes the sums of the columns for a path. Those of group g are to be multiplied by 2^scale[g].
	leaf func(x int, sums []float64, scale []int)

	weighed, moved [][]float64 // memory, by stage
	scales         [][]int
}

// run goes along all paths that a run may take. The columns begin with the law of the multiset at the first stage, times begin.
// Time is O(states entries/types) of every stage, memory that of a column at each stage.
func (s *pathSweep) run(ctx context.Context, begin []float64) error {
	columns := s.groups * s.width
	from := make([]float64, len(s.tables.begin)*columns)
	for c, p := range s.tables.begin {
		for i, v := range begin {
			from[c*columns+i] = p * v
		}
	}
	for t := range s.tables.levels {
		s.weighed = append(s.weighed, nil)
		s.moved = append(s.moved, make([]float64, s.tables.levels[t].size*columns))
		s.scales = append(s.scales, make([]int, s.groups))
	}
	for x := range s.tree.types[0] {
		if err := s.node(ctx, 0, x, from, make([]int, s.groups)); err != nil {
			return err
		}
	}
	return nil
}

// node takes the columns through stage t of the paths that begin with state x.
func (s *pathSweep) node(ctx context.Context, t, x int, from []float64, scale []int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.meet != nil && t == s.until {
		s.meet(x, from, scale)
		return nil
	}
	level, k, columns := &s.tables.levels[t], int(s.tree.types[t][x]), s.groups*s.width
	if math.IsInf(level.logOwn[k], 0) {
		return nil // no run that has an output takes this path
	}
	s.weighed[t] = append(s.weighed[t][:0], from...)
	v := s.weighed[t]
	for c := range level.logMean[k] {
		s.weigh(t, k, c, v[c*columns:(c+1)*columns])
	}
	copy(s.scales[t], scale)
	s.rescale(v, s.scales[t])
	if level.size == 0 {
		sums := make([]float64, columns)
		for at := 0; at < len(v); at += columns {
			for i := range sums {
				sums[i] += v[at+i]
			}
		}
		s.leaf(x, sums, s.scales[t])
		return nil
	}
	to := s.moved[t]
	clear(to)
	if level.next == nil {
		copy(to, v) // there are no particles beside the path
	} else {
		level.move(to, v, k, columns)
	}
	for _, y := range s.tree.after(t, x) {
		if err := s.node(ctx, t+1, int(y), to, s.scales[t]); err != nil {
			return err
		}
	}
	return nil
}

// move takes columns from the multisets of one stage to those of the next, beside a particle of type k. It adds to what is there.
func (l *filterLevel) move(to, v []float64, k, columns int) {
	for c, row := range l.next[k] {
		in := v[c*columns : (c+1)*columns]
		for j, column := range row.columns {
			floats.AddScaled(to[int(column)*columns:][:columns], row.p[j], in)
		}
	}
}

// rescale divides groups of columns that have become very large or small by a power of two, which is exact.
func (s *pathSweep) rescale(v []float64, scale []int) {
	columns := s.groups * s.width
	for g := range s.groups {
		most := 0.0
		for at := g * s.width; at < len(v); at += columns {
			most = max(most, math.Abs(v[at])) // no column of a group is of another order than the first
		}
		if most == 0 || most > 0x1p-300 && most < 0x1p300 {
			continue
		}
		_, e := math.Frexp(most)
		scale[g] += e
		for at := g * s.width; at < len(v); at += columns {
			for i := range s.width {
				v[at+i] = math.Ldexp(v[at+i], -e)
			}
		}
	}
}
