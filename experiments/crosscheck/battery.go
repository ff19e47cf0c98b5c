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

// Options says how far to test.
type Options struct {
	Alpha  float64 // of a false alarm among all tests of the run
	Tests  int     // in the run; 0 is those of this battery alone
	Seed   uint64
	Draws  int    // largest number of chains, and of pairs
	Moves  int    // largest number of single moves
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
			if t.Draws < t.budget {
				t.advance(ctx, min(total, t.budget))
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				busy = busy || t.Draws < t.budget
				fault = fault || t.Fault
			}
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
	t.Draws = total
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
		for _, r := range l.rows {
			tests = append(tests, l.rowsTest(s, r, o.Moves, stream))
		}
	}
	for _, d := range []chains.Direction{chains.Forward, chains.Reverse} {
		tests = append(tests, l.chainTests(s, d, o.Draws, stream)...)
	}
	return tests
}

// streams makes the random stream of a purpose's round.
type streams func(purpose string, round int) *rand.ChaCha8

// rowsTest draws single moves from uniform starts.
func (l *Laws) rowsTest(s Simulation, law stageLaw, budget int, stream streams) *test {
	n := l.a.States()
	logf := make([]float64, n)
	l.a.LogF(logf, law.t)
	kernel := s.Kernel
	if k, ok := kernel.(chains.Staged); ok {
		kernel = k.Stage(law.t)
	}
	counts := make([]int, n*n)
	drawn, round := 0, 0
	purpose := fmt.Sprintf("kernel rows at t = %d", law.t)
	return &test{
		Result: Result{Test: purpose}, budget: budget,
		draw: func(ctx context.Context, total int) error {
			src := stream(purpose, round)
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
		value: countsValue(counts, law.cell, func(cell int) string { return fmt.Sprintf("from state %d to %d", cell/n, cell%n) }),
	}
}

func countsValue(counts []int, p []float64, name func(int) string) func() (float64, func() string) {
	return func() (float64, func() string) {
		return CountsLogE(counts, p), func() string { return WorstCell(counts, p, name) }
	}
}

// sample collects the chains of one direction for all tests on them. The first test of a round to ask has the
// chains run.
type sample struct {
	drawn, round       int
	first, last, pairs []int
	alive              []int // chains with a finite and positive weight, and those without
	sumLogW            float64
	levels             []level
	below              []int // chains with a log weight below each level
	err                error
}

// chainTests test the ends, the independence and the weights of whole chains.
func (l *Laws) chainTests(s Simulation, d chains.Direction, budget int, stream streams) []*test {
	n := l.a.States()
	m := &sample{first: make([]int, n), last: make([]int, n), alive: make([]int, 2)}
	if s.Chains != nil {
		m.pairs = make([]int, len(l.pairs[d]))
		m.levels = l.levels[d]
		m.below = make([]int, len(m.levels))
	}
	draw := func(ctx context.Context, total int) error {
		if m.drawn < total && m.err == nil {
			m.err = m.extend(ctx, s, d, stream(d.String(), m.round), total-m.drawn)
			m.round++
			m.drawn = total
		}
		return m.err
	}
	state := func(x int) string { return fmt.Sprintf("state %d", x) }
	tests := []*test{
		{Result: Result{Test: d.String() + " x_1"}, value: countsValue(m.first, l.first[d], state)},
		{Result: Result{Test: d.String() + " x_T"}, value: countsValue(m.last, l.last[d], state)},
	}
	if l.alive[d] == 1 || s.Chains != nil { // totals do not tell which chains have lost their weight
		tests = append(tests, &test{Result: Result{Test: d.String() + " log w"}, value: func() (float64, func() string) {
			return weightsLogE(m.sumLogW, m.alive[0], l.powers, l.cgf[d]), func() string {
				return fmt.Sprintf("mean log w of %d chains is %.6g", m.alive[0], m.sumLogW/float64(m.alive[0]))
			}
		}})
		p := []float64{l.alive[d], 1 - l.alive[d]}
		tests = append(tests, &test{Result: Result{Test: d.String() + " finite log w"}, value: countsValue(m.alive, p, func(cell int) string {
			return []string{"finite log weights", "infinite log weights"}[cell]
		})})
	}
	if len(m.pairs) > 0 {
		tests = append(tests, &test{Result: Result{Test: d.String() + " consecutive chains"}, value: countsValue(m.pairs, l.pairs[d], func(cell int) string {
			return fmt.Sprintf("chains ending at %d and %d", cell/n, cell%n)
		})})
	}
	if len(m.levels) > 0 {
		tests = append(tests, &test{Result: Result{Test: d.String() + " law of log w"}, value: func() (float64, func() string) {
			return levelsLogE(m.below, m.drawn, m.levels), func() string { return worstLevel(m.below, m.drawn, m.levels) }
		}})
	}
	for _, t := range tests {
		t.draw, t.budget = draw, budget
	}
	return tests
}

// extend runs k more chains.
func (m *sample) extend(ctx context.Context, s Simulation, d chains.Direction, src *rand.ChaCha8, k int) error {
	if s.Chains == nil {
		totals, err := s.Totals(ctx, d, src, k)
		if err != nil {
			return err
		}
		for x := range m.first {
			m.first[x] += totals.First[x]
			m.last[x] += totals.Last[x]
		}
		m.sumLogW += totals.SumLogW
		m.alive[0] += k
		return nil
	}
	batch, err := s.Chains(ctx, d, src, k)
	if err != nil {
		return err
	}
	end := batch.Last
	if d == chains.Reverse {
		end = batch.First
	}
	n := int32(len(m.first))
	for i, l := range batch.LogW {
		if x, y := batch.First[i], batch.Last[i]; x < 0 || x >= n || y < 0 || y >= n {
			return fmt.Errorf("chain %d of a block went from state %d to %d, outside 0..%d", i, x, y, n-1)
		}
		m.first[batch.First[i]]++
		m.last[batch.Last[i]]++
		if math.IsInf(l, 0) {
			m.alive[1]++
		} else {
			m.alive[0]++
			m.sumLogW += l
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
	return nil
}
