package smc

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/particle"
	"breadboard/exact/program"
)

// maxFilterEntries is the number of probabilities that the distribution of a filter may keep, and
// maxFilterWork the number of products with one column of numbers along all paths, which takes
// minutes. Work beyond these is not begun.
const (
	maxFilterEntries = 1 << 25
	maxFilterWork    = 1 << 35
	// entryBytes has 16 bytes for a probability, and twice as many that await the garbage
	// collector.
	entryBytes = 48
	// rowEntries is what the header and the mean weight of a row take, in entries, and endEntries
	// the mean weight and two blocks of columns of a multiset at the last stage, which are taken
	// once.
	rowEntries, endEntries = 2, 3
)

// stageOfFilter is a stage of a filter, t = 1..n+1, for states by their types, or by the classes of
// these that lump makes.
type stageOfFilter struct {
	logw []float64 // what is added to the log weight, by type, less the log of the increment of Z
	grid []float64 // the same, with both on the grid of weights
	next []branch  // where a state of a type moves to, by type; nil after the last stage
}

// branch is a distribution over some types.
type branch struct {
	types []int // in increasing order
	p     []float64
}

// stagesOf reads the stages of a filter off its program, and returns log Z by propagating the
// distribution of one particle over the types, which is exact since weights and moves depend on
// nothing else. It fails with ErrImpossible if Z = 0, and for less than one particle.
//
// With m_t the distribution of the type of one particle whose weights have been divided by Z_(t-1),
//
//	Z_t/Z_(t-1) = sum over the types k of m_t(k) w_t(k),
//
//	m_(t+1)(l) = (sum over k of m_t(k) w_t(k) T_t(k, l))/(Z_t/Z_(t-1)).
//
// Time is O(entries) besides the runs of the program, one for each branch of each type.
func stagesOf(ctx context.Context, f particle.Filter,
	particles int) (stages []stageOfFilter, start branch, logZ float64, err error) {
	if particles < 1 {
		return nil, start, 0, errors.New("a filter takes at least 1 particle")
	}
	start, err = branchOf(ctx, func(c chains.Chooser) int { return f.Type(1, f.Start(c)) })
	if err != nil {
		return nil, start, 0, err
	}
	mass := start.mass(f.Types(1))
	for t := 1; t <= f.Stages()+1; t++ {
		s, err := stageAt(ctx, f, t, mass)
		if err != nil {
			return nil, start, 0, err
		}
		logZ += s.centre(mass)
		if math.IsInf(logZ, -1) {
			return nil, start, 0, ErrImpossible
		}
		stages = append(stages, *s)
		if t <= f.Stages() {
			mass = s.moveMass(mass, f.Types(t+1))
		}
	}
	return stages, start, logZ, nil
}

// mass returns the probabilities of a number of types, wide enough for those that only later data
// make likely.
func (b *branch) mass(types int) []number.Wide {
	mass := make([]number.Wide, types)
	for i, k := range b.types {
		mass[k] = number.Scaled(b.p[i], 0)
	}
	return mass
}

// stageAt returns a stage with the weights of all types, and with the moves of those that have
// mass.
func stageAt(ctx context.Context, f particle.Filter, t int, mass []number.Wide) (*stageOfFilter, error) {
	first := make([]int, f.Types(t))
	for k := range first {
		first[k] = -1
	}
	for x := f.States(t) - 1; x >= 0; x-- {
		// A state that no run reaches represents its type only if there is no other.
		if k := f.Type(t, x); first[k] < 0 || !math.IsInf(f.LogWeight(t, x), 1) {
			first[k] = x
		}
	}
	s := &stageOfFilter{logw: make([]float64, len(first))}
	if t <= f.Stages() {
		s.next = make([]branch, len(first))
	}
	for k, x := range first {
		s.logw[k] = math.Inf(1)
		if x < 0 {
			continue
		}
		s.logw[k] = f.LogWeight(t, x)
		if s.next == nil || mass[k].M == 0 || math.IsInf(s.logw[k], 0) {
			continue
		}
		var err error
		s.next[k], err = branchOf(ctx, func(c chains.Chooser) int { return f.Type(t+1, f.Move(c, t, x)) })
		if err != nil {
			return nil, err
		}
	}
	return s, nil
}

// branchOf returns the distribution of a number that a program draws.
func branchOf(ctx context.Context, draw func(chains.Chooser) int) (branch, error) {
	law, err := program.Enumerate(ctx, draw, program.Options{})
	if err != nil {
		return branch{}, err
	}
	var b branch
	for _, o := range law.Sorted(cmp.Compare) {
		if o.P > 0 {
			b.types, b.p = append(b.types, o.Value), append(b.p, o.P)
		}
	}
	return b, nil
}

// centre multiplies masses by the weights and normalises them, and subtracts the logarithm of their
// sum from the log weights. It returns that logarithm.
func (s *stageOfFilter) centre(mass []number.Wide) (increment float64) {
	increment = weighMass(mass, s.logw)
	for k, logw := range s.logw {
		s.logw[k], s.grid = logw-increment, append(s.grid, onGrid(logw)-onGrid(increment))
	}
	return increment
}

// weighMass multiplies masses by weights and normalises them. It returns the logarithm of their
// sum.
func weighMass(mass []number.Wide, logw []float64) float64 {
	logs := make([]float64, len(mass))
	for k, m := range mass {
		logs[k] = math.Inf(-1)
		if m.M > 0 {
			logs[k] = m.Log() + logw[k]
		}
	}
	sum := number.LogSumExp(logs)
	for k := range mass {
		mass[k] = number.WideExp(logs[k] - sum)
	}
	return sum
}

// moveMass returns masses after the move.
func (s *stageOfFilter) moveMass(mass []number.Wide, types int) []number.Wide {
	out := make([]number.Wide, types)
	for k, m := range mass {
		for i, to := range s.next[k].types {
			out[to] = out[to].Add(m.Mul(number.Scaled(s.next[k].p[i], 0)))
		}
	}
	return out
}

// filterTables holds the distributions of the particles beside a path, stage by stage.
type filterTables struct {
	begin  []float64 // the distribution of the multiset of the others at the first stage
	levels []filterLevel
}

// filterLevel is a stage: for each type k of the path's particle, and each multiset c of the types
// of the others, the logarithm of the mean weight, and the transition of the multiset to the next
// stage. That is one step if move is nil. Otherwise the kinds of the parents of the others are
// drawn first, and then the parents move, independently of k.
type filterLevel struct {
	logOwn   []float64 // the log weight of a particle, by type
	logMean  [][]float64
	resample []rows // by type; nil after the last stage
	move     rows
}

// rows are distributions of a multiset, by the number of the one before it: those of the
// distributions' probabilities that are not zero.
type rows [][]chains.Entry

// transposed returns the rows of the transposed matrix of the given number of columns, in which
// entries are in the order of the rows.
func (r rows) transposed(columns int) rows {
	out := make(rows, columns)
	for c, row := range r {
		for _, e := range row {
			out[e.To] = append(out[e.To], chains.Entry{To: c, P: e.P})
		}
	}
	return out
}

// entries returns the number of probabilities in the rows.
func (r rows) entries() int {
	n := 0
	for _, row := range r {
		n += len(row)
	}
	return n
}

// tabulateFilter prepares the tables for others = P - 1 particles beside a path, at least one. It
// fails if that would take too much.
func tabulateFilter(ctx context.Context, tree *pathTree, stages []stageOfFilter, start branch,
	others int) (*filterTables, error) {
	if entries, work := filterCost(tree, stages, others); entries > maxFilterEntries || work > maxFilterWork {
		return nil, tooManyForFilter(stages, len(tree.types[len(tree.types)-1]), others+1, entries, work)
	}
	tables := &filterTables{}
	here := newCountSpace(others, len(stages[0].logw))
	tables.begin = make([]float64, here.size())
	draws := multinomial{space: here, choose: &binomials{}}
	draws.eachMultiset(start.types, start.p, func(c int, _, _ []int, p float64) { tables.begin[c] += p })
	for t := range stages {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var there *countSpace
		if t+1 < len(stages) {
			there = newCountSpace(others, len(stages[t+1].logw))
		}
		tables.levels = append(tables.levels, *stages[t].makeLevel(here, there))
		here = there
	}
	return tables, nil
}

// filterCost bounds the memory of the tables for the given number of particles beside a path, in
// entries, and the number of products of one column with them along all paths.
func filterCost(tree *pathTree, stages []stageOfFilter, others int) (entries, work float64) {
	for t := range stages {
		s := &stages[t]
		here := Multisets(others, len(stages[t].logw))
		row := 1.0
		move := 0.0
		kept := float64(endEntries)
		if t+1 < len(stages) {
			row = s.rowOf(len(stages[t+1].logw), others, others+1)
			if parents, moves := s.chooseSplit(len(stages[t+1].logw), others); parents != nil {
				row, move = rowOf(1, len(moves), others, len(s.logw), others+1),
					s.moveCost(moves, len(stages[t+1].logw), others)
			}
			kept = rowEntries + row
		}
		entries += float64(len(s.logw))*here*kept + move
		work += float64(len(tree.types[t])) * (here*row + move)
	}
	return entries, work
}

// rowOf bounds the number of multisets of types of the draws after a stage, each the child of one
// of the parents.
func (s *stageOfFilter) rowOf(types, draws, parents int) float64 {
	return rowOf(reachOf(s.next), types, draws, len(s.logw), parents)
}

// rowOf bounds the number of multisets of types of a number of draws, given the number of types,
// the kinds of parents, and the types that each kind can reach.
func rowOf(reach, types, draws, kinds, parents int) float64 {
	return Multisets(draws, min(types, reach*min(kinds, parents)))
}

// reachOf returns the largest number of types that a distribution chooses among.
func reachOf(laws []branch) (reach int) {
	for _, b := range laws {
		reach = max(reach, len(b.types))
	}
	return reach
}

// chooseSplit determines whether it takes fewer entries to draw the parents of the others first and
// then to move them, to the given number of types. It returns the kind of parent by type, types
// that move alike being one, and the distribution by which each kind moves, and nil if one step
// takes fewer.
func (s *stageOfFilter) chooseSplit(types, others int) (parents []branch, moves []branch) {
	kinds := map[string]int{}
	for _, b := range s.next {
		if len(b.types) == 0 { // no run is there
			parents = append(parents, branch{})
			continue
		}
		id := b.id()
		if _, seen := kinds[id]; !seen {
			kinds[id] = len(moves)
			moves = append(moves, b)
		}
		parents = append(parents, branch{[]int{kinds[id]}, []float64{1}})
	}
	laws := float64(len(s.logw)) * Multisets(others, len(s.logw))
	if laws*rowOf(1, len(moves), others, len(s.logw), others+1)+s.moveCost(moves, types, others) <
		laws*s.rowOf(types, others, others+1) {
		return parents, moves
	}
	return nil, nil
}

// moveCost bounds the number of entries of the move of parents of these kinds to the given number
// of types.
func (s *stageOfFilter) moveCost(moves []branch, types, others int) float64 {
	return Multisets(others, len(moves)) * rowOf(reachOf(moves), types, others, len(moves), others)
}

// makeLevel returns the tables of a stage.
func (s *stageOfFilter) makeLevel(here, there *countSpace) *filterLevel {
	l := &filterLevel{logOwn: s.logw}
	to := there
	next := s.next
	if there != nil {
		if parents, moves := s.chooseSplit(there.types, there.particles); parents != nil {
			to = newCountSpace(there.particles, len(moves))
			next = parents
			l.move = movesOf(moves, to, there)
		}
	}
	draws := multinomial{space: to, choose: &binomials{}}
	for k, own := range s.logw {
		means := make([]float64, here.size())
		var after rows
		if there != nil {
			after = make(rows, here.size())
		}
		if !math.IsInf(own, 0) {
			here.eachMultiset(upTo(here.types), func(c int, types, counts []int) {
				w := append(s.logWeights(types, counts), own)
				sum := number.LogSumExp(w)
				if math.IsInf(sum, 1) || math.IsNaN(sum) {
					return // a particle is where no run can be: the multiset has no probability
				}
				means[c] = sum - number.Log(float64(here.particles+1))
				if there == nil {
					return
				}
				law := resampled(append(types[:len(types):len(types)], k), w, sum, next)
				draws.eachMultiset(law.types, law.p, func(to int, _, _ []int, p float64) {
					after[c] = append(after[c], chains.Entry{To: to, P: p})
				})
			})
		}
		l.logMean = append(l.logMean, means)
		if there != nil {
			l.resample = append(l.resample, after)
		}
	}
	return l
}

// movesOf returns the distribution of a multiset after all of it have moved by the distributions of
// their kinds.
func movesOf(moves []branch, from, to *countSpace) rows {
	out := make(rows, from.size())
	counts := make([]int, to.types)
	choose := &binomials{}
	from.eachMultiset(upTo(from.types), func(c int, kinds, n []int) {
		law := map[int]float64{}
		var move func(i int, p float64)
		move = func(i int, p float64) {
			if i == len(kinds) {
				law[to.multisetNumber(counts)] += p
				return
			}
			b := &moves[kinds[i]]
			draws := multinomial{space: newCountSpace(n[i], len(b.types)), choose: choose}
			draws.eachMultiset(upTo(len(b.types)), b.p, func(_ int, places, of []int, q float64) {
				for j, k := range places {
					counts[b.types[k]] += of[j]
				}
				move(i+1, p*q)
				for j, k := range places {
					counts[b.types[k]] -= of[j]
				}
			})
		}
		move(0, 1)
		for _, to := range slices.Sorted(maps.Keys(law)) {
			if p := law[to]; p > 0 {
				out[c] = append(out[c], chains.Entry{To: to, P: p})
			}
		}
	})
	return out
}

// logWeights returns the logarithms of the weights of particles of some types.
func (s *stageOfFilter) logWeights(types, counts []int) []float64 {
	w := make([]float64, len(types), len(types)+1)
	for i, k := range types {
		w[i] = number.Log(float64(counts[i])) + s.logw[k]
	}
	return w
}

// resampled returns the distribution of a particle that is drawn from some types by their weights,
// and then moves by the distribution of its type.
func resampled(types []int, logw []float64, logSum float64, next []branch) branch {
	law := map[int]float64{}
	for i, l := range logw {
		w := math.Exp(l - logSum)
		if w == 0 {
			continue
		}
		for j, to := range next[types[i]].types {
			law[to] += w * next[types[i]].p[j]
		}
	}
	return sorted(law)
}

// sorted returns a distribution in order.
func sorted(law map[int]float64) (b branch) {
	for _, to := range slices.Sorted(maps.Keys(law)) {
		if p := law[to]; p > 0 {
			b.types, b.p = append(b.types, to), append(b.p, p)
		}
	}
	return b
}

// id returns bytes that are the same for the same distribution.
func (b *branch) id() string {
	var id []byte
	for i, k := range b.types {
		id = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(id, uint64(k)), math.Float64bits(b.p[i]))
	}
	return string(id)
}

// lump merges types of each stage that are equivalent from there on: they have the same weight, and
// go to the same classes with the same probabilities. It returns the stages and the distribution at
// the start for classes instead of types, and the class of each type, by stage. After the last
// stage only weights count, so that classes are fewest if there are most types.
func lump(stages []stageOfFilter, start branch) (lumped []stageOfFilter, begin branch, class [][]int) {
	lumped = make([]stageOfFilter, len(stages))
	class = make([][]int, len(stages))
	for t := len(stages) - 1; t >= 0; t-- {
		seen := map[string]int{}
		s := &lumped[t]
		for k, w := range stages[t].logw {
			var next branch
			if stages[t].next != nil {
				next = stages[t].next[k].in(class[t+1])
			}
			id := fmt.Sprint(math.Float64bits(w)) + " " + next.id()
			if _, known := seen[id]; !known {
				seen[id] = len(s.logw)
				s.logw, s.grid = append(s.logw, w), append(s.grid, stages[t].grid[k])
				if stages[t].next != nil {
					s.next = append(s.next, next)
				}
			}
			class[t] = append(class[t], seen[id])
		}
	}
	return lumped, start.in(class[0]), class
}

// in returns the distribution of the class, given that of the type.
func (b *branch) in(class []int) branch {
	law := map[int]float64{}
	for i, k := range b.types {
		law[class[k]] = min(1, law[class[k]]+b.p[i]) // a sum of all of them may round to more
	}
	return sorted(law)
}

// upTo returns 0..n-1.
func upTo(n int) []int {
	v := number.Range(n)
	return v
}

// tooManyForFilter returns the error for tables, or for work, beyond the limits.
func tooManyForFilter(stages []stageOfFilter, paths, particles int, entries, work float64) error {
	types := 0
	for _, s := range stages {
		types = max(types, len(s.logw))
	}
	if entries > maxFilterEntries {
		return errs.New("the exact distribution of %d particles over %d types of states may take %.3g probabilities "+
			"(%s), and at most %.3g are kept; take fewer particles, or sample",
			particles, types, entries, errs.Memory(entryBytes*entries), float64(maxFilterEntries))
	}
	return errs.New("the exact distribution of %d particles over %d paths may take %.3g products, and the limit is "+
		"%.3g; take fewer particles or fewer data, or sample",
		particles, paths, work, float64(maxFilterWork))
}
