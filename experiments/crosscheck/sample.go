package crosscheck

import (
	"context"

	"breadboard/chains"
	"breadboard/chains/simulate"
)

// sample collects the chains of both directions for all tests on them. The chains of a round are run when the first test
// asks for them.
type sample struct {
	drawn, round int
	block        Block      // the block of a round, without its number
	tallies      [2]*Tally  // by direction, where there are single chains
	totals       [2]*totals // by direction, where there are none
	across       []*across  // nil where there are no single chains
	err          error
}

// chainTests returns the tests of the ends, the independence and the weights of whole chains.
func (l *Laws) chainTests(s Simulation, o BatteryOptions) []*test {
	m := &sample{block: Block{Seed: o.Seed, Purpose: "crosscheck " + o.Stream + " " + s.Name}}
	var named []NamedTest
	for i := range m.tallies {
		d := chains.Direction(i)
		if s.Chains == nil {
			m.totals[d] = newTotals(l.a.States())
			named = append(named, m.totals[d].tests(l.ChainLaws, d)...)
			continue
		}
		t := newTally(l.ChainLaws, d, Columns{First: true, Last: true, LogW: true}, callLags())
		m.tallies[d] = t
		named = append(named, t.allowed(t.battery())...)
	}
	if s.Chains != nil {
		forward, reverse := m.tallies[chains.Forward].apart, m.tallies[chains.Reverse].apart
		m.across = []*across{newAcross(forward[0].signature, reverse[1].signature), newAcross(forward[1].signature, reverse[0].signature)}
		named = append(named, NamedTest{PairTest, averaged(m.across[0].value, m.across[1].value)})
	}
	var tests []*test
	for _, n := range named {
		t := &test{Result: Result{Test: n.Name}, value: n.Value, budget: o.Draws}
		t.draw = func(ctx context.Context, total int) error {
			if m.drawn < total && m.err == nil {
				m.err = m.extend(ctx, l.a, s, total-m.drawn)
				m.drawn = total
			}
			return m.err
		}
		tests = append(tests, t)
	}
	return tests
}

// extend runs k more chains in each direction, in one block of random numbers.
func (m *sample) extend(ctx context.Context, a *chains.Annealing, s Simulation, k int) error {
	block := m.block
	block.Number = m.round
	m.round++
	var batches [2]*simulate.Batch
	for i := range batches {
		d := chains.Direction(i)
		if s.Chains == nil {
			totals, err := s.Totals(ctx, a, d, block, k)
			if err == nil {
				err = checkTotals(totals, k, a.States())
			}
			if err != nil {
				return err
			}
			m.totals[d].add(totals, k)
			continue
		}
		batch, err := s.Chains(ctx, a, d, block, k)
		if err == nil {
			err = checkBatch(batch, k, a.States())
		}
		if err != nil {
			return err
		}
		batches[d] = batch
		m.tallies[d].addCall(batch)
	}
	for _, v := range m.across {
		v.add(batches[0].First, batches[0].Last, batches[1].First, batches[1].Last)
	}
	return nil
}
