package selfcheck

import (
	"context"
	"math"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/simulate"
	"breadboard/experiments/study/check"
	"breadboard/experiments/verdicts"
)

// firstDraws is the size of the first sample of every test; sizes double from there.
const firstDraws = 256

// steepMoves bounds how many times Moves the number of moves under the steep distribution is, where
// Deep asks for more.
const steepMoves = 32

// BatteryOptions says how far to test.
type BatteryOptions struct {
	Alpha  float64 // the probability of a false alarm among all tests of the run
	Tests  int     // the number of tests in the run; 0 is that of this battery alone
	Seed   uint64
	Draws  int    // the largest number of chains, and of pairs
	Moves  int    // the largest number of single moves at a stage
	Deep   int    // the largest number of single moves at the first stage that is tested; 0 is Moves
	Calls  int    // multiplies the calls that test the distribution of counts; 0 is 1
	Stream string // distinguishes the random numbers of several batteries
}

// Result is the result of one test.
type Result struct {
	Test      string
	Draws     int
	LogE      float64 // natural logarithm of the e-value
	Threshold float64 // the number of tests over alpha: an e-value of at least this is a fault
	Fault     bool
	Where     string // what deviates most from its distribution; if the test is an average, according to its largest term
}

// EValue returns the e-value, which may overflow to +Inf.
func (r Result) EValue() float64 { return math.Exp(r.LogE) }

// Found implements check.Result.
func (r Result) Found() check.Finding {
	f := check.Finding{Name: r.Test, Value: r.EValue(), Tolerance: r.Threshold, Verdict: check.Pass, Where: r.Where, IsE: true}
	if r.Fault {
		f.Verdict = check.Fault
	}
	return f
}

// source makes draws, and gives them to its tests.
type source struct {
	tests  []*verdicts.Watch
	budget int                                    // the largest number of draws
	unit   int                                    // the number of draws is a whole multiple of this; 0 is 1
	more   func(ctx context.Context, k int) error // makes k more draws
	drawn  int
	err    error // what went wrong with the draws, which is a fault that every test of them finds
}

// newSource returns a source without tests.
func newSource(budget, unit int, more func(ctx context.Context, k int) error) *source {
	return &source{budget: budget, unit: max(1, unit), more: more}
}

// add adds a test of the draws.
func (s *source) add(name string, value Value) {
	s.tests = append(s.tests, &verdicts.Watch{Name: name, Count: func() int { return s.drawn }, Value: func() (float64, func() string) {
		if s.err != nil {
			return math.Inf(1), s.err.Error
		}
		return value()
	}})
}

// growTo makes draws until there are that many, or as many as the budget allows.
func (s *source) growTo(ctx context.Context, draws int) {
	total := s.whole(min(draws, s.budget))
	if s.err != nil || total <= s.drawn {
		return
	}
	if s.err = s.more(ctx, total-s.drawn); s.err == nil {
		s.drawn = total
	}
}

// most returns the largest number of draws that the source makes.
func (s *source) most() int { return s.whole(s.budget) }

// whole returns a number of draws rounded up to a multiple of the unit.
func (s *source) whole(draws int) int { return (draws + s.unit - 1) / s.unit * s.unit }

// runBattery tests a simulation against the distributions: sample sizes double until every test has
// used up its draws or one finds a fault. The same seed gives the same results.
func runBattery(ctx context.Context, l *Laws, s Simulation, o BatteryOptions) ([]Result, error) {
	return runTests(ctx, l.battery(s, o), o)
}

func runTests(ctx context.Context, sources []*source, o BatteryOptions) ([]Result, error) {
	run := verdicts.Sequential{First: firstDraws, Grow: func(ctx context.Context, draws int) error {
		for _, s := range sources {
			s.growTo(ctx, draws)
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
		return nil
	}}
	for _, s := range sources {
		run.Tests, run.Most = append(run.Tests, s.tests...), max(run.Most, s.budget)
	}
	n := o.Tests
	if n == 0 {
		n = len(run.Tests)
	}
	out := make([]Result, len(run.Tests))
	for i, w := range run.Tests {
		out[i] = Result{Test: w.Name, Threshold: float64(n) / o.Alpha}
		w.LogThreshold = number.Log(out[i].Threshold)
	}
	if err := run.Run(ctx); err != nil {
		return nil, err
	}
	for i, w := range run.Tests {
		out[i].judge(w)
	}
	return out, nil
}

// tests returns the number of tests of some sources.
func tests(sources []*source) (n int) {
	for _, s := range sources {
		n += len(s.tests)
	}
	return n
}

// judge brings the result to the last look. A fault that has been found stays, with its
// description.
func (r *Result) judge(w *verdicts.Watch) {
	r.Draws, r.LogE = w.Draws, w.LogE
	if w.Fault && !r.Fault {
		if r.Fault, r.Where = true, w.Where(); math.IsNaN(w.LogE) {
			r.Where = "the e-value is not a number (NaN); " + r.Where
		}
	}
}

// battery sets up all tests of a simulation.
func (l *Laws) battery(s Simulation, o BatteryOptions) []*source {
	var list []*source
	if s.Moves != nil {
		for i, r := range l.rows {
			budget := o.Moves
			switch {
			case i == 0:
				budget = max(budget, o.Deep)
			case r.a != l.a && o.Deep > 0:
				budget = min(max(budget, o.Deep), steepMoves*budget)
			}
			list = append(list, l.rowsKind(s, r, o).source(budget))
		}
	}
	if s.Moves == nil && l.single != nil {
		list = append(list, l.single.kind(l, s, o).source(o.Moves))
	}
	list = append(list, l.chainTests(s, o))
	if s.Chains == nil {
		return append(list, countCalls(l.probes, s, o)...)
	}
	for _, p := range l.probes {
		list = append(list, chainCalls(p, s, o))
	}
	return list
}

func countsValue(counts []int, p []float64, name func(int) string) Value {
	return func() (float64, func() string) {
		return verdicts.CountsLogE(counts, p), func() string { return verdicts.WorstCell(counts, p, name) }
	}
}

// kind is a kind of draws that fall into cells, of which the probabilities are known.
type kind struct {
	name string
	law  func(ctx context.Context) ([]float64, error) // asked for with the first draws
	// draw makes k draws, and calls count with the cell of each. The number of calls before is
	// round.
	draw   func(ctx context.Context, round, k int, count func(cell int)) error
	cell   func(cell int) string // names a cell
	pooled int                   // where not zero, cells are moves from x to y at x n + y for this n, and moves by the same distance are also counted together
}

// source returns the draws of the kind, with their test.
func (k kind) source(budget int) *source {
	var counts []int
	var p []float64
	round := 0
	s := newSource(budget, 1, func(ctx context.Context, n int) (err error) {
		if p == nil {
			if p, err = k.law(ctx); err != nil {
				return err
			}
			counts = make([]int, len(p))
		}
		round++
		return k.draw(ctx, round-1, n, func(cell int) { counts[cell]++ })
	})
	s.add(k.name, func() (float64, func() string) {
		value := countsValue(counts, p, k.cell)
		if k.pooled > 0 {
			value = averaged(value, func() (float64, func() string) { return newDisplacements(p, k.pooled).value(counts) })
		}
		return value()
	})
	return s
}

// sources returns the draws of several kinds, each with its test.
func sources(kinds []kind, budget int) (list []*source) {
	for _, k := range kinds {
		list = append(list, k.source(budget))
	}
	return list
}

// known is a distribution that needs no computation.
func known(p []float64) func(context.Context) ([]float64, error) {
	return func(context.Context) ([]float64, error) { return p, nil }
}

// oneByOne makes draws with a stream for each round, by a function that returns the cell of one of
// them.
func oneByOne(o BatteryOptions, name string, draw func(c chains.Chooser) int) func(ctx context.Context, round, k int, count func(cell int)) error {
	return func(ctx context.Context, round, k int, count func(cell int)) error {
		c := chains.NewSampler(simulate.NewStream(o.Seed, "crosscheck "+o.Stream+" "+name, round))
		for i := range k {
			if i%1024 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			count(draw(c))
		}
		return nil
	}
}
