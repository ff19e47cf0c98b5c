package crosscheck

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/simulate"
	"breadboard/experiments/eprocess"
)

// sample collects the chains of both directions for all tests on them. The chains of a round are run when the first test
// asks for them.
type sample struct {
	drawn, round int
	block        Block // the block of a round, without its number
	sides        [2]*side
	across       []*across // nil where there are no single chains
	err          error
}

// side collects the results of the chains in one direction.
type side struct {
	first, last, pairs []int
	ends               []int // the number of chains at x_1 n + x_T; nil where the joint law is not known
	alive              []int // the number of chains with a finite and positive weight, and of those without
	sumLogW            float64
	levels             []eprocess.Level
	below              []int // the number of chains with a log weight below each level
	apart              []*apart
	given              [2]perState // the log weights by x_1, and by x_T
}

// perState sums the finite log weights of the chains with an end at each state.
type perState struct {
	n   []int
	sum []float64
}

func (l *Laws) newSide(s Simulation, d chains.Direction) *side {
	n := l.a.States()
	m := &side{first: make([]int, n), last: make([]int, n), alive: make([]int, 2)}
	if s.Chains == nil {
		return m
	}
	m.pairs = make([]int, len(l.pairs[d]))
	m.ends = make([]int, len(l.ends[d]))
	m.levels = l.levels[d]
	m.below = make([]int, len(m.levels))
	m.apart = []*apart{newApart(byState("x_1", l.first[d], false)), newApart(byState("x_T", l.last[d], true))}
	for i := range m.given {
		m.given[i] = perState{make([]int, n), make([]float64, n)}
	}
	return m
}

// chainTests returns the tests of the ends, the independence and the weights of whole chains.
func (l *Laws) chainTests(s Simulation, o BatteryOptions) []*test {
	m := &sample{block: Block{Seed: o.Seed, Purpose: "crosscheck " + o.Stream + " " + s.Name}}
	var tests []*test
	for d := range m.sides {
		m.sides[d] = l.newSide(s, chains.Direction(d))
		tests = append(tests, l.sideTests(m.sides[d], s, chains.Direction(d))...)
	}
	if s.Chains != nil {
		forward, reverse := m.sides[chains.Forward].apart, m.sides[chains.Reverse].apart
		m.across = []*across{newAcross(forward[0].signature, reverse[1].signature), newAcross(forward[1].signature, reverse[0].signature)}
		tests = append(tests, &test{Result: Result{Test: "forward and reverse chains"}, value: averaged(m.across[0].value, m.across[1].value)})
	}
	for _, t := range tests {
		t.budget, t.draw = o.Draws, func(ctx context.Context, total int) error {
			if m.drawn < total && m.err == nil {
				m.err = m.extend(ctx, l.a, s, total-m.drawn)
				m.drawn = total
			}
			return m.err
		}
	}
	return tests
}

func (l *Laws) sideTests(m *side, s Simulation, d chains.Direction) []*test {
	n := l.a.States()
	var tests []*test
	add := func(name string, value func() (float64, func() string)) {
		tests = append(tests, &test{Result: Result{Test: d.String() + " " + name}, value: value})
	}
	state := func(x int) string { return "state " + l.state(x) }
	add("x_1", countsValue(m.first, l.first[d], state))
	add("x_T", countsValue(m.last, l.last[d], state))
	if l.alive[d] == 1 || s.Chains != nil { // totals do not show which chains have a weight of zero or infinity
		add("log w", func() (float64, func() string) {
			return eprocess.WeightsLogE(m.sumLogW, m.alive[0], l.powers, l.cgf[d]), func() string {
				return fmt.Sprintf("mean log w of %d chains is %.6g", m.alive[0], m.sumLogW/float64(m.alive[0]))
			}
		})
	}
	if s.Chains != nil { // totals have one sum of log weights, which does not show how many of them are finite
		p := []float64{l.alive[d], 1 - l.alive[d]}
		add("finite log w", countsValue(m.alive, p, func(cell int) string {
			return []string{"finite log weights", "infinite log weights"}[cell]
		}))
	}
	if s.Chains == nil {
		return tests
	}
	if len(m.pairs) > 0 {
		add("consecutive chains", countsValue(m.pairs, l.pairs[d], func(cell int) string {
			return fmt.Sprintf("chains ending at %s and %s", l.state(cell/n), l.state(cell%n))
		}))
	}
	if law := l.ends[d]; len(law) > 0 {
		displaced := newDisplacements(law, n)
		add("x_1 and x_T", averaged(
			countsValue(m.ends, law, func(cell int) string {
				return fmt.Sprintf("chains from x_1 = %s to x_T = %s", l.state(cell/n), l.state(cell%n))
			}),
			func() (float64, func() string) { return displaced.value(m.ends) },
		))
	}
	add("chains apart", averaged(m.apart[0].value, m.apart[1].value))
	if len(m.levels) > 0 {
		add("law of log w", func() (float64, func() string) {
			drawn := m.alive[0] + m.alive[1]
			return eprocess.LevelsLogE(m.below, drawn, m.levels), func() string { return eprocess.WorstLevel(m.below, drawn, m.levels) }
		})
	}
	for i, what := range []string{"x_1", "x_T"} {
		k, v := l.given[d][i], m.given[i]
		if k == nil {
			continue
		}
		add("log w given "+what, func() (float64, func() string) {
			return eprocess.StatesLogE(v.sum, v.n, eprocess.StatePowers(), k), func() string { return eprocess.WorstState(what, v.sum, v.n, eprocess.StatePowers(), k) }
		})
	}
	return tests
}

// extend runs k more chains in each direction, in one block of random numbers.
func (m *sample) extend(ctx context.Context, a *chains.Annealing, s Simulation, k int) error {
	block := m.block
	block.Number = m.round
	m.round++
	var batches [2]*simulate.Batch
	for i, side := range m.sides {
		d := chains.Direction(i)
		if s.Chains == nil {
			totals, err := s.Totals(ctx, a, d, block, k)
			if err == nil {
				err = checkTotals(totals, k, a.States())
			}
			if err != nil {
				return err
			}
			side.addTotals(totals, k)
			continue
		}
		batch, err := s.Chains(ctx, a, d, block, k)
		if err == nil {
			err = checkBatch(batch, k, a.States())
		}
		if err != nil {
			return err
		}
		batches[i] = batch
		side.addChains(batch, d)
	}
	for _, v := range m.across {
		v.add(batches[0].First, batches[0].Last, batches[1].First, batches[1].Last)
	}
	return nil
}

func (m *side) addTotals(totals *simulate.Occupation, k int) {
	for x := range m.first {
		m.first[x] += totals.First[x]
		m.last[x] += totals.Last[x]
	}
	m.sumLogW += totals.SumLogW
	m.alive[0] += k
}

func (m *side) addChains(batch *simulate.Batch, d chains.Direction) {
	end := batch.Last
	if d == chains.Reverse {
		end = batch.First
	}
	n := int32(len(m.first))
	for i, l := range batch.LogW {
		x, y := batch.First[i], batch.Last[i]
		m.first[x]++
		m.last[y]++
		if len(m.ends) > 0 {
			m.ends[x*n+y]++
		}
		if math.IsInf(l, 0) {
			m.alive[1]++
		} else {
			m.alive[0]++
			m.sumLogW += l
			m.given[0].n[x]++
			m.given[0].sum[x] += l
			m.given[1].n[y]++
			m.given[1].sum[y] += l
		}
		for k, level := range m.levels {
			if l < level.X {
				m.below[k]++
			}
		}
		if i%2 == 1 && len(m.pairs) > 0 {
			m.pairs[end[i-1]*n+end[i]]++
		}
	}
	for _, a := range m.apart {
		a.add(batch.First, batch.Last)
	}
}
