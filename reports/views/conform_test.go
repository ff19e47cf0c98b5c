package views

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/simulate"
	"breadboard/experiments/checks/conform"
	"breadboard/experiments/checks/conform/hypotheses"
	"breadboard/experiments/checks/kernel"
	"breadboard/experiments/checks/planted"
	"breadboard/experiments/draws"
	"breadboard/experiments/study/check"
	"breadboard/experiments/subject"
	"breadboard/experiments/verdicts"
	"breadboard/grid/longtest"
	"breadboard/reports"
	"breadboard/reports/internal/conformtest"
	"breadboard/reports/internal/reporttest"
	"breadboard/reports/table"
	"breadboard/reports/views/checks"
	"breadboard/toys"
)

// plantedChains returns chains with a bug, with their paths where the columns have them.
func plantedChains(t *testing.T, k *conform.Task, d chains.Direction, rows int, columns draws.Columns, bug func(*planted.Annealer)) *conformtest.ChainSource {
	t.Helper()
	r := longtest.Must(planted.Of(k.Case.Annealing(), d))(t)
	bug(r)
	s := &conformtest.ChainSource{Label: d.String() + ".csv", Has: columns, All: draws.Batch{Rows: rows}}
	sampler := chains.NewSampler(simulate.NewStream(1, "planted "+d.String(), 0))
	T := r.Last()
	path := make([][]int32, T)
	for i := range path {
		path[i] = make([]int32, rows)
	}
	for i := range rows {
		x, logw := r.Start(sampler), 0.0
		states := []int{x}
		for step := 1; step <= r.Steps(); step++ {
			y, increment := r.Step(sampler, step, x)
			x, logw = y, logw+increment
			states = append(states, x)
		}
		for j, x := range states {
			if d == chains.Reverse {
				j = T - 1 - j
			}
			path[j][i] = int32(x)
		}
		s.All.LogW = append(s.All.LogW, logw)
	}
	s.All.XFirst, s.All.XLast = path[0], path[T-1]
	if columns.Path {
		s.All.Path = path
	}
	return s
}

// written returns what people see of a report without files.
func written(t *testing.T, r *reports.Report) string {
	t.Helper()
	var b strings.Builder
	out := reports.Output{Results: &b, Messages: &b, Format: table.Text, Words: func(option string) string { return "--" + option }}
	longtest.NoError(t, out.Write(context.Background(), r))
	return b.String()
}

// wrongInput has paths with a bug forward, and right chains in reverse.
func wrongInput(t *testing.T, k *conform.Task) conform.Input {
	columns := conformtest.AllColumns()
	columns.Path = true
	return conform.Input{
		Forward: plantedChains(t, k, chains.Forward, 4000, columns, planted.OtherSide),
		Reverse: conformtest.RightChains(t, k, chains.Reverse, 4000, conformtest.AllColumns()),
	}
}

func TestConform(t *testing.T) {
	longtest.Only(t)
	k := conformtest.ConformTask(t, "random:2:1:4x4", 5)
	laws := conform.NewLaws(k)
	for name, in := range map[string]conform.Input{"right": conformtest.RightInput(t, k), "wrong": wrongInput(t, k)} {
		t.Run(name, func(t *testing.T) {
			o := longtest.Must(laws.Check(t.Context(), in, conform.Options{Alpha: conform.DefaultAlpha}))(t)
			r := checks.ConformReport(o)
			if (r.Fault != nil) != (name == "wrong") {
				t.Errorf("fault %v", r.Fault)
			}
			reporttest.Golden(t, "conform_"+name+".txt", []byte(written(t, r)))
			for _, part := range r.Figures() {
				f := longtest.Must(part.Draw())(t)
				reporttest.Figure(t, f.Name+"_"+name, f)
			}
			seen := map[string]bool{} // a row for each test and each hypothesis, with a name of its own
			for _, row := range strings.Split(column(t, checks.Conform(o), "test"), "|") {
				seen[row] = row != ""
			}
			if n := len(o.Results) + len(checks.Hypotheses(o).Rows); len(seen) != n || seen[""] || len(checks.Conform(o).Rows) != n {
				t.Errorf("%d names of %d rows", len(seen), n)
			}
		})
	}
}

// outcome is one of a task without an annealing, with tests of which some have found a fault.
func outcome(sides []conform.Side, faults ...bool) *conform.Outcome {
	o := &conform.Outcome{Task: &conform.Task{Case: subject.Case{Toy: toys.Easy()}}, Threshold: 1e7, Alpha: 1e-6, Sides: sides}
	for i, fault := range faults {
		o.Results = append(o.Results, conform.Result{Test: string(rune('a' + i)), Fault: fault})
	}
	return o
}

// notesOf returns the notes on an outcome.
func notesOf(o *conform.Outcome) string { return reporttest.Notes(checks.ConformReport(o)) }

// logwSide returns forward chains with log weights alone.
func logwSide(fault bool, odds []hypotheses.Odds, named ...string) conform.Side {
	return conform.Side{
		Direction: chains.Forward, Source: "fwd.csv", Chains: 1000, Columns: draws.Columns{LogW: true}, Fault: fault, Odds: odds, Named: named,
		Lead: verdicts.Lead{Others: 30.5 * math.Ln10, Unknown: math.Log(25)},
	}
}

func TestConformNotes(t *testing.T) {
	const ten = math.Ln10
	late, early, spec, none := "late", "early", hypotheses.Specification, hypotheses.Unknown
	named := []hypotheses.Odds{{Name: late, LogOdds: 37.25 * ten, Posterior: 0.6}, {Name: early, LogOdds: 37.25 * ten, Posterior: 0.6},
		{Name: "third", LogOdds: 30, Posterior: 0.01}, {Name: spec}}
	few := logwSide(true, named[:1], late)
	few.Survived = 2.5
	for _, c := range []struct {
		name   string
		side   conform.Side
		faults []bool
		want   string
	}{
		{"named", logwSide(true, named, late, early), []bool{true}, `forward: "late" explains what was sent, with posterior odds of 25 against everything else that these columns can tell from it
forward: these columns cannot tell that from "early"; x_first and x_last may`},
		{"named early", few, []bool{true}, `forward: "late" explains what was sent, with posterior odds of 25 against everything else
forward: the name is not certain: 1000 chains are 2.5 times as many as it takes to find it, and a mistake that is on no list and close to it needs some 32 times as many to be distinguished`},
		{"impossible", logwSide(true, []hypotheses.Odds{{Name: late, LogOdds: math.Inf(1), Posterior: 1}, {Name: spec, LogOdds: math.NaN()}}, late),
			[]bool{true}, `forward: "late" explains what was sent, with posterior odds of 25 against everything else; it is impossible under the specification`},
		{"described", logwSide(true, []hypotheses.Odds{{Name: "log w in base 2", LogOdds: 7.25 * ten, Posterior: 0.6},
			{Name: "log w in base 10", Posterior: 0.3}}, "log w in base 2"), []bool{true}, `forward: "log w in base 2" explains what was sent, with posterior odds of 25 against everything else
forward: "log w in base 2" is this: The column log_w holds the logarithm of w in base 2, log w / ln 2, instead of the natural one.`},
		{"none fits", logwSide(true, []hypotheses.Odds{{Name: none, LogOdds: 90, Posterior: 1}, {Name: late, LogOdds: 30, LogE: 20 * ten}, {Name: spec}}),
			[]bool{true}, `forward: no known bug explains it: none has posterior odds of 20 or more against all others and against "none of these"`},
		{"the specification is likeliest", logwSide(true, []hypotheses.Odds{{Name: spec, Posterior: 1}}, spec), []bool{true},
			`forward: no known bug explains it: none has posterior odds of 20 or more against all others and against "none of these"`},
		{"a fault elsewhere", logwSide(false, named, late), []bool{true}, `forward: no test of these chains by themselves found a fault`},
		{"pass", conform.Side{Direction: chains.Reverse, Source: "-", Chains: 1, Columns: draws.Columns{LogW: true, XFirst: true, XLast: true, Path: true},
			Needs: []verdicts.Need{{Hypothesis: "a", KL: 9, Found: 1}, {Hypothesis: "b", KL: 0.1, Found: 1.34e8},
				{Hypothesis: "c", KL: 0, Found: math.Inf(1), Alike: []string{"e", spec}}, {Hypothesis: "d", KL: 0.2, Found: 417321},
				{Hypothesis: "e", KL: 0, Found: math.Inf(1), Alike: []string{spec, "c"}}, {Hypothesis: "i", KL: 0.01, Found: math.Inf(1)}},
			Missing: []string{"f: it is too long", "g: it is too wide", "h: it is too long"}, Guarantees: []conform.Guarantee{
				{Test: "states of x_1", Quantity: "P(x_1 = 3)", Low: 0.2, Right: 0.25, High: 0.3},
				{Test: "states of x_T", Quantity: "P(x_T = 3)", Low: math.Inf(-1), Right: 0.001, High: 0.01},
				{Quantity: "E[log w]", Low: -1.5, Right: -1.25, High: -1}},
		}, []bool{false, false}, `reverse: 1 chain of - was read, with log_w and whole paths
reverse: 1 of the 6 known ways to get it wrong would have been found with a probability of about 99%
reverse: a fault that is on no list would have been found as surely if it changes P(x_1 = 3) from 0.25 to below 0.2 or above 0.3, or P(x_T = 3) from 0.001 to above 0.01; one that changes less may have passed
reverse: 1 chain may be too few to find "d" (it takes some 420000) and "b" (it takes some 1.3e8)
reverse: log weights with so few digits may hide "i" from the test of all columns together, however many chains there are; write all digits
reverse: by these columns no number of chains tells "c" and "e" from the specification
reverse: E[log w] is -1.25; had the mean of the program been below -1.5 or above -1, that would have been found with a probability of 99% (computed for the distribution with such a mean that is nearest to the right one)
reverse: not considered: "f" and "h": it is too long
reverse: not considered: "g": it is too wide`},
	} {
		o := outcome([]conform.Side{c.side}, c.faults...)
		o.Untested = []string{"this is not tested"}
		begins := "no fault was found by 2 tests; a false alarm had probability at most 1e-06\n"
		if c.faults[0] {
			begins = "a fault was found by 1 of 1 test; a false alarm had probability at most 1e-06\nforward: 1000 chains of fwd.csv were read, with log_w\n"
		}
		if got := notesOf(o); got != begins+c.want+"\nthis is not tested" {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// TestRepeatedNote: chains that repeat others are reported, and a stream that both directions share
// is not.
func TestRepeatedNote(t *testing.T) {
	side := logwSide(true, []hypotheses.Odds{{Name: hypotheses.Repeated, LogOdds: 900, Posterior: 1}, {Name: hypotheses.OneStream, LogOdds: 90}},
		hypotheses.Repeated)
	o := outcome([]conform.Side{side})
	o.Results = []conform.Result{{Test: conform.PairTest, Fault: true},
		{Test: "forward" + conform.RepeatsTest, Fault: true, Statistic: "9 of 10 chains come again"}}
	want := "forward: 9 of 10 chains come again; the other tests take chains for independent, so that this is to be mended first"
	if got := notesOf(o); !strings.Contains(got, "\n"+want+"\n") || strings.Contains(got, "depend on each other: what was sent") {
		t.Errorf("%q", got)
	}
	o.Sides[0].Named = nil
	if got := notesOf(o); !strings.Contains(got, "depend on each other: what was sent is 10^39 times likelier than if they were independent") {
		t.Errorf("%q", got)
	}
}

// TestUnexplained: if nothing is named the report says which test failed most, and which
// distributions are wrong and which are not; it says nothing of where the bug is.
func TestUnexplained(t *testing.T) {
	for _, c := range []struct {
		d      chains.Direction
		faults []string // the tests of chains of three columns that found a fault
		want   string
	}{
		{chains.Forward, []string{"states of x_1"}, "a fault is in the distribution of x_1, and none was found in the distributions of x_T and log w"},
		{chains.Forward, []string{"x_T"}, "a fault is in the distribution of x_T, and none was found in the distributions of x_1 and log w"},
		{chains.Forward, []string{"x_T", "distribution of log w"}, "a fault is in the distributions of x_T and log w, and none was found in the distribution of x_1"},
		{chains.Forward, []string{"log w"}, "a fault is in the distribution of log w, and none was found in the distributions of x_1 and x_T"},
		{chains.Forward, []string{"outcomes"}, "no test found a fault in the distributions of x_1, x_T and log w by themselves"},
		{chains.Reverse, []string{"x_1"}, "a fault is in the distribution of x_1, and none was found in the distributions of x_T and log w"},
		{chains.Reverse, []string{"x_1", "x_T", "log w"}, "a fault is in the distributions of x_T, x_1 and log w"},
		{chains.Forward, nil, ""},
	} {
		o := outcome([]conform.Side{{Direction: c.d, Fault: true, Odds: []hypotheses.Odds{{Name: hypotheses.Specification}}}}, true)
		for _, name := range []string{"x_1", "x_T", "log w", "finite log w", "distribution of log w", "states of x_1", "states of x_T", "outcomes"} {
			if c.faults != nil || name != "log w" && name != "finite log w" && name != "distribution of log w" {
				r := conform.Result{Test: c.d.String() + " " + name, LogE: 90 * math.Ln10, Statistic: "as seen in " + name}
				if at := slices.Index(c.faults, name); at >= 0 { // a test without a fault has a larger e-value here, and says nothing
					r.Fault, r.LogE, r.Where = true, (21.5+float64(at))*math.Ln10, "after 9 draws"
				}
				o.Results = append(o.Results, r)
			}
		}
		fits := fmt.Sprintf("\n%s: no known bug explains it: none has posterior odds of 20 or more against all others and against \"none of these\"", c.d)
		if len(c.faults) > 0 {
			worst := c.faults[len(c.faults)-1]
			fits += fmt.Sprintf("; the test that failed worst is \"%s %s\", with an e-value of 10^%d: after 9 draws; as seen in %s", c.d, worst, 20+len(c.faults), worst)
		}
		if c.want != "" {
			c.want = fmt.Sprintf("\n%s: %s", c.d, c.want)
		}
		if got := notesOf(o); !strings.HasSuffix(got, fits+c.want) {
			t.Errorf("%v, faults of %q:\n%s\nwant\n%s", c.d, c.faults, got, c.want)
		}
	}
}

// TestLateNote: of many hypotheses the first few are named, and one more is named instead of being
// counted.
func TestLateNote(t *testing.T) {
	var late []verdicts.Need
	const mostListed = 6
	note := ""
	for i := range mostListed + 2 {
		late = append(late, verdicts.Need{Hypothesis: string(rune('a' + i)), Found: float64(20 - i)})
		note = notesOf(outcome([]conform.Side{{Chains: 10, Needs: slices.Clone(late)}}, false))
		if names := strings.Count(note, `"`) / 2; i < mostListed+1 && names != i+1 || i == mostListed+1 && names != mostListed {
			t.Errorf("%d hypotheses: %s", i+1, note)
		}
	}
	if !strings.HasSuffix(note, "and 2 others (they take more)") || !strings.Contains(note, `find "h" (it takes some 13), "g"`) {
		t.Error(note)
	}
}

// TestPosteriorOdds: those against all other known distributions and an unknown one together are
// one number, a power of ten where it is large.
func TestPosteriorOdds(t *testing.T) {
	inf := math.Inf(1)
	for want, lead := range map[string]verdicts.Lead{
		"25": {Others: inf, Unknown: math.Log(25)}, "40": {Others: math.Log(40), Unknown: inf},
		"8345": {Others: math.Log(2 * 8345), Unknown: math.Log(2 * 8345)}, "1.2": {Others: math.Log(1.234), Unknown: 90},
		"10^6": {Others: inf, Unknown: 6 * math.Ln10 * 1.0000001}, "10^1545": {Others: 1546.3 * math.Ln10, Unknown: 1545.9 * math.Ln10},
		"infinity": {Others: inf, Unknown: inf},
	} {
		side := logwSide(true, []hypotheses.Odds{{Name: "late", Posterior: 1}}, "late")
		side.Lead = lead
		if got := notesOf(outcome([]conform.Side{side}, true)); !strings.HasSuffix(got, `"late" explains what was sent, with posterior odds of `+want+
			" against everything else") {
			t.Errorf("%+v is written\n%s\nwant %s", lead, got, want)
		}
	}
}

// TestImpossible: an e-value beyond all numbers has a name.
func TestImpossible(t *testing.T) {
	o := outcome([]conform.Side{logwSide(true, []hypotheses.Odds{{Name: hypotheses.Unknown}})}, true)
	o.Results = append(o.Results, conform.Result{Test: conform.OutcomesTest, Fault: true, LogE: math.Inf(1), LogThreshold: -1, Where: "of both directions"})
	o.Results[0] = conform.Result{Test: "forward outcomes", Fault: true, LogE: math.Inf(1), Where: "row 7: no path has x_1 = 3"}
	if got := notesOf(o); !strings.Contains(got, `the test that failed worst is "forward outcomes", with an e-value of infinity: row 7: no path has x_1 = 3`) {
		t.Error(got)
	}
	o.Results[0].Fault = false
	if got := notesOf(o); !strings.Contains(got, `failed worst is "outcomes of both directions", with an e-value of infinity: of both directions`) {
		t.Error(got)
	}
}

// estimatesNotes returns the notes on estimates that pass: what was read, and behind it what would
// have been found.
func estimatesNotes(e conform.EstimatesOutcome) (read, found string) {
	o := outcome(nil, false)
	o.Estimates = &e
	_, notes, _ := strings.Cut(notesOf(o), "\n")
	read, found, _ = strings.Cut(notes, "\n")
	return read, found
}

func TestEstimatesNotes(t *testing.T) {
	for _, c := range []struct {
		e    conform.EstimatesOutcome
		want string // how the note ends
	}{
		{conform.EstimatesOutcome{Source: "smc.csv", Claim: verdicts.Unbiased, Says: "are unbiased", LogZ: 1.25,
			Summary: verdicts.Summary{Draws: 100, LogMean: 1.2345678, LogMeanError: 0.0123}},
			"100 estimates of smc.csv were read, of which it is claimed that they are unbiased; the log of their mean is 1.23457 with a standard error of 0.012, and log Z is 1.25"},
		{conform.EstimatesOutcome{Source: "smc.csv", Claim: verdicts.Unbiased, Says: "are unbiased", LogZ: 1.25,
			Summary: verdicts.Summary{Draws: 1, LogMean: math.Inf(-1), LogMeanError: math.NaN()}},
			"1 estimate of smc.csv was read, of which it is claimed that they are unbiased; the log of their mean is -Inf, and log Z is 1.25"},
		{conform.EstimatesOutcome{Claim: verdicts.Upper, Says: "are upper", LogZ: 1.25, Summary: verdicts.Summary{Draws: 2, LogMean: 1.5, LogMeanError: math.NaN()}},
			"of which it is claimed that they are upper; minus the log of the mean of their inverses is 1.5, and log Z is 1.25"},
		{conform.EstimatesOutcome{Claim: verdicts.LowerOnAverage, Summary: verdicts.Summary{MeanLog: 1.5, LogMean: 2.5, MeanLogError: math.NaN()}},
			"the mean of their logs is 1.5, and log Z is 0"},
	} {
		if got, more := estimatesNotes(c.e); !strings.HasSuffix(got, c.want) || more != "" {
			t.Errorf("%s\nwant\n%s", got, c.want)
		}
	}
}

// TestDetectableNote: a pass of estimates says which means would have been found, and which would
// not.
func TestDetectableNote(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		claim     verdicts.Claim
		low, high float64
		want      string
	}{
		{verdicts.Unbiased, 1.2, 1.3,
			"estimates that scatter as the first 7 do would have been found wrong with a probability of 99% were the log of their mean below 1.2 or above 1.3"},
		{verdicts.Lower, -inf, 1.3, "99% were the log of their mean above 1.3"},
		{verdicts.Upper, 1.2, inf, "99% were minus the log of the mean of their inverses below 1.2"},
		{verdicts.UpperOnAverage, 1.2, inf, "99% were the mean of their logs below 1.2"},
		{verdicts.Unbiased, -inf, inf, "estimates that scatter as the first 7 do are too few to be found wrong with a probability of 99%, whatever their mean is"},
	} {
		if _, got := estimatesNotes(conform.EstimatesOutcome{Claim: c.claim,
			Detectable: &conform.Detectable{Low: c.low, High: c.high, Taken: 7}}); !strings.HasSuffix(got, c.want) {
			t.Errorf("%s\nwant\n%s", got, c.want)
		}
	}
}

// TestShownNote: if estimates are far from what is claimed, and no fault is found, a note says how
// many more of them find one.
func TestShownNote(t *testing.T) {
	never := math.Inf(1)
	for _, c := range []struct {
		claim           verdicts.Claim
		errors, decides float64
		want            string
	}{
		{verdicts.Unbiased, 20, never, "off by 20 standard errors, which rare estimates far away could still make up for; a smaller largest, or claim within:"},
		{verdicts.ReciprocalUnbiased, 20, never, "a larger smallest, or"},
		{verdicts.Unbiased, 3.7, 8192, "the log of their mean is off by 3.7 standard errors: if it stays there, 8192 estimates decide"},
		{verdicts.Unbiased, 3.7, never, ""},
		{verdicts.Unbiased, 2.9, 8192, ""},
		{"within:1", 5.3, 319, "P(log Zhat is near) is off by 5.3 standard errors: if it stays there, 319 estimates decide"},
		{"within:1", 5.3, never, ""},
	} {
		shown := verdicts.Shown{Errors: c.errors}
		if c.claim == "within:1" {
			shown.Event = "log Zhat is near"
		}
		_, got := estimatesNotes(conform.EstimatesOutcome{Claim: c.claim, Shown: shown, Decides: c.decides})
		if !strings.Contains(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// TestOtherNote: estimates of log Z_T that are taken for those of log(Z_T/Z_1), or the other way
// round, get a note.
func TestOtherNote(t *testing.T) {
	for _, c := range []struct {
		other float64
		want  string
	}{{5.2, "say so by log-z-included"}, {-3, ""}, {5.3, ""}} {
		o := outcome(nil, false)
		o.Results[0].Fault = true
		o.Estimates = &conform.EstimatesOutcome{Claim: verdicts.Unbiased, LogZ: 1.2, Other: c.other,
			Summary: verdicts.Summary{Draws: 9, LogMean: 5.21, LogMeanError: 0.01}}
		if got := notesOf(o); strings.Contains(got, "log-z-included") != (c.want != "") || !strings.Contains(got, c.want) {
			t.Errorf("%v: %s", c.other, got)
		}
		o.Estimates.LogZ, o.Estimates.Other = c.other, 1.2
		o.Estimates.Summary.LogMean = 1.21
		if got := notesOf(o); c.other == 5.2 && !strings.Contains(got, "leave out log-z-included") {
			t.Error(got)
		}
	}
}

// TestLikelihoodNote: of the probabilities that were tested the note has that which is the nearest
// to a half.
func TestLikelihoodNote(t *testing.T) {
	inf := math.Inf(1)
	g := []conform.Guarantee{{Quantity: "P(z <= 1)", Draws: 9, Low: 0.7, Right: 0.84, High: 0.9},
		{Quantity: "P(z <= 0)", Draws: 9, Low: 0.4, Right: 0.5, High: 0.61}}
	e := conform.EstimatesOutcome{Guarantees: g}
	const want = "P(z <= 0) below 0.4 or above 0.61 would have been found with a probability of 99%, and 0.5 is right"
	if _, got := estimatesNotes(e); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	g[1].Low, g[1].High = -inf, inf
	if _, got := estimatesNotes(e); got != "9 estimates are too few to find with a probability of 99% that P(z <= 0) is wrong, whatever it is" {
		t.Error(got)
	}
}

// TestIdleTests: a test that cannot find anything is no pass, neither in the table nor among those
// that are counted.
func TestIdleTests(t *testing.T) {
	idle, pass := conform.Result{Test: "a", Idle: true}, conform.Result{Test: "b"}
	for _, c := range []struct {
		results []conform.Result
		verdict string
		note    string
	}{
		{[]conform.Result{idle}, "open", "nothing was tested, so that nothing is said of what was sent"},
		{[]conform.Result{pass, idle}, "pass", "no fault was found by 1 test; "},
		{[]conform.Result{{Test: "c", Idle: true, Fault: true}}, "fault", "a fault was found by 1 of 1 test; "},
		{[]conform.Result{{Test: "d", Open: "too few", Decides: 9}, pass}, "open", "1 of 2 tests is open: there is no fault, and this is no pass"},
	} {
		o := outcome(nil)
		o.Results = c.results
		if note := notesOf(o); !strings.HasPrefix(note, c.note) || string(c.results[0].Found().Verdict) != c.verdict {
			t.Errorf("%+v: %s, %s", c.results, c.results[0].Found().Verdict, note)
		}
	}
}

// TestMeanNotes: an end at which no deviation is found is not spoken of.
func TestMeanNotes(t *testing.T) {
	inf := math.Inf(1)
	for found, g := range map[string]conform.Guarantee{
		"": {Low: -inf, High: inf},
		"2; had the mean of the program been below 1":                                                    {Low: 1, Right: 2, High: inf},
		"2; had the mean of the program been above 3":                                                    {Low: -inf, Right: 2, High: 3},
		"2; had the mean of the program been below 1 or above 3":                                         {Low: 1, Right: 2, High: 3},
		"1000000000000; had the mean of the program been below 999999999999.75 or above 1000000000000.5": {Low: 1e12 - 0.25, Right: 1e12, High: 1e12 + 0.5},
	} {
		want := ""
		if found != "" {
			want = "E[log w] is " + found +
				", that would have been found with a probability of 99% (computed for the distribution with such a mean that is nearest to the right one)"
		}
		g.Quantity = "E[log w]"
		of := conform.Guarantee{Low: -inf, High: inf} // of another quantity
		_, notes, _ := strings.Cut(notesOf(outcome([]conform.Side{{Guarantees: []conform.Guarantee{of, g}}}, false)), "\n")
		if _, got, _ := strings.Cut(notes, "\nforward: "); got != want {
			t.Errorf("%s\nwant\n%s", got, want)
		}
	}
}

// TestMissingOf: what is missing in both directions stands once.
func TestMissingOf(t *testing.T) {
	o := outcome([]conform.Side{{Direction: chains.Forward, Missing: []string{"a: x", "b: y"}},
		{Direction: chains.Reverse, Missing: []string{"b: y", "c: x"}}}, false)
	const want = `forward: not considered: "a": x
forward and reverse: not considered: "b": y
reverse: not considered: "c": x`
	if got := notesOf(o); !strings.HasSuffix(got, "\n"+want) {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// summaryOf returns the text with which the results of a report begin.
func summaryOf(r *reports.Report) string {
	return r.Tables()[0].Summary(func(verdict string) string { return verdict })
}

// column returns the cells of a column by its name, or for people by its title, as text.
func column(t *testing.T, from *table.Table, name string) string {
	t.Helper()
	for i, c := range from.Columns {
		if c.Name == name || c.Name == "" && c.Title == name {
			var cells []string
			for _, row := range from.Rows {
				cells = append(cells, table.People(row[i], 4))
			}
			return strings.Join(cells, "|")
		}
	}
	t.Fatalf("no column %s", name)
	return ""
}

// TestConformBrief: people see a line, and those tests that do not pass. The line has the test that
// is the nearest to a fault.
func TestConformBrief(t *testing.T) {
	o := outcome(nil)
	o.Results = []conform.Result{
		{Test: "far", LogE: 3, LogThreshold: 20}, {Test: "near", LogE: 2, LogThreshold: 2 + math.Ln10}, {Test: "idle", LogE: 0, LogThreshold: 0.1, Idle: true},
	}
	if got, want := summaryOf(checks.ConformReport(o)),
		"open: 3 tests: 2 pass, 0 fault, 1 open; the largest e-value, of \"near\", is 0.1 of its threshold\n"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	o.Results[0].Fault = true
	if got, want := summaryOf(checks.ConformReport(o)), "fault: 3 tests: 1 pass, 1 fault, 1 open\n"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := column(t, checks.ConformReport(o).Tables()[0].Brief, "test"); got != "far|idle" {
		t.Errorf("people see %s", got)
	}
	o.Results = o.Results[2:]
	if got, want := summaryOf(checks.ConformReport(o)), "open: 1 test: 0 pass, 0 fault, 1 open\n"; got != want ||
		checks.ConformReport(o).Tables()[0].Brief != nil {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestHypothesisVerdicts(t *testing.T) {
	o := outcome(nil)
	o.Sides = []conform.Side{{Named: []string{"a", "b"}, Needs: []verdicts.Need{{Hypothesis: "b", KL: 0.5, Found: 100},
		{Hypothesis: "c", KL: 0, Found: math.Inf(1)}}, Odds: []hypotheses.Odds{
		{Name: "a", Posterior: 0.4, LogOdds: 2 * math.Ln10}, {Name: "b", Posterior: 0.4}, {Name: "c", Posterior: 0.01, LogE: math.Inf(1)},
		{Name: "d", Posterior: 0.001}, {Name: "e", Posterior: 1e-4, LogOdds: math.NaN()}, {Name: hypotheses.Specification, LogE: math.Log(2e7)},
	}}, {Odds: []hypotheses.Odds{{Name: "a", LogE: math.Log(1e7)}}}}
	all := checks.Hypotheses(o)
	for name, want := range map[string]string{
		"verdict":       "likeliest|cannot be told from the likeliest|refused|possible|unlikely|refused|likeliest, and refused",
		"log10_odds":    "2|0|0|0||0|0",
		"kl":            "|0.5|0||||",
		"chains_needed": "|100|+Inf||||",
	} {
		if got := column(t, all, name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	o.Results = []conform.Result{{Fault: true}}
	if got := column(t, checks.ConformReport(o).Tables()[1].Brief, "hypothesis"); got != "a|b|c|d|the specification|a" {
		t.Errorf("people see %s", got)
	}
}

// TestConformGuarantees: there are those of both directions and of estimates, and people see none
// if there is a fault: a guarantee says what a pass means.
func TestConformGuarantees(t *testing.T) {
	o := outcome(nil)
	o.Results = []conform.Result{{Test: "forward x_T"}}
	o.Sides = []conform.Side{
		{Direction: chains.Forward, Guarantees: []conform.Guarantee{
			{Test: "x", Quantity: "P(x_T = 0)", KLLow: 1, KLHigh: 3}, {Test: "x", Quantity: "P(x_T = 1)", KLLow: 4, KLHigh: 2},
			{Test: "x", Quantity: "P(x_T = 2)"}, {Test: "w", Quantity: "E[log w]"}}},
		{Direction: chains.Reverse, Guarantees: []conform.Guarantee{{Test: "x", Quantity: "P(x_T = 0)"}}},
	}
	o.Estimates = &conform.EstimatesOutcome{Guarantees: []conform.Guarantee{{Test: "estimates of Z", Quantity: "P(z <= 1)"}}}
	if got, of := column(t, checks.Guarantees(o), "quantity"), column(t, checks.Guarantees(o),
		"direction"); got != "P(x_T = 0)|P(x_T = 1)|P(x_T = 2)|E[log w]|P(x_T = 0)|P(z <= 1)" || of != "forward|forward|forward|forward|reverse|" {
		t.Errorf("%s of %s", got, of)
	}
	for _, fault := range []bool{false, true} {
		o.Results[0].Fault = fault
		for _, of := range checks.ConformReport(o).Tables() {
			if of.Name == "guarantees" && (of.Place == reports.InFile) != fault {
				t.Errorf("fault %v: the guarantees have the place %v", fault, of.Place)
			}
		}
	}
}

// TestSingleMoves: single moves alone have a report without odds, and of the figures that of the
// e-values.
func TestSingleMoves(t *testing.T) {
	k := conformtest.ConformTask(t, "random:2:1:3x3", 4)
	a := k.Case.Annealing()
	for _, right := range []bool{true, false} {
		var kernel chains.Kernel = kernels.Metropolis{Space: k.Case.Toy.Space}
		if !right {
			kernel = planted.AlwaysAccepted{Space: k.Case.Toy.Space}
		}
		s := &conformtest.ChainSource{Label: "moves.csv", Has: draws.Columns{Transitions: true}}
		sampler := chains.NewSampler(simulate.NewStream(1, "moves", 0))
		logf := make([]float64, a.States())
		for i := range 2000 {
			stage := 2 + i%3
			a.LogF(logf, stage)
			x := i % a.States()
			s.All.Beta, s.All.From = append(s.All.Beta, a.Beta(stage)), append(s.All.From, int32(x))
			s.All.To = append(s.All.To, int32(kernel.Move(sampler, logf, x)))
			s.All.Rows++
		}
		o := conformtest.Conformed(t, k, conform.Input{Moves: s})
		r := checks.ConformReport(o)
		if (r.Fault == nil) != right {
			t.Errorf("right %v: fault %v", right, r.Fault)
		}
		if text := written(t, r); !strings.Contains(text, "2000 single moves of the kernel were read") || strings.Contains(text, "hypothesis") {
			t.Errorf("the report is\n%s", text)
		}
		for i, part := range r.Figures() {
			if _, err := part.Draw(); (err == nil) != (i == 1) {
				t.Errorf("figure %d: %v", i, err)
			}
		}
	}
}

// TestLogWeightsAlone: figures have what there is, and the notes say which columns may tell more.
func TestLogWeightsAlone(t *testing.T) {
	longtest.Only(t)
	k := conformtest.ConformTask(t, "random:2:1:3x3", 4)
	s := plantedChains(t, k, chains.Reverse, 3000, draws.Columns{LogW: true}, planted.LastIncrementOut)
	for i := range s.All.LogW {
		if i%3 == 0 {
			s.All.LogW[i] += 1e6 // far beyond what is drawn
		}
	}
	o := conformtest.Conformed(t, k, conform.Input{Reverse: s})
	for _, part := range checks.ConformReport(o).Figures() {
		f := longtest.Must(part.Draw())(t)
		longtest.Must(f.Encode("png"))(t)
		if text := string(reporttest.SVG(t, f)); f.Name == "conform_law" && !strings.Contains(text, "sent, 33% further to the right") {
			t.Errorf("what is not drawn is not said")
		}
	}
	if text := written(t, checks.ConformReport(o)); !strings.Contains(text, "reverse: no known bug explains it") {
		t.Errorf("the report is\n%s", text)
	}
}

// TestKernelSummary: it has no line about what is known for no toy, as if a program cannot be
// started.
func TestKernelSummary(t *testing.T) {
	toy := func(name string) *toys.Toy {
		parsed := longtest.Must(toys.Parse(name))(t)
		return parsed
	}
	finds := func(name string, v check.Verdict, value float64) kernel.Finding {
		return kernel.Finding{Finding: check.Finding{Name: name, Verdict: v, Value: value}}
	}
	var broken, known kernel.Row
	broken.Toy, known.Toy = toy("easy"), toy("hard")
	broken.Findings = []kernel.Finding{finds("program", check.Fault, math.NaN()), finds("J_metropolis", check.Note, 0.125)}
	known.Findings = []kernel.Finding{finds("spectral_gap", check.Note, 0.5), finds("J", check.Note, 0.25)}
	stuck := kernel.Row{Toy: toy("hard"), Betas: []float64{1}, Findings: []kernel.Finding{
		finds("irreducible", check.Note, 2), finds("J", check.Note, 3), finds("J_floor", check.Note, 2.5),
	}}
	stuck.Findings[0].Beta, stuck.Findings[0].Where = 1, "2 classes of states"
	for _, c := range []struct {
		checks []kernel.Row
		want   string
	}{
		{[]kernel.Row{broken}, "fault: kernel mine on easy at beta : 0 pass, 1 fault, 0 open\n"},
		{[]kernel.Row{broken, known}, `fault: kernel mine on easy, hard at beta : 0 pass, 1 fault, 0 open
at the largest beta: spectral gap unknown (easy), 0.5 (hard); autocorrelation time of g unknown moves
annealing: J unknown (easy), 0.25 (hard) nats, and with the kernel metropolis 0.125 (easy), unknown (hard)
`},
		{[]kernel.Row{stuck}, `open: kernel mine on hard at beta 1: 0 pass, 0 fault, 0 open
does it leave the target invariant? yes
does it join all states? no: 2 classes of states
do its chains sample the target? no: a chain never leaves the class of its first state
annealing: J 3 nats (never below 2.5, whatever T is), and with the kernel metropolis unknown
`},
	} {
		if got := summaryOf(checks.KernelCheckReport("mine", c.checks)); got != c.want {
			t.Errorf("%s\nwant\n%s", got, c.want)
		}
	}
}

// TestBuiltIn: a kernel that is wrong at every beta but 1 is told from one that is wrong elsewhere
// too, and from one that was seen at 1 alone.
func TestBuiltIn(t *testing.T) {
	at := func(betas []float64, wrong ...float64) kernel.Row {
		k := kernel.Row{Toy: toys.Easy(), Betas: betas}
		for _, beta := range append(wrong, math.NaN()) { // NaN is that of the annealing
			k.Findings = append(k.Findings, kernel.Finding{Beta: beta, Finding: check.Finding{Verdict: check.Fault}})
		}
		return k
	}
	all := []float64{0, 0.5, 1}
	for _, c := range []struct {
		checks []kernel.Row
		want   bool
	}{
		{nil, false},
		{[]kernel.Row{at(all, 0, 0.5)}, true},
		{[]kernel.Row{at(all, 0, 0.5), at(all, 0, 0.5, 1)}, false},
		{[]kernel.Row{at(all, 0.5)}, false},
		{[]kernel.Row{at([]float64{1})}, false},
		{[]kernel.Row{at([]float64{0, 0.5}, 0, 0.5)}, false},
	} {
		fault := fmt.Sprint(checks.KernelCheckReport("mine", c.checks).Fault)
		if got := strings.Contains(fault, "if it has its target built in"); got != c.want {
			t.Errorf("%+v: %s", c.checks, fault)
		}
	}
}
