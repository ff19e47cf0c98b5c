// Package crosscheck answers: does an implementation of annealed importance sampling agree with the exact
// answer? It runs a battery of sequential tests whose probability of a false alarm, over all of them and at
// whatever time one stops, is at most a given alpha. It never compares with a tolerance.
package crosscheck

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"breadboard/chains"
)

// DefaultAlpha is the probability of a false alarm in a run.
const DefaultAlpha = 1e-6

// firstDraws is the size of the first sample of every test; sizes double from there.
const firstDraws = 256

// steepMoves multiplies the moves under the steep distribution where there are deep ones.
const steepMoves = 32

// Options says how far to test.
type Options struct {
	Alpha  float64 // of a false alarm among all tests of the run
	Tests  int     // in the run; 0 is those of this battery alone
	Seed   uint64
	Draws  int    // largest number of chains, and of pairs
	Moves  int    // largest number of single moves at a stage
	Deep   int    // the same at the first stage that is tested; 0 is Moves
	Calls  int    // multiplies the calls that test the law of counts; 0 is 1
	Stream string // distinguishes the random numbers of several batteries
}

// Result is what became of one test.
type Result struct {
	Test      string
	Draws     int
	LogE      float64 // natural logarithm of the e-value
	Threshold float64 // tests/alpha: an e-value that large is a fault
	Fault     bool
	Where     string // where a fault points
}

// EValue returns the e-value, which may overflow to +Inf.
func (r Result) EValue() float64 { return math.Exp(r.LogE) }

// test is one e-process: draw adds draws up to a total, value says how large it is.
type test struct {
	Result
	budget int
	unit   int // draws come in whole multiples of it; 0 is 1
	draw   func(ctx context.Context, total int) error
	value  func() (logE float64, where func() string)
}

// Run tests a simulation against the laws: sample sizes double until every test has used up its draws or one
// finds a fault. The same seed gives the same results.
func Run(ctx context.Context, l *Laws, s Simulation, o Options) ([]Result, error) {
	tests := l.battery(s, o)
	n := o.Tests
	if n == 0 {
		n = len(tests)
	}
	for _, t := range tests {
		t.Threshold = float64(n) / o.Alpha
	}
	for total := firstDraws; ; total *= 2 {
		busy, fault := false, false
		for _, t := range tests {
			if t.Draws < min(total, t.budget) {
				t.advance(ctx, min(total, t.budget))
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				fault = fault || t.Fault
			}
			busy = busy || t.Draws < t.budget
		}
		if fault || !busy {
			break
		}
	}
	out := make([]Result, len(tests))
	for i, t := range tests {
		out[i] = t.Result
	}
	return out, nil
}

// Count returns the number of tests of a battery.
func Count(l *Laws, s Simulation) int { return len(l.battery(s, Options{})) }

// advance brings the test to a number of draws.
func (t *test) advance(ctx context.Context, total int) {
	if err := t.draw(ctx, total); err != nil {
		t.LogE, t.Fault, t.Where = math.Inf(1), true, err.Error()
		return
	}
	unit := max(1, t.unit)
	t.Draws = (total + unit - 1) / unit * unit
	logE, where := t.value()
	t.LogE = logE
	if logE >= math.Log(t.Threshold) {
		t.Fault, t.Where = true, where()
	}
}

// battery sets up all tests of a simulation.
func (l *Laws) battery(s Simulation, o Options) []*test {
	var tests []*test
	stream := func(purpose string, round int) *rand.ChaCha8 {
		return chains.NewStream(o.Seed, "crosscheck "+o.Stream+" "+s.Name+" "+purpose, round)
	}
	if s.Kernel != nil {
		for i, r := range l.rows {
			budget := o.Moves
			switch {
			case i == 0:
				budget = max(budget, o.Deep)
			case r.a != l.a && o.Deep > 0:
				budget = min(max(budget, o.Deep), steepMoves*budget)
			}
			tests = append(tests, l.rowsTest(s, r, budget, stream))
		}
	}
	tests = append(tests, l.chainTests(s, o)...)
	if s.Chains == nil {
		return append(tests, countCalls(l.probes, s, o)...)
	}
	for _, p := range l.probes {
		tests = append(tests, chainCalls(p, s, o)...)
	}
	return tests
}

// streams makes the random stream of a purpose's round.
type streams func(purpose string, round int) *rand.ChaCha8

// rowsTest draws single moves from uniform starts.
func (l *Laws) rowsTest(s Simulation, law stageLaw, budget int, stream streams) *test {
	n := l.a.States()
	logf := make([]float64, n)
	law.a.LogF(logf, law.t)
	kernel := s.Kernel
	if k, ok := kernel.(chains.Staged); ok {
		kernel = k.Stage(law.t)
	}
	counts := make([]int, n*n)
	displaced := newDisplacements(law.cell, n)
	drawn, round := 0, 0
	return &test{
		Result: Result{Test: law.name}, budget: budget,
		draw: func(ctx context.Context, total int) error {
			src := stream(law.name, round)
			starts, c := rand.New(src), chains.NewSampler(src)
			round++
			for ; drawn < total; drawn++ {
				if drawn%4096 == 0 && ctx.Err() != nil {
					return ctx.Err()
				}
				x := starts.IntN(n)
				y, err := move(kernel, c, logf, law.t, x)
				if err != nil {
					return err
				}
				counts[x*n+y]++
			}
			return nil
		},
		value: averaged(
			countsValue(counts, law.cell, func(cell int) string { return fmt.Sprintf("from state %d to %d", cell/n, cell%n) }),
			func() (float64, func() string) { return displaced.value(counts) },
		),
	}
}

// displacements pools single moves by how far they go, in the numbering of the states: there are far fewer cells than
// pairs of states, so that less of what is seen is noise.
type displacements struct {
	n int
	p []float64
}

func newDisplacements(cell []float64, n int) displacements {
	d := displacements{n, make([]float64, 2*n-1)}
	for at, v := range cell {
		d.p[at%n-at/n+n-1] += v
	}
	return d
}

func (d displacements) value(counts []int) (float64, func() string) {
	pooled := make([]int, len(d.p))
	for at, c := range counts {
		pooled[at%d.n-at/d.n+d.n-1] += c
	}
	return countsValue(pooled, d.p, func(i int) string { return fmt.Sprintf("from a state x to x%+d", i-d.n+1) })()
}

func countsValue(counts []int, p []float64, name func(int) string) func() (float64, func() string) {
	return func() (float64, func() string) {
		return CountsLogE(counts, p), func() string { return WorstCell(counts, p, name) }
	}
}

// sample collects the chains of both directions for all tests on them. The first test of a round to ask has the
// chains run.
type sample struct {
	drawn, round int
	block        Block // but for the number
	sides        [2]*side
	across       []*across // nil where there are no single chains
	err          error
}

// side is what the chains of one direction came to.
type side struct {
	first, last, pairs []int
	alive              []int // chains with a finite and positive weight, and those without
	sumLogW            float64
	levels             []level
	below              []int // chains with a log weight below each level
	apart              []*apart
	given              [2]perState // by x_1 and by x_T
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
	m.levels = l.levels[d]
	m.below = make([]int, len(m.levels))
	m.apart = []*apart{newApart(byState("x_1", l.first[d], false)), newApart(byState("x_T", l.last[d], true))}
	for i := range m.given {
		m.given[i] = perState{make([]int, n), make([]float64, n)}
	}
	return m
}

// chainTests test the ends, the independence and the weights of whole chains.
func (l *Laws) chainTests(s Simulation, o Options) []*test {
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
	state := func(x int) string { return fmt.Sprintf("state %d", x) }
	add("x_1", countsValue(m.first, l.first[d], state))
	add("x_T", countsValue(m.last, l.last[d], state))
	if l.alive[d] == 1 || s.Chains != nil { // totals do not tell which chains have lost their weight
		add("log w", func() (float64, func() string) {
			return weightsLogE(m.sumLogW, m.alive[0], l.powers, l.cgf[d]), func() string {
				return fmt.Sprintf("mean log w of %d chains is %.6g", m.alive[0], m.sumLogW/float64(m.alive[0]))
			}
		})
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
			return fmt.Sprintf("chains ending at %d and %d", cell/n, cell%n)
		}))
	}
	add("chains apart", averaged(m.apart[0].value, m.apart[1].value))
	if len(m.levels) > 0 {
		add("law of log w", func() (float64, func() string) {
			drawn := m.alive[0] + m.alive[1]
			return levelsLogE(m.below, drawn, m.levels), func() string { return worstLevel(m.below, drawn, m.levels) }
		})
	}
	for i, what := range []string{"x_1", "x_T"} {
		k, v := l.given[d][i], m.given[i]
		if k == nil {
			continue
		}
		add("log w given "+what, func() (float64, func() string) {
			return statesLogE(v.sum, v.n, statePowers(), k), func() string { return worstState(what, v.sum, v.n, statePowers(), k) }
		})
	}
	return tests
}

// extend runs k more chains in each direction, in one block of random numbers.
func (m *sample) extend(ctx context.Context, a *chains.Annealing, s Simulation, k int) error {
	block := m.block
	block.Number = m.round
	m.round++
	var batches [2]*chains.Batch
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

func (m *side) addTotals(totals *chains.Occupation, k int) {
	for x := range m.first {
		m.first[x] += totals.First[x]
		m.last[x] += totals.Last[x]
	}
	m.sumLogW += totals.SumLogW
	m.alive[0] += k
}

func (m *side) addChains(batch *chains.Batch, d chains.Direction) {
	end := batch.Last
	if d == chains.Reverse {
		end = batch.First
	}
	n := int32(len(m.first))
	for i, l := range batch.LogW {
		x, y := batch.First[i], batch.Last[i]
		m.first[x]++
		m.last[y]++
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
			if l < level.x {
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
