package crosscheck

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mathext"

	"breadboard/chains"
	"breadboard/chains/simulate"
	"breadboard/exact/geometry"
)

// The sizes of the small calls: of simulations of single chains, and of those that only count. Binomial draws have
// other methods for small means than for large ones, so that both have their calls.
const (
	callChains   = 16
	smallCounts  = 64
	middleCounts = 1024
	largeCounts  = 4096
	// maxCalls is the number of calls where there are enough draws: for two of so many to have the same one of 2^16
	// streams has a probability of 1 - e^-18.
	maxCalls = 1536
	// enoughDraws is the number of chains from which on all calls are made.
	enoughDraws = 1 << 18
)

// calls runs a simulation on a probe in many small calls, each with a block of its own.
type calls struct {
	probe *probe
	s     Simulation
	block Block // but for the number
	size  int   // chains of a call
	most  int   // calls of both directions
	done  int
	sides [2]*callSide
	// across compares chains of the two directions; nil where there are no single chains.
	across []*across
	err    error
}

// callSide is what the calls of one direction came to.
type callSide struct {
	law   *pathLaw
	paths []int // by outcome
	apart []*apart
	// seen counts the calls by outcome, and alike the pairs of calls that have the same one.
	seen  map[string]int
	alike int
	// logAlike is the log of the largest probability that two independent calls have the same outcome.
	logAlike float64
	ranks    []*ranks // of the counts at the first and the last stage
}

// numberOfCalls is how many calls there are of at most so many.
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
		starts[d] = byState(what, geometry.Distribution(c.probe.a.Path(), float64(d)), d == int(chains.Reverse))
		moves[d] = byDisplacement(side.law)
		side.apart = []*apart{newApart(starts[d]), newApart(moves[d])}
	}
	c.across = []*across{newAcross(starts[0], starts[1]), newAcross(moves[0], moves[1])}
}

// chainCalls are the tests of a simulation of single chains on a probe.
func chainCalls(p *probe, s Simulation, o BatteryOptions) []*test {
	c := newCalls(p, s, callChains, numberOfCalls(o.Draws, maxCalls), o)
	if p.name != short {
		c.most = (c.most + 15) / 16
	} else {
		c.compareChains()
	}
	var tests []*test
	for i, side := range c.sides {
		d := chains.Direction(i)
		tests = append(tests, c.pathsTest(d))
		if c.across != nil {
			side.logAlike = float64(c.size) * math.Log(sumSquares(side.law.ends))
			tests = append(tests, c.alikeTest(d), c.test(d.String()+" short chains apart", averaged(side.apart[0].value, side.apart[1].value)))
		}
	}
	if c.across != nil {
		tests = append(tests, c.test("forward and reverse short chains", averaged(c.across[0].value, c.across[1].value)))
	}
	return tests
}

// countCalls are the tests of a simulation that only counts: of one chain, whose path it tells, and of numbers.
func countCalls(probes []*probe, s Simulation, o BatteryOptions) []*test {
	var tests []*test
	for _, p := range probes {
		most := maxCalls / 4
		if p.name != short {
			most = maxCalls / 16
		}
		c := newCalls(p, s, 1, max(min(firstDraws, o.Draws), numberOfCalls(o.Draws, most)), o)
		for d := range c.sides {
			tests = append(tests, c.pathsTest(chains.Direction(d)))
		}
	}
	for _, of := range []struct{ size, calls int }{{smallCounts, maxCalls}, {middleCounts, maxCalls / 3 * max(1, o.Calls)}, {largeCounts, maxCalls / 12}} {
		if len(probes) == 0 {
			break
		}
		c := newCalls(probes[0], s, of.size, numberOfCalls(o.Draws, of.calls), o)
		for d := range c.sides {
			tests = append(tests, c.countsTests(chains.Direction(d), o)...)
		}
	}
	return tests
}

// test is a test on the calls, whose draws are chains.
func (c *calls) test(name string, value func() (float64, func() string)) *test {
	return &test{Result: Result{Test: name}, budget: c.most * c.size, unit: c.size, draw: c.draw, value: value}
}

func (c *calls) pathsTest(d chains.Direction) *test {
	side := c.sides[d]
	return c.test(fmt.Sprintf("%s %s paths", d, c.probe.name), countsValue(side.paths, side.law.p, func(cell int) string { return side.law.name(cell, c.probe.label) }))
}

// alikeTest has as its e-value the number of pairs of calls with the same outcome over what is expected of all the
// calls there will be: it only grows, so that it is as large as that at no time with a larger probability than at last.
func (c *calls) alikeTest(d chains.Direction) *test {
	side := c.sides[d]
	pairs := float64(c.most) * float64(c.most-1) / 2
	return c.test(d.String()+" calls alike", func() (float64, func() string) {
		logE := math.Inf(-1)
		if side.alike > 0 {
			logE = math.Log(float64(side.alike)) - math.Log(pairs) - side.logAlike
		}
		return logE, func() string {
			return fmt.Sprintf("%d pairs among %d calls of %d chains have the same outcome, %.3g expected", side.alike, c.done, c.size, pairs*math.Exp(side.logAlike))
		}
	})
}

// countsTests test the law of the counts at both ends, and that calls differ.
func (c *calls) countsTests(d chains.Direction, o BatteryOptions) []*test {
	side := c.sides[d]
	n := side.law.states
	first, last := make([]float64, n), make([]float64, n)
	for at, p := range side.law.ends {
		first[at/n] += p
		last[at%n] += p
	}
	rng := rand.New(simulate.NewStream(o.Seed, c.block.Purpose+" ranks "+d.String(), 0))
	side.ranks = []*ranks{newRanks("x_1", first, c.size, rng), newRanks("x_T", last, c.size, rng)}
	tests := []*test{c.test(fmt.Sprintf("%s counts of %d chains", d, c.size), averaged(side.ranks[0].value, side.ranks[1].value))}
	if c.size == smallCounts {
		side.logAlike = min(logMode(first, c.size), logMode(last, c.size))
		tests = append(tests, c.alikeTest(d))
	}
	return tests
}

// draw makes calls until they come to so many chains.
func (c *calls) draw(ctx context.Context, total int) error {
	for c.err == nil && c.done*c.size < total && c.done < c.most {
		if err := ctx.Err(); err != nil {
			return err
		}
		c.err = c.call(ctx)
	}
	return c.err
}

func (c *calls) call(ctx context.Context) error {
	block := c.block
	block.Number = c.done
	var batches [2]*simulate.Batch
	for i, side := range c.sides {
		d := chains.Direction(i)
		if c.s.Chains == nil {
			o, err := c.s.Totals(ctx, c.probe.a, d, block, c.size)
			if err == nil {
				err = side.addTotals(o, c.size)
			}
			if err != nil {
				return err
			}
			continue
		}
		b, err := c.s.Chains(ctx, c.probe.a, d, block, c.size)
		if err == nil {
			err = checkBatch(b, c.size, side.law.states)
		}
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
		a.add(b.First, b.Last)
	}
	if s.apart != nil {
		var key []byte
		for i := range b.First {
			key = binary.AppendUvarint(binary.AppendUvarint(key, uint64(b.First[i])), uint64(b.Last[i]))
		}
		s.remember(key)
	}
}

// remember counts the calls before that had the same outcome.
func (s *callSide) remember(key []byte) {
	s.alike += s.seen[string(key)]
	s.seen[string(key)]++
}

func (s *callSide) addTotals(o *simulate.Occupation, k int) error {
	if err := checkTotals(o, k, s.law.states); err != nil {
		return err
	}
	if k == 1 {
		s.paths[s.law.cell(only(o.First), only(o.Last), o.SumLogW)]++
		return nil
	}
	s.ranks[0].add(o.First)
	s.ranks[1].add(o.Last)
	var key []byte
	for x := range o.First {
		key = binary.AppendUvarint(binary.AppendUvarint(key, uint64(o.First[x])), uint64(o.Last[x]))
	}
	s.remember(key)
	return nil
}

// only returns the state of a single chain.
func only(counts []int) int {
	for x, c := range counts {
		if c == 1 {
			return x
		}
	}
	return 0
}

// checkBatch says where a batch is not one of so many chains on so many states.
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

// checkTotals says where counts are not those of so many chains on so many states.
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

// logMode returns the log of the largest probability of a multinomial law: no two independent draws agree with a
// larger one. The most likely counts are found by adding chains one by one where the probability grows most.
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
		logP += math.Log(p[best]) + math.Log(float64(i+1)) - math.Log(counts[best])
	}
	return logP
}

// rankCells is the number of cells of the uniform rank, and impossible the cell after them, of probability zero, for
// counts that cannot be.
const (
	rankCells  = 16
	impossible = rankCells
)

// ranks tests the law of counts: one after another, given those before, each is binomial, and its rank, drawn
// uniformly within the jump of the distribution function, is uniform and independent of the others.
type ranks struct {
	what   string
	class  []int     // of each state, in groups where the states' counts would be few
	p      []float64 // of each class given that it is none before
	rng    *rand.Rand
	counts []int
	law    []float64
	sums   []int
}

// newRanks puts states into classes where single ones have few chains.
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
		s := byState("", p, false)
		law = s.p
		for x := range p {
			r.class[x] = s.of(int32(x), 0)
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
			u := binomialBelow(c, left, p) + r.rng.Float64()*binomialAt(c, left, p)
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

// binomialBelow returns P(X < x) of a binomial X.
func binomialBelow(x, n int, p float64) float64 {
	switch {
	case x <= 0:
		return 0
	case x > n:
		return 1
	}
	return mathext.RegIncBeta(float64(n-x+1), float64(x), 1-p)
}

// binomialAt returns P(X = x).
func binomialAt(x, n int, p float64) float64 {
	a, _ := math.Lgamma(float64(n) + 1)
	b, _ := math.Lgamma(float64(x) + 1)
	c, _ := math.Lgamma(float64(n-x) + 1)
	return math.Exp(a - b - c + float64(x)*math.Log(p) + float64(n-x)*math.Log1p(-p))
}
