package export_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/exact"
	"breadboard/exact/kernel"
	"breadboard/exact/stages"
	"breadboard/experiments/data/export"
	"breadboard/experiments/forms"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
)

// exportedCase returns the annealing of selectors.
func exportedCase(t *testing.T, toy string, T int, kernelName string) subject.Case {
	t.Helper()
	s := subject.Selection{
		Reader:        forms.Reader(),
		Toys:          []string{toy},
		Distributions: []int{T},
		Path:          "geometric",
		Schedule:      "linear",
		Kernel:        kernelName,
	}
	cases := longtest.Must(s.Cases(context.Background()))(t)
	return cases[0]
}

// of returns arrays by their names.
func of(t *testing.T, c subject.Case, at string, names ...string) map[string]export.Array {
	t.Helper()
	chosen := longtest.Must(export.ParseStages(at))(t)
	list := longtest.Must(export.ArraysOf(context.Background(), c, export.Options{Names: names, Stages: chosen}))(t)
	out := map[string]export.Array{}
	for _, a := range list {
		if _, twice := out[a.Name]; twice {
			t.Errorf("two arrays are called %s", a.Name)
		}
		n := 1
		for _, side := range a.Shape() {
			n *= side
		}
		if len(a.Floats)+len(a.Integers)+len(a.Texts) != n {
			t.Errorf("%s has the shape %v and %d, %d and %d values", a.Name, a.Shape(), len(a.Floats),
				len(a.Integers), len(a.Texts))
		}
		out[a.Name] = a
	}
	return out
}

func sameNumbers(t *testing.T, what string, got, want []float64) {
	t.Helper()
	if !slices.EqualFunc(got, want, func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }) {
		t.Errorf("%s: %v, want the bits of %v", what, got, want)
	}
}

// TestBits: arrays have the bits of what the library computes, in the shape of the grid.
func TestBits(t *testing.T) {
	c := exportedCase(t, "random:2:7:3x4", 11, "metropolis")
	// see TestExportedLaws
	quick := slices.DeleteFunc(export.Names(), func(name string) bool { return name == "law" })
	got := of(t, c, "1,0.5,last", quick...)
	s := longtest.Must(exact.Solve(context.Background(), c.Annealing(), exact.Options{}))(t)
	sameNumbers(t, "p", got["p"].Floats, s.Target)
	sameNumbers(t, "q", got["q"].Floats, s.Output)
	sameNumbers(t, "log_f", got["log_f"].Floats, c.Toy.G)
	numbers := map[string]float64{
		"J": s.J, "B": s.B, "kl_q_p": s.KLQP, "kl_p_q": s.KLPQ, "log_z_ratio": s.LogZRatio,
		"mean_log_w_forward": s.MeanLogWForward, "mean_log_w_reverse": s.MeanLogWReverse,
	}
	for name, want := range numbers {
		sameNumbers(t, name, got[name].Floats, []float64{want})
	}
	if z := got["log_z"].Floats[0]; math.Abs(z-(s.LogZRatio+math.Log(12))) > 1e-12 {
		t.Errorf("log_z %v, and log_z_ratio + log 12 is %v", z, s.LogZRatio+math.Log(12))
	}
	marginals := longtest.Must(stages.Marginals(context.Background(), c.Annealing(), []int{1, 6, 11}))(t)
	// the last stage has the bits of p and q
	marginals[2].P, marginals[2].Forward, marginals[2].Reverse = s.Target, s.Output, s.Target
	for i, m := range marginals {
		for name, want := range map[string][]float64{"p_t": m.P, "q_t": m.Forward, "r_t": m.Reverse} {
			sameNumbers(t, name, got[name].Floats[12*i:12*(i+1)], want)
		}
	}
	gap := longtest.Must(stages.GapByStage(context.Background(), c.Annealing(), nil))(t)
	for i, g := range gap.Stages {
		sameNumbers(t, "gap", []float64{
			got["gap_forward"].Floats[i], got["gap_reverse"].Floats[i], got["gap_jeffreys"].Floats[i]},
			[]float64{g.Forward, g.Reverse, g.Jeffreys})
	}
	total := 0.0
	for _, v := range got["contributions"].Floats {
		total += v
	}
	if math.Abs(total-s.B) > 1e-12*(1+s.B) {
		t.Errorf("the contributions add up to %v, and B is %v", total, s.B)
	}
	for name, want := range map[string]string{
		"p": "[3 4]", "q_t": "[3 3 4]", "stages": "[3]", "beta": "[11]", "gap_forward": "[10]", "J": "[]",
		"toy": "[]", "shape": "[2]", "labels": "[3 4]",
		"kernel_6": "[12 12]", "kernel_6_indptr": "[13]",
	} {
		a := got[name]
		if fmt.Sprint(a.Shape()) != want {
			t.Errorf("%s has the shape %v, want %s", name, a.Shape(), want)
		}
	}
	if fmt.Sprint(got["stages"].Integers, got["shape"].Integers, got["T"].Integers, got["toy"].Texts,
		got["kernel"].Texts) != "[1 6 11] [3 4] [11] [random:2:7:3x4] [metropolis]" {
		t.Errorf("%v %v %v", got["stages"], got["shape"], got["toy"])
	}
	if _, there := got["kernel_1"]; there {
		t.Error("stage 1 has a kernel")
	}
}

// TestKernels: both forms of a kernel are its rows, and the compressed one has the columns of each
// row in order.
func TestExportedKernels(t *testing.T) {
	c := exportedCase(t, "random:2:7:3x4", 6, "heatbath-scan")
	got := of(t, c, "3", "kernel_csr", "kernel_dense")
	logf := make([]float64, 12)
	c.Annealing().LogF(logf, 3)
	rows := longtest.Must(kernel.NewRows(context.Background(), c.Annealing().KernelAt(3), logf))(t)
	data := got["kernel_3_data"].Floats
	to := got["kernel_3_indices"].Integers
	starts := got["kernel_3_indptr"].Integers
	for x := range 12 {
		if !slices.IsSorted(to[starts[x]:starts[x+1]]) {
			t.Errorf("the columns of row %d are %v", x, to[starts[x]:starts[x+1]])
		}
		sparse := make([]float64, 12)
		for i := starts[x]; i < starts[x+1]; i++ {
			sparse[to[i]] += data[i]
		}
		for y := range 12 {
			if want := rows.EntryAt(x, y); sparse[y] != want || got["kernel_3"].Floats[12*x+y] != want {
				t.Errorf("from %d to %d: %v and %v, want %v", x, y, sparse[y],
					got["kernel_3"].Floats[12*x+y], want)
			}
		}
	}
}

// TestLaws: the probabilities of a distribution add up to one and give the mean of log w, on a
// lattice and off it, with zeros of f and without.
func TestExportedLaws(t *testing.T) {
	zeros := longtest.File(t, "zeros.csv", "3,0\n1,1\n")
	for _, toy := range []string{"barrier:3x3", "prob:" + zeros, "random:2:7:2x2"} {
		if !longtest.More() && toy == "random:2:7:2x2" {
			continue // it takes the seconds of an inversion, which package weights tests in every run
		}
		c := exportedCase(t, toy, 5, "metropolis")
		got := of(t, c, "last", "law", "mean_log_w_forward", "mean_log_w_reverse")
		for _, d := range []string{"forward", "reverse"} {
			at := func(suffix string) []float64 { return got["law_"+d+suffix].Floats }
			values := at("_log_w")
			p := at("_p")
			atMost := at("_at_most")
			low := at("_low")
			high := at("_high")
			total := 0.0
			mean := 0.0
			width := 0.0
			for i, v := range values {
				total += p[i]
				mean += p[i] * v
				if i > 0 {
					width = max(width, v-values[i-1])
				}
				if math.Abs(atMost[i]-total) > 1e-12 || !(low[i] <= atMost[i] && atMost[i] <= high[i]) {
					t.Errorf("%s, %s: at most %v with probability %v in [%v, %v], and the sum so far is %v",
						toy, d, v, atMost[i], low[i], high[i], total)
				}
			}
			want := got["mean_log_w_"+d].Floats[0]
			if toy == "prob:"+zeros && d == "forward" { // the mean is then that of zero weights
				if !math.IsInf(values[0], -1) || !(p[0] > 0) || !math.IsInf(mean, -1) ||
					!math.IsInf(want, -1) {
					t.Errorf("%s: the first value is %v with probability %v, and the mean %v", toy,
						values[0], p[0], want)
				}
				mean = 0
				want = 0
			}
			if math.Abs(total-1) > 1e-12 || math.Abs(mean-want) > width+1e-12 ||
				toy == "barrier:3x3" && math.Abs(mean-want) > 1e-11 {
				t.Errorf("%s, %s: the sum is %v and the mean %v, want %v", toy, d, total, mean, want)
			}
		}
	}
}

// TestStages: stages are numbers, shares and words, and each is taken once.
func TestStages(t *testing.T) {
	for text, want := range map[string]string{
		"all": "[1 2 3 4 5]", "last": "[5]", "5,1,1": "[1 5]", "0.25,0.5,0.75": "[2 3 4]",
		"0.01,0.99": "[1 5]", " 2 , last": "[2 5]", "1e0": "[1]",
	} {
		stages, err := export.ParseStages(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got, err := stages.ListStages(5); err != nil || fmt.Sprint(got) != want {
			t.Errorf("%s: %v, %v, want %s", text, got, err, want)
		}
		if stages.String() != strings.ReplaceAll(text, " ", "") {
			t.Errorf("%q is written %q", text, stages)
		}
	}
	for text, want := range map[string]string{
		"": "empty", "1,,2": "empty", "0": "0 is not a stage", "-1": "-1 is not a stage",
		"1.5": "1.5 is not a stage", "first": "not a number",
		"all,1": "give it alone", "1e300": "is not a stage",
	} {
		longtest.Refuses(export.ParseStages(text))(t, want)
	}
	six := longtest.Must(export.ParseStages("6"))(t)
	longtest.Refuses(six.ListStages(5))(t, "stage 6 of an annealing with 5 distributions; stages are 1 to 5")
	rapid.Check(t, func(t *rapid.T) { // every share is a stage, and larger shares are no earlier ones
		T := rapid.IntRange(2, 1_000_000).Draw(t, "T")
		u, v := rapid.Float64Range(1e-300, 1).Draw(t, "u"), rapid.Float64Range(1e-300, 1).Draw(t, "v")
		at := func(u float64) int {
			s, err := export.ParseStages(fmt.Sprintf("%v", u))
			if err != nil || u == 1 {
				return T
			}
			got, err := s.ListStages(T)
			if err != nil || got[0] < 1 || got[0] > T {
				t.Fatal(got, err)
			}
			return got[0]
		}
		if u < v && at(u) > at(v) {
			t.Fatalf("%v is stage %d and %v stage %d", u, at(u), v, at(v))
		}
	})
}

func FuzzParseStages(f *testing.F) {
	for _, s := range []string{"all", "0.5,last", "1,2", "1e9", ","} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		stages, err := export.ParseStages(text)
		if err != nil {
			return
		}
		got, err := stages.ListStages(10)
		for _, s := range got {
			if err == nil && (s < 1 || s > 10) {
				t.Fatalf("%q has stage %d of 10", text, s)
			}
		}
	})
}

// TestRefused: what cannot be given is refused before anything is computed, by a message with the
// cure.
func TestExportRefuses(t *testing.T) {
	all := longtest.Must(export.ParseStages("all"))(t)
	first := longtest.Must(export.ParseStages("1"))(t)
	small := exportedCase(t, "easy", 10, "metropolis")
	large := exportedCase(t, "barrier:301x301", 100_000, "metropolis")
	for _, c := range []struct {
		of   subject.Case
		o    export.Options
		want string
	}{
		{small, export.Options{Names: []string{"qq"}, Stages: all}, `unknown array "qq"; did you mean q?`},
		{small, export.Options{Names: []string{"q", "p", "q"}, Stages: all}, "q twice"},
		{small, export.Options{Names: []string{"kernel_csr"}, Stages: first}, "stage 1 has no kernel"},
		{small, export.Options{Names: []string{"q"}}, "no stage is named"},
		{large, export.Options{Names: []string{"q_t"}, Stages: all}, "take about 217 GB, and the limit is 2 GB"},
		{large, export.Options{Names: []string{"kernel_csr"}, Stages: all}, "TB, and the limit is 2 GB"},
		{large, export.Options{Names: []string{"kernel_dense"}, Stages: all},
			"there are 90601 states, but the limit of the array kernel_dense is 1024"},
	} {
		longtest.Refuses(export.ArraysOf(context.Background(), c.of, c.o))(t, c.want)
	}
}

func Example_export() {
	selection := subject.Selection{
		Reader:        forms.Reader(),
		Toys:          []string{"barrier:3x3"},
		Distributions: []int{10},
		Path:          "geometric",
		Schedule:      "linear",
		Kernel:        "metropolis",
	}
	cases, err := selection.Cases(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	last, err := export.ParseStages("last")
	if err != nil {
		fmt.Println(err)
		return
	}
	list, err := export.ArraysOf(
		context.Background(),
		cases[0],
		export.Options{Names: []string{"q", "J"}, Stages: last},
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, a := range list {
		fmt.Printf("%s %v %.4f\n", a.Name, a.Shape(), a.Floats)
	}
	// Output:
	// q [3 3] [0.2435 0.0025 0.2537 0.0025 0.0039 0.0025 0.2455 0.0025 0.2435]
	// J [] [1.9017]
}
