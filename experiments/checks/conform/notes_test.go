package conform_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/experiments/checks/conform"
	"breadboard/experiments/checks/conform/hypotheses"
	"breadboard/experiments/draws"
	"breadboard/experiments/subject"
	"breadboard/experiments/verdicts"
	"breadboard/toys"
)

// outcome is one of a task without an annealing, with tests of which some have found a fault.
func outcome(sides []conform.Side, faults ...bool) *conform.Outcome {
	o := &conform.Outcome{
		Task:      &conform.Task{Case: subject.Case{Toy: toys.Easy()}},
		Threshold: 1e7,
		Alpha:     1e-6,
		Sides:     sides,
	}
	for i, fault := range faults {
		o.Results = append(o.Results, conform.Result{Test: string(rune('a' + i)), Fault: fault})
	}
	return o
}

// notesOf returns the notes on an outcome.
func notesOf(o *conform.Outcome) string {
	var lines []string
	for _, n := range conform.Report(o).Notes() {
		lines = append(lines, n.Error())
	}
	return strings.Join(lines, "\n")
}

// logwSide returns forward chains with log weights alone.
func logwSide(fault bool, odds []hypotheses.Odds, named ...string) conform.Side {
	return conform.Side{
		Direction: chains.Forward,
		Chains:    1000,
		Columns:   draws.Columns{LogW: true},
		Fault:     fault,
		Odds:      odds,
		Named:     named,
		Lead:      verdicts.Lead{Others: 30.5 * math.Ln10, Unknown: math.Log(25)},
	}
}

func TestConformNotes(t *testing.T) {
	const ten = math.Ln10
	late := "late"
	early := "early"
	spec := hypotheses.Specification
	none := hypotheses.Unknown
	named := []hypotheses.Odds{{Name: late, LogOdds: 37.25 * ten, Posterior: 0.6},
		{Name: early, LogOdds: 37.25 * ten, Posterior: 0.6},
		{Name: "third", LogOdds: 30, Posterior: 0.01}, {Name: spec}}
	few := logwSide(true, named[:1], late)
	few.Survived = 2.5
	for _, c := range []struct {
		name   string
		side   conform.Side
		faults []bool
		want   string
	}{
		{"named", logwSide(true, named, late, early), []bool{true},
			`forward: "late" explains what was sent, with posterior odds of 25 against everything else that these columns can tell from it
forward: these columns cannot tell that from "early"; x_first and x_last may`},
		{"named early", few, []bool{true},
			`forward: "late" explains what was sent, with posterior odds of 25 against everything else
forward: the name is not certain: 1000 chains are 2.5 times as many as it takes to find it, and a mistake that is on no list and close to it needs some 32 times as many to be distinguished`},
		{"impossible", logwSide(true, []hypotheses.Odds{
			{Name: late, LogOdds: math.Inf(1), Posterior: 1}, {Name: spec, LogOdds: math.NaN()}}, late),
			[]bool{true},
			`forward: "late" explains what was sent, with posterior odds of 25 against everything else; ` +
				`it is impossible under the specification`},
		{"described",
			logwSide(true, []hypotheses.Odds{{Name: "log w in base 2", LogOdds: 7.25 * ten, Posterior: 0.6},
				{Name: "log w in base 10", Posterior: 0.3}}, "log w in base 2"), []bool{true},
			`forward: "log w in base 2" explains what was sent, with posterior odds of 25 against everything else
forward: "log w in base 2" is this: The column log_w holds the logarithm of w in base 2, log w / ln 2, instead of the natural one.`},
		{"none fits", logwSide(true, []hypotheses.Odds{{Name: none, LogOdds: 90, Posterior: 1},
			{Name: late, LogOdds: 30, LogE: 20 * ten}, {Name: spec}}),
			[]bool{true},
			`forward: no known bug explains it: none has posterior odds of 20 or more against all others ` +
				`and against "none of these"`},
		{"the specification is likeliest",
			logwSide(true, []hypotheses.Odds{{Name: spec, Posterior: 1}}, spec), []bool{true},
			`forward: no known bug explains it: none has posterior odds of 20 or more against all others ` +
				`and against "none of these"`},
		{"a fault elsewhere", logwSide(false, named, late), []bool{true},
			`forward: no test of these chains by themselves found a fault`},
		{"pass", conform.Side{
			Direction: chains.Reverse,
			Chains:    1,
			Columns:   draws.Columns{LogW: true, XFirst: true, XLast: true, Path: true},
			Needs: []verdicts.Need{
				{Hypothesis: "a", KL: 9, Found: 1}, {Hypothesis: "b", KL: 0.1, Found: 1.34e8},
				{Hypothesis: "c", KL: 0, Found: math.Inf(1), Alike: []string{"e", spec}},
				{Hypothesis: "d", KL: 0.2, Found: 417321},
				{Hypothesis: "e", KL: 0, Found: math.Inf(1), Alike: []string{spec, "c"}},
				{Hypothesis: "i", KL: 0.01, Found: math.Inf(1)}},
			Missing: []string{"f: it is too long", "g: it is too wide", "h: it is too long"},
			Guarantees: []conform.Guarantee{
				{Test: "states of x_1", Quantity: "P(x_1 = 3)", Low: 0.2, Right: 0.25, High: 0.3},
				{Test: "states of x_T", Quantity: "P(x_T = 3)", Low: math.Inf(-1), Right: 0.001, High: 0.01},
				{Quantity: "E[log w]", Low: -1.5, Right: -1.25, High: -1}},
		}, []bool{false, false}, `read: 1 reverse chain, with log_w and whole paths
reverse: 1 of 6 known mistakes would have been found (probability about 0.99)
reverse: log weights with so few digits may hide "i" from the test of all columns together, however many chains there are; write all digits
not considered: "f" and "h": it is too long
not considered: "g": it is too wide`},
	} {
		o := outcome([]conform.Side{c.side}, c.faults...)
		o.Untested = []string{"this is not tested"}
		begins := "no fault was found by 2 tests; a false alarm had probability at most 1e-06\n"
		if c.faults[0] {
			begins = "a fault was found by 1 of 1 test; a false alarm had probability at most 1e-06\n" +
				"read: 1000 forward chains, with log_w\n"
		}
		if got := notesOf(o); got != begins+c.want+"\nthis is not tested" {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// TestRepeatedNote: chains that repeat others are reported, and a stream that both directions share
// is not.
func TestRepeatedNote(t *testing.T) {
	side := logwSide(true, []hypotheses.Odds{
		{Name: hypotheses.Repeated, LogOdds: 900, Posterior: 1}, {Name: hypotheses.OneStream, LogOdds: 90}},
		hypotheses.Repeated)
	o := outcome([]conform.Side{side})
	o.Results = []conform.Result{{Test: conform.PairTest, Fault: true},
		{Test: "forward" + conform.RepeatsTest, Fault: true, Statistic: "9 of 10 chains come again"}}
	want := "forward: 9 of 10 chains come again; the other tests take chains for independent, so that " +
		"this is to be mended first"
	if got := notesOf(o); !strings.Contains(got, "\n"+want+"\n") ||
		strings.Contains(got, "depend on each other: what was sent") {
		t.Errorf("%q", got)
	}
	o.Sides[0].Named = nil
	if got := notesOf(o); !strings.Contains(
		got,
		"depend on each other: what was sent is 10^39 times likelier than if they were independent",
	) {
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
		{chains.Forward, []string{"states of x_1"},
			"a fault is in the distribution of x_1, and none was found in the distributions of x_T and log w"},
		{chains.Forward, []string{"x_T"},
			"a fault is in the distribution of x_T, and none was found in the distributions of x_1 and log w"},
		{chains.Forward, []string{"x_T", "distribution of log w"},
			"a fault is in the distributions of x_T and log w, and none was found in the distribution of x_1"},
		{chains.Forward, []string{"log w"},
			"a fault is in the distribution of log w, and none was found in the distributions of x_1 and x_T"},
		{chains.Forward, []string{"outcomes"},
			"no test found a fault in the distributions of x_1, x_T and log w by themselves"},
		{chains.Reverse, []string{"x_1"},
			"a fault is in the distribution of x_1, and none was found in the distributions of x_T and log w"},
		{chains.Reverse, []string{"x_1", "x_T", "log w"},
			"a fault is in the distributions of x_T, x_1 and log w"},
		{chains.Forward, nil, ""},
	} {
		o := outcome([]conform.Side{
			{Direction: c.d, Fault: true, Odds: []hypotheses.Odds{{Name: hypotheses.Specification}}}}, true)
		for _, name := range []string{"x_1", "x_T", "log w", "finite log w", "distribution of log w",
			"states of x_1", "states of x_T", "outcomes"} {
			if c.faults != nil ||
				name != "log w" && name != "finite log w" && name != "distribution of log w" {
				r := conform.Result{
					Test:      c.d.String() + " " + name,
					LogE:      90 * math.Ln10,
					Statistic: "as seen in " + name,
				}
				if at := slices.Index(c.faults, name); at >= 0 {
					// a test without a fault has a larger e-value here, and says nothing
					r.Fault = true
					r.LogE = (21.5 + float64(at)) * math.Ln10
					r.Where = "after 9 draws"
				}
				o.Results = append(o.Results, r)
			}
		}
		fits := fmt.Sprintf(
			"\n%s: no known bug explains it: none has posterior odds of 20 or more against all others and "+
				"against \"none of these\"",
			c.d,
		)
		if len(c.faults) > 0 {
			worst := c.faults[len(c.faults)-1]
			fits += fmt.Sprintf(
				"; the test that failed worst is \"%s %s\", with an e-value of 10^%d: after 9 draws; as seen in %s",
				c.d,
				worst,
				20+len(c.faults),
				worst,
			)
		}
		if c.want != "" {
			c.want = fmt.Sprintf("\n%s: %s", c.d, c.want)
		}
		if got := notesOf(o); !strings.HasSuffix(got, fits+c.want) {
			t.Errorf("%v, faults of %q:\n%s\nwant\n%s", c.d, c.faults, got, c.want)
		}
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
			"the log of their mean below 1.2 or above 1.3 would have been found (probability 0.99), if " +
				"estimates scatter like the first 7"},
		{verdicts.Lower, -inf, 1.3, "the log of their mean above 1.3 would"},
		{verdicts.Upper, 1.2, inf, "minus the log of the mean of their inverses below 1.2 would"},
		{verdicts.UpperOnAverage, 1.2, inf, "the mean of their logs below 1.2 would"},
		{verdicts.Unbiased, -inf, inf,
			"estimates that scatter like the first 7 are too few to find a wrong mean with probability 0.99, " +
				"whatever it is"},
	} {
		if _, got := estimatesNotes(conform.EstimatesOutcome{Claim: c.claim,
			Detectable: &conform.Detectable{Low: c.low, High: c.high, Taken: 7}}); !strings.HasPrefix(got, c.want) {
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
		{verdicts.Unbiased, 20, never,
			"off by 20 standard errors, which rare estimates far away could still make up for; a smaller " +
				"largest, or claim within:"},
		{verdicts.ReciprocalUnbiased, 20, never, "a larger smallest, or"},
		{verdicts.Unbiased, 3.7, 8192,
			"the log of their mean is off by 3.7 standard errors: if it stays there, 8192 estimates decide"},
		{verdicts.Unbiased, 3.7, never, ""},
		{verdicts.Unbiased, 2.9, 8192, ""},
		{"within:1", 5.3, 319,
			"P(log Zhat is near) is off by 5.3 standard errors: if it stays there, 319 estimates decide"},
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
		if got := notesOf(o); strings.Contains(got, "log-z-included") != (c.want != "") ||
			!strings.Contains(got, c.want) {
			t.Errorf("%v: %s", c.other, got)
		}
		o.Estimates.LogZ = c.other
		o.Estimates.Other = 1.2
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
	const want = "P(z <= 0) below 0.4 or above 0.61 would have been found (probability 0.99); 0.5 is right"
	if _, got := estimatesNotes(e); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	g[1].Low, g[1].High = -inf, inf
	if _, got := estimatesNotes(e); got !=
		"9 estimates are too few to find with probability 0.99 that P(z <= 0) is wrong, whatever it is" {
		t.Error(got)
	}
}

// TestIdleTests: a test that cannot find anything is no pass, neither in the table nor among those
// that are counted.
func TestIdleTests(t *testing.T) {
	idle := conform.Result{Test: "a", Idle: true}
	pass := conform.Result{Test: "b"}
	for _, c := range []struct {
		results []conform.Result
		verdict string
		note    string
	}{
		{[]conform.Result{idle}, "open", "nothing was tested, so that nothing is said of what was sent"},
		{[]conform.Result{pass, idle}, "pass", "no fault was found by 1 test; "},
		{[]conform.Result{{Test: "c", Idle: true, Fault: true}}, "fault",
			"a fault was found by 1 of 1 test; "},
		{[]conform.Result{{Test: "d", Open: "too few", Decides: 9}, pass}, "open",
			"1 of 2 tests is open: there is no fault, and this is not a pass"},
	} {
		o := outcome(nil)
		o.Results = c.results
		if note := notesOf(o); !strings.HasPrefix(note, c.note) ||
			string(c.results[0].Found().Verdict) != c.verdict {
			t.Errorf("%+v: %s, %s", c.results, c.results[0].Found().Verdict, note)
		}
	}
}
