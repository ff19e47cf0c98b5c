package samplers_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"breadboard/chains/number"
	"breadboard/exact/averages"
	"breadboard/experiments/forms"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/study"
	"breadboard/grid/longtest"
)

// errorsRows runs the study, with two workers.
func errorsRows(t testing.TB, s samplers.Selection, o samplers.ErrorsOptions) []samplers.ErrorsRow {
	t.Helper()
	return casetest.RowsBy(t, samplers.Errors(), problemsOf(t, s), o, study.How{Workers: 2})
}

// errorsFile writes log f to a file and returns the selector of its target.
func errorsFile(t testing.TB, text string) string { return "file:" + longtest.File(t, "g.csv", text) }

// eachPath calls f with the states and the probability of every path of n samples.
func eachPath(c *averages.Chain, start []float64, n int, f func(path []int, p float64)) {
	var path []int
	var extend func(p float64)
	extend = func(p float64) {
		if len(path) == n {
			f(path, p)
			return
		}
		x := path[len(path)-1]
		for _, e := range c.Rows.Row(x) {
			path = append(path, e.To)
			extend(p * e.P)
			path = path[:len(path)-1]
		}
	}
	for x, q := range start {
		if q > 0 {
			path = append(path, x)
			extend(q)
			path = path[:0]
		}
	}
}

// plain are the errors of one row by all paths.
type plain struct{ bias, mse, biasVariance, mseVariance, cvm, ks2 float64 }

// byPaths computes the errors of the estimates of one coordinate from the paths of a chain, by
// their definitions.
func byPaths(c *averages.Chain, g []float64, start []float64, n int) (e plain) {
	mean, variance := 0.0, 0.0
	for x, p := range c.Target {
		mean += p * g[x]
	}
	for x, p := range c.Target {
		variance += p * (g[x] - mean) * (g[x] - mean)
	}
	levels := slices.Clone(g)
	slices.Sort(levels)
	levels = slices.Compact(levels)
	eachPath(c, start, n, func(path []int, p float64) {
		sum := 0.0
		squares := 0.0
		for _, x := range path {
			sum += g[x] / float64(n)
		}
		for _, x := range path {
			squares += (g[x] - sum) * (g[x] - sum) / float64(n-1)
		}
		d := (sum - mean) / math.Sqrt(variance)
		e.bias += p * d
		e.mse += p * d * d
		e.biasVariance += p * (squares/variance - 1)
		e.mseVariance += p * (squares/variance - 1) * (squares/variance - 1)
		worst := 0.0
		for _, v := range levels {
			truth := 0.0
			found := 0.0
			mass := 0.0
			for x, q := range c.Target {
				if g[x] <= v {
					truth += q
				}
				if g[x] == v {
					mass += q
				}
			}
			for _, x := range path {
				if g[x] <= v {
					found += 1 / float64(n)
				}
			}
			e.cvm += p * mass * (found - truth) * (found - truth)
			worst = max(worst, math.Abs(found-truth))
		}
		e.ks2 += p * worst * worst
	})
	return e
}

// TestAllPaths: every error and every R is what all paths of a small chain give by the definitions,
// for a function and for the vector of all coordinates, whose errors are sums.
func TestAllPaths(t *testing.T) {
	s := samplers.Selection{
		Reader: forms.Reader(),
		Toys:   []string{errorsFile(t, "0,1,-0.5\n0.3,-2,0.7\n")}, Kernels: []string{"metropolis", "heatbath"},
		Starts: []string{"uniform", "point:4"}, Functions: []string{"x1", "all"}, Warmup: 1,
	}
	for _, r := range errorsRows(t, s, samplers.ErrorsOptions{N: []int64{2, 4}}) {
		n := int(r.N)
		var want, still plain
		for _, part := range r.Function.Parts {
			e := byPaths(r.Chain, part.Raw, r.Start.Law, n)
			u := byPaths(r.Chain, part.Raw, r.Chain.Target, n)
			want.mse += e.mse
			want.mseVariance += e.mseVariance
			want.biasVariance += e.biasVariance
			want.cvm += e.cvm
			want.ks2 += e.ks2
			still.mse += u.mse
			if r.Function.IsScalar() {
				want.bias = e.bias
			} else {
				want.bias = math.Hypot(want.bias, e.bias)
			}
		}
		at := r.String()
		samplersNear(t, at+": the bias", r.Bias.Value, want.bias, 1e-13)
		samplersNear(t, at+": the error", r.MSE.Value, want.mse, 1e-13)
		samplersNear(t, at+": the error from the target", r.MSEStationary.Value, still.mse, 1e-13)
		samplersNear(t, at+": the bias of the variance", r.BiasVariance.Value, want.biasVariance, 1e-12)
		samplersNear(t, at+": the error of the variance", r.MSEVariance.Value, want.mseVariance, 1e-12)
		samplersNear(t, at+": CvM", r.CvM.Value, want.cvm, 1e-13)
		samplersNear(t, at+": KS^2", r.KS2.Value, want.ks2, 1e-13)
		samplersNear(t, at+": RESS of the mean", r.RESSMean().Value, float64(len(r.Function.Parts))/want.mse, 1e-12)
		if !(r.KS2Low.Value <= r.KS2.Value+1e-14 && r.KS2.Value <= r.KS2High.Value+1e-14) {
			t.Errorf("%s: %v is not from %v to %v", at, r.KS2.Value, r.KS2Low.Value, r.KS2High.Value)
		}
		samplersNear(t, at+": work", r.Work, r.Problem.Work(r.N), 0)
	}
}

// TestIndependent: a chain whose moves are independent draws has RESS = N for every estimate, and
// its R are those of the paper where the function has two values of the same probability: 2/(N-1)
// for the variance.
func TestIndependent(t *testing.T) {
	s := samplers.Selection{
		Reader:    forms.Reader(),
		Toys:      []string{"random:0:0:2"},
		Kernels:   []string{"metropolis"},
		Starts:    []string{"target"},
		Functions: []string{"x0", "all"},
	}
	for _, r := range errorsRows(t, s, samplers.ErrorsOptions{N: []int64{10, 100, 1e4, 1e12}, Method: "squaring"}) {
		n := float64(r.N)
		for what, v := range map[string]float64{
			"mean": r.RESSMean().Value, "from target": r.RESSStationary().Value,
			"variance": r.RESSVariance().Value, "CvM": r.RESSCvM().Value, "KS": r.RESSKS().Value,
		} {
			samplersNear(t, r.String()+": RESS, "+what, v/n, 1, 1e-12)
		}
		samplersNear(t, "R of the variance", r.RVariance, 2/(n-1), 1e-14)
		samplersNear(t, "what zero scores", r.RESSOfConstant(), 2/(n-1), 1e-14)
		samplersNear(t, "efficiency", r.Efficiency().Value, 1, 1e-12)
		samplersNear(t, "tau", r.Tau.Value, 1, 1e-12)
	}
}

// TestTwoValues: of a function with two values the Kolmogorov-Smirnov distance is known for any
// number of samples, and is what counting gives if that is possible.
func TestTwoValues(t *testing.T) {
	s := samplers.Selection{
		Reader:    forms.Reader(),
		Toys:      []string{"barrier"},
		Kernels:   []string{"metropolis"},
		Starts:    []string{"target", "uniform"},
		Functions: []string{"mode"},
	}
	for _, r := range errorsRows(t, s, samplers.ErrorsOptions{N: []int64{100, 1e6}, Method: "squaring"}) {
		f := r.Function.Parts[0]
		p := f.Masses[0] * f.Masses[1]
		samplersNear(t, r.String()+": R", r.RKS, p, 1e-15)
		// for the distance is that of the mean
		samplersNear(t, r.String()+": RESS", r.RESSKS().Value, r.RESSMean().Value, 1e-12)
		if r.N > 100 {
			continue
		}
		ks := longtest.Must(r.Chain.KS(context.Background(), f, r.Start.Law, 100, nil))(t)
		samplersNear(t, r.String()+": KS^2", r.KS2.Value, ks.Square, 1e-13)
		if r.Start.Name == "target" {
			samplersNear(t, "KS^2", r.KS2.Value, 0.11305984068051184, 1e-12)
		}
	}
}

// TestNotes: what has no number has a note that says why.
func TestNotes(t *testing.T) {
	// Two states at the ends of a line, with one of probability zero between them, which no move
	// crosses.
	s := samplers.Selection{
		Reader:    forms.Reader(),
		Toys:      []string{errorsFile(t, "0,-inf,1\n")},
		Kernels:   []string{"metropolis"},
		Starts:    []string{"target", "point:0"},
		Functions: []string{"x0"},
	}
	all := errorsRows(t, s, samplers.ErrorsOptions{N: []int64{1, 1000}})
	for _, r := range all {
		if !math.IsNaN(r.Tau.Value) {
			t.Errorf("%s: tau is %v", &r.Setting, r.Tau.Value)
		}
		if !slices.ContainsFunc(r.Notes, func(n samplers.Note) bool {
			return strings.Contains(n.Text, "there are 2: state 2 of probability 0.7311; state 0 of probability 0.2689")
		}) {
			t.Errorf("notes %v", r.Notes)
		}
		if alone := slices.Contains(r.Notes,
			samplers.Note{About: "N = 1", Text: "a single sample has no variance"}); alone != (r.N == 1) ||
			alone != math.IsNaN(r.MSEVariance.Value) {
			t.Errorf("N = %d: the error of the variance is %v, notes %v", r.N, r.MSEVariance.Value, r.Notes)
		}
	}
	samplersNear(t, "the error of a chain that never moves, from the target", all[1].MSE.Value, 1, 1e-14)
	samplersNear(t, "its variance", all[1].RESSVariance().Value, all[1].RESSOfConstant(), 1e-12)
	p := math.E / (1 + math.E) // of the other state, which the chain never sees
	samplersNear(t, "its bias from the other state", all[3].Bias.Value, -math.Sqrt(p/(1-p)), 1e-13)
}

// TestSamplersLeftOut: without a list of estimates, a method that finds the mean alone leaves out
// the others with a note, and with one it is refused.
func TestSamplersLeftOut(t *testing.T) {
	s := samplers.Selection{
		Reader:    forms.Reader(),
		Toys:      []string{"easy"},
		Kernels:   []string{"metropolis"},
		Starts:    []string{"target"},
		Functions: []string{"x0"},
	}
	r := errorsRows(t, s, samplers.ErrorsOptions{N: []int64{100}, Method: "lanczos"})[0]
	samplersNear(t, "RESS", r.RESSMean().Value, 1.1748971461089024, 1e-11)
	if r.Method != averages.Lanczos || !math.IsNaN(r.MSEVariance.Value) || !math.IsNaN(r.CvM.Value) ||
		len(r.Notes) != 1 ||
		!strings.Contains(r.Notes[0].Text, "omitted") {
		t.Errorf("%+v", r)
	}
	r = errorsRows(t, s,
		samplers.ErrorsOptions{N: []int64{100}, Method: "recursion", Estimates: []string{"variance"}})[0]
	samplersNear(t, "RESS of the variance", r.RESSVariance().Value, 1.1115431476318853, 1e-11)
	if !math.IsNaN(r.CvM.Value) || !math.IsNaN(r.KS2Low.Value) || len(r.Notes) != 0 {
		t.Errorf("%+v", r)
	}
}

// TestErrorsValidate: each refusal says what is wrong and what to do.
func TestErrorsValidate(t *testing.T) {
	p := problemsOf(t, samplers.Selection{
		Toys:      []string{"easy"},
		Kernels:   []string{"metropolis"},
		Starts:    []string{"target", "uniform"},
		Functions: []string{"x0"},
	})
	for want, o := range map[string]samplers.ErrorsOptions{
		"give some, as in N 1,10,100":          {},
		"N 0; give a number of samples from 1": {N: []int64{1, 0}},
		"N 2000000000000; give a number":       {N: []int64{2e12}},
		"errors by recursion are for up to 1000000000, and on 49 states would take about": {
			N:      []int64{1, 2e9},
			Method: "recursion",
		},
		"method recursion: 2000000000 samples": {
			N:      []int64{1, 2e9},
			Method: "recursion",
		},
		"gives the errors of the mean only": {
			N:         []int64{1},
			Method:    "lanczos",
			Estimates: []string{"variance"},
		},
		"needs every start to be the target": {
			N:      []int64{1},
			Method: "lanczos",
		},
		`unknown method "lanczo"`: {
			N:      []int64{1},
			Method: "lanczo",
		},
		`unknown estimate "median"`: {
			N:         []int64{1},
			Estimates: []string{"median"},
		},
	} {
		casetest.Refuses(t, samplers.Errors(), p, o, want)
	}
}

// TestEqualButForRounding: values of g that are one but for rounding are one level. The Cramer-von
// Mises distance of one draw was found from levels told apart at 1e-9, and an indicator g<=v holds
// wherever g is v but for rounding.
func TestEqualButForRounding(t *testing.T) {
	for _, test := range []struct {
		toy      string
		levels   int
		cvm, ks2 float64
	}{
		{"coins:1:2:4:0.89", 2, 0.01440103920639, 0.11202575175694},
		{"low", 933, 0.13875667341188, 0.43908836489809},
		{"ising:2x3:0.3:0.1", 15, 0.15478956583835, 0.50967798343136},
	} {
		if test.levels > 900 && !longtest.Enabled() {
			continue
		}
		s := samplers.Selection{
			Reader:    forms.Reader(),
			Toys:      []string{test.toy},
			Kernels:   []string{"heatbath"},
			Starts:    []string{"target"},
			Functions: []string{"g"},
		}
		r := errorsRows(t, s, samplers.ErrorsOptions{N: []int64{1}})[0]
		if f := r.Function.Parts[0]; len(f.Levels.Values) != test.levels {
			t.Errorf("%s: %d levels, want %d", test.toy, len(f.Levels.Values), test.levels)
		}
		samplersNear(t, test.toy+": R of CvM", r.RCvM, test.cvm, 1e-12)
		samplersNear(t, test.toy+": KS^2", r.KS2.Value, test.ks2, 1e-12)
	}
	s := samplers.Selection{
		Reader:    forms.Reader(),
		Toys:      []string{errorsFile(t, "0.3,0.30000000000000004,1\n")},
		Kernels:   []string{"heatbath"},
		Starts:    []string{"target"},
		Functions: []string{"g<=0.3"},
	}
	if f := problemsOf(t, s)[0].Functions[0].Parts[0]; f.Raw[0] != 1 || f.Raw[1] != 1 || f.Raw[2] != 0 {
		t.Errorf("g<=0.3 is %v", f.Raw)
	}
	// a value that no state of the target has makes no others one
	s.Toys = []string{errorsFile(t, "0.3,-9998,1\n")}
	if f := problemsOf(t, s)[0].Functions[0].Parts[0]; f.Raw[0] != 1 || f.Raw[2] != 0 {
		t.Errorf("g<=0.3 is %v beside -9998", f.Raw)
	}
}

// TestThirdValue: a function with two values under the target may have a third one if a chain
// begins, and the bounds of the Kolmogorov-Smirnov distance are then not the distance. The distance
// is largest at that value, wherever it is among the others.
func TestThirdValue(t *testing.T) {
	s := samplers.Selection{
		Reader:    forms.Reader(),
		Kernels:   []string{"metropolis"},
		Starts:    []string{"uniform"},
		Functions: []string{"x0"},
	}
	for _, logf := range []string{"0,1,-inf\n", "-inf,0,1\n", "0,-inf,1\n", "-800,0,1\n", "0,-800,1\n"} {
		s.Toys = append(s.Toys, errorsFile(t, logf))
	}
	for _, r := range errorsRows(t, s, samplers.ErrorsOptions{N: []int64{1, 3}}) {
		f := r.Function.Parts[0]
		if len(f.Taken()) != 2 || !(r.KS2Low.Value < r.KS2.Value+1e-15 && r.KS2.Value < r.KS2High.Value) {
			t.Errorf("%s: %d values, %v from %v to %v", &r.Setting, len(f.Taken()), r.KS2.Value,
				r.KS2Low.Value, r.KS2High.Value)
		}
		samplersNear(t, r.String()+": KS^2", r.KS2.Value, byPaths(r.Chain, f.Raw, r.Start.Law, int(r.N)).ks2, 1e-13)
	}
}

// TestTooManyCounts: distances that would take long are left out, and the row says why.
func TestTooManyCounts(t *testing.T) {
	s := samplers.Selection{
		Reader:    forms.Reader(),
		Toys:      []string{"random:3:5:4x3x3"},
		Kernels:   []string{"heatbath"},
		Starts:    []string{"target"},
		Functions: []string{"x2"},
	}
	all := errorsRows(t, s, samplers.ErrorsOptions{N: []int64{25, 1000}})
	samplersNear(t, "RESS of KS", all[0].RESSKS().Value, 2.0024497240685655, 1e-11)
	samplersNear(t, "R of KS", all[0].RKS, 0.05208252557111298, 1e-11)
	if len(all[0].NotesRow) != 0 || !math.IsNaN(all[1].KS2.Value) || len(all[1].NotesRow) != 1 ||
		!strings.Contains(all[1].NotesRow[0], "the counts of 3 levels over 1000 samples take") {
		t.Errorf("%v\n%v", all[0].NotesRow, all[1].NotesRow)
	}
}

// TestNoDigitNoNumber: what rounding leaves no digit of is NaN; it was a mean squared error of -3
// and a tau of -7e16. The chain never moves, and the function is so seldom off its mean that fourth
// powers cancel; or moves so seldom between two modes that the gap is below rounding.
func TestNoDigitNoNumber(t *testing.T) {
	for _, test := range []struct {
		toy, kernel, function string
	}{{"cells:0:-37/-37:0", "stay", "g"}, {"cells:0:-36/-36:0", "stay", "g"},
		{"cells:0:-200/-200:0", "stay", "g"}, {"random:40:1:3x3", "metropolis", "x0"}} {
		s := samplers.Selection{
			Reader:    forms.Reader(),
			Toys:      []string{test.toy},
			Kernels:   []string{test.kernel},
			Starts:    []string{"uniform", "target"},
			Functions: []string{test.function},
		}
		for _, r := range errorsRows(t, s, samplers.ErrorsOptions{N: []int64{1, 2, 3, 10, 1000, 1e6, 1e12}}) {
			for name, v := range map[string]number.Bounded{
				"tau": r.Tau, "mse_mean": r.MSE, "ress_mean": r.RESSMean(), "mse_var": r.MSEVariance,
				"ress_var": r.RESSVariance(), "cvm": r.CvM, "ks2": r.KS2,
				"ks2_lower": r.KS2Low, "ks2_upper": r.KS2High,
			} {
				if v.Known() && (v.Value < 0 || v.Value == 0 && name == "mse_var") {
					t.Errorf("%s: %s is %v", r.String(), name, v)
				}
			}
			if r.KS2.Known() && r.KS2.Value < r.KS2Low.Value*(1-1e-12) {
				t.Errorf("%s: KS^2 is %v, and at least %v", r.String(), r.KS2, r.KS2Low)
			}
		}
	}
}

// TestZeroIsNoNumber: an error of zero that is the rest of what has cancelled has no digit, and the
// effective sample size, which would be infinite, meets no condition.
func TestZeroIsNoNumber(t *testing.T) {
	s := samplers.Selection{
		Reader:    forms.Reader(),
		Toys:      []string{"cells:0:40"},
		Kernels:   []string{"stay"},
		Starts:    []string{"mode"},
		Functions: []string{"x0"},
	}
	for _, r := range errorsRows(t, s, samplers.ErrorsOptions{N: []int64{1, 100}}) {
		truth := math.Exp(40) // RESS of a chain that stays at the mode
		if v := r.RESSMean(); v.Known() && math.Abs(v.Value/truth-1) > max(1e-9, v.Lost()) {
			t.Errorf("%s: %v for %v", r.String(), v, truth)
		}
	}
}

// TestFourthPowerTooLarge: if the fourth power of a function overflows there are no errors of the
// variance, and a note says why.
func TestFourthPowerTooLarge(t *testing.T) {
	s := samplers.Selection{
		Reader:    forms.Reader(),
		Toys:      []string{errorsFile(t, "0\n-700\n")},
		Kernels:   []string{"metropolis"},
		Starts:    []string{"target"},
		Functions: []string{"x0"},
	}
	for _, r := range errorsRows(t, s, samplers.ErrorsOptions{N: []int64{2}}) {
		if !math.IsNaN(r.MSEVariance.Value) {
			t.Errorf("the error of the variance is %v", r.MSEVariance.Value)
		}
		if !slices.ContainsFunc(
			r.Notes,
			func(n samplers.Note) bool { return strings.Contains(n.Text, "fourth power") },
		) {
			t.Errorf("no note says why there is no error of the variance: %v", r.Notes)
		}
		samplersNear(t, "RESS of the distribution over that of the mean",
			r.RESSCvM().Value/r.RESSMean().Value, 1, 1e-12)
	}
}

// On BARRIER ten thousand samples of metropolis from the uniform distribution are worth less than
// one independent draw, and those of heatbath, which jumps the barrier, more than two thousand.
func Example_samplersErrors() {
	ctx := context.Background()
	problems, _ := samplers.Selection{
		Reader:    forms.Reader(),
		Toys:      []string{"barrier"},
		Kernels:   []string{"metropolis", "heatbath"},
		Starts:    []string{"uniform"},
		Functions: []string{"x0"},
	}.Problems(ctx)
	rows, err := study.Run(
		ctx,
		samplers.Errors(),
		problems,
		samplers.ErrorsOptions{N: []int64{100, 10_000}},
		study.How{},
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range rows {
		r := &rows[i]
		fmt.Printf("%-10s N = %5d: RESS %.6g, from the target %.6g\n", r.Kernel, r.N, r.RESSMean().Value,
			r.RESSStationary().Value)
	}
	// Output:
	// metropolis N =   100: RESS 0.287271, from the target 1.47419
	// metropolis N = 10000: RESS 0.290286, from the target 1.5378
	// heatbath   N =   100: RESS 20.7136, from the target 23.5739
	// heatbath   N = 10000: RESS 2296.39, from the target 2299.48
}
