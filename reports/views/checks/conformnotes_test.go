package checks

import (
	"math"
	"slices"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/experiments/conform"
	"breadboard/experiments/conform/hypotheses"
	"breadboard/experiments/eprocess"
	"breadboard/experiments/samples"
	"breadboard/reports"
)

// notesOf returns the notes on an outcome of forward chains.
func notesOf(s conform.Side, faults ...bool) string {
	o := &conform.Outcome{Alpha: 1e-6, Threshold: 1e7, Sides: []conform.Side{s}, Untested: []string{"this is not tested"}}
	for i, fault := range faults {
		o.Results = append(o.Results, conform.Result{Test: string(rune('a' + i)), Fault: fault})
	}
	r := &reports.Report{}
	conformNotes(r, o)
	var lines []string
	for _, n := range r.Notes() {
		lines = append(lines, n.Error())
	}
	return strings.Join(lines, "\n")
}

// logwSide returns forward chains with log weights alone.
func logwSide(fault bool, odds []hypotheses.Odds, named ...string) conform.Side {
	return conform.Side{
		Direction: chains.Forward, Source: "fwd.csv", Chains: 1000, Columns: samples.Columns{LogW: true}, Fault: fault, Odds: odds, Named: named,
	}
}

// early_ returns the side after few chains.
func early_(s conform.Side) conform.Side {
	s.Survived = 2.5
	return s
}

func TestConformNotes(t *testing.T) {
	const ten = math.Ln10
	late, early, spec, none := "late", "early", hypotheses.Specification, hypotheses.Unknown
	named := []hypotheses.Odds{{Name: late, LogOdds: 37.25 * ten, Posterior: 0.6}, {Name: early, LogOdds: 37.25 * ten, Posterior: 0.6}, {Name: "third", LogOdds: 30, Posterior: 0.01}, {Name: spec}}
	for _, c := range []struct {
		name   string
		side   conform.Side
		faults []bool
		want   string
	}{
		{"named", logwSide(true, named, late, early), []bool{true, false}, `a fault was found by 1 of 2 tests; a false alarm had probability at most 1e-06
forward: 1000 chains of fwd.csv were read, with log_w
forward: what was sent is 10^37 times likelier under "late" than under the specification; it is only 60 times likelier under it than under "third"
forward: these columns cannot tell that from "early"; x_first and x_last may
this is not tested`},
		{"named early", early_(logwSide(true, named[:1], late)), []bool{true}, `a fault was found by 1 of 1 test; a false alarm had probability at most 1e-06
forward: 1000 chains of fwd.csv were read, with log_w
forward: what was sent is 10^37 times likelier under "late" than under the specification
forward: the name is not certain: 1000 chains are 2.5 times as many as it takes to find this bug, and a bug that is on no list and close to it is told from it by some 32 times as many
this is not tested`},
		{"impossible", logwSide(true, []hypotheses.Odds{{Name: late, LogOdds: math.Inf(1), Posterior: 1}, {Name: spec, LogOdds: math.NaN()}}, late), []bool{true}, `a fault was found by 1 of 1 test; a false alarm had probability at most 1e-06
forward: 1000 chains of fwd.csv were read, with log_w
forward: what was sent is impossible under the specification, and likeliest under "late"
this is not tested`},
		{"described", logwSide(true, []hypotheses.Odds{{Name: "log w in base 2", LogOdds: 7.25 * ten, Posterior: 0.6}, {Name: "log w in base 10", Posterior: 0.3}}, "log w in base 2"), []bool{true}, `a fault was found by 1 of 1 test; a false alarm had probability at most 1e-06
forward: 1000 chains of fwd.csv were read, with log_w
forward: what was sent is 10^7 times likelier under "log w in base 2" than under the specification; it is only 2 times likelier under it than under "log w in base 10"
forward: "log w in base 2" is this: The column log_w holds the logarithm of w in base 2, log w / ln 2, in place of the natural one.
this is not tested`},
		{"none fits", logwSide(true, []hypotheses.Odds{{Name: none, LogOdds: 90, Posterior: 1}, {Name: late, LogOdds: 30, LogE: 20 * ten}, {Name: spec}}), []bool{true}, `a fault was found by 1 of 1 test; a false alarm had probability at most 1e-06
forward: 1000 chains of fwd.csv were read, with log_w
forward: none of the known ways to get it wrong fits; the nearest is "late", which the chains refuse as well, with an e-value of 10^20
this is not tested`},
		{"the specification is likeliest", logwSide(true, []hypotheses.Odds{{Name: spec, Posterior: 1}}, spec), []bool{true}, `a fault was found by 1 of 1 test; a false alarm had probability at most 1e-06
forward: 1000 chains of fwd.csv were read, with log_w
forward: no known way to get it wrong explains these chains better than the specification does; the rows that say fault tell where they differ
this is not tested`},
		{"a fault elsewhere", logwSide(false, named, late), []bool{true}, `a fault was found by 1 of 1 test; a false alarm had probability at most 1e-06
forward: 1000 chains of fwd.csv were read, with log_w
forward: no test of these chains by themselves found a fault
this is not tested`},
		{"pass", conform.Side{Direction: chains.Reverse, Source: "-", Chains: 1, Columns: samples.Columns{LogW: true, XFirst: true, XLast: true, Path: true},
			Telling: []conform.Telling{{Hypothesis: "a", KL: 9, Found: 1}, {Hypothesis: "b", KL: 0.1, Found: 1.34e8}, {Hypothesis: "c", KL: 0, Found: math.Inf(1), Alike: []string{"e", spec}}, {Hypothesis: "d", KL: 0.2, Found: 417321}, {Hypothesis: "e", KL: 0, Found: math.Inf(1), Alike: []string{spec, "c"}}, {Hypothesis: "i", KL: 0.01, Found: math.Inf(1)}},
			Missing: []string{"f: it is too long", "g: it is too wide", "h: it is too long"}, Guarantees: []conform.Guarantee{
				{Test: "states of x_1", Quantity: "P(x_1 = 3)", Low: 0.2, Right: 0.25, High: 0.3},
				{Test: "states of x_T", Quantity: "P(x_T = 3)", Low: math.Inf(-1), Right: 0.001, High: 0.01},
				{Quantity: "E[log w]", Low: -1.5, Right: -1.25, High: -1}},
		}, []bool{false, false}, `no fault was found by 2 tests; a false alarm had probability at most 1e-06
reverse: 1 chain of - was read, with log_w and whole paths
reverse: 1 of the 6 known ways to get it wrong would have been found with a probability of about 99%
reverse: a fault that is on no list would have been found as surely if it changes P(x_1 = 3) from 0.25 to below 0.2 or above 0.3, or P(x_T = 3) from 0.001 to above 0.01; one that changes less may have passed
reverse: 1 chain may be too few to find "d" (it takes some 420000) and "b" (it takes some 1.3e8)
reverse: log weights with so few digits may hide "i" from the test of all columns together, however many chains there are; write all digits
reverse: by these columns no number of chains tells "c" and "e" from the specification
reverse: E[log w] is -1.25; had the mean of the program been below -1.5 or above -1, that would have been found with a probability of 99% (computed for the law with such a mean that is nearest to the right one)
reverse: not considered: "f" and "h": it is too long
reverse: not considered: "g": it is too wide
this is not tested`},
	} {
		if got := notesOf(c.side, c.faults...); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// TestRepeatedNote: chains that repeat others are said to do so, and nothing is said of a stream that both directions share.
func TestRepeatedNote(t *testing.T) {
	side := logwSide(true, []hypotheses.Odds{{Name: hypotheses.Repeated, LogOdds: 900, Posterior: 1}, {Name: hypotheses.OneStream, LogOdds: 90}}, hypotheses.Repeated)
	o := &conform.Outcome{Alpha: 1e-6, Threshold: 1e7, Sides: []conform.Side{side}, Results: []conform.Result{
		{Test: conform.PairTest, Fault: true}, {Test: "forward" + conform.RepeatsTest, Fault: true, Statistic: "9 of 10 chains come again"},
	}}
	want := "9 of 10 chains come again; the other tests take chains for independent, so that this is to be mended first: look for a table of random numbers whose index overflows, a seed that is used again, or a chain that is written again in place of a new one"
	if got := faultNotes(o, &side); len(got) != 1 || got[0] != want {
		t.Errorf("%q", got)
	}
	if got := commonNotes(o); got != nil {
		t.Errorf("%q", got)
	}
	o.Sides[0].Named = nil
	if got := commonNotes(o); len(got) != 1 || !strings.Contains(got[0], "one random stream") {
		t.Errorf("%q", got)
	}
}

// TestLookNote: where nothing is named it is said which laws are wrong and which are not, and where to look.
func TestLookNote(t *testing.T) {
	for _, c := range []struct {
		d      chains.Direction
		faults []string // the tests of chains of three columns that found a fault
		want   string
	}{
		{chains.Forward, []string{"states of x_1"}, "a fault is in the law of x_1, and none was found in the laws of x_T and log w: look first at how chains start"},
		{chains.Forward, []string{"x_T"}, "a fault is in the law of x_T, and none was found in the laws of x_1 and log w: look first at the last move, after which nothing is added to log w"},
		{chains.Forward, []string{"x_T", "law of log w"}, "a fault is in the laws of x_T and log w, and none was found in the law of x_1: look first at the moves, which both depend on"},
		{chains.Forward, []string{"log w"}, "a fault is in the law of log w, and none was found in the laws of x_1 and x_T: look first at the increments: of which stage they are, and at which state they are added"},
		{chains.Forward, []string{"outcomes"}, "no test found a fault in the laws of x_1, x_T and log w by themselves: look first at what comes together in a chain, as the order of the rows in each column, and which states a single move can reach"},
		{chains.Reverse, []string{"x_1"}, "a fault is in the law of x_1, and none was found in the laws of x_T and log w: look first at which state is written as x_1: the last increment is added there"},
		{chains.Reverse, []string{"x_1", "x_T", "log w"}, "a fault is in the laws of x_T, x_1 and log w: look first at how chains start"},
		{chains.Forward, nil, ""},
	} {
		o := &conform.Outcome{}
		for _, name := range []string{"x_1", "x_T", "log w", "finite log w", "law of log w", "states of x_1", "states of x_T", "outcomes"} {
			if c.faults != nil || name != "log w" && name != "finite log w" && name != "law of log w" {
				o.Results = append(o.Results, conform.Result{Test: c.d.String() + " " + name, Fault: slices.Contains(c.faults, name)})
			}
		}
		if got := lookNote(o, &conform.Side{Direction: c.d}); got != c.want {
			t.Errorf("%v, faults of %q:\n%s\nwant\n%s", c.d, c.faults, got, c.want)
		}
	}
}

// TestLateNote: of many hypotheses the first few are named, and one more is named instead of being counted.
func TestLateNote(t *testing.T) {
	var late []conform.Telling
	for i := range mostListed + 2 {
		late = append(late, conform.Telling{Hypothesis: string(rune('a' + i)), Found: float64(20 - i)})
		note := lateNote(10, append([]conform.Telling{}, late...))
		if names := strings.Count(note, `"`) / 2; i < mostListed+1 && names != i+1 || i == mostListed+1 && names != mostListed {
			t.Errorf("%d hypotheses: %s", i+1, note)
		}
	}
	if note := lateNote(10, late); !strings.HasSuffix(note, "and 2 others (they take more)") || !strings.Contains(note, `find "h" (it takes some 13), "g"`) {
		t.Error(note)
	}
}

func TestPower10(t *testing.T) {
	for v, want := range map[float64]string{0: "1", math.Log(1.234): "1.2", math.Log(8345): "8345", 6 * math.Ln10 * 1.0000001: "10^6", 1545.9 * math.Ln10: "10^1545", math.Inf(1): "infinity"} {
		if got := power10(v); got != want {
			t.Errorf("exp(%v) is written %s, want %s", v, got, want)
		}
	}
}

func TestEstimatesNote(t *testing.T) {
	e := &conform.EstimatesOutcome{Source: "smc.csv", Claim: eprocess.Unbiased, Says: "are unbiased", LogZ: 1.25, Summary: eprocess.Summary{Draws: 100, LogMean: 1.2345678, LogMeanError: 0.0123}}
	if got, want := estimatesNote(e), "100 estimates of smc.csv were read, of which it is claimed that they are unbiased; the log of their mean is 1.23457 with a standard error of 0.012, and log Z is 1.25"; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	e.Summary = eprocess.Summary{Draws: 1, LogMean: math.Inf(-1), LogMeanError: math.NaN()}
	if got, want := estimatesNote(e), "1 estimate of smc.csv was read, of which it is claimed that they are unbiased; the log of their mean is -Inf, and log Z is 1.25"; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	e.Claim, e.Says, e.Summary = eprocess.Upper, "are upper", eprocess.Summary{Draws: 2, LogMean: 1.5, LogMeanError: math.NaN()}
	if got, want := estimatesNote(e), "of which it is claimed that they are upper; minus the log of the mean of their inverses is 1.5, and log Z is 1.25"; !strings.HasSuffix(got, want) {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// TestDetectableNote: a pass of estimates says which means would have been found, and which would not.
func TestDetectableNote(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		claim     eprocess.Claim
		low, high float64
		want      string
	}{
		{eprocess.Unbiased, 1.2, 1.3, "estimates that scatter as the first 7 do would have been found wrong with a probability of 99% were the log of their mean below 1.2 or above 1.3"},
		{eprocess.Lower, -inf, 1.3, "99% were the log of their mean above 1.3"},
		{eprocess.Upper, 1.2, inf, "99% were minus the log of the mean of their inverses below 1.2"},
		{eprocess.UpperOnAverage, 1.2, inf, "99% were the mean of their logs below 1.2"},
		{eprocess.Unbiased, -inf, inf, "estimates that scatter as the first 7 do are too few to be found wrong with a probability of 99%, whatever their mean is"},
	} {
		if got := detectableNote(&conform.EstimatesOutcome{Claim: c.claim, Detectable: &conform.Detectable{Low: c.low, High: c.high, Taken: 7}}); !strings.HasSuffix(got, c.want) {
			t.Errorf("%s\nwant\n%s", got, c.want)
		}
	}
	if note := detectableNote(&conform.EstimatesOutcome{}); note != "" {
		t.Error(note)
	}
	average := estimatesNote(&conform.EstimatesOutcome{Claim: eprocess.LowerOnAverage, Summary: eprocess.Summary{MeanLog: 1.5, LogMean: 2.5}})
	if !strings.Contains(average, "the mean of their logs is 1.5") {
		t.Error(average)
	}
}

// TestLikelihoodNote: of the probabilities that were tested the note has that which is the nearest to a half.
func TestLikelihoodNote(t *testing.T) {
	inf := math.Inf(1)
	g := []conform.Guarantee{{Quantity: "P(z <= 1)", Draws: 9, Low: 0.7, Right: 0.84, High: 0.9}, {Quantity: "P(z <= 0)", Draws: 9, Low: 0.4, Right: 0.5, High: 0.61}}
	e := &conform.EstimatesOutcome{Guarantees: g}
	if got, want := likelihoodNote(e), "P(z <= 0) below 0.4 or above 0.61 would have been found with a probability of 99%, and 0.5 is right"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	g[1].Low, g[1].High = -inf, inf
	if got, want := likelihoodNote(e), "9 estimates are too few to find with a probability of 99% that P(z <= 0) is wrong, whatever it is"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := likelihoodNote(&conform.EstimatesOutcome{}); got != "" {
		t.Error(got)
	}
}

// TestIdleTests: a test that cannot find anything is no pass, neither in the table nor among those that are counted.
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
	} {
		r := &reports.Report{}
		conformNotes(r, &conform.Outcome{Alpha: 1e-6, Results: c.results})
		if note := r.Notes()[0].Error(); !strings.HasPrefix(note, c.note) || string(c.results[0].Found().Verdict) != c.verdict {
			t.Errorf("%+v: %s, %s", c.results, c.results[0].Found().Verdict, note)
		}
	}
}

// TestMeanNotes: an end at which no deviation is found is not spoken of.
func TestMeanNotes(t *testing.T) {
	inf := math.Inf(1)
	for want, g := range map[string]conform.Guarantee{
		"": {Low: -inf, High: inf},
		"E[log w] is 2; had the mean of the program been below 1, that would have been found with a probability of 99% (computed for the law with such a mean that is nearest to the right one)":                                                    {Low: 1, Right: 2, High: inf},
		"E[log w] is 2; had the mean of the program been above 3, that would have been found with a probability of 99% (computed for the law with such a mean that is nearest to the right one)":                                                    {Low: -inf, Right: 2, High: 3},
		"E[log w] is 2; had the mean of the program been below 1 or above 3, that would have been found with a probability of 99% (computed for the law with such a mean that is nearest to the right one)":                                         {Low: 1, Right: 2, High: 3},
		"E[log w] is 1000000000000; had the mean of the program been below 999999999999.75 or above 1000000000000.5, that would have been found with a probability of 99% (computed for the law with such a mean that is nearest to the right one)": {Low: 1e12 - 0.25, Right: 1e12, High: 1e12 + 0.5},
	} {
		g.Quantity = "E[log w]"
		if got := strings.Join(meanNotes(&conform.Side{Guarantees: []conform.Guarantee{{}, g}}), "|"); got != want {
			t.Errorf("%s\nwant\n%s", got, want)
		}
	}
}

// TestMissingOf: what is missing in both directions is said once.
func TestMissingOf(t *testing.T) {
	o := &conform.Outcome{Sides: []conform.Side{{Direction: chains.Forward, Missing: []string{"a: x", "b: y"}}, {Direction: chains.Reverse, Missing: []string{"b: y", "c: x"}}}}
	want := `forward: not considered: "a": x|forward and reverse: not considered: "b": y|reverse: not considered: "c": x`
	if got := strings.Join(missingOf(o), "|"); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
