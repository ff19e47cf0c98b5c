package exact_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/number"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/stages"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// TestBruteForce compares with a sum over every path of the two chains, on spaces and T so small
// that all n^T of them can be walked.
func TestBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := exacttest.Problem(t, 6, 4)
		s := exacttest.Solve(t, a)
		want := bruteForce(t, a)
		scale := 1 + math.Abs(want.forward) + math.Abs(want.reverse)
		if math.IsInf(scale, 1) {
			scale = 100
		}
		for _, c := range []struct {
			name      string
			got, want float64
		}{
			{"J", s.J, want.qp + want.pq}, {"KL(q||p)", s.KLQP, want.qp}, {"KL(p||q)", s.KLPQ, want.pq},
			{"B", s.B, want.b}, {"E_fwd[log w]", s.MeanLogWForward, want.forward},
			{"E_rev[log w]", s.MeanLogWReverse, want.reverse},
			{"log Z ratio", s.LogZRatio, want.logZ},
		} {
			if !exacttest.Same(c.got, c.want, 1e-12, scale) {
				t.Fatalf("%s = %.17g, summed over paths %.17g", c.name, c.got, c.want)
			}
		}
		if math.IsInf(s.J, 1) || math.IsInf(s.B, 1) {
			if len(s.Notes) == 0 {
				t.Fatal("an infinite answer without a note that says why")
			}
		}
		for x, q := range s.Output {
			if !exacttest.Same(q, want.output[x], 1e-13, 1) {
				t.Fatalf("q(%d) = %v, summed over paths %v", x, q, want.output[x])
			}
		}
	})
}

// everyPath is what a walk over all paths finds.
type everyPath struct {
	qp, pq, b, forward, reverse, logZ float64
	output                            []float64
}

func bruteForce(t *rapid.T, a *chains.Annealing) everyPath {
	n := a.States()
	logZ := func(stage int) float64 {
		logf := make([]float64, n)
		a.LogF(logf, stage)
		return number.LogSumExp(logf)
	}
	out := everyPath{output: make([]float64, n), logZ: logZ(a.Distributions()) - logZ(1)}
	exacttest.EachWidePath(t, a, func(p exacttest.Path) {
		out.output[p.Last] += p.Forward.Float()
		out.b += exacttest.WideTerm(p.Forward, p.Reverse) + exacttest.WideTerm(p.Reverse, p.Forward)
		if p.Forward.M > 0 {
			out.forward += p.Forward.Float() * p.LogW
		}
		if p.Reverse.M > 0 {
			out.reverse += p.Reverse.Float() * p.LogW
		}
	})
	target := stages.Distribution(a.Path(), 1)
	out.qp, out.pq = exacttest.Kl(out.output, target), exacttest.Kl(target, out.output)
	return out
}

// TestNoMemoryGrowsWithT counts the allocations of two solves of very different length.
func TestNoMemoryGrowsWithT(t *testing.T) {
	for _, kernel := range []string{"metropolis", "barker"} {
		count := func(T int) float64 {
			a := exacttest.Annealing(t, "easy", "linear", kernel, T)
			return testing.AllocsPerRun(3, func() { exacttest.Solve(t, a) })
		}
		if short, long := count(100), count(exacttest.Longest(600, 600, 3000)); long > short+10 {
			t.Errorf("%s: %v allocations at T = 100, %v at many more", kernel, short, long)
		}
	}
}

// TestWrongKernels gives Solve kernels that do not leave the distribution invariant, or break
// another rule of a kernel.
func TestWrongKernels(t *testing.T) {
	longtest.Only(t)
	l := grid.MustNew(3, 3)
	g := []float64{0, 1, 2, 3, 2, 1, 0, 1, -1}
	path := longtest.Must(paths.NewGeometric(nil, g))(t)
	for _, c := range []struct {
		name string
		k    chains.Kernel
		want string
	}{
		// Redrawing what falls off the edge without a Hastings correction.
		{"edge", exacttest.MoveFunc(func(c chains.Chooser, logf []float64, x int) int {
			var near []int
			for y := range grid.Neighbours(l, x) {
				near = append(near, y)
			}
			y := near[c.Uniform(len(near))]
			if c.Flip(math.Exp(min(0, logf[y]-logf[x]))) {
				return y
			}
			return x
		}), "does not leave the distribution invariant: state "},
		{"walk", exacttest.MoveFunc(func(c chains.Chooser, logf []float64, x int) int {
			if y, ok := l.Neighbour(x, c.Uniform(4)); ok {
				return y
			}
			return x
		}), "does not leave the distribution invariant: state "},
		// It leaves another distribution invariant.
		{"squared", squaring{exacttest.Scan{Space: l}}, "does not leave the distribution invariant: state "},
		{"outside", exacttest.MoveFunc(func(chains.Chooser, []float64, int) int { return 9 }),
			"outside 0..8"},
		{"panic", exacttest.MoveFunc(func(_ chains.Chooser, _ []float64, x int) int { return []int{0}[x+1] }),
			"Move panicked"},
		{"loop", exacttest.MoveFunc(func(c chains.Chooser, _ []float64, x int) int {
			for c.Flip(0.999) {
			}
			return x
		}), "more than"},
		{"tail", exacttest.MoveFunc(func(c chains.Chooser, _ []float64, x int) int {
			for c.Uniform(4) < 2 {
			}
			return x
		}), "left out a probability of "},
		{"memory", &counting{}, "depend on nothing else"},
	} {
		a := longtest.Must(chains.NewAnnealing(path, schedules.Linear{}, c.k, 5))(t)
		_, err := exact.Solve(context.Background(), a, exact.Options{})
		if err == nil || !strings.Contains(err.Error(), c.want) ||
			!strings.Contains(err.Error(), "stage t = 2 of 5") {
			t.Errorf("%s: error %v, want one with %q and the stage", c.name, err, c.want)
		}
	}
}

// TestDriftIsAnError gives Solve a kernel whose rows are within the tolerance of a row's sum. The
// mass that they add over the stages is more than the tolerance of the output's total mass.
func TestDriftIsAnError(t *testing.T) {
	a := exacttest.Build(t, nil, []float64{0, -40, 5}, schedules.Linear{},
		gaining{kernels.Metropolis{Space: grid.MustNew(3)}}, 1000)
	if s, err := exact.Solve(context.Background(), a, exact.Options{}); err == nil ||
		!strings.Contains(err.Error(), "total mass") {
		t.Errorf("drift %v, error %v", s.Drift, err)
	}
}

// gaining is a kernel whose rows sum to slightly more than one.
type gaining struct{ chains.Rower }

func (k gaining) AppendRow(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	return append(k.Rower.AppendRow(dst, logf, x), chains.Entry{To: x, P: 9e-13})
}

// squaring is a kernel that leaves the distribution proportional to the square of f invariant, if
// it should leave that of f.
type squaring struct{ k exacttest.Scan }

func (c squaring) Move(ch chains.Chooser, logf []float64, x int) int {
	doubled := make([]float64, len(logf))
	for y, v := range logf {
		doubled[y] = 2 * v
	}
	return c.k.Move(ch, doubled, x)
}

// counting is a kernel whose choices depend on how often it was called.
type counting struct{ calls int }

func (f *counting) Move(c chains.Chooser, _ []float64, x int) int {
	f.calls++
	if f.calls%3 == 0 {
		c.Uniform(3)
	} else {
		c.Flip(0.5)
	}
	return x
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	steps := 0
	a := exacttest.Annealing(t, "easy", "linear", "metropolis", 1_000_000_000)
	_, err := exact.Solve(ctx, a, exact.Options{Progress: func(n int) {
		steps += n
		if steps > 10_000 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
	if steps > 100_000 {
		t.Errorf("went on for %d steps", steps)
	}
}

func TestProgressAddsUp(t *testing.T) {
	for _, c := range []struct{ toy, schedule, kernel string }{
		{"hard", "linear", "metropolis"}, {"hard", "linear", "barker"},
		{"random:1000:0", "power:4", "metropolis"},
		{"random:60:0", "power:4", "metropolis"}, // the stencil gives up half-way
	} {
		total := 0
		solveWith(t, exacttest.Annealing(t, c.toy, c.schedule, c.kernel, 2345),
			exact.Options{Progress: func(n int) { total += n }})
		if total != 2344 {
			t.Errorf("%v: progress adds up to %d steps of 2344", c, total)
		}
	}
}

func TestIdentitiesHoldAnywhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := exacttest.Problem(t, 24, 30)
		if bad := exacttest.Failing(t, a, exacttest.Solve(t, a)); bad != nil {
			t.Fatalf("%v do not hold", bad)
		}
	})
}

// TestChecksCanFail gives Check solutions that are wrong in the tenth digit.
func TestChecksCanFail(t *testing.T) {
	a := exacttest.Annealing(t, "easy", "linear", "metropolis", 50)
	for name, spoil := range map[string]func(*exact.Solution){
		"J by definition": func(s *exact.Solution) { s.J *= 1 + 1e-10 },
		"B by Eq. 23":     func(s *exact.Solution) { s.B *= 1 + 1e-10 },
		"B = E_rev[log w] - E_fwd[log w], pushed": func(s *exact.Solution) { s.B *= 1 - 1e-10 },
		"E_fwd[log w], pushed":                    func(s *exact.Solution) { s.MeanLogWForward += 1e-10 },
		"E_rev[log w], pushed":                    func(s *exact.Solution) { s.MeanLogWReverse += 1e-10 },
		"log E_fwd[w] = log(Z_T/Z_1)":             func(s *exact.Solution) { s.LogZRatio += 1e-10 },
		"-log E_rev[1/w] = log(Z_T/Z_1)":          func(s *exact.Solution) { s.LogZRatio -= 1e-10 },
		"J <= B":                                  func(s *exact.Solution) { s.J = s.B + 1e-10 },
	} {
		s := exacttest.Solve(t, a)
		spoil(s)
		if !slices.Contains(exacttest.Failing(t, a, s), name) {
			t.Errorf("%q holds of a solution that was spoiled", name)
		}
	}
}

// ownKernel is a kernel of another package, without rows in closed form.
type ownKernel struct{ chains.Kernel }

// TestWorkNamesTheMethod: the method that is named is the one that Solve uses for a fine schedule,
// and the general one on any other path.
func TestWorkNamesTheMethod(t *testing.T) {
	torus := longtest.Must(grid.NewWrapped([]int{3, 4}, []bool{true, false}))(t)
	cube := longtest.Must(grid.NewHypercube(4))(t)
	drawn := longtest.Must(grid.Torus(3, 4))(t)
	named := map[exact.Method]int{}
	for _, space := range []grid.Graph{
		grid.MustNew(12), grid.MustNew(3, 4), grid.MustNew(2, 2, 2, 2), torus, cube, drawn} {
		n := space.States()
		kinds := []chains.Kernel{ownKernel{kernels.Metropolis{Space: space}},
			kernels.Independence{P: append([]float64{0, 1}, make([]float64, n-2)...)}}
		for _, selector := range append(exacttest.Library(), "flip", "independence", "lazy:0.5:suwa-todo") {
			if k, err := kernels.Parse(selector, space); err == nil {
				kinds = append(kinds, k)
			}
		}
		g := make([]float64, n)
		for x := range g {
			g[x] = float64(x*x%7) / 7
		}
		for _, k := range kinds {
			a := exacttest.Build(t, nil, g, schedules.Linear{}, k, 20)
			sol := exacttest.Solve(t, a)
			for _, c := range []struct {
				work exact.Work
				want exact.Method
			}{{exact.WorkOf(k, space, nil), sol.Method}, {exact.GeneralWorkOf(k, space, nil), exact.MethodGeneral}} {
				named[c.work.Method]++
				if c.work.Method != c.want || !(c.work.Seconds > 0) || !(c.work.Bytes > 0) ||
					!(c.work.Start >= 0) {
					t.Errorf("%s on %v: %+v, and it is solved by the method %s", chains.NameOf(k), space,
						c.work, c.want)
				}
			}
		}
	}
	if len(named) != 3 {
		t.Errorf("methods %v", named)
	}
}

// Two kernels on a plane, and how each of them is solved.
func ExampleWorkOf() {
	space := grid.MustNew(64, 64)
	for _, selector := range []string{"metropolis", "heatbath"} {
		k, _ := kernels.Parse(selector, space)
		w := exact.WorkOf(k, space, nil)
		fmt.Printf("%s: %s, %.0f microseconds a step\n", selector, w.Method, 1e6*w.Seconds)
	}
	// Output:
	// metropolis: stencil, 26 microseconds a step
	// heatbath: applied, 82 microseconds a step
}
