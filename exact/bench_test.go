package exact_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"
	"time"

	"breadboard/chains"
	"breadboard/chains/schedules"
	"breadboard/exact"
	"breadboard/exact/gradient"
	"breadboard/grid/longtest"
)

// BenchmarkTable measures the solver against plain programs that solve the same problem in the same
// run, a line for each kind of work. The command
//
//	go test ./exact -run XXX -bench Table -benchtime 1x
//
// prints the whole table. On each line the figure to reach stands beside the figure that was
// measured, under the same name with -to-reach at its end. The names are
//
//	ns/step, NAME-ns/step   the time of the solver and of the program NAME for J and B, divided by T - 1
//	of-NAME                 the time of the solver divided by that of the program NAME
//	s                       the time of the solver in seconds
//	peak-MB, allocated-MB   the largest heap of the solver, and all that it has allocated
//	growth-B/step           by how much what is in use in the heap grows with T, from T = 1,000 to 100,000
//
// Of each time it is the shortest of several rounds in which the programs take turns. The program
// plain-c takes one exp for each entry of a row, c-by-state one for each state, numpy forms a dense
// matrix.
func BenchmarkTable(b *testing.B) {
	for _, c := range contests(b) {
		b.Run(c.name, c.compare)
	}
	for _, r := range rooms(b) {
		b.Run("memory,"+r.problem.String(), r.measure)
	}
}

// contest is programs that take turns at a problem.
type contest struct {
	name     string
	steps    int
	entrants []entrant          // the first of them is measured against the others
	reach    map[string]float64 // the figures to reach by their names
}

// entrant is a program with its problem.
type entrant struct {
	name string
	run  func() (time.Duration, error)
}

const (
	enoughRounds = 5                // of a contest
	fewestRounds = 2                // where a round is long
	shortContest = time.Second      // before which there are more rounds than are enough
	longContest  = 10 * time.Second // after which there are no more than the fewest rounds
	patience     = time.Minute      // with one run of the solver
)

// goesOn reports whether a contest of so many rounds that has taken so long has another round.
func goesOn(rounds int, took time.Duration) bool {
	return rounds < fewestRounds || took < shortContest || rounds < enoughRounds && took < longContest
}

// compare runs the programs in turns and reports the ratios of their shortest times. A program that
// cannot run here is left out.
func (c contest) compare(b *testing.B) {
	best := make([]time.Duration, len(c.entrants))
	var err error
	for b.Loop() {
		if err == nil {
			err = c.play(best)
		}
	}
	if err != nil {
		unsolved(b, err)
		return
	}
	measured := map[string]float64{"s": best[0].Seconds()}
	for i, e := range c.entrants {
		perStep := float64(best[i].Nanoseconds()) / float64(c.steps)
		switch {
		case i == 0:
			measured["ns/step"] = perStep
		case best[i] > 0:
			measured[e.name+"-ns/step"] = perStep
			measured["of-"+e.name] = float64(best[0]) / float64(best[i])
		}
	}
	report(b, measured, c.reach)
}

// play runs some rounds and shortens the best times, which are zero if there is none.
func (c contest) play(best []time.Duration) error {
	start := time.Now()
	for round := 0; goesOn(round, time.Since(start)); round++ {
		for i, e := range c.entrants {
			took, err := e.run()
			if errors.Is(err, errNoPlain) {
				continue
			} else if err != nil {
				return fmt.Errorf("%s: %w", e.name, err)
			}
			if best[i] == 0 || took < best[i] {
				best[i] = took
			}
		}
	}
	return nil
}

// unsolved reports that there is no figure, and why.
func unsolved(b *testing.B, err error) {
	b.Helper()
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(1, "unsolved")
	b.Log(err)
}

// report reports figures, with those to reach beside them. It reports seconds only if some are to
// be reached.
func report(b *testing.B, measured, reach map[string]float64) {
	b.Helper()
	b.ReportMetric(0, "ns/op") // the time of all programs together says nothing
	for unit, v := range measured {
		limit, limited := reach[unit]
		if limited {
			b.ReportMetric(limit, unit+"-to-reach")
		}
		if limited || unit != "s" {
			b.ReportMetric(v, unit)
		}
	}
}

// solver is the solver on a problem. With cores it has that many of them, and otherwise all.
func solver(tb testing.TB, name string, p problem, o exact.Options, cores int) entrant {
	tb.Helper()
	return solverOf(name, p.annealing(tb), o, cores)
}

func solverOf(name string, a *chains.Annealing, o exact.Options, cores int) entrant {
	return entrant{name, func() (time.Duration, error) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores)) // with zero this changes nothing
		return timed(func(ctx context.Context) error {
			_, err := exact.Solve(ctx, a, o)
			return err
		})
	}}
}

// timed returns the time that a computation takes, and its error, with patience.
func timed(compute func(context.Context) error) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	start := time.Now()
	err := compute(ctx)
	return time.Since(start), err
}

// plainly is a plain program on a problem, with its own name for the kernel.
func plainly(name string, p plain, kernel string, on problem) entrant {
	return entrant{name, func() (time.Duration, error) {
		_, _, took, err := p.solve(kernel, on)
		return took, err
	}}
}

// contests are the lines of BenchmarkTable that compare times.
func contests(b *testing.B) []contest {
	b.Helper()
	entry, state := plainC(b)
	numpy := plainNumPy()
	// against is a problem that the solver and the plain programs solve, which know its kernel by
	// the name as.
	against := func(p problem, as string, cores int, withNumPy bool, reach map[string]float64) contest {
		c := contest{p.String(), p.T - 1, []entrant{
			solver(b, "solve", p, exact.Options{}, cores), plainly("plain-c", entry, as, p), plainly("c-by-state", state, as, p),
		}, reach}
		if withNumPy {
			c.entrants = append(c.entrants, plainly("numpy", numpy, as, p))
		}
		return c
	}
	const long = 20_000
	ofC := func(ratio float64) map[string]float64 { return map[string]float64{"of-plain-c": ratio} }
	plane, moore, large := ofC(0.25), ofC(0.4), map[string]float64(nil)
	switch exact.Vectors() {
	case "AVX-512":
		plane, moore, large = ofC(0.075), ofC(0.25), ofC(0.15)
	case "AVX2":
		plane, moore, large = ofC(0.12), ofC(0.25), ofC(0.15)
	}
	uneven := schedules.Power{P: 1.5}
	cube := map[string]float64{"ns/step": 10e6, "of-plain-c": 1}
	return []contest{
		against(onPattern("metropolis", 100_000, 7, 7), "metropolis", 0, false, plane),
		against(onToy(b, "barrier", "metropolis", long), "metropolis", 0, true, nil),
		against(onToy(b, "barrier", "barker", long), "barker", 0, true, map[string]float64{"of-plain-c": 0.4, "of-numpy": 0.12}),
		against(onToy(b, "barrier", "moore", long), "moore", 0, false, moore),
		against(onToy(b, "barrier", "heatbath", long), "heatbath", 0, false, ofC(0.4)),
		against(onToy(b, "barrier", "heatbath-scan", long), "heatbath-scan", 0, false, nil),
		against(onPattern("heatbath-scan", 100, 7, 7, 7, 7), "heatbath-scan", 1, false, ofC(1)),
		against(onToy(b, "barrier", "jump:0.05", long), "jump:0.05", 0, true, map[string]float64{"of-numpy": 0.15}),
		against(onToy(b, "barrier", "repeat:3:metropolis", long), "repeat:3:metropolis", 0, false, nil),
		repeated(b, long),
		against(onIsing(b, "flip", 200), "flip", 1, false, cube),
		against(onPattern("metropolis", 1000, 256, 256), "stencil", 0, false, large),
		onAllCores(b, onPattern("metropolis", 1000, 256, 256), "stencil", entry, 0.08),
		onAllCores(b, onIsing(b, "flip", 200), "flip", entry, 0.25),
		onAllCores(b, onMillion(b, 70), "flip", entry, 0.25),
		onAllCores(b, onIsing(b, "barker", 60), "barker", entry, 0.25),
		differentiated(b, "metropolis", uneven, map[string]float64{"of-solve": 4}),
		differentiated(b, "metropolis", schedules.Linear{}, nil),
		differentiated(b, "barker", uneven, nil),
	}
}

// onMillion is flips on 2^20 states: the Ising model of 4x5 spins on a torus, at a coupling that is
// solved by the stencil from T = 70 on.
func onMillion(b *testing.B, T int) problem {
	b.Helper()
	return onToy(b, "ising:4x5:0.2:torus", "flip", T)
}

// onAllCores is a problem that all cores share, against one core and against the plain program on
// one core.
func onAllCores(b *testing.B, p problem, as string, entry plain, reach float64) contest {
	b.Helper()
	return contest{"all-cores," + p.String(), p.T - 1, []entrant{
		solver(b, "solve", p, exact.Options{Workers: runtime.NumCPU()}, 0), solver(b, "one-core", p, exact.Options{}, 1), plainly("plain-c", entry, as, p),
	}, map[string]float64{"of-plain-c": reach}}
}

// repeated is the general method with a kernel that is repeated, against the same method with the
// kernel alone.
func repeated(b *testing.B, T int) contest {
	b.Helper()
	thrice, once := onToy(b, "barrier", "repeat:3:metropolis", T), onToy(b, "barrier", "metropolis", T)
	general := exact.Options{General: true}
	return contest{"general," + thrice.String(), T - 1, []entrant{
		solver(b, "solve", thrice, general, 0), solver(b, "metropolis", once, general, 0),
	}, map[string]float64{"of-metropolis": 3.2}}
}

// differentiated is B with its gradient, against J and B alone on the same schedule.
func differentiated(b *testing.B, kernel string, schedule chains.Schedule, reach map[string]float64) contest {
	b.Helper()
	p := onPattern(kernel, 1000, 7, 7)
	a := p.annealingOn(b, schedule)
	return contest{fmt.Sprintf("gradient,%v,%v", schedule, p), p.T - 1, []entrant{
		{"gradient", func() (time.Duration, error) {
			return timed(func(ctx context.Context) error {
				_, err := gradient.Differentiate(ctx, a, gradient.ObjectiveB, gradient.Options{})
				return err
			})
		}},
		solverOf("solve", a, exact.Options{}, 0),
	}, reach}
}

// room is a problem of which memory is measured. If longer is not zero, it is the T of the same
// problem with more steps.
type room struct {
	problem problem
	longer  int
	reach   map[string]float64
}

// rooms are the lines of BenchmarkTable that measure memory.
func rooms(b *testing.B) []room {
	b.Helper()
	var list []room
	for _, kernel := range []string{"metropolis", "barker", "heatbath", "heatbath-scan", "jump:0.05", "repeat:3:metropolis"} {
		// A step that left but one float behind would leave eight bytes.
		list = append(list, room{onToy(b, "barrier", kernel, 1000), 100_000, map[string]float64{"growth-B/step": 1}})
	}
	large := map[string]float64{"s": 20, "peak-MB": 200}
	return append(list,
		room{onIsing(b, "flip", 100), 0, map[string]float64{"s": 3}},
		room{onIsing(b, "heatbath-scan", 20), 0, large},
		room{onPattern("heatbath-scan", 20, 256, 256), 0, large},
	)
}

// measure solves the problem and reports its time, the largest heap meanwhile, beyond what there
// was before, and all that was allocated.
func (r room) measure(b *testing.B) {
	a := r.problem.annealing(b)
	measured := map[string]float64{}
	var err error
	for b.Loop() {
		var u use
		if u, err = solvedIn(a); err != nil {
			continue
		}
		measured["s"], measured["ns/step"] = u.took.Seconds(), float64(u.took.Nanoseconds())/float64(r.problem.T-1)
		measured["peak-MB"], measured["allocated-MB"] = u.peak/1e6, u.allocated/1e6
		if r.longer == 0 {
			continue
		}
		longer := r.problem
		longer.T = r.longer
		growth := inUse(b, longer.annealing(b)) - inUse(b, a)
		measured["growth-B/step"] = growth / float64(longer.T-r.problem.T)
	}
	if err != nil {
		unsolved(b, err)
		return
	}
	report(b, measured, r.reach)
}

// inUse returns the most bytes that are in use in the heap while an annealing is solved, garbage
// left aside: the solver stands still where it says how far it is, and garbage is collected there.
func inUse(b *testing.B, a *chains.Annealing) (most float64) {
	b.Helper()
	longtest.Must(exact.Solve(context.Background(), a, exact.Options{Progress: func(int) {
		runtime.GC()
		heap, _ := memory()
		most = max(most, heap)
	}}))(b)
	return most
}

// mostMemory is the heap, in bytes, at which a run is given up.
const mostMemory = 4e9

// use is what a solution takes: time, the largest heap beyond what there was before, and all that
// was allocated, in bytes.
type use struct {
	took            time.Duration
	peak, allocated float64
}

// solvedIn solves an annealing and returns what that took.
func solvedIn(a *chains.Annealing) (use, error) {
	runtime.GC()
	heapBefore, allocatedBefore := memory()
	peak := 0.0
	took, err := timed(func(ctx context.Context) error {
		ctx, giveUp := context.WithCancelCause(ctx)
		defer giveUp(nil)
		watched, done := make(chan float64), make(chan struct{})
		go func() { watched <- highest(done, giveUp) }()
		_, err := exact.Solve(ctx, a, exact.Options{})
		close(done)
		if peak = <-watched; err != nil && context.Cause(ctx) != nil {
			err = context.Cause(ctx)
		}
		return err
	})
	_, allocatedAfter := memory()
	return use{took, peak - heapBefore, allocatedAfter - allocatedBefore}, err
}

// highest returns the largest heap in bytes until done. It gives up if that is too large.
func highest(done <-chan struct{}, giveUp context.CancelCauseFunc) (peak float64) {
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		heap, _ := memory()
		if peak = max(peak, heap); heap > mostMemory {
			giveUp(fmt.Errorf("the heap has more than %.0f MB", mostMemory/1e6))
		}
		select {
		case <-done:
			return peak
		case <-tick.C:
		}
	}
}

// memory returns the bytes in the heap, garbage included, and all bytes allocated so far.
func memory() (heap, allocated float64) {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc), float64(m.TotalAlloc)
}
