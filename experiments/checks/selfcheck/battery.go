package selfcheck

import (
	"context"
	"math"
	"math/rand/v2"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/simulate"
	"breadboard/experiments/checks/eprocess"
	"breadboard/experiments/study/check"
)

// firstDraws is the size of the first sample of every test; sizes double from there.
const firstDraws = 256

// steepMoves bounds how many times Moves the number of moves under the steep distribution is, where Deep asks for more.
const steepMoves = 32

// BatteryOptions says how far to test.
type BatteryOptions struct {
	Alpha  float64 // the probability of a false alarm among all tests of the run
	Tests  int     // the number of tests in the run; 0 is that of this battery alone
	Seed   uint64
	Draws  int    // the largest number of chains, and of pairs
	Moves  int    // the largest number of single moves at a stage
	Deep   int    // the largest number of single moves at the first stage that is tested; 0 is Moves
	Calls  int    // multiplies the calls that test the law of counts; 0 is 1
	Stream string // distinguishes the random numbers of several batteries
}

// Result is the result of one test.
type Result struct {
	Test      string
	Draws     int
	LogE      float64 // natural logarithm of the e-value
	Threshold float64 // the number of tests over alpha: an e-value of at least this is a fault
	Fault     bool
	Where     string // what deviates most from its law; where the test is an average, according to its largest term
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

// test is one e-process. The function draw makes more draws, up to a total, and value returns the log of the e-value.
type test struct {
	Result
	budget int
	unit   int // the number of draws is a whole multiple of this; 0 is 1
	draw   func(ctx context.Context, total int) error
	value  Value
}

// RunBattery tests a simulation against the laws: sample sizes double until every test has used up its draws or one
// finds a fault. The same seed gives the same results.
func RunBattery(ctx context.Context, l *Laws, s Simulation, o BatteryOptions) ([]Result, error) {
	return runTests(ctx, l.battery(s, o), o)
}

func runTests(ctx context.Context, tests []*test, o BatteryOptions) ([]Result, error) {
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
func Count(l *Laws, s Simulation) int { return len(l.battery(s, BatteryOptions{})) }

// advance brings the test to a number of draws.
func (t *test) advance(ctx context.Context, total int) {
	if err := t.draw(ctx, total); err != nil {
		t.LogE, t.Fault, t.Where = math.Inf(1), true, err.Error()
		return
	}
	t.judge(t.whole(total), t.value)
}

// judge brings the result to the value after so many draws. A fault that has been found stays, with what was said of it.
func (r *Result) judge(draws int, value Value) {
	r.Draws = draws
	logE, where := value()
	r.LogE = logE
	switch {
	case math.IsNaN(logE): // every comparison with NaN is false, so that without this case it would pass
		r.Fault, r.Where = true, "the e-value is no number (NaN); "+where()
	case logE >= number.Log(r.Threshold):
		r.Fault, r.Where = true, where()
	}
}

// most returns the largest number of draws that the test makes.
func (t *test) most() int { return t.whole(t.budget) }

// whole returns a number of draws rounded up to a multiple of the unit.
func (t *test) whole(draws int) int {
	unit := max(1, t.unit)
	return (draws + unit - 1) / unit * unit
}

// battery sets up all tests of a simulation.
func (l *Laws) battery(s Simulation, o BatteryOptions) []*test {
	var tests []*test
	stream := func(purpose string, round int) *rand.ChaCha8 {
		return simulate.NewStream(o.Seed, "crosscheck "+o.Stream+" "+s.Name+" "+purpose, round)
	}
	if s.Moves != nil {
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
	if s.Moves == nil && l.single != nil {
		tests = append(tests, l.single.test(l, s, o))
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

// streams is a function that returns the random stream for one purpose in one round.
type streams func(purpose string, round int) *rand.ChaCha8

func countsValue(counts []int, p []float64, name func(int) string) Value {
	return func() (float64, func() string) {
		return eprocess.CountsLogE(counts, p), func() string { return eprocess.WorstCell(counts, p, name) }
	}
}

// counting returns a test that counts draws by cell. The law is asked for with the first of them.
func counting(name string, o BatteryOptions, budget int, law func(ctx context.Context) ([]float64, error), draw func(c chains.Chooser) int, cell func(int) string) *test {
	var counts []int
	var p []float64
	drawn, round := 0, 0
	t := &test{Result: Result{Test: name}, budget: budget}
	t.draw = func(ctx context.Context, total int) (err error) {
		if p == nil {
			if p, err = law(ctx); err != nil {
				return err
			}
			counts = make([]int, len(p))
		}
		c := chains.NewSampler(simulate.NewStream(o.Seed, "crosscheck "+o.Stream+" "+name, round))
		for ; drawn < total; drawn++ {
			if drawn%1024 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			counts[draw(c)]++
		}
		round++
		return nil
	}
	t.value = func() (float64, func() string) { return countsValue(counts, p, cell)() }
	return t
}
