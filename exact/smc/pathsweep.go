package smc

import (
	"context"
	"math"

	"breadboard/exact/internal/lanes"
)

// pathBlock has eight numbers of a multiset, which go through the distributions of multisets
// together.
type pathBlock = [lanes.Width]float64

// pathColumns are numbers of a path for each multiset of the types of the particles beside it. They
// are in blocks, one after another, of which each has the eight numbers of all multisets and is to
// be multiplied by a power of two of its own, 2^scale.
type pathColumns struct {
	v     []pathBlock
	scale []int
}

// moveColumns takes columns through distributions: the numbers of a multiset become the means under
// its row of those of the multisets after it. They are written to memory if that is given and large
// enough.
//
//	out(c) = sum over the multisets d of P(d | c) v(d)
//
// Time is O(entries) for each of the eight numbers of a block.
func (p pathColumns) moveColumns(unit *lanes.Unit, laws rows, memory *[]pathBlock) pathColumns {
	if laws == nil {
		return p
	}
	from, to := len(p.v)/len(p.scale), len(laws)
	out := pathColumns{room(memory, to*len(p.scale)), p.scale}
	for b := 0; b < len(p.scale); {
		here := p.v[b*from:]
		there := out.v[b*to:]
		if len(p.scale)-b >= 4 {
			for c, row := range laws {
				unit.GatherFour(there[c:], here, to, from, row)
			}
			b += 4
			continue
		}
		for c, row := range laws {
			unit.Gather(&there[c], here, row)
		}
		b++
	}
	return out
}

// room returns the given number of blocks, which it takes from memory, and makes that large enough;
// nil stands for none.
func room(memory *[]pathBlock, blocks int) []pathBlock {
	if memory == nil {
		return make([]pathBlock, blocks)
	}
	if cap(*memory) < blocks {
		*memory = make([]pathBlock, blocks)
	}
	return (*memory)[:blocks]
}

// rescale divides blocks that have become very large or small by a power of two, which is exact.
func (p pathColumns) rescale() {
	n := len(p.v) / len(p.scale)
	for b := range p.scale {
		block := p.v[b*n : (b+1)*n]
		most := 0.0
		for c := range block {
			for _, u := range block[c] {
				most = max(most, math.Abs(u))
			}
		}
		if most == 0 || most > 0x1p-300 && most < 0x1p300 {
			continue
		}
		_, e := math.Frexp(most)
		p.scale[b] += e
		for c := range block {
			for i, u := range block[c] {
				block[c][i] = math.Ldexp(u, -e)
			}
		}
	}
}

// pathSweep computes, along every path, the mean of a product of functions of the mean weights of
// the stages, over the multisets of the types of the other particles. It goes from the beginning of
// the paths to a stage in the middle, and from their end back to it, where the products of both are
// summed. Paths with the same continuation share the backward part.
type pathSweep struct {
	*FilterLaw
	blocks int
	narrow bool      // whether no product leaves the range of float64, so that no rescaling is needed
	one    pathBlock // the empty product, in every block
	// weigh writes columns multiplied by the factors of the mean weights at stage t (from 0) for a
	// path's particle of type k. Both may be the same.
	weigh func(t, k int, to, v []pathBlock)
	// join returns the sum of the products of two blocks over all multisets.
	join func(a, b []pathBlock) pathBlock
	// leaf takes the sums of the blocks for a path.
	leaf func(x int, sums []pathBlock, scale []int)

	memory [][3][]pathBlock // of forth, by stage
}

// sweepPaths goes along all paths that a run may take. Time is O(states entries/types) of the
// stages before the middle, and so that of the paths on from each type at those behind it.
func (s *pathSweep) sweepPaths(ctx context.Context) error {
	ends := s.pathEnds(ctx)
	n := len(s.tables.begin)
	begin := pathColumns{make([]pathBlock, s.blocks*n), make([]int, s.blocks)}
	for i := range begin.v {
		for j, v := range s.one {
			begin.v[i][j] = v * s.tables.begin[i%n]
		}
	}
	all := make([]int32, len(s.tree.types[0]))
	for x := range all {
		all[x] = int32(x)
	}
	s.memory = make([][3][]pathBlock, s.middle.stage)
	return s.forth(ctx, 0, all, begin, ends)
}

// forth takes the columns of a path to its continuations at stage t.
func (s *pathSweep) forth(ctx context.Context, t int, states []int32, v pathColumns,
	ends [][]pathColumns) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if t == s.middle.stage {
		for _, x := range states {
			s.meet(int(x), v, ends[s.tree.types[t][x]])
		}
		return nil
	}
	memory := &s.memory[t]
	if t > 0 {
		v = v.moveColumns(s.unit, s.tables.levels[t-1].move, &memory[0])
	}
	for _, x := range states {
		level := &s.tables.levels[t]
		k := int(s.tree.types[t][x])
		if math.IsInf(level.logOwn[k], 0) {
			continue // no run that has an output takes this path
		}
		u := pathColumns{room(&memory[1], len(v.v)), append([]int(nil), v.scale...)}
		s.weighed(t, k, u, v)
		if err := s.forth(ctx, t+1, s.tree.after(t, int(x)),
			u.moveColumns(s.unit, level.resample[k], &memory[2]),
			ends); err != nil {
			return err
		}
	}
	return nil
}

// weighed writes columns multiplied by the factors of the mean weights for a path's particle of
// type k.
func (s *pathSweep) weighed(t, k int, to, v pathColumns) {
	s.weigh(t, k, to.v, v.v)
	if !s.narrow {
		to.rescale()
	}
}

// meet sums the products of both parts of the paths through a state in the middle.
func (s *pathSweep) meet(x int, v pathColumns, ends []pathColumns) {
	n := len(v.v) / s.blocks
	sums := make([]pathBlock, s.blocks)
	scale := make([]int, s.blocks)
	for j, end := range ends {
		if end.v == nil {
			continue // no run that has an output takes this path
		}
		for b := range sums {
			sums[b] = s.join(v.v[b*n:(b+1)*n], end.v[b*n:(b+1)*n])
			scale[b] = v.scale[b] + end.scale[b]
		}
		s.leaf(s.middle.leaves[x][j], sums, scale)
	}
}

// pathEnds returns the ends of the paths from the middle, by the type of their first state and in
// the order of the tree: for each multiset before the move to that state the product from there to
// the end. An end has no columns if the path has a weight of zero.
func (s *pathSweep) pathEnds(ctx context.Context) [][]pathColumns {
	last := len(s.tables.levels) - 1
	var ends [][]pathColumns
	for t := last; t >= s.middle.stage; t-- {
		level := &s.tables.levels[t]
		here := make([][]pathColumns, len(level.logOwn))
		for k := range here {
			if t == last {
				here[k] = []pathColumns{s.ones(len(level.logMean[k]))}
			} else {
				for _, child := range s.middle.childTypes[t][k] {
					here[k] = append(here[k], ends[child]...)
				}
			}
			for j := range here[k] {
				if ctx.Err() != nil {
					return nil
				}
				here[k][j] = s.extend(here[k][j], t, k)
			}
		}
		ends = here
	}
	return ends
}

// ones returns the columns of no stages.
func (s *pathSweep) ones(multisets int) pathColumns {
	p := pathColumns{make([]pathBlock, multisets*s.blocks), make([]int, s.blocks)}
	for i := range p.v {
		p.v[i] = s.one
	}
	return p
}

// extend takes the end of a path back through a stage, at which the path's particle is of type k,
// and through the move to it.
func (s *pathSweep) extend(end pathColumns, t, k int) pathColumns {
	level := &s.tables.levels[t]
	if math.IsInf(level.logOwn[k], 0) || end.v == nil {
		return pathColumns{}
	}
	if level.resample != nil {
		end = end.moveColumns(s.unit, level.resample[k], nil)
		end.scale = append([]int(nil), end.scale...)
	}
	s.weighed(t, k, end, end)
	if t > 0 {
		end = end.moveColumns(s.unit, s.tables.levels[t-1].move, nil)
	}
	return end
}

// middle is the stage, from 0, at which the way from the beginning of the paths meets the way back
// from their ends.
type middle struct {
	stage      int
	childTypes [][][]int // by stage and type, from the middle on
	leaves     [][]int   // the outputs that continue each state in the middle, in the order of the tree
}

// maxEnds is the number of numbers that the ends of paths may take at a stage, for each worker.
const maxEnds = 1 << 24

// newMiddle chooses the middle with the fewest products, and transposes the tables before it, which
// take columns forwards.
func (l *FilterLaw) newMiddle() *middle {
	levels := l.tables.levels
	last := len(levels) - 1
	children := make([][][]int, len(levels))
	// up to a stage, and from it
	forth := make([]float64, len(levels))
	back := make([]float64, len(levels))
	for t := range last {
		forth[t+1] = forth[t]
		for _, k := range l.tree.types[t] {
			forth[t+1] += float64(levels[t].resample[k].entries())
		}
		if t+2 <= last {
			forth[t+2] += float64(len(l.tree.types[t]) * levels[t].move.entries())
		}
	}
	// ends counts the paths on from each type
	best := last
	ends := make([]float64, len(levels[last].logOwn))
	for k := range ends {
		ends[k] = 1
	}
	for t := last - 1; t >= 0; t-- {
		lists, same := l.tree.childTypes(t, len(levels[t].logOwn))
		if !same {
			break
		}
		here := make([]float64, len(lists))
		total := 0.0
		size := 1.0
		for k, list := range lists {
			for _, child := range list {
				here[k] += ends[child]
			}
			back[t] += here[k] * float64(levels[t].resample[k].entries())
			total += here[k]
			size = max(size, float64(len(levels[t].logMean[k])))
		}
		if t > 0 {
			back[t] += total * float64(levels[t-1].move.entries())
		}
		back[t] += back[t+1]
		if total*size*(2*filterBatch+2) > maxEnds {
			break
		}
		children[t] = lists
		if forth[t]+back[t] < forth[best]+back[best] {
			best = t
		}
		ends = here
	}
	m := &middle{stage: best, childTypes: children}
	for x := range l.tree.types[best] {
		m.leaves = append(m.leaves, l.tree.leaves(best, x))
	}
	return m
}

// transposeTables transposes the tables before the middle, which take columns forwards.
func (l *FilterLaw) transposeTables() {
	for t := range l.middle.stage {
		level := &l.tables.levels[t]
		parents := len(l.tables.levels[t+1].logMean[0])
		if level.move != nil {
			parents = len(level.move)
		}
		for k, r := range level.resample {
			level.resample[k] = r.transposed(parents)
		}
		if level.move != nil && t+1 < l.middle.stage {
			level.move = level.move.transposed(len(l.tables.levels[t+1].logMean[0]))
		}
	}
}
