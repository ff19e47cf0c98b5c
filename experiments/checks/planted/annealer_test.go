package planted_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact"
	"breadboard/exact/kernel"
	"breadboard/exact/program"
	"breadboard/experiments/checks/planted"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

var directions = []chains.Direction{chains.Forward, chains.Reverse}

// problem draws an annealing of two to four distributions on a small lattice: a reversible kernel
// or one that is not, from a uniform start or another one, with zeros and ties among the values of
// f. The time reversal of every stage is known.
func problem(t *rapid.T) (*chains.Annealing, *grid.Lattice) {
	space := grid.MustNew(rapid.IntRange(1, 3).Draw(t, "rows"), rapid.IntRange(2, 3).Draw(t, "columns"))
	values := rapid.OneOf(rapid.Float64Range(-3, 3), rapid.SampledFrom([]float64{0, 1, -20, math.Inf(-1), 1e4}))
	draw := func(what string) []float64 {
		g := rapid.SliceOfN(values, space.States(), space.States()).Draw(t, what)
		g[0] = rapid.Float64Range(-3, 3).Draw(t, what+" at the first state") // a state that both ends allow
		return g
	}
	var first []float64
	if rapid.Bool().Draw(t, "start that is not uniform") {
		first = draw("log f_1")
	}
	target := draw("log f_T")
	kernel := rapid.SampledFrom([]string{"metropolis", "barker", "heatbath-scan", "suwa-todo"}).Draw(t, "kernel")
	return annealing(space, kernel, first, target, rapid.IntRange(2, 4).Draw(t, "T")), space
}

// annealing returns an annealing whose time reversals are known.
func annealing(space *grid.Lattice, kernel string, first, target []float64, T int) *chains.Annealing {
	path := longtest.Sure(paths.NewGeometric(first, target))
	k := longtest.Sure(kernels.Parse(kernel, space))
	return longtest.Sure(exact.WithReversal(
		context.Background(),
		longtest.Sure(chains.NewAnnealing(path, schedules.Linear{}, k, T)),
	))
}

// outcome is what a chain ends as.
type outcome struct {
	first, last int
	logw        float64
}

// rule says in words of a table what an annealer does at each stage.
type rule struct {
	// the stage of which the kernel has the distribution; 0 where the state is not moved
	kernel  func(t, T int) int
	weighed func(t, T int) int // the stage whose increment is added; 0 is none
	other   bool               // increments are taken on the other side of the moves
}

func own(t, _ int) int { return t }

// distribution walks through all paths, by the rows of the kernels of an annealer that has no bug.
func (on rule) law(t *rapid.T, r *planted.Annealer) map[outcome]float64 {
	T := r.Last()
	out := map[outcome]float64{}
	row := func(i, x int) []chains.Entry {
		if on.kernel(i, T) == 0 {
			return []chains.Entry{{To: x, P: 1}}
		}
		row, _, err := kernel.Row(context.Background(), r.Kernel(i), r.LogF[on.kernel(i, T)], x)
		longtest.NoError(t, err)
		return row
	}
	var walk func(i, start, x int, p, w float64)
	walk = func(i, start, x int, p, w float64) {
		if i == T {
			out[outcome{start, x, w}] += p
			return
		}
		stage := i + 1
		if r.Direction() == chains.Reverse {
			stage = T + 1 - i
		}
		for _, e := range row(stage, x) {
			if e.P == 0 {
				continue
			}
			at := x // forward the increment belongs to the state before the move, in reverse to that after it
			if (r.Direction() == chains.Reverse) != on.other {
				at = e.To
			}
			v := w
			if s := on.weighed(stage, T); s > 0 && !math.IsInf(w, 0) {
				if up := r.LogF[s][at] - r.LogF[s-1][at]; !math.IsNaN(up) {
					v += up
				}
			}
			walk(i+1, start, e.To, p*e.P, v)
		}
	}
	start := planted.Normalised(r.LogF[1])
	if r.Direction() == chains.Reverse {
		start = r.Target()
	}
	for x, p := range start {
		if p > 0 {
			walk(1, x, x, p, 0)
		}
	}
	return out
}

// lawOf propagates an annealer from each of its starts by itself.
func lawOf(t rapid.TB, r *planted.Annealer) map[outcome]float64 {
	out := map[outcome]float64{}
	start := longtest.Sure(program.Enumerate(context.Background(), r.Start, program.Options{}))
	for _, s := range start.Outcomes() {
		from := *r
		from.Begin = func(chains.Chooser) int { return s.Value }
		got := longtest.Sure(program.Propagate(context.Background(), &from, program.NewPoints(0), program.Options{}))
		for _, x := range got.States() {
			law := got.At(x)
			for i, v := range law.Values() {
				out[outcome{s.Value, x, v}] += s.P * law.P()[i]
			}
		}
	}
	return out
}

// plantedRule is a bug with what it makes of the right program.
type plantedRule struct {
	plant func(*planted.Annealer)
	is    rule
}

func rules() map[string]plantedRule {
	not := func(out func(T int) int) func(t, T int) int {
		return func(t, T int) int {
			if t == out(T) {
				return 0
			}
			return t
		}
	}
	second := func(int) int { return 2 }
	last := func(T int) int { return T }
	return map[string]plantedRule{
		"none":        {func(*planted.Annealer) {}, rule{own, own, false}},
		"KernelEarly": {planted.KernelEarly, rule{func(t, _ int) int { return t - 1 }, own, false}},
		"KernelLate": {
			planted.KernelLate, rule{func(t, T int) int { return min(t+1, T) }, own, false}},
		"KernelOfTarget": {planted.KernelOfTarget, rule{func(_, T int) int { return T }, own, false}},
		"IncrementEarly": {
			planted.IncrementEarly, rule{own, func(t, _ int) int { return max(t-1, 2) }, false}},
		"IncrementLate": {
			planted.IncrementLate, rule{own, func(t, T int) int { return min(t+1, T) }, false}},
		"OtherSide":         {planted.OtherSide, rule{own, own, true}},
		"FirstMoveOut":      {planted.FirstMoveOut, rule{not(second), own, false}},
		"LastMoveOut":       {planted.LastMoveOut, rule{not(last), own, false}},
		"FirstIncrementOut": {planted.FirstIncrementOut, rule{own, not(second), false}},
		"LastIncrementOut":  {planted.LastIncrementOut, rule{own, not(last), false}},
	}
}

// TestBugs compares the distribution of each bug with a walk through all paths by a table of what
// it is to do. No log weight is NaN.
func TestBugs(t *testing.T) {
	longtest.Only(t)
	rapid.Check(t, func(t *rapid.T) {
		a, _ := problem(t)
		d := rapid.SampledFrom(directions).Draw(t, "direction")
		for name, bug := range rules() {
			right := longtest.Sure(planted.AnnealerOf(a, d))
			wrong := longtest.Sure(planted.AnnealerOf(a, d))
			bug.plant(wrong)
			compareOutcomes(t, name, lawOf(t, wrong), bug.is.law(t, right), a)
		}
	})
}

// compareOutcomes compares two distributions, in which the same sum may have been added up in
// another order.
func compareOutcomes(t *rapid.T, name string, got, want map[outcome]float64, a *chains.Annealing) {
	size := 1.0
	for _, v := range slices.Concat(planted.LogFOfStages(a)...) {
		if !math.IsInf(v, 0) {
			size = max(size, math.Abs(v))
		}
	}
	// Values that differ by rounding only are summed: the probability of all outcomes near each
	// outcome is the same.
	near := func(law map[outcome]float64, o outcome) (p float64) {
		for x, v := range law {
			if x.first == o.first && x.last == o.last &&
				(x.logw == o.logw || math.Abs(x.logw-o.logw) <= 1e-11*size) {
				p += v
			}
		}
		return p
	}
	total := 0.0
	for o, p := range got {
		total += p
		if math.IsNaN(o.logw) {
			t.Fatalf("%s: a log weight is NaN", name)
		}
		if g, w := near(got, o), near(want, o); !(math.Abs(g-w) <= 1e-12) {
			t.Fatalf("%s: %v has probability %v, want %v", name, o, g, w)
		}
	}
	if math.Abs(total-1) > 1e-12 {
		t.Fatalf("%s: the probabilities add up to %v", name, total)
	}
}
