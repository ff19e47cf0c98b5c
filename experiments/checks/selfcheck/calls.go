package selfcheck

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/simulate"
	"breadboard/exact/stages"
)

// A simulation of single chains is called for callChains chains at a time, and a simulation that
// only counts for three larger numbers: binomial draws use one method for small means and another
// for large ones, and both must be tested.
const (
	callChains   = 16
	smallCounts  = 64
	middleCounts = 1024
	largeCounts  = 4096
	// maxCalls is the number of calls if there are enough draws. If the calls had only 2^16
	// different streams, two of that many calls would have the same stream with a probability of 1
	// - e^-18, and would be found alike.
	maxCalls = 1536
	// enoughDraws is the number of chains from which on all calls are made.
	enoughDraws = 1 << 18
)

// calls runs a simulation on a probe in many small calls, each with a block of its own.
type calls struct {
	probe *probe
	s     Simulation
	block Block // the block of a call, without its number
	size  int   // the number of chains of a call
	most  int   // the largest number of calls in each direction
	done  int   // the number of calls so far
	sides [2]*callSide
	// across compares chains of the two directions; nil if there are no single chains.
	across []*across
}

// callSide collects the results of the calls in one direction.
type callSide struct {
	law   *pathLaw
	paths []int // the number of chains with each outcome of the distribution
	apart []*apart
	// seen is the number of calls with each outcome, and alike the number of pairs of calls with
	// the same outcome.
	seen  map[string]int
	alike int
	// logAlike is the log of the largest probability that two independent calls have the same
	// outcome.
	logAlike float64
	ranks    []*ranks // the tests of the counts at the first and the last stage
}

// numberOfCalls returns the number of calls for a number of draws: most if there are enough draws,
// and proportionally fewer for fewer draws.
func numberOfCalls(draws, most int) int {
	return max(1, int(float64(most)*min(1, float64(draws)/enoughDraws)))
}

func newCalls(p *probe, s Simulation, size, most int, o BatteryOptions) *calls {
	c := &calls{probe: p, s: s, size: size, most: most}
	c.block = Block{Seed: o.Seed, Purpose: fmt.Sprintf("crosscheck %s %s %s calls of %d", o.Stream, s.Name, p.name, size)}
	for d := range c.sides {
		c.sides[d] = &callSide{law: p.paths[d], paths: make([]int, len(p.paths[d].p)), seen: map[string]int{}}
	}
	return c
}

// compareChains adds the comparison of chains in a call, and of the two directions.
func (c *calls) compareChains() {
	var starts, moves [2]signature
	for d, side := range c.sides {
		what := []string{"x_1", "x_T"}[d]
		starts[d] = byState(what, stages.Distribution(c.probe.a.Path(), float64(d)), d == int(chains.Reverse))
		moves[d] = byDisplacement(side.law)
		side.apart = []*apart{newApart(starts[d]), newApart(moves[d])}
	}
	c.across = []*across{newAcross(starts[0], starts[1]), newAcross(moves[0], moves[1])}
}

// chainCalls returns a simulation of single chains on a probe, with its tests.
func chainCalls(p *probe, s Simulation, o BatteryOptions) *source {
	c := newCalls(p, s, callChains, numberOfCalls(o.Draws, maxCalls), o)
	if p.name != short {
		c.most = (c.most + 15) / 16
	} else {
		c.compareChains()
	}
	out := c.source()
	for i, side := range c.sides {
		d := chains.Direction(i)
		c.testPaths(out, d)
		if c.across != nil {
			side.logAlike = float64(c.size) * number.Log(sumSquares(side.law.ends))
			c.testAlike(out, d)
			out.add(d.String()+" short chains apart", averaged(side.apart[0].value, side.apart[1].value))
		}
	}
	if c.across != nil {
		out.add("forward and reverse short chains", averaged(c.across[0].value, c.across[1].value))
	}
	return out
}

// countCalls returns a simulation that only counts chains, with its tests: calls for one chain,
// whose counts are its path, and calls for larger numbers.
func countCalls(probes []*probe, s Simulation, o BatteryOptions) (list []*source) {
	if len(probes) == 0 {
		return nil
	}
	for _, p := range probes {
		most := maxCalls / 4
		if p.name != short {
			most = maxCalls / 16
		}
		c := newCalls(p, s, 1, max(min(firstDraws, o.Draws), numberOfCalls(o.Draws, most)), o)
		out := c.source()
		for d := range c.sides {
			c.testPaths(out, chains.Direction(d))
		}
		list = append(list, out)
	}
	for _, of := range []struct{ size, calls int }{{smallCounts, maxCalls}, {middleCounts, maxCalls / 3 * max(1, o.Calls)}, {largeCounts, maxCalls / 12}} {
		c := newCalls(probes[0], s, of.size, numberOfCalls(o.Draws, of.calls), o)
		out := c.source()
		for d := range c.sides {
			c.testCounts(out, chains.Direction(d), o)
		}
		list = append(list, out)
	}
	return list
}

// source returns the calls as draws. The number of them is that of their chains.
func (c *calls) source() *source {
	return newSource(c.most*c.size, c.size, func(ctx context.Context, k int) error {
		for range k / c.size {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := c.call(ctx); err != nil {
				return err
			}
		}
		return nil
	})
}

func (c *calls) testPaths(out *source, d chains.Direction) {
	side := c.sides[d]
	out.add(fmt.Sprintf("%s %s paths", d, c.probe.name), countsValue(side.paths, side.law.p, func(cell int) string { return side.law.name(cell, c.probe.label) }))
}

// testAlike tests that independent calls seldom agree. Its e-value is the number of pairs of calls
// with the same outcome so far, divided by the number expected among all calls that there will be.
// This only grows with more calls, so it reaches a threshold at any time with no larger probability
// than at the end, where Markov's inequality bounds it.
func (c *calls) testAlike(out *source, d chains.Direction) {
	side := c.sides[d]
	pairs := float64(c.most) * float64(c.most-1) / 2
	out.add(d.String()+" calls alike", func() (float64, func() string) {
		logE := math.Inf(-1)
		if side.alike > 0 {
			logE = number.Log(float64(side.alike)) - number.Log(pairs) - side.logAlike
		}
		return logE, func() string {
			return fmt.Sprintf("%d pairs among %d calls of %d chains have the same outcome, %.3g expected", side.alike, c.done, c.size, pairs*math.Exp(side.logAlike))
		}
	})
}

// testCounts adds the tests of the distribution of the counts at both ends, and the test that calls
// differ.
func (c *calls) testCounts(out *source, d chains.Direction, o BatteryOptions) {
	side := c.sides[d]
	n := side.law.states
	first, last := make([]float64, n), make([]float64, n)
	for at, p := range side.law.ends {
		first[at/n] += p
		last[at%n] += p
	}
	rng := rand.New(simulate.NewStream(o.Seed, c.block.Purpose+" ranks "+d.String(), 0))
	side.ranks = []*ranks{newRanks("x_1", first, c.size, rng), newRanks("x_T", last, c.size, rng)}
	out.add(fmt.Sprintf("%s counts of %d chains", d, c.size), averaged(side.ranks[0].value, side.ranks[1].value))
	if c.size == smallCounts {
		side.logAlike = min(logMode(first, c.size), logMode(last, c.size))
		c.testAlike(out, d)
	}
}

func (c *calls) call(ctx context.Context) error {
	block := c.block
	block.Number = c.done
	var batches [2]*simulate.Batch
	for i, side := range c.sides {
		d := chains.Direction(i)
		if c.s.Chains == nil {
			o, err := c.s.occupation(ctx, c.probe.a, d, block, c.size)
			if err != nil {
				return err
			}
			side.addTotals(o, c.size)
			continue
		}
		b, err := c.s.batch(ctx, c.probe.a, d, block, c.size)
		if err != nil {
			return err
		}
		batches[i] = b
		side.addChains(b)
	}
	for _, a := range c.across {
		a.add(batches[0].First, batches[0].Last, batches[1].First, batches[1].Last)
	}
	c.done++
	return nil
}

func (s *callSide) addChains(b *simulate.Batch) {
	for i, l := range b.LogW {
		s.paths[s.law.cell(int(b.First[i]), int(b.Last[i]), l)]++
	}
	for _, a := range s.apart {
		a.extend(b.First, b.Last)
	}
	if s.apart != nil {
		remember(s, b.First, b.Last)
	}
}

// remember adds the number of earlier calls with the same outcome to alike.
func remember[N int | int32](s *callSide, first, last []N) {
	var key []byte
	for i := range first {
		key = binary.AppendUvarint(binary.AppendUvarint(key, uint64(first[i])), uint64(last[i]))
	}
	s.alike += s.seen[string(key)]
	s.seen[string(key)]++
}

func (s *callSide) addTotals(o *simulate.Occupation, k int) {
	if k == 1 { // the single chain is where the counts are one
		s.paths[s.law.cell(slices.Index(o.First, 1), slices.Index(o.Last, 1), o.SumLogW)]++
		return
	}
	s.ranks[0].add(o.First)
	s.ranks[1].add(o.Last)
	remember(s, o.First, o.Last)
}

// checkBatch returns an error if a batch does not hold k chains on the given number of states.
func checkBatch(b *simulate.Batch, k, states int) error {
	if len(b.First) != k || len(b.Last) != k || len(b.LogW) != k {
		return fmt.Errorf("a call for %d chains returned %d first states, %d last states and %d log weights", k, len(b.First), len(b.Last), len(b.LogW))
	}
	for i := range b.First {
		if x, y := b.First[i], b.Last[i]; x < 0 || int(x) >= states || y < 0 || int(y) >= states {
			return fmt.Errorf("chain %d of a block went from state %d to %d, outside 0..%d", i, x, y, states-1)
		}
	}
	return nil
}

// checkTotals returns an error where counts do not hold k chains on the given number of states.
func checkTotals(o *simulate.Occupation, k, states int) error {
	for _, counts := range [][]int{o.First, o.Last} {
		total := 0
		for x, c := range counts {
			if total += c; c < 0 {
				return fmt.Errorf("a call for %d chains counted %d at state %d", k, c, x)
			}
		}
		if total != k || len(counts) != states {
			return fmt.Errorf("a call for %d chains counted %d on %d states, of %d", k, total, len(counts), states)
		}
	}
	return nil
}

func sumSquares(p []float64) float64 {
	total := 0.0
	for _, v := range p {
		total += v * v
	}
	return total
}

// logMode returns the log of the largest probability of a multinomial distribution, which bounds
// the probability that two independent draws agree. The most likely counts are found by adding
// chains one by one where the probability grows most.
func logMode(p []float64, k int) float64 {
	counts := make([]float64, len(p))
	logP := 0.0
	for i := range k {
		best := 0
		for x, v := range p {
			if v*(counts[best]+1) > p[best]*(counts[x]+1) {
				best = x
			}
		}
		counts[best]++
		logP += number.Log(p[best]) + number.Log(float64(i+1)) - number.Log(counts[best])
	}
	return logP
}

// rankCells is the number of cells into which the uniform rank falls. The cell behind them,
// impossible, has probability zero: it is for counts that no simulation may return.
const (
	rankCells  = 16
	impossible = rankCells
)

// ranks tests the distribution of counts. Given the counts of the classes before it, the count of a
// class is binomial. The distribution function jumps at this count, and the rank is drawn uniformly
// within the jump: so ranks are uniform numbers from 0 to 1 and independent of one another.
type ranks struct {
	what   string
	class  []int     // the class of each state; states with few chains share a class
	p      []float64 // the probability of each class, given that a chain is in none of the classes before it
	rng    *rand.Rand
	counts []int
	law    []float64
	sums   []int
}

// newRanks returns the test of the counts of size chains with distribution p. It joins states with
// few chains into classes.
func newRanks(what string, p []float64, size int, rng *rand.Rand) *ranks {
	r := &ranks{what: what, rng: rng, counts: make([]int, rankCells+1), law: make([]float64, rankCells+1), class: make([]int, len(p))}
	for i := range rankCells {
		r.law[i] = 1.0 / rankCells
	}
	law := p
	if size >= middleCounts {
		for x := range p {
			r.class[x] = x
		}
	} else {
		var class []uint8
		class, law = stateClassesOf(p)
		for x, v := range class {
			r.class[x] = int(v)
		}
	}
	r.sums, r.p = make([]int, len(law)), make([]float64, len(law))
	rest := 0.0
	for i := len(law) - 1; i >= 0; i-- {
		if rest += law[i]; law[i] > 0 {
			r.p[i] = law[i] / rest
		}
	}
	return r
}

func (r *ranks) add(counts []int) {
	clear(r.sums)
	left := 0
	for x, c := range counts {
		r.sums[r.class[x]] += c
		left += c
	}
	for i, c := range r.sums {
		switch p := r.p[i]; {
		case p == 0 && c > 0 || p == 1 && c < left:
			r.counts[impossible]++
		case p > 0 && p < 1 && left > 0:
			law := distuv.Binomial{N: float64(left), P: p}
			u := law.CDF(float64(c-1)) + r.rng.Float64()*law.Prob(float64(c))
			r.counts[max(0, min(rankCells-1, int(u*rankCells)))]++
		}
		left -= c
	}
}

func (r *ranks) value() (float64, func() string) {
	return countsValue(r.counts, r.law, func(cell int) string {
		if cell == impossible {
			return fmt.Sprintf("counts at %s of states that no chain can be at", r.what)
		}
		return fmt.Sprintf("counts at %s with a rank in %v..%v", r.what, float64(cell)/rankCells, float64(cell+1)/rankCells)
	})()
}
