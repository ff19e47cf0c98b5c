package smc

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/particle"
	"breadboard/chains/sorts"
	"breadboard/exact/program"
)

// maxFilterEntries is the number of probabilities that the law of a filter may keep, in 12 bytes each, and maxFilterWork the
// number of products with one column of numbers along all paths, which takes minutes. Work beyond these is not begun.
const (
	maxFilterEntries = 1 << 26
	maxFilterWork    = 1 << 35
)

// stageOfFilter is a stage of a filter, t = 1..n+1, for states by their types.
type stageOfFilter struct {
	logw []float64 // what is added to the log weight, by type, less the log of the increment of Z
	next []branch  // where a state of a type moves to, by type; nil after the last stage
}

// branch is a law over some types.
type branch struct {
	types []int // in increasing order
	p     []float64
}

// stagesOf reads the stages of a filter off its program, and returns log Z by propagating the law of one particle over the
// types, which is exact since weights and moves depend on nothing else. It fails with ErrImpossible where Z = 0, and for less than one particle.
func stagesOf(ctx context.Context, f particle.Filter, particles int) (stages []stageOfFilter, start branch, logZ float64, err error) {
	if particles < 1 {
		return nil, start, 0, errors.New("a filter takes at least 1 particle")
	}
	if start, err = branchOf(ctx, func(c chains.Chooser) int { return f.Type(1, f.Start(c)) }); err != nil {
		return nil, start, 0, err
	}
	mass := make([]float64, f.Types(1))
	for i, k := range start.types {
		mass[k] = start.p[i]
	}
	for t := 1; t <= f.Stages()+1; t++ {
		s, err := stageAt(ctx, f, t, mass)
		if err != nil {
			return nil, start, 0, err
		}
		increment := weighMass(mass, s.logw)
		if logZ += increment; math.IsInf(increment, -1) {
			return nil, start, 0, ErrImpossible
		}
		for k := range s.logw {
			s.logw[k] -= increment
		}
		stages = append(stages, *s)
		if t <= f.Stages() {
			mass = s.moveMass(mass, f.Types(t+1))
		}
	}
	return stages, start, logZ, nil
}

// stageAt returns a stage with the weights of all types, and with the moves of those that have mass.
func stageAt(ctx context.Context, f particle.Filter, t int, mass []float64) (*stageOfFilter, error) {
	first := make([]int, f.Types(t))
	for k := range first {
		first[k] = -1
	}
	for x := f.States(t) - 1; x >= 0; x-- {
		// A state that no run is in stands for its type only if there is no other.
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
		if s.next == nil || mass[k] == 0 || math.IsInf(s.logw[k], 0) {
			continue
		}
		var err error
		if s.next[k], err = branchOf(ctx, func(c chains.Chooser) int { return f.Type(t+1, f.Move(c, t, x)) }); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// branchOf returns the law of a number that a program draws.
func branchOf(ctx context.Context, draw func(chains.Chooser) int) (branch, error) {
	law, err := program.Enumerate(ctx, draw, program.Options{})
	if err != nil {
		return branch{}, err
	}
	outcomes := slices.SortedFunc(slices.Values(law.Outcomes()), func(a, b program.Outcome[int]) int { return a.Value - b.Value })
	var b branch
	for _, o := range outcomes {
		if o.P > 0 {
			b.types, b.p = append(b.types, o.Value), append(b.p, o.P)
		}
	}
	return b, nil
}

// weighMass multiplies masses by weights and normalises them. It returns the logarithm of what they summed to.
func weighMass(mass, logw []float64) float64 {
	logs := make([]float64, len(mass))
	for k, m := range mass {
		logs[k] = math.Inf(-1)
		if m > 0 {
			logs[k] = number.Log(m) + logw[k]
		}
	}
	sum := number.LogSumExp(logs)
	for k := range mass {
		mass[k] = math.Exp(logs[k] - sum)
	}
	return sum
}

// moveMass returns masses after the move.
func (s *stageOfFilter) moveMass(mass []float64, types int) []float64 {
	out := make([]float64, types)
	for k, m := range mass {
		for i, to := range s.next[k].types {
			out[to] += m * s.next[k].p[i]
		}
	}
	return out
}

// filterTables holds the laws of the particles beside a path, stage by stage.
type filterTables struct {
	begin  []float64 // the law of the multiset of the others at the first stage
	levels []filterLevel
}

// filterLevel is a stage: for each type k of the path's particle, and each multiset c of the types of the others, the logarithm of the
// mean weight, and the law of the multiset at the next stage.
type filterLevel struct {
	logOwn  []float64 // the log weight of a particle, by type
	logMean [][]float64
	next    [][]entriesOfRow // nil after the last stage, and where there are no particles beside the path
	size    int              // the number of multisets at the next stage; 0 after the last
}

// entriesOfRow are the entries of a row that are not zero.
type entriesOfRow struct {
	columns []int32
	p       []float64
}

// tabulateFilter prepares the tables for others = P - 1 particles beside a path. It fails where that would take too much.
func tabulateFilter(ctx context.Context, f particle.Filter, stages []stageOfFilter, start branch, others int) (*filterTables, error) {
	tables := &filterTables{}
	if others == 0 {
		return alone(stages), nil
	}
	if entries, work := filterCost(f, stages, others); entries > maxFilterEntries || work > maxFilterWork {
		return nil, tooManyForFilter(f, others+1, entries, work)
	}
	here := newCountSpace(others, f.Types(1))
	tables.begin = make([]float64, here.size())
	draws := multinomial{space: here}
	draws.law(start.types, start.p, func(c int, p float64) { tables.begin[c] += p })
	for t := range stages {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var there *countSpace
		if t+1 < len(stages) {
			there = newCountSpace(others, f.Types(t+2))
		}
		tables.levels = append(tables.levels, *stages[t].level(here, there, others+1))
		here = there
	}
	return tables, nil
}

// alone returns the tables of a path with no particles beside it.
func alone(stages []stageOfFilter) *filterTables {
	tables := &filterTables{begin: []float64{1}}
	for t, s := range stages {
		level := filterLevel{size: 1, logOwn: s.logw, logMean: make([][]float64, len(s.logw))}
		if t+1 == len(stages) {
			level.size = 0
		}
		for k := range s.logw {
			level.logMean[k] = s.logw[k : k+1]
		}
		tables.levels = append(tables.levels, level)
	}
	return tables
}

// filterCost bounds the number of entries of the tables for so many particles beside a path, and the number of products of one column
// with them along all paths.
func filterCost(f particle.Filter, stages []stageOfFilter, others int) (entries, work float64) {
	for t := range stages {
		here := multisetsOf(others, f.Types(t+1))
		row := 1.0
		if t+1 < len(stages) {
			row = rowOf(f, &stages[t], t, others, others+1)
		}
		entries += float64(f.Types(t+1)) * here * row
		work += float64(f.States(t+1)) * here * row
	}
	return entries, work
}

// rowOf bounds the number of multisets of so many draws after stage t, counted from 0, each the child of one of so many parents.
func rowOf(f particle.Filter, s *stageOfFilter, t, draws, parents int) float64 {
	reach := 0 // of one parent
	for _, b := range s.next {
		reach = max(reach, len(b.types))
	}
	return multisetsOf(draws, min(f.Types(t+2), reach*min(f.Types(t+1), parents)))
}

// level returns the tables of a stage.
func (s *stageOfFilter) level(here, there *countSpace, particles int) *filterLevel {
	l := &filterLevel{logOwn: s.logw}
	if there != nil {
		l.size = there.size()
	}
	draws := multinomial{space: there}
	for k, own := range s.logw {
		means := make([]float64, here.size())
		var rows []entriesOfRow
		if there != nil {
			rows = make([]entriesOfRow, here.size())
		}
		if !math.IsInf(own, 0) {
			here.each(upTo(here.types), func(c int, types, counts []int) {
				w := append(s.logWeights(types, counts), own)
				sum := number.LogSumExp(w)
				if math.IsInf(sum, 1) || math.IsNaN(sum) {
					return // a particle is where no run can be: the multiset has no probability
				}
				means[c] = sum - number.Log(float64(particles))
				if there == nil {
					return
				}
				law := s.resampled(append(types[:len(types):len(types)], k), w, sum)
				draws.law(law.types, law.p, func(to int, p float64) {
					rows[c].columns, rows[c].p = append(rows[c].columns, int32(to)), append(rows[c].p, p)
				})
			})
		}
		l.logMean = append(l.logMean, means)
		if there != nil {
			l.next = append(l.next, rows)
		}
	}
	return l
}

// logWeights returns the logarithms of the weights of so many particles of some types.
func (s *stageOfFilter) logWeights(types, counts []int) []float64 {
	w := make([]float64, len(types), len(types)+1)
	for i, k := range types {
		w[i] = number.Log(float64(counts[i])) + s.logw[k]
	}
	return w
}

// resampled returns the law of the type of a particle after the move, which is drawn first among some types by their weights.
func (s *stageOfFilter) resampled(types []int, logw []float64, logSum float64) branch {
	law := map[int]float64{}
	for i, l := range logw {
		w := math.Exp(l - logSum)
		if w == 0 {
			continue
		}
		for j, to := range s.next[types[i]].types {
			law[to] += w * s.next[types[i]].p[j]
		}
	}
	var b branch
	for _, to := range sorts.Ints(maps.Keys(law)) {
		if p := law[to]; p > 0 {
			b.types, b.p = append(b.types, to), append(b.p, p)
		}
	}
	return b
}

// upTo returns 0..n-1.
func upTo(n int) []int {
	v := make([]int, n)
	for i := range v {
		v[i] = i
	}
	return v
}

// tooManyForFilter returns the error for tables, or for work, beyond what is begun.
func tooManyForFilter(f particle.Filter, particles int, entries, work float64) error {
	types := 0
	for t := 1; t <= f.Stages()+1; t++ {
		types = max(types, f.Types(t))
	}
	if entries > maxFilterEntries {
		return fmt.Errorf("the exact law of %d particles over %d types of states may take %.3g probabilities (%.3g GiB), and at most %.3g are kept; take fewer particles, or sample", particles, types, entries, 12*entries/(1<<30), float64(maxFilterEntries))
	}
	return fmt.Errorf("the exact law of %d particles over %d paths may take %.3g products, and at most %.3g are begun; take fewer particles or fewer data, or sample", particles, f.Outputs(), work, float64(maxFilterWork))
}
