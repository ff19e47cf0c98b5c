package samplers_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"breadboard/exact/averages"
	"breadboard/experiments/forms"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/study"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// chainsOf is the selection of one kernel on a toy.
func chainsOf(toy, kernel, start string, functions ...string) samplers.Selection {
	return samplers.Selection{
		Reader:    forms.Reader(),
		Toys:      []string{toy},
		Kernels:   []string{kernel},
		Starts:    []string{start},
		Functions: functions,
	}
}

// samplersRun runs the study of one kernel on a toy.
func samplersRun(t testing.TB, toy, kernel, start string, o samplers.LawsOptions,
	functions ...string) []samplers.LawsRow {
	t.Helper()
	return casetest.Rows(t, samplers.Laws(), problemsOf(t, chainsOf(toy, kernel, start, functions...)), o)
}

// TestSuccess: the values were computed by a program independent of this one.
func TestSuccess(t *testing.T) {
	longtest.Only(t)
	for _, want := range []struct {
		toy, kernel, start, function string
		n                            int
		success, ress, tau, coverage float64
	}{
		{"random:0:0:2", "metropolis", "target", "x0", 20, 0.9014921058176516, 20, 1, 0.9586105346679688},
		{"easy", "heatbath-scan", "target", "x0", 30, 0.35106600826780215, 8.920000187843153,
			3.604810812703999, 0.9615600669814043},
		{"easy", "metropolis", "uniform", "x0", 10, 6.75506247138489e-06, 1.0052916522982793,
			536.4229503059656, 1},
	} {
		r := samplersRun(t, want.toy, want.kernel, want.start,
			samplers.LawsOptions{N: []int{want.n}, Chains: 8}, want.function)[0]
		if !math.IsNaN(r.Success.P) {
			samplersNear(t, r.String()+": success", r.Success.P, want.success, 1e-11)
		} else if r.Success.High-r.Success.Low > 1e-5 {
			t.Errorf("%v: success between %v and %v", &r.Setting, r.Success.Low, r.Success.High)
		}
		if !(r.Success.Low <= want.success+1e-15 && want.success <= r.Success.High+1e-15) {
			t.Errorf("%v: success from %v to %v, want %v", &r.Setting, r.Success.Low, r.Success.High, want.success)
		}
		samplersNear(t, r.String()+": RESS", r.RESS.Value, want.ress, 1e-11)
		samplersNear(t, r.String()+": coverage", r.Coverage.Value, want.coverage, 1e-11)
		samplersNear(t, r.String()+": Gaussian success", r.GaussianSuccess.Value,
			samplers.GaussianSuccess(want.ress, 8), 1e-11)
		if math.Abs(r.Tau.Value/want.tau-1) > 1e-9 {
			t.Errorf("%v: tau %v, want %v", &r.Setting, r.Tau.Value, want.tau)
		}
		if mse := r.Sum.MSE().Value; math.Abs(mse*r.RESS.Value-1) > 1e-11 {
			t.Errorf("%v: the distribution has the mean squared error %v, and RESS is %v", &r.Setting, mse,
				r.RESS.Value)
		}
	}
}

// TestGaussianSuccess: with Gaussian errors eight chains of RESS 12 succeed with probability
// 0.5665, and with one chain it is the probability that a standard normal number is at most
// sqrt(RESS/12) in size.
func TestGaussianSuccess(t *testing.T) {
	if p := samplers.GaussianSuccess(12, 8); math.Abs(p-0.5665) > 5e-5 {
		t.Errorf("%v", p)
	}
	for _, ress := range []float64{1e-6, 0.3, 12, 40} {
		samplersNear(t, "one chain", samplers.GaussianSuccess(ress, 1), math.Erf(math.Sqrt(ress/24)), 1e-11)
	}
}

// TestMiddles: of a probability between bounds the columns have the middle.
func TestMiddles(t *testing.T) {
	r := samplers.LawsRow{}
	r.Others.Variance = averages.Bracket{Low: 0.25, High: 0.75}
	r.Others.KS = averages.Bracket{Low: 0.5, High: 1}
	want := map[string]float64{"p_success_var": 0.5, "p_success_ks": 0.75}
	for _, f := range samplers.Laws().Declaration.Columns {
		if v, is := want[f.Name]; is && f.Of(&r) != v {
			t.Errorf("%s is %v", f.Name, f.Of(&r))
		}
	}
}

// TestTauHasDigits: tau has its digits on a large target.
func TestTauHasDigits(t *testing.T) {
	if r := samplersRun(t, "barrier:13x13", "metropolis", "uniform",
		samplers.LawsOptions{N: []int{5}, Chains: 2}, "mode")[0]; r.TauNote != "" ||
		r.Tau.Lost() > 1e-11 {
		t.Errorf("barrier:13x13: %v, %q", r.Tau, r.TauNote)
	}
}

// TestReducible: a chain that cannot leave its class has distributions, but no tau, no coverage and
// no ESSD, and the row says why.
func TestReducible(t *testing.T) {
	r := samplersRun(t, "easy", "heatbath-axis:0", "uniform", samplers.LawsOptions{N: []int{5}, Chains: 2}, "x0<=2")[0]
	if !math.IsNaN(r.Tau.Value) || !math.IsNaN(r.Coverage.Value) || !math.IsNaN(r.ESSDQuantiles.Median.Low) ||
		!strings.Contains(r.TauNote, "there are 7: 7 states, with 3, of probability 0.4007;") ||
		!strings.HasSuffix(r.TauNote, "; 3 more") {
		t.Errorf("tau %v, coverage %v, note %q", r.Tau.Value, r.Coverage.Value, r.TauNote)
	}
	if !(r.Success.High > 0 && r.RESS.Value > 0 && r.RHat.Wrong > 0) ||
		strings.Contains(strings.Join(r.Notes, ""), "too large") {
		t.Errorf("%+v", r)
	}
}

// TestDefaultFunctions: with several chains there is a function of which R-hat has a distribution,
// on any target.
func TestDefaultFunctions(t *testing.T) {
	longtest.Only(t)
	for _, c := range []struct {
		toy    string
		chains int
		want   []string
	}{
		{"barrier", 8, []string{"x0", "mode"}}, {"barrier", 1, []string{"x0"}},
		{"easy", 8, []string{"x0", "x0<=2"}}, {"random:0:0:2", 8, []string{"x0"}},
		{"random:0:0:3", 8, []string{"x0", "x0<=1"}},
	} {
		var names []string
		for _, r := range samplersRun(
			t,
			c.toy,
			"metropolis",
			"uniform",
			samplers.LawsOptions{N: []int{2}, Chains: c.chains},
		) {
			names = append(names, r.Function.Name)
		}
		if !slices.Equal(names, c.want) {
			t.Errorf("%s with %d chains: %v, want %v", c.toy, c.chains, names, c.want)
		}
	}
	graph := samplersRun(t, "graph:permutations:3:random:1:3", "metropolis", "uniform",
		samplers.LawsOptions{N: []int{2}, Chains: 2})
	if len(graph) != 1 || !strings.HasPrefix(graph[0].Function.Name, "g<=") {
		t.Errorf("on a graph: %v", graph)
	}
}

// TestLawsValidate: bad input is refused before anything is computed, with its place and a cure.
func TestLawsValidate(t *testing.T) {
	for _, c := range []struct {
		want, function string
		o              samplers.LawsOptions
	}{
		{"no number of samples", "x0", samplers.LawsOptions{Chains: 2}},
		{"N 0; give numbers of samples from 1 on", "x0", samplers.LawsOptions{N: []int{3, 0}, Chains: 2}},
		{"chains 0; give a number of chains from 1 to 1000", "x0", samplers.LawsOptions{N: []int{3}}},
		{"give chains 2 or more, or a function with other values", "mode",
			samplers.LawsOptions{N: []int{3}, Chains: 1}},
		{"needs the variance of a chain of 2 samples or more; give N 2 or more", "mode",
			samplers.LawsOptions{N: []int{1, 3}, Chains: 2}},
		{"give the coordinates one by one", "all", samplers.LawsOptions{N: []int{3}, Chains: 2}},
		{"known for integers", "g", samplers.LawsOptions{N: []int{3}, Chains: 2}},
		{"take fewer samples", "x0", samplers.LawsOptions{N: []int{1_000_000}, Chains: 2}},
	} {
		toy := "barrier"
		if c.function == "g" {
			toy = "random:1:3:5x5"
		}
		all := problemsOf(t, chainsOf(toy, "metropolis", "uniform", c.function))
		casetest.Refuses(t, samplers.Laws(), all, c.o, c.want)
	}
}

// TestMostSamples: what is too large for N samples says for how many it is not, and a target that
// is too large for every kernel is refused with the first one. The largest N is that of a linear
// search.
func TestMostSamples(t *testing.T) {
	o := samplers.LawsOptions{N: []int{1000}, Chains: 2}
	s := chainsOf("random:1:1:1000", "metropolis", "uniform", "x0")
	all := problemsOf(t, s)
	p := &all[0]
	large, is := errors.AsType[grid.TooLarge](o.Refuse(*p))
	if !is || !(large.Need > large.Limit) {
		t.Fatalf("%+v", large)
	}
	most := 0
	for p.Chain.CheckSumLaw(p.Functions[0].Parts[0], p.Starts[0].Law, most+1) == nil {
		most++
	}
	if want := fmt.Sprintf("up to %d samples fit", most); !strings.Contains(large.Error(), want) {
		t.Errorf("%v; want %s", large, want)
	}
	s.Kernels = []string{"metropolis", "heatbath"}
	s.Refuse = o.Refuse
	built, err := s.Problems(t.Context())
	if _, is := errors.AsType[grid.TooLarge](err); len(built) > 0 || !is {
		t.Errorf("%d problems, %v", len(built), err)
	}
	s.Starts = []string{"point:3"}
	if len(problemsOf(t, s)) != 2 { // another kernel may reach fewer states
		t.Error("a start at one state is refused for all kernels")
	}
}

// TestSamplersInterrupted: if the context has ended nothing is computed.
func TestSamplersInterrupted(t *testing.T) {
	p := problemsOf(t, chainsOf("barrier", "metropolis", "uniform", "x0"))
	casetest.Ends(t, samplers.Laws(), p, samplers.LawsOptions{N: []int{50}, Chains: 8})
	casetest.Ends(t, samplers.Errors(), p, samplers.ErrorsOptions{N: []int64{1e8}, Method: "recursion"})
	casetest.Ends(t, samplers.Times(), p, standard())
}

// Four Metropolis chains of 100 samples on barrier: R-hat is seldom low if the mean is wrong, but
// sixty-two times in a thousand no chain ever moves between the two values, all agree, and there is
// no R-hat that could warn.
func Example_samplersLaws() {
	ctx := context.Background()
	problems, err := samplers.Selection{
		Reader:    forms.Reader(),
		Toys:      []string{"barrier"},
		Kernels:   []string{"metropolis", "heatbath"},
		Starts:    []string{"uniform"},
		Functions: []string{"x0<=1"},
	}.Problems(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	rows, err := study.Run(ctx, samplers.Laws(), problems, samplers.LawsOptions{N: []int{50}, Chains: 4}, study.How{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range rows {
		fmt.Printf("%-10s success %.4f, R-hat < 1.01 and wrong %.2g, constant and wrong %.2g\n",
			r.Kernel, r.Success.P, r.RHat.BelowStrictAndWrong, r.RHat.ConstantAndWrong)
	}
	// Output:
	// metropolis success 0.0253, R-hat < 1.01 and wrong 0.00052, constant and wrong 0.062
	// heatbath   success 0.7031, R-hat < 1.01 and wrong 9.6e-05, constant and wrong 7.1e-21
}

// TestRareEvents: the success of the variance and the quantiles of RESS keep their digits on a
// function that is 1e65 standard deviations from its mean at one state; all samples of a chain are
// alike, so that its variance, zero, is right to within its error of one.
func TestRareEvents(t *testing.T) {
	for kernel, want := range map[string]float64{"stay": 1, "lazy:0.5:metropolis": 0.3469083458185196} {
		r := samplersRun(t, "cells:0:300", kernel, "uniform", samplers.LawsOptions{N: []int{7}, Chains: 2}, "x0")[0]
		if v := r.Others.Variance; math.Abs(v.Low-want) > 1e-12 || math.Abs(v.High-want) > 1e-12 {
			t.Errorf("%s: the success of the variance is from %v to %v, want %v", kernel, v.Low, v.High, want)
		}
		if q, truth := r.RESSQuantiles.Q95, math.Exp(300); !(q.Low <= truth && truth <= q.High) {
			t.Errorf("%s: the quantile %v is from %v to %v", kernel, truth, q.Low, q.High)
		}
	}
	r := samplersRun(t, "cells:210:210/-700:-323.480509", "stay", "mode",
		samplers.LawsOptions{N: []int{3}, Chains: 2}, "x0")[0]
	if q := r.RESSQuantiles.Median; !(q.Low <= 9.7425189073333868e231 && 9.7425189073333868e231 <= q.High &&
		q.High < 1e233) {
		t.Errorf("the median of RESS is from %v to %v", q.Low, q.High)
	}
}
