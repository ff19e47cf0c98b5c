package rank_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/exact/averages"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/mcmc/samplers/rank"
	"breadboard/experiments/study"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

// problems returns the problems of kernels on a line with the given g, with the function g.
func problems(t testing.TB, g []float64, names ...string) []samplers.Problem {
	t.Helper()
	toy := &toys.Toy{Name: "line", Space: grid.MustNew(len(g)), G: g}
	var all []samplers.Problem
	for _, name := range names {
		k := longtest.Must(kernels.Forms().Parse(name, kernels.Env{Space: toy.Space}))(t)
		all = append(all, problem(t, toy, name, k))
	}
	return all
}

func problem(t testing.TB, toy *toys.Toy, name string, k chains.Kernel) samplers.Problem {
	t.Helper()
	c := longtest.Must(averages.New(t.Context(), k, toy.G))(t)
	f := longtest.Must(samplers.ParseFunction("g", toy, c))(t)
	return samplers.Problem{Toy: toy, Kernel: name, Moves: k, Chain: c, Functions: []samplers.Function{f}}
}

// orderRun makes the comparisons of kernels on a line.
func orderRun(t testing.TB, g []float64, o rank.OrderOptions, names ...string) []rank.OrderRow {
	t.Helper()
	return compared(t, problems(t, g, names...), o)
}

// compared makes the comparisons of problems.
func compared(t testing.TB, all []samplers.Problem, o rank.OrderOptions) []rank.OrderRow {
	t.Helper()
	return casetest.Rows(t, rank.Order(), all, o)
}

// TestPeskunFailsAtFiniteN: values that another program has found. On a line of six Metropolis has the larger error of three samples.
func TestPeskunFailsAtFiniteN(t *testing.T) {
	for _, c := range []struct {
		g                  []float64
		n                  int64
		metropolis, barker float64
		verdict            rank.Verdict
	}{
		{[]float64{3, 3, -3, -2, -3, 3}, 3, 0.8038074369003924, 0.8027142578732862, rank.Fails},
		{[]float64{4, -3, -2}, 1000, 0.020728982004349607, 0.023325047608851283, rank.Holds},
	} {
		for _, names := range [][]string{{"metropolis", "barker"}, {"barker", "metropolis"}} {
			rows := orderRun(t, c.g, rank.OrderOptions{N: []int64{c.n}}, names...)
			if len(rows) != 2 || !rows[0].Limit() || rows[0].Verdict != rank.Holds || rows[0].Ratio > 1 {
				t.Fatalf("%v: %v", c.g, rows)
			}
			r := rows[1]
			near := func(got, want float64) bool { return math.Abs(got-want) <= 1e-11*want }
			if r.Comparison.First.Kernel != "metropolis" || r.N != c.n || r.Verdict != c.verdict || !near(r.First, c.metropolis) || !near(r.Second, c.barker) || !near(r.Ratio, c.metropolis/c.barker) {
				t.Errorf("%v: %+v", c.g, r)
			}
		}
	}
}

// TestIdentities: the lazy identity and the order of thinning hold on random targets, ties and large ranges included, for kernels that are
// reversible and one that is not, and where one kernel always moves more than another that is lazy.
func TestIdentities(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rows, cols := rapid.IntRange(1, 3).Draw(rt, "rows"), rapid.IntRange(2, 3).Draw(rt, "cols")
		toy := &toys.Toy{Name: "random", Space: grid.MustNew(rows, cols), G: make([]float64, rows*cols)}
		scale := rapid.SampledFrom([]float64{1e-6, 1, 8}).Draw(rt, "scale")
		constant := rapid.SampledFrom([]float64{0, 1e6}).Draw(rt, "constant")
		for x := range toy.G {
			toy.G[x] = constant + scale*float64(rapid.IntRange(-2, 2).Draw(rt, "g"))
		}
		toy.G[0] = constant + scale*3 // so that g is no constant
		o := rank.OrderOptions{N: []int64{1, 2, 3, 10, 101}, Lazy: []float64{0.1, 0.5}, Thin: []int{2, 3}}
		var all []samplers.Problem
		for _, name := range []string{"metropolis", "barker", "lazy:0.25:metropolis", "heatbath-scan"} {
			k := longtest.Must(kernels.Forms().Parse(name, kernels.Env{Space: toy.Space}))(rt)
			all = append(all, problem(t, toy, name, k))
		}
		result := compared(t, all, o)
		longtest.NoError(rt, rank.Fault(result))
		peskun := 0
		for i := range result {
			r := &result[i]
			if r.Verdict == rank.NoOrder {
				continue
			}
			if r.Check == rank.Peskun {
				peskun++
			}
			if r.N == 1 && r.Check != rank.Lazy && math.Abs(r.Ratio-1) > 1e-9 && (r.Check == rank.Peskun || r.Ratio > 1) {
				rt.Fatalf("%s: one sample is %v of one sample", r.Check, r.Ratio)
			}
			if r.Check == rank.Lazy && scale <= 1 && math.Abs(r.Ratio-1) > 1e-11 { // at 8 some chains are too slow for that
				rt.Fatalf("lazy: %v", r.Ratio)
			}
		}
		if peskun < 2*6 { // metropolis before barker, and before its lazy form
			rt.Fatalf("%d rows are in Peskun's order: %v", peskun, result)
		}
	})
}

// TestThinningByPaths: the errors of all and of every third sample on three states, from all paths.
func TestThinningByPaths(t *testing.T) {
	g := []float64{1, 0, -1.5}
	o := rank.OrderOptions{N: []int64{1, 2}, Thin: []int{3}}
	all := problems(t, g, "metropolis")
	c := all[0].Chain
	transition := func(x, y int) (p float64) {
		for _, e := range c.Rows.Row(x) {
			if e.To == y {
				p += e.P
			}
		}
		return p
	}
	h := all[0].Functions[0].Parts[0].Values
	for _, r := range compared(t, all, o) {
		if r.Limit() {
			continue
		}
		total, kept := 0.0, 0.0
		var walk func(path []int, p float64)
		walk = func(path []int, p float64) {
			if len(path) < 3*int(r.N) {
				for y := range g {
					walk(append(path[:len(path):len(path)], y), p*transition(path[len(path)-1], y))
				}
				return
			}
			mean, thin := 0.0, 0.0
			for i, x := range path {
				mean += h[x] / float64(len(path))
				if i%3 == 0 {
					thin += h[x] / float64(r.N)
				}
			}
			total += p * mean * mean
			kept += p * thin * thin
		}
		for x := range g {
			walk([]int{x}, c.Target[x])
		}
		if math.Abs(r.First-total) > 1e-14 || math.Abs(r.Second-kept) > 1e-14 || r.Verdict != rank.Holds {
			t.Errorf("N = %d: %v and %v, by paths %v and %v, %s", r.N, r.First, r.Second, total, kept, r.Verdict)
		}
	}
}

// TestThinningByANumberThatDoesNotDivide: the chain of the package comment, by which thinning three samples by two gains.
func TestThinningByANumberThatDoesNotDivide(t *testing.T) {
	all, kept := 0.0, 0.0
	around := []float64{1, 2, -1, -2}
	for i := range around {
		a, b, c := around[i], around[(i+1)%4], around[(i+2)%4]
		all += (a + b + c) * (a + b + c) / 9 / 4
		kept += (a + c) * (a + c) / 4 / 4
	}
	if kept != 0 || math.Abs(all-2.5/9) > 1e-15 {
		t.Errorf("errors %v of all and %v of two", all, kept)
	}
}

// TestFaultsAreFound: where a kernel is not what it says it is, a theorem is violated, and the fault names it.
func TestFaultsAreFound(t *testing.T) {
	g := []float64{1, 0, -1.5, 0.5}
	parts := problems(t, g, "metropolis", "barker", "lazy:0.5:metropolis")
	plain, barker, lazy := parts[0], parts[1], parts[2]
	bent := plain // another function in the place of the one that is compared
	f := longtest.Must(samplers.ParseFunction("x0", bent.Toy, bent.Chain))(t)
	bent.Functions = []samplers.Function{f}
	other, faster := plain, lazy // their forms are of another kernel
	other.Moves, faster.Moves = lazy.Moves, plain.Moves
	n := []int64{1, 2, 5}
	for _, c := range []struct {
		want string
		o    rank.OrderOptions
		all  []samplers.Problem
	}{
		{"", rank.OrderOptions{N: n, Lazy: []float64{0.5}, Thin: []int{2}}, []samplers.Problem{plain}},
		{"lazy, toy line, function g, in the limit: kernel metropolis", rank.OrderOptions{N: n, Lazy: []float64{0.5}}, []samplers.Problem{other}},
		{"lazy, ", rank.OrderOptions{N: n, Lazy: []float64{0.4}}, []samplers.Problem{faster}},
		{"thinning, toy line, function g, in the limit", rank.OrderOptions{N: n, Thin: []int{2}}, []samplers.Problem{faster}},
		{"peskun, ", rank.OrderOptions{N: n}, []samplers.Problem{bent, barker}},
	} {
		if err := rank.Fault(compared(t, c.all, c.o)); (err == nil) != (c.want == "") || err != nil && (!strings.Contains(err.Error(), c.want) || !chains.IsFault(err)) {
			t.Errorf("fault %v, want %q", err, c.want)
		}
	}
}

// TestOmitted: kernels that no theorem compares are named, with the reason.
func TestOmitted(t *testing.T) {
	g := []float64{1, 0, -1.5, 0.5}
	result := orderRun(t, g, rank.OrderOptions{N: []int64{1}}, "metropolis", "compose:barker+metropolis", "heatbath", "jump:0.5")
	said := ""
	for _, r := range result {
		if r.Verdict == rank.NoOrder {
			said += fmt.Sprintf("%s and %s: %s\n", r.Comparison.First.Kernel, r.Comparison.Second.Kernel, r.Note)
		}
	}
	for _, want := range []string{
		"metropolis and compose:barker+metropolis: the theorem is for kernels that are reversible, and one of them is not\n",
		"metropolis and jump:0.5: each of them has larger probabilities of some moves\n",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not said in\n%s", want, said)
		}
	}
}

// TestReducible: where a kernel is reducible there is no limit, and the orders at finite N stand.
func TestReducible(t *testing.T) {
	o := rank.OrderOptions{N: []int64{1, 4}, Lazy: []float64{0.5}, Thin: []int{2}}
	result := orderRun(t, []float64{1, 0, math.Inf(-1), 0.5, -1}, o, "metropolis", "barker")
	if err := rank.Fault(result); err != nil {
		t.Error(err)
	}
	for _, r := range result {
		if r.Limit() != (r.Verdict == rank.Unknown) || r.Limit() != strings.Contains(r.Note, "reducible") || r.Limit() != math.IsNaN(r.Ratio) {
			t.Errorf("%s at N = %d: %v, %s, %s", r.Check, r.N, r.Ratio, r.Verdict, r.Note)
		}
	}
}

// TestAll: of a vector the errors are means over its parts.
func TestAll(t *testing.T) {
	toy := longtest.Must(toys.Parse("random:1:0:2x3"))(t)
	o := rank.OrderOptions{N: []int64{7}, Lazy: []float64{0.5}, Thin: []int{2}}
	p := problem(t, toy, "metropolis", kernels.Metropolis{Space: toy.Space})
	p.Functions = nil
	for _, f := range []string{"x0", "x1", samplers.All} {
		function := longtest.Must(samplers.ParseFunction(f, toy, p.Chain))(t)
		p.Functions = append(p.Functions, function)
	}
	result := compared(t, []samplers.Problem{p}, o)
	third := len(result) / 3
	for i := range third {
		x0, x1, all := result[i], result[third+i], result[2*third+i]
		if math.Abs(all.First-(x0.First+x1.First)/2) > 1e-13*all.First || math.Abs(all.Second-(x0.Second+x1.Second)/2) > 1e-13*all.Second || all.Verdict != rank.Holds {
			t.Errorf("%s at N = %d: %v, %v", all.Check, all.N, all.First, all.Second)
		}
	}
}

// TestBadOptions: what is refused.
func TestBadOptions(t *testing.T) {
	all := problems(t, []float64{1, 0}, "metropolis")
	for want, o := range map[string]rank.OrderOptions{
		"N []; give numbers of samples":       {},
		"N [0 1]; give numbers of samples":    {N: []int64{0, 1}},
		"lazy 1; give probabilities":          {N: []int64{1}, Lazy: []float64{1}},
		"lazy NaN; give probabilities":        {N: []int64{1}, Lazy: []float64{math.NaN()}},
		"thin 1; one of how many":             {N: []int64{1}, Thin: []int{1}},
		"thin 10001; one of how many":         {N: []int64{1}, Thin: []int{10_001}},
		"takes 2e+12 samples; the limit is 1": {N: []int64{1e12}, Thin: []int{2}},
	} {
		casetest.Refuses(t, rank.Order(), all, o, want)
	}
	casetest.Ends(t, rank.Order(), all, rank.OrderOptions{N: []int64{1}})
}

func ExampleOrder() {
	toy := &toys.Toy{Name: "line", Space: grid.MustNew(6), G: []float64{3, 3, -3, -2, -3, 3}}
	var problems []samplers.Problem
	for _, k := range []chains.Kernel{kernels.Metropolis{Space: toy.Space}, kernels.Barker{Space: toy.Space}} {
		c, err := averages.New(context.Background(), k, toy.G)
		if err != nil {
			fmt.Println(err)
			return
		}
		f, err := samplers.ParseFunction("g", toy, c)
		if err != nil {
			fmt.Println(err)
			return
		}
		problems = append(problems, samplers.Problem{Toy: toy, Kernel: fmt.Sprint(k), Moves: k, Chain: c, Functions: []samplers.Function{f}})
	}
	rows, err := study.Run(context.Background(), rank.Order(), problems, rank.OrderOptions{N: []int64{4, 2, 3}}, study.How{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range rows {
		fmt.Printf("%s: N = %d: %.10f %s\n", r.Check, r.N, r.Ratio, r.Verdict)
	}
	// Output:
	// peskun: N = 0: 0.9043030950 holds
	// peskun: N = 2: 0.9985220284 holds
	// peskun: N = 3: 1.0013618533 fails at finite N
	// peskun: N = 4: 1.0007800497 fails at finite N
}

// TestForms: a kernel from outside the library, and one that cannot be named within another, have the same forms as any other.
func TestForms(t *testing.T) {
	path := casetest.File(t, "flip.csv", "0,1\n1,0\n")
	o := rank.OrderOptions{N: []int64{1, 2, 3}, Lazy: []float64{0.5}, Thin: []int{2}}
	s := samplers.Selection{Toys: []string{"random:0:0:2"}, Kernels: []string{"matrix:" + path, "repeat:3:metropolis"}, Functions: []string{"x0"}}
	all := longtest.Must(s.Problems(t.Context()))(t)
	// The chain that goes to and fro has the error zero after two samples, and its thinned form never moves.
	result := compared(t, all, o)
	if err := rank.Fault(result); err != nil {
		t.Error(err)
	}
	prefix := map[rank.Check]string{rank.Lazy: "lazy:0.5:", rank.Thinning: "repeat:2:"}
	for _, row := range result {
		if want, is := prefix[row.Check]; is && row.Comparison.Second.Kernel != want+row.Comparison.First.Kernel {
			t.Errorf("%s: %s is compared with %s", row.Check, row.Comparison.First.Kernel, row.Comparison.Second.Kernel)
		}
		if row.Check == rank.Thinning && row.N == 1 && row.Comparison.First.Kernel == s.Kernels[0] && (row.First != 0 || row.Second != 1) {
			t.Errorf("thinning a chain to and fro has errors %v and %v, not 0 and 1", row.First, row.Second)
		}
	}
}
