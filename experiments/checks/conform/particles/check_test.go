package particles

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"breadboard/chains"
	"breadboard/chains/particle"
	"breadboard/experiments/checks/conform/records"
	"breadboard/experiments/checks/planted"
	"breadboard/grid/longtest"
)

// newLaws returns the distributions of a task.
func newLaws(t testing.TB, made *Task) *records.Laws {
	t.Helper()
	return longtest.Sure(made.Laws(context.Background(), 0, nil))
}

// endless returns a source of runs that are made one by one.
func endless(made *Task, run func() records.Record) *records.Source {
	return &records.Source{Name: "a sampler", Columns: made.Columns(), Next: func(_ context.Context, n int) ([]records.Record, error) {
		var runs []records.Record
		for range n {
			runs = append(runs, run())
		}
		return runs, nil
	}}
}

// sampled returns a source of runs of a program with a bug.
func sampled(made *Task, d chains.Direction, seed uint64, bug func(*planted.Particles)) *records.Source {
	program, target := made.program(), made.flow().last
	bug(program)
	c := chains.NewSampler(rand.NewPCG(seed, 1))
	return endless(made, func() records.Record { return made.record(program, target, d, c) })
}

func rightProgram(*planted.Particles) {}

// checkBoth checks runs and conditional runs of the right program, with seeds from the given one
// on.
func checkBoth(t testing.TB, l *records.Laws, made *Task, seed uint64, o records.Options) *records.Outcome {
	t.Helper()
	sources := []*records.Source{sampled(made, chains.Forward, seed, rightProgram), sampled(made, chains.Reverse, seed+1, rightProgram)}
	return longtest.Must(l.Check(context.Background(), sources, o))(t)
}

// TestSteepTargets: on targets of 30 nats and more all distributions of all ways to get it wrong
// are distributions, and right runs of them have no fault. The parents that are not size-biased
// asked for a choice among ways that rounding had taken away.
func TestSteepTargets(t *testing.T) {
	t.Parallel()
	for i, toy := range []string{"cells:0:30", "cells:0:37", "random:12:1:2x2", "cells:0:299"} {
		if i > 1 {
			longtest.Only(t)
		}
		made := newTask(t, toy, 2, 2, particle.Systematic{}, []float64{1, 0.75}[i%2])
		for d, kind := range made.Kinds() {
			for _, w := range kind.Ways {
				sum := 0.0
				for _, a := range longtest.Must(w.Law(context.Background()))(t) {
					sum += a.P
				}
				if math.Abs(sum-1) > 1e-12 {
					t.Errorf("%s, direction %d, %q: the probabilities sum to %v", toy, d, w.Name, sum)
				}
			}
		}
		if found := checkBoth(t, newLaws(t, made), made, 1, records.Options{Alpha: records.DefaultAlpha, Runs: 1000}); found.Fault() {
			t.Errorf("%s: %+v", toy, found.Results)
		}
	}
}

// TestExpectations: every e-value has expectation one, or less, after one run under the
// specification, exactly.
func TestExpectations(t *testing.T) {
	made := newTask(t, "random:2:0:2", 2, 2, particle.Residual{}, 0.75)
	l := newLaws(t, made)
	for d := range 2 {
		holdsExpectations(t, l, made, chains.Direction(d), made.Columns())
	}
	made = unordered(t, "hmm", 3, 2, particle.Multinomial{})
	l = longtest.Sure(records.New(context.Background(), []records.Kind{made.countedKind()}, 0, nil))
	for _, columns := range [][]string{made.Columns(), {logZ}, {logZ, "output"}, made.Columns()[1:]} {
		holdsExpectations(t, l, made, chains.Forward, columns)
	}
}

// holdsExpectations holds the expectations of all tests after one run with these columns.
func holdsExpectations(t *testing.T, l *records.Laws, made *Task, d chains.Direction, columns []string) {
	t.Helper()
	var mean []float64
	for _, a := range longtest.Sure(made.law(context.Background(), made.program(), d)) {
		sources := make([]*records.Source, d+1)
		sources[d] = endless(made, func() records.Record { return records.Record{Reals: a.Reals, Whole: wholeOf(a.Whole)} })
		sources[d].Columns = columns
		found := longtest.Sure(l.Check(context.Background(), sources, records.Options{Alpha: records.DefaultAlpha, Runs: 1}))
		mean = append(mean, make([]float64, len(found.Results)-len(mean))...)
		for i, r := range found.Results {
			mean[i] += a.P * math.Exp(r.LogE)
		}
	}
	for i, m := range mean[:len(mean)-1] {
		if math.Abs(m-1) > 1e-9 {
			t.Errorf("%s, columns %v, test %d: the e-value has expectation %v", what(d), columns, i, m)
		}
	}
	// That of the known ways has less: what is impossible under the specification is not among its
	// runs.
	if m := mean[len(mean)-1]; !(m > 0.01 && m <= 1+1e-9) {
		t.Errorf("%s, columns %v: the e-value of the known ways to get it wrong has expectation %v", what(d), columns, m)
	}
}

func wholeOf(text string) (whole []int8) {
	for _, b := range []byte(text) {
		whole = append(whole, int8(b))
	}
	return whole
}

// wrongTasks are tasks on which, together, every known way to get it wrong has a distribution of
// its own.
func wrongTasks(t testing.TB) []*Task {
	t.Helper()
	list := []*Task{
		newTask(t, "random:2:0:3", 3, 2, particle.Systematic{}, 0.75),
		newTask(t, "random:2:0:2", 3, 2, particle.Residual{}, 1),
		newTask(t, "random:2:0:2", 3, 2, particle.Multinomial{}, 1),
		newTask(t, "hmm", 3, 2, particle.Multinomial{}, 1),
	}
	if longtest.More() { // a kernel that is not reversible
		list = append(list, longtest.Must(New(context.Background(), annealed(t, "random:2:0:3", "compose:metropolis+barker", 3),
			Setting{2, particle.Multinomial{}, 1, false}))(t))
	}
	return list
}

// TestEveryBugIsNamed plants every known way to get it wrong in a program that samples, and holds
// the number of runs at which it is found and named to what Needs says: that many runs are enough
// with a probability of 0.99, and four times as many nearly always.
func TestEveryBugIsNamed(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	named := map[string]int{} // by the name of a bug: the fewest runs at which it was named alone
	for k, made := range wrongTasks(t) {
		l := newLaws(t, made)
		for _, need := range l.Needs(records.DefaultAlpha) {
			bug := bugOf(t, need.Hypothesis)
			if slices.Contains(need.Alike, records.Specification) {
				need.Named = 500
			} else if _, is := named[need.Hypothesis]; need.Named > 300 && longtest.Times(0, 1) < 2 && (is || !longtest.More()) {
				continue // -long names it on one of the tasks, and -long=2 on all
			}
			for seed := range longtest.Times(1, 1) {
				found := checkOne(t, l, direction(need.Of), sampled(made, direction(need.Of), uint64(seed), bug), 4*int(need.Named))
				side := found.Sides[0]
				if slices.Contains(need.Alike, records.Specification) {
					if found.Fault() {
						t.Errorf("task %d, %s, %q has the distribution of the specification, and is found: %+v", k, need.Of, need.Hypothesis, found.Results)
					}
					continue
				}
				if !found.Fault() || !slices.Contains(side.Named, need.Hypothesis) || len(side.Named) != 1+len(need.Alike) || side.Unexplained {
					t.Errorf("task %d, %s, seed %d: %q is named %q after %d runs, fault %v; %+v", k, need.Of, seed, need.Hypothesis, side.Named, side.Runs,
						found.Fault(), need)
					continue
				}
				if before, is := named[need.Hypothesis]; len(side.Named) == 1 && (!is || side.NamedAt < before) {
					named[need.Hypothesis] = side.NamedAt
				}
			}
		}
	}
	for _, w := range ways() {
		if runs, is := named[w.Name]; is {
			t.Logf("%q: named after %d runs", w.Name, runs)
		} else if longtest.More() && !slices.Contains([]string{"stratified resampling", "systematic resampling"}, w.Name) { // which are one at two particles
			t.Errorf("%q has a distribution of its own on no task", w.Name)
		}
	}
}

// bugOf returns the bug of this name.
func bugOf(t testing.TB, name string) func(*planted.Particles) {
	at := slices.IndexFunc(ways(), func(w way) bool { return w.Name == name })
	if at < 0 {
		t.Fatalf("no way to get it wrong is called %q", name)
	}
	return ways()[at].bug
}

// direction returns the direction of a kind of runs.
func direction(kind string) chains.Direction {
	if kind == what(chains.Reverse) {
		return chains.Reverse
	}
	return chains.Forward
}

// checkOne checks the runs of one direction.
func checkOne(t testing.TB, l *records.Laws, d chains.Direction, s *records.Source, runs int) *records.Outcome {
	t.Helper()
	sources := [2]*records.Source{}
	sources[d] = s
	return longtest.Must(l.Check(context.Background(), sources[:d+1], records.Options{Alpha: records.DefaultAlpha, Runs: max(1, runs)}))(t)
}

// altered returns a source whose log Zhat is changed.
func altered(s *records.Source, change func(logZ float64) float64) *records.Source {
	next := s.Next
	s.Next = func(ctx context.Context, n int) ([]records.Record, error) {
		runs, err := next(ctx, n)
		for i := range runs {
			runs[i].Reals[0] = change(runs[i].Reals[0])
		}
		return runs, err
	}
	return s
}

// TestUnknownBug: a bug that is none of the known ones is a fault, and is not given the name of one
// of them.
func TestUnknownBug(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	made := newTask(t, "random:2:0:2", 3, 2, particle.Multinomial{}, 1)
	l := newLaws(t, made)
	found := checkOne(t, l, chains.Forward, sampled(made, chains.Forward, 1, func(s *planted.Particles) {
		s.Parents = func(c chains.Chooser, w []float64) []int {
			squares := []float64{w[0] * w[0], w[1] * w[1]}
			squares[0], squares[1] = squares[0]/(squares[0]+squares[1]), squares[1]/(squares[0]+squares[1])
			return []int{c.Choose(squares), c.Choose(squares)}
		}
	}), 1<<14)
	if side := found.Sides[0]; !found.Fault() || side.Named != nil || !side.Unexplained {
		t.Errorf("%+v", side)
	}
	// Parents that are drawn independently and uniformly are no systematic ones of equal weights,
	// and are likest to multinomial ones, of which they are told by many more runs than show that
	// resampling is not systematic.
	even := newTask(t, "random:2:0:3", 3, 2, particle.Systematic{}, 1)
	found = checkOne(t, newLaws(t, even), chains.Forward, sampled(even, chains.Forward, 1, func(s *planted.Particles) {
		s.Parents = func(c chains.Chooser, _ []float64) []int { return []int{c.Uniform(2), c.Uniform(2)} }
	}), 1<<14)
	if side := found.Sides[0]; !found.Fault() || side.Named != nil || !side.Unexplained || side.Survived != 0 {
		t.Errorf("%+v", side)
	}
	shifted := altered(sampled(made, chains.Forward, 1, rightProgram), func(logZ float64) float64 { return logZ + 1e-3 })
	found = checkOne(t, l, chains.Forward, shifted, 16)
	if side := found.Sides[0]; !found.Fault() || side.Named != nil || !side.Unexplained || side.Runs > 16 {
		t.Errorf("%+v", side)
	}
}
