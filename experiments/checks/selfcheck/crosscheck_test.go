package selfcheck

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/chains/simulate"
	"breadboard/experiments/study/check"
	"breadboard/experiments/verdicts"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

func annealing(t testing.TB, selector string, T int) *chains.Annealing {
	t.Helper()
	toy := longtest.Sure(toys.Parse(selector))
	path := longtest.Sure(paths.NewGeometric(nil, toy.G))
	a := longtest.Sure(chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: toy.Space}, T))
	return a
}

func laws(t testing.TB, a *chains.Annealing) *Laws {
	t.Helper()
	l := longtest.Sure(NewLaws(context.Background(), a))
	return l
}

func run(t testing.TB, l *Laws, s Simulation, o BatteryOptions) []Result {
	t.Helper()
	results := longtest.Must(runBattery(context.Background(), l, s, o))(t)
	return results
}

func faults(results []Result) (list []Result) {
	for _, r := range results {
		if r.Fault {
			list = append(list, r)
		}
	}
	return list
}

// TestFalseAlarms runs right code. At alpha = 0.05, with -long 120 times, no more than 5% of the
// runs may alarm: e-processes are cautious, and far fewer do. At alpha = 0.001, with -long three
// hundred times for each simulation, more than two alarms would have a probability of 0.0036 if the
// rate were as large as alpha, where 0.3 are expected, and come with one of 0.94 where the rate is
// 0.02; one of twenty runs would have a probability of 0.02. The seeds are fixed, and go on from
// that of the options.
func TestFalseAlarms(t *testing.T) {
	longtest.Only(t)
	a := annealing(t, "random:2:3:3x3", 5)
	l := laws(t, a)
	for _, c := range []struct {
		o           BatteryOptions
		runs, oneIn int // not more than one in that many runs may alarm
	}{
		{BatteryOptions{Alpha: 0.05, Draws: 1024, Moves: 2048}, longtest.Times(40, 120), 20},
		{BatteryOptions{Alpha: 0.001, Seed: 1000, Draws: 4096, Moves: 4096}, longtest.Times(20, 300), 150},
	} {
		for _, s := range simulations(a) {
			t.Run(fmt.Sprintf("%v/%s", c.o.Alpha, s.Name), func(t *testing.T) {
				t.Parallel()
				alarms := 0
				o := c.o
				for range c.runs {
					if f := faults(run(t, l, s, o)); len(f) > 0 {
						alarms++
						t.Logf("seed %d: %s: %s", o.Seed, f[0].Test, f[0].Where)
					}
					o.Seed++
				}
				if alarms*c.oneIn > c.runs {
					t.Errorf("%d of %d runs alarm", alarms, c.runs)
				}
			})
		}
	}
}

// TestThreshold: tests share alpha alike, and each sees all draws but those of small calls, of
// which there are fewer.
func TestThreshold(t *testing.T) {
	longtest.Only(t)
	a := annealing(t, "random:1:1:3x3", 3)
	l := laws(t, a)
	o := BatteryOptions{Alpha: 0.01, Seed: 1, Draws: 300, Moves: 300}
	for _, s := range simulations(a) {
		results := run(t, l, s, o)
		for _, of := range l.battery(s, o) {
			for range of.tests {
				if r := results[0]; r.Threshold != float64(tests(l.battery(s, o)))/0.01 || r.Draws != of.most() || of.unit == 1 && r.Draws != 300 && of.budget == 300 {
					t.Errorf("%s: threshold %v after %d draws", r.Test, r.Threshold, r.Draws)
				}
				results = results[1:]
			}
		}
		if len(results) > 0 {
			t.Errorf("%s: %d results too many", s.Name, len(results))
		}
	}
}

// broken is a kernel that goes wrong at one state.
type broken struct {
	chains.Kernel
	how func() int
}

func (k broken) Move(c chains.Chooser, logf []float64, x int) int {
	if x == 4 {
		return k.how()
	}
	return k.Kernel.Move(c, logf, x)
}

// TestWrongBatches: a simulation that returns other than the chains it was asked for has a fault
// that says so.
func TestWrongBatches(t *testing.T) {
	a := annealing(t, "random:1:1:3x3", 3)
	l := laws(t, a)
	all := simulations(a)
	each, counted := all[slices.IndexFunc(all, func(s Simulation) bool { return s.Chains != nil })],
		all[slices.IndexFunc(all, func(s Simulation) bool { return s.Chains == nil })]
	fails := func(s Simulation) {
		found := faults(run(t, l, s, BatteryOptions{Alpha: check.DefaultAlpha, Draws: 300}))
		if !slices.ContainsFunc(found, func(r Result) bool { return strings.Contains(r.Where, s.Name) }) {
			t.Errorf("found %v, want %q", found, s.Name)
		}
	}
	fails(Simulation{Name: "to -1, outside 0..8", Chains: func(ctx context.Context, a *chains.Annealing, d chains.Direction, b Block,
		k int) (*simulate.Batch, error) {
		out, err := each.Chains(ctx, a, d, b, k)
		out.Last[0] = -1
		return out, err
	}})
	fails(Simulation{Name: "counted -1 at state 0", Totals: func(ctx context.Context, a *chains.Annealing, d chains.Direction, b Block,
		k int) (*simulate.Occupation, error) {
		out, err := counted.Totals(ctx, a, d, b, k)
		out.Last[0] = -1
		return out, err
	}})
}

func TestBrokenMovesAreFaults(t *testing.T) {
	longtest.Only(t)
	a := annealing(t, "random:1:1:3x3", 4)
	l := laws(t, a)
	for name, c := range map[string]struct {
		how  func() int
		want string
	}{
		"outside": {func() int { return 99 }, "state 4: Move went to state 99, outside 0..8"},
		"panic":   {func() int { panic("oops") }, "state 4: Move panicked: oops"},
	} {
		k := broken{a.Kernel(), c.how}
		s := Simulation{Name: name, Moves: chains.Always(k), Chains: simulations(a)[0].Chains}
		found := faults(run(t, l, s, BatteryOptions{Alpha: check.DefaultAlpha, Draws: 1 << 10, Moves: 1 << 10}))
		if len(found) == 0 || !strings.Contains(found[0].Where, c.want) || !strings.Contains(found[0].Where, "stage t = ") {
			t.Errorf("%s: %v", name, found)
		}
	}
	// The same kernel in the annealing itself: the case fails with a row, and another goes on.
	path := a.Path()
	bad := longtest.Sure(chains.NewAnnealing(path, schedules.Linear{}, broken{a.Kernel(), func() int { return 99 }}, 4))
	jobs, failed, err := jobs(context.Background(), []Subject{{Name: "bad", Annealing: bad}, {Name: "good", Annealing: a}}, nil)
	if err != nil || len(failed) != 1 || !failed[0].Fault() || len(jobs) != 4 || jobs[0].Case != 1 {
		t.Errorf("%d jobs, failed %+v, %v", len(jobs), failed, err)
	}
}

// withZero is an annealing to a target that is zero at one state.
func withZero(t *testing.T) *chains.Annealing {
	t.Helper()
	path := longtest.Sure(paths.NewGeometric(nil, []float64{0, 1, 2, 0.5, math.Inf(-1), 0, -1, 1, 0}))
	a := longtest.Sure(chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: grid.MustNew(3, 3)}, 6))
	return a
}

// TestZeroWeightsDoNotBlind: chains that lose their weight leave the tests of the others their
// power.
func TestZeroWeightsDoNotBlind(t *testing.T) {
	longtest.Only(t)
	a := withZero(t)
	l := laws(t, a)
	right := simulations(a)
	for _, s := range right {
		if f := faults(run(t, l, s, BatteryOptions{Alpha: check.DefaultAlpha, Seed: 1, Draws: 1 << 16, Moves: 1 << 16})); f != nil {
			t.Errorf("%s: %v", s.Name, f)
		}
	}
	l.levels, l.probes, l.given = [2][]verdicts.Level{}, nil, [2][2][][]float64{} // they would see it first
	for name, spoil := range map[string]func(*simulate.Batch){
		"forward log w": func(b *simulate.Batch) {
			for i := range b.LogW {
				b.LogW[i] *= 1.2
			}
		},
		"forward finite log w": func(b *simulate.Batch) {
			for i := range b.LogW {
				if math.IsInf(b.LogW[i], -1) && i%4 == 0 {
					b.LogW[i] = 0.5
				}
			}
		},
	} {
		s := Simulation{Name: name, Chains: func(ctx context.Context, a *chains.Annealing, d chains.Direction, block Block, k int) (*simulate.Batch, error) {
			b, err := right[1].Chains(ctx, a, d, block, k)
			if err == nil && d == chains.Forward {
				spoil(b)
			}
			return b, err
		}}
		found := faults(run(t, l, s, BatteryOptions{Alpha: check.DefaultAlpha, Seed: 1, Draws: 1 << 17, Moves: 1 << 10}))
		if len(found) == 0 || found[0].Test != name {
			t.Errorf("%s: found %v", name, found)
		}
	}
}

// TestConstantsInLogF: a constant that is far larger than the range of log f is no fault.
func TestConstantsInLogF(t *testing.T) {
	longtest.Only(t)
	g := []float64{0, 1, 2, 0.5, -1, 0, -1, 1, 0}
	for i := range g {
		g[i] += 1 << 40
	}
	path := longtest.Sure(paths.NewGeometric(nil, g))
	a := longtest.Sure(chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: grid.MustNew(3, 3)}, 6))
	jobs, _, err := jobs(context.Background(), []Subject{{Name: "raised", Annealing: a}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, j := range jobs {
		b, err := j.Run(context.Background(), BatteryOptions{Alpha: check.DefaultAlpha, Seed: 1, Draws: 1 << 15, Moves: 1 << 15})
		if err != nil || b.Fault() {
			t.Errorf("%s: %v %v", b.Simulation, faults(b.Results), err)
		}
	}
}

// halfRows is a kernel with rows whose time reversal has none.
type halfRows struct{ kernels.Metropolis }

func (k halfRows) Reversal() chains.Kernel { return moveOnly{k.Metropolis} }

type moveOnly struct{ chains.Kernel }

func TestReversalWithoutRows(t *testing.T) {
	path := longtest.Sure(paths.NewGeometric(nil, []float64{0, 1, 2, 0.5}))
	a := longtest.Sure(chains.NewAnnealing(path, schedules.Linear{}, halfRows{kernels.Metropolis{Space: grid.MustNew(2, 2)}}, 4))
	if s := simulations(a); len(s) != 1 || faults(run(t, laws(t, a), s[0],
		BatteryOptions{Alpha: check.DefaultAlpha, Seed: 1, Draws: 1 << 12, Moves: 1 << 12})) != nil {
		t.Errorf("%d simulations", len(s))
	}
}

// looked is a context that a function ends when chains that are running have looked at it some
// times.
type looked struct {
	context.Context
	looks *atomic.Int64
	end   func()
}

const interruptedLook = 10

func (l looked) Err() error {
	if l.looks.Add(1) == interruptedLook {
		l.end()
	}
	return l.Context.Err()
}

// TestInterrupted ends the context in the middle of a round that would take for ever, once its
// chains run.
func TestInterrupted(t *testing.T) {
	longtest.Only(t)
	a := annealing(t, "easy", 12)
	l := laws(t, a)
	for _, s := range simulations(a) {
		ctx, cancel := context.WithCancel(context.Background())
		chainByChain, totals := s.Chains, s.Totals
		var looks atomic.Int64
		looking := func(ctx context.Context) context.Context { return looked{ctx, &looks, cancel} }
		if chainByChain != nil {
			s.Chains = func(ctx context.Context, a *chains.Annealing, d chains.Direction, b Block, k int) (*simulate.Batch, error) {
				return chainByChain(looking(ctx), a, d, b, k)
			}
		} else {
			s.Totals = func(ctx context.Context, a *chains.Annealing, d chains.Direction, b Block, k int) (*simulate.Occupation, error) {
				return totals(looking(ctx), a, d, b, k)
			}
		}
		_, err := runBattery(ctx, l, s, BatteryOptions{Alpha: check.DefaultAlpha, Seed: 1, Draws: math.MaxInt / 4, Moves: math.MaxInt / 4})
		cancel()
		if !errors.Is(err, context.Canceled) || looks.Load() < interruptedLook {
			t.Errorf("%s: error %v after %d looks at the context", s.Name, err, looks.Load())
		}
	}
}

// A simulation of your own, tested against the exact distributions: this one has a bug.
func ExampleRun() {
	toy, _ := toys.Parse("random:2:7:3x3")
	path, _ := paths.NewGeometric(nil, toy.G)
	a, _ := chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: toy.Space}, 6)
	l, err := NewLaws(context.Background(), a)
	if err != nil {
		fmt.Println(err)
		return
	}
	s := simulations(a)[0]
	s.Name, s.Moves = "mine", chains.Always(kernels.Barker{Space: toy.Space})
	results, err := runBattery(context.Background(), l, s, BatteryOptions{Alpha: check.DefaultAlpha, Seed: 1, Draws: 1 << 16, Moves: 1 << 16})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range results {
		if r.Fault {
			fmt.Println(r.Test, "after", r.Draws, "draws")
		}
	}
	// Output: kernel rows at t = 2 after 256 draws
}

// silent has the Move of a kernel, and nothing else.
type silent struct{ k chains.Kernel }

func (s silent) Move(c chains.Chooser, logf []float64, x int) int { return s.k.Move(c, logf, x) }

// TestReversalFromRows: reverse chains of a kernel that is not reversible, and says nothing, move
// by the reversal that its rows have. Those that move by the kernel itself are caught, and without
// a reversal there are none.
func TestReversalFromRows(t *testing.T) {
	longtest.Only(t)
	space := grid.MustNew(2, 3)
	path := longtest.Sure(paths.NewGeometric(nil, []float64{0, 1, 2, 0.5, -1, 1}))
	k := longtest.Sure(kernels.Parse("compose:heatbath-axis:1+suwa-todo-axis:0", space))
	a := longtest.Sure(chains.NewAnnealing(path, schedules.Linear{}, silent{k}, 3))
	if _, err := simulate.Run(a, chains.Reverse, chains.NewSampler(simulate.NewStream(1, "", 0)), 10, nil); err == nil ||
		!strings.Contains(err.Error(), "stage t = 3 of 3") || !strings.Contains(err.Error(), "exact.WithReversal") {
		t.Errorf("reverse chains without a reversal: error %v", err)
	}
	o := BatteryOptions{Alpha: check.DefaultAlpha, Seed: 1, Draws: 1 << 16, Moves: 1 << 12}
	l := laws(t, a)
	s := simulations(l.a)[0]
	if found := faults(run(t, l, s, o)); found != nil {
		t.Errorf("by the reversal: %v", found)
	}
	right := s.Chains
	s.Chains = func(ctx context.Context, a *chains.Annealing, d chains.Direction, b Block, n int) (*simulate.Batch, error) {
		forward, err := a.WithReversals([]chains.Kernel{k, k})
		if err != nil {
			return nil, err
		}
		return right(ctx, forward, d, b, n)
	}
	if found := faults(run(t, l, s, o)); found == nil {
		t.Error("reverse chains that move by the forward kernel pass")
	}
}
