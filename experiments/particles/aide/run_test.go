package aide_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"breadboard/exact"
	"breadboard/experiments/forms"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/particles/aide"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/reports/check"
	"breadboard/toys"
)

// cases returns annealings of toys with the paper's path, schedule and kernel.
func cases(t testing.TB, T int, names ...string) []subject.Case {
	t.Helper()
	return casetest.MustCases(t, casetest.Selection([]int{T}, names...))
}

// aideRun returns the rows of a pair of algorithms.
func aideRun(t *testing.T, c []subject.Case, o aide.Options) []aide.Row {
	t.Helper()
	return casetest.Rows(t, aide.Study(), c, o)
}

// TestParse: canonical names parse back to themselves, and unknown ones name the nearest.
func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"exact": "exact", "ais": "ais", "meanfield": "meanfield", "mh:1e2": "mh:100", "sir:7": "sir:7",
		"smc:2": "smc:2", "smc:2:multinomial": "smc:2", "smc:2:multinomial:1": "smc:2",
		"smc:3:systematic":  "smc:3:systematic",
		"smc:3:residual:.5": "smc:3:residual:0.5", "smc:10:multinomial:0": "smc:10:multinomial:0",
	} {
		c := longtest.Must(aide.Parse(text))(t)
		again, err := aide.Parse(c.Name)
		if c.Name != want || err != nil || again != c {
			t.Errorf("%s is %q, which parses to %+v, %v; want %s", text, c.Name, again, err, want)
		}
	}
	for text, want := range map[string]string{
		"ays": "did you mean ais?", "smc": "give the number of particles, as in smc:10:systematic:0.5",
		"smc:0":            "not a whole number",
		"smc:2:systematik": "did you mean systematic?", "smc:2:systematic:2": "from 0 (never resample) to 1",
		"mh:": "not a number",
		"mh":  "give the number of steps", "exact:1": "takes no argument", "sir:1e10": "not a whole number",
		"smc:2:": "unknown resampling scheme",
	} {
		longtest.Refuses(aide.Parse(text))(t, want, text)
	}
}

// TestResampledParticles: of more than two particles that are resampled at every stage everything
// is known if they are few enough, and a note says what would have to be smaller if they are not.
func TestResampledParticles(t *testing.T) {
	longtest.Only(t)
	options := func(target string) aide.Options {
		return aide.Options{Target: target, Gold: "exact", Metas: []int{1, 2}, GoldMetas: []int{1}}
	}
	for _, target := range []string{"smc:3:systematic", "smc:10", "smc:6:residual"} {
		for _, r := range aideRun(t, cases(t, 3, "random:1:0:2"), options(target)) {
			if !(r.Mean > r.J && r.SD > 0) || len(r.Notes) > 0 {
				t.Errorf("%s, M = %d: mean %v, J %v, sd %v, %v", target, r.Meta, r.Mean, r.J, r.SD, r.Notes)
			}
		}
	}
	large := aideRun(t, cases(t, 3, "easy"), options("smc:3:systematic"))
	if !(large[0].Mean > large[0].J) || !math.IsNaN(large[0].SD) || !math.IsNaN(large[1].Mean) ||
		!strings.Contains(strings.Join(large[0].Notes, " "), "fewer particles, states or stages") {
		t.Errorf("%+v", large)
	}
}

func FuzzAIDEParse(f *testing.F) {
	for _, form := range aide.Forms().Listing.All() {
		f.Add(form.Example)
	}
	f.Add("smc:1e3:residual:0.25")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := aide.Parse(text)
		if err != nil {
			return
		}
		if again, err := aide.Parse(c.Name); err != nil || again != c {
			t.Fatalf("%q is %+v, which parses back to %+v, %v", text, c, again, err)
		}
	})
}

// TestUnknownIsNoNumber: of outputs whose distribution is not known no number is left that looks
// like one.
func TestUnknownIsNoNumber(t *testing.T) {
	longtest.Only(t)
	for _, pair := range [][2]string{{"sir:2", "exact"}, {"exact", "sir:2"}, {"mh:1", "sir:2"}} {
		r := aideRun(t, cases(t, 2, "cells:0:200"),
			aide.Options{Target: pair[0], Gold: pair[1], Metas: []int{1}, GoldMetas: []int{1}})[0]
		for i, v := range []float64{r.J, r.Mean, r.SD, r.Bias, r.KLQPLower, r.KLQPUpper, r.KLPQUpper} {
			if !math.IsNaN(v) {
				t.Errorf("%v: number %d is %v", pair, i, v)
			}
		}
	}
}

// TestOneTraceIsTheBound: AIDE with one meta-inference run of annealed importance sampling and an
// exact gold is the bound B.
func TestOneTraceIsTheBound(t *testing.T) {
	c := cases(t, 20, "barrier:3x3", "random:3:1:2x2x2")
	for i, r := range aideRun(t, c, aide.Options{Target: "ais", Gold: "exact", Metas: []int{1}, GoldMetas: []int{1}}) {
		s := longtest.Must(exact.Solve(context.Background(), c[i].Annealing(), exact.Options{}))(t)
		if math.Abs(r.Mean-s.B) > 1e-12 || math.Abs(r.J-s.J) > 1e-12 {
			t.Errorf("%s: AIDE %.15g and J %.15g, want %.15g and %.15g", &c[i], r.Mean, r.J, s.B, s.J)
		}
	}
}

// TestKnownAndSampled: whatever has an exact route agrees with runs of the same algorithms, to 5
// standard errors: right code fails once in 60,000 seeds.
func TestKnownAndSampled(t *testing.T) {
	longtest.Only(t)
	c := cases(t, 3, "random:1:0:3")
	names := []string{"exact", "ais", "meanfield", "mh:2", "sir:1", "sir:2", "smc:2", "smc:2:systematic:0.9",
		"smc:2:residual:0"}
	for i, name := range names {
		o := aide.Options{
			Target:    name,
			Gold:      names[(i+4)%len(names)],
			Metas:     []int{2},
			GoldMetas: []int{1},
			Runs:      4000,
			Seed:      uint64(i + 1),
		}
		if strings.HasPrefix(name, "meanfield") {
			o.Gold = "exact"
		}
		r := aideRun(t, c, o)[0]
		if math.IsNaN(r.Mean) || !(math.Abs(r.Sample.Z) <= 5) && r.Sample.StandardError > 0 {
			t.Errorf("%s against %s: AIDE %v, from runs %+v", o.Target, o.Gold, r.Mean, r.Sample)
		}
		if !(r.J <= r.Mean+1e-12) || !(r.KLQPUpper+r.KLPQUpper-r.Mean < 1e-12) {
			t.Errorf("%s against %s: %+v", o.Target, o.Gold, r.Numbers)
		}
	}
}

// threeStates returns the annealing of three states in a line with g = 0, 1, -0.7 and T = 3.
func threeStates(t testing.TB) []subject.Case {
	t.Helper()
	g := []float64{0, 1, -0.7}
	setting := subject.Setting{Path: "geometric", Schedule: "linear", Kernel: "metropolis", T: 3}
	return []subject.Case{{
		Toy:       &toys.Toy{Name: "three", Space: grid.MustNew(3), G: g},
		Algorithm: line(t, g, 3, false),
		Params:    setting.Params(),
	}}
}

// TestTwoParticlesOnThreeStates holds two particles to values of an independent program, by every
// scheme and threshold that it has, with and without the first trace. The faulty variant is below
// J.
func TestTwoParticlesOnThreeStates(t *testing.T) {
	longtest.Only(t)
	c := threeStates(t)
	for _, want := range []struct {
		target            string
		j                 float64
		mean, va, without [3]float64
	}{
		{"smc:2", 0.0033469269655079059,
			[3]float64{0.120517357407901066, 0.0654758044841917269, 0.0456765696404221738},
			[3]float64{0.241425341595209841, 0.131113844596279894, 0.0914495297761391546},
			[3]float64{0.0027609000044163251, 0.00301938226437838825, 0.00312080156397051903}},
		{"smc:2:multinomial:0", 0.00303286612593325899,
			[3]float64{0.121917716361613887, 0.0659303922777218498, 0.0458338098221356474},
			[3]float64{0.243831337030953582, 0.131942390192625714, 0.091728894285555751},
			[3]float64{0.0025704492345911753, 0.00277919736647798746, 0.00285868305756560234}},
	} {
		o := aide.Options{Target: want.target, Gold: "exact", Metas: []int{1, 2, 3}, GoldMetas: []int{1}}
		right := aideRun(t, c, o)
		o.WithoutFirstTrace = true
		wrong := aideRun(t, c, o)
		for i := range right {
			for _, v := range [][2]float64{
				{right[i].J, want.j}, {right[i].Mean, want.mean[i]}, {right[i].SD * right[i].SD, want.va[i]},
				{wrong[i].Mean, want.without[i]},
			} {
				if !(math.Abs(v[0]-v[1]) <= 1e-12) {
					t.Errorf("%s, M = %d: %.15g, want %.15g", want.target, i+1, v[0], v[1])
				}
			}
			if !(wrong[i].Mean < wrong[i].J) || !math.IsNaN(wrong[i].KLQPUpper) ||
				!math.IsNaN(wrong[i].UpperHalf) {
				t.Errorf("%s without the first trace: %+v", want.target, wrong[i].Numbers)
			}
		}
	}
}

// TestRunsWithoutTheFirstTrace: the runs of the faulty variant agree with its exact mean, to 5
// standard errors.
func TestRunsWithoutTheFirstTrace(t *testing.T) {
	o := aide.Options{
		Target:            "smc:2",
		Gold:              "exact",
		Metas:             []int{1},
		GoldMetas:         []int{1},
		Runs:              4000,
		Seed:              1,
		WithoutFirstTrace: true,
	}
	if r := aideRun(t, threeStates(t), o)[0]; !(math.Abs(r.Sample.Z) <= 5) {
		t.Errorf("%+v, from runs %+v", r.Numbers, r.Sample)
	}
}

// TestNoExactRoute: the numbers are NaN, a note says what would have to be smaller, and runs say
// what they can.
func TestNoExactRoute(t *testing.T) {
	o := aide.Options{
		Target:    "smc:50:systematic:0.5",
		Gold:      "exact",
		Metas:     []int{2},
		GoldMetas: []int{1},
		Runs:      50,
		Seed:      1,
	}
	r := aideRun(t, cases(t, 5, "easy"), o)[0]
	if !math.IsNaN(r.J) || !math.IsNaN(r.Mean) || r.Method != "none" || !math.IsNaN(r.Sample.Z) ||
		!(r.Sample.StandardError > 0) {
		t.Errorf("%+v, %+v", r, r.Sample)
	}
	if !slices.ContainsFunc(r.Notes, func(n string) bool { return strings.Contains(n, "fewer particles") }) {
		t.Errorf("notes %v", r.Notes)
	}
}

// TestAIDEWorkersDoNotMatter: the rows are the same for any number of workers.
func TestAIDEWorkersDoNotMatter(t *testing.T) {
	longtest.Only(t)
	o := aide.Options{
		Target:    "smc:2",
		Gold:      "ais",
		Metas:     []int{1, 3},
		GoldMetas: []int{1, 2},
		Runs:      300,
		Seed:      7,
	}
	casetest.SameForAnyWorkers(
		t,
		aide.Study(),
		cases(t, 3, "random:1:0:2", "random:1:1:2"),
		o,
		func(r *aide.Row) string {
			return fmt.Sprint(r.Target, r.Gold, r.Meta, r.GoldMeta, r.Numbers, *r.Sample, r.Method)
		},
	)
}

// TestPlanRefuses: what cannot be had is refused, with a cure.
func TestPlanRefuses(t *testing.T) {
	c := cases(t, 3, "easy")
	graph := cases(t, 3, "graph:permutations:3:random:1:0")
	for _, bad := range []struct {
		cases []subject.Case
		o     aide.Options
		want  string
	}{
		{c, aide.Options{Target: "ais", Gold: "exact", Metas: []int{0}}, "give 1 to 1e9"},
		{c, aide.Options{Target: "ais", Gold: "exact", GoldMetas: []int{2_000_000_000}}, "give 1 to 1e9"},
		{c, aide.Options{Target: "ais", Gold: "exakt"}, "did you mean exact?"},
		{c, aide.Options{Target: "ais", Gold: "exact", Runs: 1}, "no standard error"},
		{c, aide.Options{Target: "mh:1e9", Gold: "exact", Runs: 2}, "leave chains out"},
		{graph, aide.Options{Target: "meanfield", Gold: "exact"}, "has no axes"},
	} {
		casetest.Refuses(t, aide.Study(), bad.cases, bad.o, bad.want)
	}
}

// What AIDE says of annealed importance sampling, and how far that is from the truth.
func Example_aideStudy() {
	c, _ := subject.Selection{
		Reader:        forms.Reader(),
		Toys:          []string{"barrier"},
		Distributions: []int{100},
		Path:          "geometric",
		Schedule:      "linear",
		Kernel:        "metropolis",
	}.Cases(context.Background())
	rows, err := study.Run(context.Background(), aide.Study(), c,
		aide.Options{Target: "ais", Gold: "exact", Metas: []int{1, 100}, GoldMetas: []int{1}},
		study.How{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range rows {
		fmt.Printf("M = %3d: AIDE %.6f +/- %.5f, J %.6f\n", r.Meta, r.Mean, r.SD, r.J)
	}
	// Output:
	// M =   1: AIDE 1.810433 +/- 1.66932, J 1.647863
	// M = 100: AIDE 1.650406 +/- 1.58873, J 1.647863
}

// TestSingleDrawWithoutWeight: one draw from the initial distribution where the target has none is
// extinct, as the chain of two distributions is, which is the same algorithm. J is that of the
// draws that have a weight.
func TestSingleDrawWithoutWeight(t *testing.T) {
	c := cases(t, 2, particlesFile(t, "0,-inf,1\n"))
	var rows []aide.Row
	for _, target := range []string{"sir:1", "ais"} {
		rows = append(rows, aideRun(
			t,
			c,
			aide.Options{Target: target, Gold: "exact", Metas: []int{1}, GoldMetas: []int{1}},
		)...)
	}
	// Of the draws with a weight each half goes to one state, and the target is as 1 to e: J =
	// (e/(1 + e) - 1/2) log e.
	want := math.E/(1+math.E) - 0.5
	for _, r := range rows {
		if math.Abs(r.J-want) > 1e-14 || !math.IsInf(r.Mean, 1) || !math.IsInf(r.Bias, 1) ||
			!math.IsNaN(r.SD) {
			t.Errorf("%s: J %v, mean %v, bias %v, sd %v; want J %v", r.Target, r.J, r.Mean, r.Bias, r.SD, want)
		}
	}
}

// particlesFile writes a toy to a file, and returns its selector.
func particlesFile(t *testing.T, text string) string {
	return "file:" + longtest.File(t, "toy.csv", text)
}

// TestAideConstantsCostNothing: a constant of 1e12 in log f makes no run extinct and changes
// neither mean nor estimate beyond rounding and the noise of sampling. |z| > 6 has a probability of
// less than 1e-8.
func TestAideConstantsCostNothing(t *testing.T) {
	longtest.Only(t)
	for _, target := range []string{"ais", "smc:2", "smc:2:multinomial:0", "sir:3", "mh:2", "meanfield"} {
		o := aide.Options{
			Target:    target,
			Gold:      "exact",
			Metas:     []int{1, 10},
			GoldMetas: []int{1},
			Runs:      longtest.Times(1000, 4000),
			Seed:      1,
		}
		plain := aideRun(t, cases(t, 3, particlesFile(t, "0,0\n1,0\n")), o)
		for i, r := range aideRun(t, cases(t, 3, particlesFile(t, "1e12,1e12\n1000000000001,1e12\n")), o) {
			if !(math.Abs(r.Mean-plain[i].Mean) <= 1e-11) || !(math.Abs(r.Sample.Z) <= 6) {
				t.Errorf("%s, M = %d: mean %v (without the constant %v), sampled as %+v", target, r.Meta,
					r.Mean, plain[i].Mean, r.Sample)
			}
		}
	}
}

// TestAideWideTargets: if log f spans more than probabilities hold, there is nothing exact, and no
// run is called extinct.
func TestAideWideTargets(t *testing.T) {
	for _, target := range []string{"ais", "smc:2", "smc:2:multinomial:0", "sir:3", "mh:2"} {
		o := aide.Options{Target: target, Gold: "exact", Metas: []int{1}, GoldMetas: []int{1}}
		r := aideRun(t, cases(t, 3, particlesFile(t, "0,1000\n-1000,3\n")), o)[0]
		if !math.IsNaN(r.Mean) || !math.IsNaN(r.J) || !slices.ContainsFunc(
			r.Notes,
			func(n string) bool { return strings.Contains(n, "spans 2000 nats") },
		) {
			t.Errorf("%s: J %v, mean %v, notes %q", target, r.J, r.Mean, r.Notes)
		}
	}
}

// smallCases returns the default cases of the check.
func smallCases(t *testing.T, kernel string) []subject.Case {
	t.Helper()
	cases := longtest.Must(subject.Selection{
		Reader:        forms.Reader(),
		Toys:          aide.CheckToys(),
		Distributions: []int{aide.CheckDistributions},
		Path:          "geometric",
		Schedule:      "linear",
		Kernel:        kernel,
	}.Cases(context.Background()))(t)
	return cases
}

// TestCheckPasses every algorithm, with kernels that are reversible and that are not.
func TestCheckPasses(t *testing.T) {
	longtest.Only(t)
	for _, selector := range []string{
		"exact", "ais", "smc:1", "smc:2", "smc:2:systematic", "smc:2:stratified:0.9", "smc:2:residual:0.5",
		"smc:2:multinomial:0", "mh:1", "mh:3", "sir:1", "sir:3"} {
		choice := longtest.Must(aide.Parse(selector))(t)
		for _, kernel := range []string{"metropolis", "suwa-todo"} {
			findings, err := aide.Check(context.Background(), choice, smallCases(t, kernel), nil)
			if err != nil {
				t.Fatal(selector, err)
			}
			for _, f := range findings {
				if f.Verdict == check.Fault {
					t.Errorf("%s, %s, %s: %s is %g: %s", selector, kernel, &f.Case, f.Name, f.Value, f.Where)
				}
			}
			if len(findings) < 2*16 {
				t.Errorf("%s, %s: %d findings", selector, kernel, len(findings))
			}
		}
	}
}

// TestCheckOfSteepTargets: if probabilities of traces underflow what enumeration has lost is open,
// and no fault.
func TestCheckOfSteepTargets(t *testing.T) {
	for _, toy := range []string{
		"cells:0:600", "cells:0:-600/0:1", "cells:0:745", "cells:0:800", "cells:0:1e4"} {
		for _, selector := range []string{"mh:1", "ais", "sir:2", "smc:2"} {
			for _, kernel := range []string{"metropolis", "heatbath-scan"} {
				cases := longtest.Must(subject.Selection{
					Reader:        forms.Reader(),
					Toys:          []string{toy},
					Distributions: []int{2},
					Path:          "geometric",
					Schedule:      "linear",
					Kernel:        kernel,
				}.Cases(t.Context()))(t)
				findings := longtest.Must(
					aide.Check(t.Context(), longtest.Must(aide.Parse(selector))(t), cases, nil),
				)(t)
				for _, f := range findings {
					if f.Verdict == check.Fault ||
						f.Verdict == check.Open && toy == "cells:0:600" && selector != "smc:2" {
						t.Errorf("%s, %s, %s: %s is %s: %s", toy, selector, kernel, f.Name, f.Verdict, f.Where)
					}
				}
			}
		}
	}
}

// TestCheckOfExtinctRuns: AIDE's mean is infinite if a run may be extinct, and what would be
// compared with it is open, not left out.
func TestCheckOfExtinctRuns(t *testing.T) {
	name := longtest.File(t, "p.csv", "0.5,0,0.5\n")
	cases := longtest.Must(subject.Selection{
		Reader:        forms.Reader(),
		Toys:          []string{"prob:" + name},
		Distributions: []int{2},
		Path:          "geometric",
		Schedule:      "linear",
		Kernel:        "metropolis",
	}.Cases(t.Context()))(t)
	choice := longtest.Must(aide.Parse("sir:2"))(t)
	findings := longtest.Must(aide.Check(t.Context(), choice, cases, nil))(t)
	open := 0
	for _, f := range findings {
		if f.Verdict == check.Open {
			open++
		}
	}
	if open != 5 || len(findings) != 16 {
		t.Errorf("%d of %d findings are open", open, len(findings))
	}
}

// TestCheckOfTooManyParticles says what it would take.
func TestCheckOfTooManyParticles(t *testing.T) {
	choice := longtest.Must(aide.Parse("smc:40"))(t)
	longtest.Refuses(aide.Check(context.Background(), choice, smallCases(t, "metropolis"), nil))(t, "branches")
}

// TestCheckOfHugeNumbers: more than can be counted is refused before anything is begun.
func TestCheckOfHugeNumbers(t *testing.T) {
	for _, selector := range []string{"sir:1000000000", "mh:1000000000", "smc:1000000000"} {
		choice := longtest.Must(aide.Parse(selector))(t)
		longtest.Refuses(aide.Check(context.Background(), choice, smallCases(t, "metropolis"), nil))(t,
			"at most 1000",
			selector,
		)
	}
}

// TestColumns: a finding says of which case and algorithm it is.
func TestColumns(t *testing.T) {
	f := aide.Finding{
		Case:      smallCases(t, "metropolis")[0],
		Algorithm: "sir:2",
		Finding:   check.Undecided("mean_xi", "why"),
	}
	var cells []any
	for _, column := range aide.FindingColumns() {
		if cell := column.Of(&f); column.Name == "toy" || column.Name == "algorithm" ||
			column.Name == "finding" || column.Name == "value" {
			cells = append(cells, cell)
		}
	}
	if want := []any{"random:1:0:2", "sir:2", "mean_xi", nil}; !slices.Equal(cells, want) {
		t.Errorf("%v, want %v", cells, want)
	}
}
