package hypotheses

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact"
	"breadboard/experiments/forms"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

var (
	directions = []chains.Direction{chains.Forward, chains.Reverse}
	everything = Columns{First: true, Last: true, LogW: true}
)

// taskOf returns the problem of a toy with all columns.
func taskOf(t testing.TB, toyName, schedule, kernel string, T int, d chains.Direction) Problem {
	t.Helper()
	toy := longtest.Sure(forms.All().Parse(toyName))
	return onGrid(t, toy.Space, nil, toy.G, schedule, kernel, T, d)
}

// onGrid returns the problem of an annealing from log f_1, which is uniform if it is nil, to log
// f_T.
func onGrid(t rapid.TB, space grid.Graph, first, target []float64, schedule, kernel string, T int,
	d chains.Direction) Problem {
	t.Helper()
	path := longtest.Sure(paths.NewGeometric(first, target))
	s := longtest.Sure(schedules.Parse(schedule))
	k := longtest.Sure(kernels.Parse(kernel, space))
	a := longtest.Sure(chains.NewAnnealing(path, s, k, T))
	return Problem{
		Annealing: a,
		Space:     space,
		Direction: d,
		Columns:   everything,
		LogZ1:     math.Log(float64(space.States())),
	}
}

// drawProblem draws an annealing of two to four distributions on a small lattice, with zeros, ties
// and constants of 1e4.
func drawProblem(t *rapid.T) Problem {
	space := grid.MustNew(rapid.IntRange(1, 3).Draw(t, "rows"), rapid.IntRange(2, 3).Draw(t, "columns"))
	shift := rapid.SampledFrom([]float64{0, 0, 1e4}).Draw(t, "constant")
	values := rapid.OneOf(rapid.Float64Range(-3, 3), rapid.SampledFrom([]float64{0, 1, -20, math.Inf(-1)}))
	list := func(what string) []float64 {
		g := rapid.SliceOfN(values, space.States(), space.States()).Draw(t, what)
		g[0] = rapid.Float64Range(-3, 3).Draw(t, what+" at the first state") // a state that both ends allow
		for x := range g {
			g[x] += shift
		}
		return g
	}
	var first []float64
	if rapid.Bool().Draw(t, "start that is not uniform") {
		first = list("log f_1")
	}
	return onGrid(t, space, first, list("log f_T"),
		rapid.SampledFrom([]string{"linear", "power:2"}).Draw(t, "schedule"),
		rapid.SampledFrom([]string{"metropolis", "barker", "heatbath-scan", "suwa-todo"}).Draw(t, "kernel"),
		rapid.IntRange(2, 4).Draw(t, "T"), rapid.SampledFrom(directions).Draw(t, "direction"))
}

// setOf returns the distributions of all hypotheses.
func setOf(t rapid.TB, p Problem) *Set {
	t.Helper()
	return longtest.Sure(New(context.Background(), p))
}

// settingOf returns what hypotheses are made of on a problem.
func settingOf(t rapid.TB, p Problem) *setting {
	t.Helper()
	a := longtest.Sure(exact.WithReversal(context.Background(), p.Annealing))
	return newSetting(context.Background(), a, p)
}

// codeOf returns the program of a hypothesis; nil if it has no meaning for the problem.
func codeOf(t rapid.TB, p Problem, name string) *code {
	t.Helper()
	for _, h := range list() {
		if h.name == name {
			return longtest.Must(h.make(settingOf(t, p)))(t)
		}
	}
	t.Fatalf("no hypothesis is called %q", name)
	return nil
}

// draw samples chains from a program, as they are written.
func draw(c *code, n int, src rand.Source) (first, last []int32, logw []float64) {
	sampler := chains.NewSampler(src)
	for range n {
		x, y, v := chains.Run(c.Annealer, sampler)
		i, j := c.ends(x, y)
		i, j, v = c.written(i, j, v)
		first, last, logw = append(first, int32(i)), append(last, int32(j)), append(logw, v)
	}
	return first, last, logw
}

// largest returns the largest absolute value of log f of any stage of a program.
func largest(c *code) float64 {
	most := 0.0
	for _, logf := range c.LogF {
		for _, v := range logf {
			if !math.IsInf(v, 0) {
				most = max(most, math.Abs(v))
			}
		}
	}
	return most
}

// TestBudget: large tasks leave out the start of the chains, or say that they are too large.
func TestBudget(t *testing.T) {
	longtest.Only(t)
	ctx, cancel := context.WithTimeout(t.Context(), longtest.Patience)
	defer cancel()
	for _, c := range []struct {
		toy      string
		T        int
		columns  Columns
		direct   chains.Direction
		want     Columns
		listed   bool
		tooLarge bool
	}{
		{toy: "random:2:1:32x32", T: 100, columns: everything, tooLarge: true},
		{toy: "random:2:1:12x12", T: 12, columns: everything, want: Columns{Last: true, LogW: true}},
		{
			toy:     "random:2:1:9x9",
			T:       3,
			columns: Columns{First: true, Last: true},
			want:    Columns{First: true, Last: true},
			listed:  true,
		},
		{
			toy:     "random:2:1:32x32",
			T:       10,
			columns: Columns{First: true, Last: true},
			direct:  chains.Reverse,
			want:    Columns{First: true},
			listed:  true,
		},
		{toy: "random:2:1:3x3", T: 100, columns: everything, direct: chains.Reverse, want: everything},
	} {
		p := taskOf(t, c.toy, "power:2", "metropolis", c.T, c.direct)
		p.Columns = c.columns
		s, err := New(ctx, p)
		if c.tooLarge {
			longtest.Refused(t, err, "take a smaller task", c)
			continue
		}
		if err != nil {
			t.Errorf("%s, T = %d: %v", c.toy, c.T, err)
			continue
		}
		if s.Columns != c.want || s.Listed != c.listed {
			t.Errorf("%s, T = %d, %+v: the columns are %+v, listed %v, missing %q", c.toy, c.T, c.columns,
				s.Columns, s.Listed, s.Missing)
		}
		// Chains of the specification are not refused, without the columns that are left out too.
		first, last, logw := draw(codeOf(t, p, Specification), 300, rand.NewPCG(1, 2))
		if !c.columns.LogW {
			logw = nil
		}
		tally := s.NewTally(rand.NewPCG(3, 4))
		tally.Add(first, last, logw)
		if e := tally.LogE(); e > alarm || tally.Impossible != nil {
			t.Errorf("%s, T = %d: right chains have a log e-value of %v, and %+v is impossible", c.toy,
				c.T, e, tally.Impossible)
		}
	}
}

// TestContext: New ends soon after its context, in whichever phase it is.
func TestContext(t *testing.T) {
	for _, T := range []int{4, 12} { // log weights are listed, and put into bins
		for _, looks := range []int{0, 20, 60} {
			p := taskOf(t, "random:2:1:3x3", "power:2", "metropolis", T, chains.Forward)
			ctx := longtest.EndsAfter(looks)
			p.Workers = 1
			if _, err := New(ctx, p); !errors.Is(err, context.Canceled) || ctx.Looks() > 100 {
				t.Errorf("T = %d, look %d: %v, after %d more looks", T, looks, err, ctx.Looks())
			}
		}
	}
}

// TestDescriptions: every hypothesis has a description of its own, which is one sentence, and a
// name of its own.
func TestDescriptions(t *testing.T) {
	sentence := regexp.MustCompile(`^[A-Z].*[^.]\.$`)
	names := map[string]bool{}
	docs := map[string]bool{}
	all := All()
	for _, d := range all {
		if !sentence.MatchString(d.Doc) || strings.Contains(d.Doc, ". ") ||
			strings.ContainsAny(d.Doc, "\n|") {
			t.Errorf("%s: %q is not one sentence on one line", d.Name, d.Doc)
		}
		if names[d.Name] || docs[d.Doc] {
			t.Errorf("%s: the name or the description stands twice", d.Name)
		}
		names[d.Name], docs[d.Doc] = true, true
		if got := Describe(d.Name); got != d.Doc {
			t.Errorf("%s is described as %q, want %q", d.Name, got, d.Doc)
		}
	}
	for _, h := range list() {
		if !names[h.name] {
			t.Errorf("%s has no description", h.name)
		}
	}
	if all[0].Name != Specification || all[len(all)-1].Name != Unknown || !names[Dependent] ||
		!names[OneStream] {
		t.Errorf("the first is %q and the last %q", all[0].Name, all[len(all)-1].Name)
	}
	if got := Describe("late"); got != "" {
		t.Errorf("a name that no hypothesis has is described as %q", got)
	}
}
