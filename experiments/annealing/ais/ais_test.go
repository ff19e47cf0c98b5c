package ais_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact/weights"
	"breadboard/experiments/annealing/ais"
	"breadboard/experiments/forms"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

// TestEstimatesWithZeros: if chains are kept from part of the paths, the averages of weights have
// another expectation than Z_T/Z_1, which must be the exact value shown.
func TestEstimatesWithZeros(t *testing.T) {
	inf := math.Inf(-1)
	cases := casetest.MustCases(t, casetest.Selection([]int{20}, "random:1:0:3x3"))
	cases[0].Algorithm = casetest.Linear(
		t,
		[]float64{3, 2, 1, inf, 2.5, 2, 2.7, 3, inf},
		kernels.Metropolis{Space: cases[0].Toy.Space},
		20,
	)
	runs := casetest.Rows(t, ais.Study(), cases, ais.Options{Chains: 50_000, Seed: 1})
	for _, q := range runs[0].Quantities {
		switch q.Name {
		case "log_mean_w_forward", "log_mean_w_reverse":
			if !(math.Abs(q.Z()) < 7) {
				t.Errorf("%s = %v, exactly %v: %v standard errors", q.Name, q.Estimate, q.Exact, q.Z())
			}
			want := ""
			if q.Name == "log_mean_w_reverse" {
				// a forward chain starts where f is positive with probability 7/9
				want = "zeros of f exclude part of the paths: the expectation is log(Z_T/Z_1) +0.251314"
			}
			if q.Note != want {
				t.Errorf("%s: note %q, want %q", q.Name, q.Note, want)
			}
		case "mean_log_w_forward":
			if !math.IsInf(q.Estimate, -1) || !math.IsInf(q.Exact, -1) {
				t.Errorf("%s = %v, exactly %v", q.Name, q.Estimate, q.Exact)
			}
		}
	}
}

// TestPlugInOfFewChains: a histogram of few chains says how few they are, and is no estimate of J;
// with more there is one again.
func TestPlugInOfFewChains(t *testing.T) {
	for chains, known := range map[int]bool{2: false, 20: false, 1000: true} {
		for _, q := range casetest.Rows(t, ais.Study(), casetest.MustCases(t, casetest.Selection([]int{10}, "barrier")),
			ais.Options{Chains: chains, Seed: 1})[0].Quantities {
			if q.Name != "J_plugin" {
				continue
			}
			if got := !math.IsNaN(q.Estimate); got != known || !math.IsNaN(q.Bias) != known ||
				!math.IsNaN(q.Z()) ||
				strings.Contains(q.Note, "too few chains") == known {
				t.Errorf("%d chains: %+v, z = %v", chains, q, q.Z())
			}
		}
	}
}

func TestSameNumbersForAnyWorkers(t *testing.T) {
	cases := casetest.MustCases(t, casetest.Selection([]int{3}, "easy", "barrier"))
	var want []ais.Row
	longtest.Only(t)
	// in two blocks
	several := []int{1, 7}
	n := 33_000
	if longtest.More() {
		several = []int{1, 7, 2, 1}
		n = 100_000
	}
	for _, workers := range several {
		got := casetest.RowsBy(t, ais.Study(), cases, ais.Options{Chains: n, Seed: 5}, study.How{Workers: workers})
		if want == nil {
			want = got
		}
		for i := range got {
			if !reflect.DeepEqual(got[i].Forward, want[i].Forward) ||
				!reflect.DeepEqual(got[i].Reverse, want[i].Reverse) {
				t.Errorf("%d workers: chains of %s differ", workers, &got[i].Case)
			}
		}
	}
	if reflect.DeepEqual(want[0].Forward.First[:1000], want[0].Forward.First[n/2:n/2+1000]) ||
		reflect.DeepEqual(want[0].Forward.First, want[1].Forward.First) {
		t.Error("blocks or cases share their random numbers")
	}
}

func TestAISOptions(t *testing.T) {
	for want, o := range map[string]ais.Options{
		"at least 2":        {Chains: 1},
		"0 chains":          {},
		"-5 chains":         {Chains: -5},
		"the limit is 8 GB": {Chains: math.MaxInt / 2},
	} {
		casetest.Refuses(t, ais.Study(), nil, o, want)
	}
}

func TestAISInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cases := casetest.MustCases(t, casetest.Selection([]int{100_000}, "easy"))
	_, err := study.Run(
		ctx,
		ais.Study(),
		cases,
		ais.Options{Chains: 1_000_000},
		study.How{Progress: func(int) { cancel() }},
	)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestAFailedCaseLeavesTheOthers(t *testing.T) {
	cases := casetest.MustCases(t, casetest.Selection([]int{5}, "easy", "hard"))
	cases[0].Algorithm = casetest.MovedBy(t, cases[0].Annealing(), casetest.Stuck{})
	runs, err := study.Run(context.Background(), ais.Study(), cases, ais.Options{Chains: 100}, study.How{})
	if err != nil || runs[0].Err == nil || !strings.Contains(runs[0].Err.Error(), "stage t = 2 of 5") ||
		runs[1].Err != nil || len(runs[1].Quantities) == 0 {
		t.Errorf("errors %v and %v", runs[0].Err, runs[1].Err)
	}
}

// TestBAR compares with a root found by brute force, and with a case that is known: two normal
// distributions of log w, N(-s^2/2, s^2) forward and N(s^2/2, s^2) in reverse, have log Z_T/Z_1 =
// 0.
func TestBAR(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	forward, reverse := make([]float64, 4000), make([]float64, 1000)
	for i := range forward {
		forward[i] = rng.NormFloat64()*1.5 - 1.125
	}
	for i := range reverse {
		reverse[i] = rng.NormFloat64()*1.5 + 1.125
	}
	got := ais.BAR(forward, reverse)
	if math.Abs(got.Value) > 7*got.StandardError || !(got.StandardError > 0.01 && got.StandardError < 0.1) {
		t.Errorf("log Z ratio %v +- %v, want 0", got.Value, got.StandardError)
	}
	sides := func(c float64) (f, r float64) {
		for _, l := range forward {
			f += 1 / (1 + 4*math.Exp(c-l))
		}
		for _, l := range reverse {
			r += 1 / (1 + 0.25*math.Exp(l-c))
		}
		return f, r
	}
	if f, r := sides(got.Value); math.Abs(f-r) > 1e-9*f {
		t.Errorf("at the root the sides are %v and %v", f, r)
	}
	if v := ais.BAR([]float64{math.Inf(-1)}, []float64{math.Inf(1)}); !math.IsNaN(v.Value) {
		t.Errorf("of no finite weight BAR is %v", v)
	}
	if v := ais.BAR([]float64{3, 3}, []float64{3, 3}); math.Abs(v.Value-3) > 1e-12 {
		t.Errorf("of weights e^3 BAR is %v", v)
	}
	for _, far := range []float64{8, 2000} {
		for i := range 100 {
			forward[i], reverse[i] = -far-float64(i%7), far+float64(i%5)
		}
		if v := ais.BAR(forward[:100], reverse[:100]); !math.IsNaN(v.StandardError) ||
			math.Abs(v.Value) > 10 {
			t.Errorf("of weights without overlap BAR is %+v", v)
		}
	}
}

func TestLogMeanExp(t *testing.T) {
	e := ais.LogMeanExp([]float64{1000, 1000 + math.Log(3)}, 1)
	if math.Abs(e.Value-(1000+math.Log(2))) > 1e-12 || math.Abs(e.StandardError-0.5) > 1e-12 {
		t.Errorf("%+v", e)
	}
	near := []float64{1e-10, -1e-10} // of which the squares add up to 2 but for rounding
	for _, se := range []float64{ais.LogMeanExp(near, 1).StandardError,
		ais.BAR(slices.Repeat(near, 10), slices.Repeat(near, 10)).StandardError * math.Sqrt(40)} {
		if math.Abs(se-1e-10) > 1e-15 {
			t.Errorf("weights that are nearly equal: the standard error is %v", se)
		}
	}
	if e := ais.LogMeanExp([]float64{math.Inf(-1), math.Inf(-1)}, 1); !math.IsInf(e.Value, -1) {
		t.Errorf("%+v", e)
	}
}

// TestConstantCostsNoDigits: with the same random numbers, a constant of 1e12 in log f is added to
// what is made of log weights, and changes nothing else in the last digit, z included.
func TestConstantCostsNoDigits(t *testing.T) {
	space := grid.MustNew(3, 3)
	run := func(constant float64) ais.Row {
		g := []float64{0.25, -1, 2, 0.015625, -0.5, 1.5, -2, 3, 0}
		for x := range g {
			g[x] += constant
		}
		path := longtest.Must(paths.NewPowerMean(0.5, nil, g))(t)
		a := longtest.Must(chains.NewAnnealing(path, schedules.Power{P: 2}, kernels.Metropolis{Space: space}, 20))(t)
		c := subject.Case{Toy: &toys.Toy{Name: "raised", Space: space, G: g}, Algorithm: a,
			Params: subject.Setting{T: 20, Path: "q:0.5", Schedule: "power:2", Kernel: "metropolis"}.Params()}
		runs, err := study.Run(context.Background(), ais.Study(), []subject.Case{c},
			ais.Options{Chains: 1000, Seed: 1}, study.How{})
		if err != nil || runs[0].Err != nil {
			t.Fatal(err, runs[0].Err)
		}
		return runs[0]
	}
	const constant = 1e12
	plain := run(0)
	raised := run(constant)
	for i, q := range plain.Quantities {
		r := raised.Quantities[i]
		if near := func(a, b float64) bool {
			return a == b || math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= 1e-11
		}; !near(q.Z(), r.Z()) ||
			!near(q.StandardError, r.StandardError) {
			t.Errorf("%s: z %v and %v, standard error %v and %v", q.Name, q.Z(), r.Z(), q.StandardError,
				r.StandardError)
		}
		shift := 0.0
		if strings.Contains(q.Name, "log") || q.Name == "bar" {
			shift = constant
		}
		if tolerance := 1e-13 + shift*0x1p-52; math.Abs(q.Estimate+shift-r.Estimate) > tolerance ||
			math.Abs(q.Exact+shift-r.Exact) > tolerance {
			t.Errorf("%s: %v of %v, and with the constant %v of %v", q.Name, q.Estimate, q.Exact,
				r.Estimate, r.Exact)
		}
	}
	if l := raised.Forward.LogW[0]; math.Abs(l-constant-plain.Forward.LogW[0]) > 1e-3 {
		t.Errorf("the log weights are %v and %v", plain.Forward.LogW[0], l)
	}
}

// Estimates of a run beside their exact expectations.
func Example_aisStudy() {
	cases, _ := subject.Selection{
		Reader:        forms.Reader(),
		Toys:          []string{"easy"},
		Distributions: []int{100},
		Path:          "geometric",
		Schedule:      "linear",
		Kernel:        "metropolis",
	}.Cases(context.Background())
	rows, err := study.Run(context.Background(), ais.Study(), cases, ais.Options{Chains: 1000, Seed: 1}, study.How{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, q := range rows[0].Quantities {
		fmt.Printf("%s: %.3f, exactly %.3f\n", q.Name, q.Estimate, q.Exact)
	}
	// Output:
	// mean_log_w_forward: 2.000, exactly 1.982
	// mean_log_w_reverse: 2.475, exactly 2.476
	// B: 0.475, exactly 0.494
	// kl_q_p_upper: 0.254, exactly 0.272
	// kl_p_q_upper: 0.221, exactly 0.222
	// log_mean_w_forward: 2.264, exactly 2.254
	// log_mean_w_reverse: 2.219, exactly 2.254
	// bar: 2.263, exactly 2.254
	// J_plugin: 0.145, exactly 0.130
}

// TestAisSwept: a sweep keeps every number of every quantity under its name.
func TestAisSwept(t *testing.T) {
	ctx := context.Background()
	swept := ais.Study().Declaration.Sweep()
	cases := casetest.MustCases(t, casetest.Selection([]int{12}, "easy"))
	o := longtest.Must(swept.SolveRow(ctx, forms.Reader(), append(cases[0].Parts(),
		subject.Param{Name: "chains", Value: "300"}, subject.Param{Name: "seed", Value: "4"})))(t)
	rows := casetest.Rows(t, ais.Study(), cases, ais.Options{Chains: 300, Seed: 4})
	exact := map[string]string{"bar": "log_z_ratio", "J_plugin": "J"}
	for _, q := range rows[0].Quantities {
		name := q.Name
		if other, is := exact[name]; is {
			name = other
		}
		numbers := map[string]float64{name: q.Exact, q.Name + "_estimate": q.Estimate, q.Name + "_z": q.Z()}
		delete(numbers, "J_plugin_z")
		for column, want := range numbers {
			if got := swept.Value(column, o.Numbers); got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Errorf("%s is %v in a sweep, want %v", column, got, want)
			}
		}
	}
	if len(o.Numbers) != 5*len(rows[0].Quantities)-1 { // J_plugin has no z
		t.Errorf("%d numbers of %d quantities", len(o.Numbers), len(rows[0].Quantities))
	}
}

// TestBlocksOfChains: chains are simulated in blocks of at most 32,768, of which each is reported
// at every stage: as many chains make one block in each direction, and one more makes two that
// differ by no more than one.
func TestBlocksOfChains(t *testing.T) {
	cases := casetest.MustCases(t, casetest.Selection([]int{2}, "random:1:1:2x2"))
	for chains, want := range map[int][]int{
		1 << 15: {1 << 15, 1 << 15}, 1<<15 + 1: {1 << 14, 1 << 14, 1<<14 + 1, 1<<14 + 1}} {
		var blocks []int
		h := study.How{Workers: 1, Progress: func(n int) { blocks = append(blocks, n) }}
		longtest.Must(study.Run(context.Background(), ais.Study(), cases, ais.Options{Chains: chains, Seed: 1}, h))(t)
		if len(blocks) != len(want) || blocks[0] != want[0] || blocks[len(blocks)-1] != want[len(want)-1] {
			t.Errorf("%d chains in blocks of %v, want %v", chains, blocks, want)
		}
	}
}

// TestBiasOfLogs: the logarithm of a mean of k numbers of relative variance v is too small by v/2k,
// and that of the harmonic mean too large; if v/k is a tenth or more there is no note.
func TestBiasOfLogs(t *testing.T) {
	cases := casetest.MustCases(t, casetest.Selection([]int{20}, "easy"))
	for _, d := range []chains.Direction{chains.Forward, chains.Reverse} {
		power := 1.0
		name := "log_mean_w_forward"
		sign := -1.0
		if d == chains.Reverse {
			power = -1
			name = "log_mean_w_reverse"
			sign = 1
		}
		k := longtest.Must(weights.CGF(context.Background(), cases[0].Annealing(), d, []float64{power, 2 * power}))(t)
		v := math.Expm1(k[1] - 2*k[0])
		for _, share := range []float64{0.5, 1.05, 1.5} { // of the chains from which on there is a note
			n := int(math.Ceil(10 * v * share))
			runs := casetest.Rows(t, ais.Study(), cases, ais.Options{Chains: n, Seed: 1})
			for _, q := range runs[0].Quantities {
				if q.Name != name {
					continue
				}
				if stated := !math.IsNaN(q.StandardError); stated != (share > 1) {
					t.Errorf("%s with %d chains, a relative variance of %v: stated %v", name, n,
						v/float64(n), stated)
				}
				if share > 1 && !(math.Abs(q.Bias/(sign*v/2/float64(n))-1) < 1e-9) {
					t.Errorf("%s: bias %v, by hand %v", name, q.Bias, sign*v/2/float64(n))
				}
			}
		}
	}
}

// TestMemoryOfChains: chains of an annealing take 64 bytes each while they run, and 32 for each
// other annealing; the limit is 8 GB.
func TestMemoryOfChains(t *testing.T) {
	for _, c := range []struct {
		chains, cases int
		ok            bool
	}{{125_000_000, 1, true}, {125_000_001, 1, false}, {62_500_000, 3, true}, {62_500_001, 3, false},
		{2, 1, true}, {1, 1, false}} {
		if err := (ais.Options{Chains: c.chains}).Validate(c.cases); (err == nil) != c.ok {
			t.Errorf("%d chains of %d annealings: %v", c.chains, c.cases, err)
		}
	}
}

// TestAISSameAlone: estimates that are asked for alone are those among all columns, to the last
// bit, with fewer chains than states and with more; the exact solution is then left out only if
// nothing needs it, and a kernel that is not of the library is solved to check it.
func TestAISSameAlone(t *testing.T) {
	s := casetest.Selection([]int{3, 40}, "easy", "ising:2x3:0.6", "cells:0:-37:2:-700")
	for _, chains := range []int{7, 400} {
		if chains > 7 && !longtest.Enabled() {
			continue
		}
		cases := casetest.MustCases(t, s)
		o := ais.Options{Chains: chains, Seed: 2}
		casetest.SameAlone(t, ais.Study(), cases, o)
		all := casetest.Rows(t, ais.Study(), cases, o)
		for i, r := range casetest.RowsBy(t, ais.Study(), cases, o, study.How{Columns: ais.Study().Declaration.Quick}) {
			solved := !math.IsNaN(r.Exact.J)
			if few := chains < r.Annealing().States(); solved == few {
				t.Errorf("%s: %d chains, solved: %v", &r.Case, chains, solved)
			}
			for k, q := range r.Quantities {
				if want := all[i].Quantities[k]; q.Name != want.Name ||
					fmt.Sprint(q.Estimate) != fmt.Sprint(want.Estimate) {
					t.Errorf("%s: %s is %v alone, and %v with all columns", &r.Case, q.Name, q.Estimate,
						want.Estimate)
				}
			}
		}
	}
	cases := casetest.MustCases(t, s)[:1]
	cases[0].Algorithm = casetest.Linear(t, cases[0].Toy.G, outside{kernels.Metropolis{Space: cases[0].Toy.Space}}, 3)
	for _, r := range casetest.RowsBy(
		t,
		ais.Study(),
		cases,
		ais.Options{Chains: 2},
		study.How{Columns: ais.Study().Declaration.Quick},
	) {
		if math.IsNaN(r.Exact.J) {
			t.Error("a kernel that is not of the library is not checked")
		}
	}
}

// outside is a kernel that is not of the library.
type outside struct{ chains.Kernel }
