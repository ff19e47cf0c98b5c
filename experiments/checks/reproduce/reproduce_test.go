package reproduce

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
)

// TestClaims: each claim has all that its row shows, and says either how it is tested or why it
// cannot be.
func TestClaims(t *testing.T) {
	seen := map[string]bool{}
	papers := keys()
	for _, c := range Claims() {
		if seen[c.ID] || !slices.Contains(papers, c.Paper()) || c.Place == "" || c.Says == "" ||
			!slices.Contains(efforts(), c.effort()) {
			t.Errorf("%s: an identifier given twice or of no paper, or a place, a claim or an effort that "+
				"is not there: %+v",
				c.ID, c)
		}
		seen[c.ID] = true
		if (c.Holds == nil) != (c.Verdict == missing) ||
			(c.Lacks != "") != (c.Verdict == missing || c.Verdict == notTried) || c.Holds == nil && c.InKind {
			t.Errorf("%s: a claim has a test, or lacks something and has the verdict %q or %q",
				c.ID, missing, notTried)
		}
		if c.InKind == (c.Verdict == asPrinted) && !c.Verdict.Failed() && c.Lacks == "" {
			t.Errorf("%s: a claim in kind cannot have the verdict %q", c.ID, c.Verdict)
		}
		if c.Verdict != asPrinted && c.Why == "" && c.Lacks == "" {
			t.Errorf("%s: nothing says why the verdict is %q", c.ID, c.Verdict)
		}
		if c.Conditions != nil && !slices.ContainsFunc(c.Conditions, canFail) {
			t.Errorf("%s: its conditions always hold", c.ID)
		}
		if strings.Contains(c.Says+c.Why+c.Lacks+c.Printed, "\n") {
			t.Errorf("%s: a text has several lines", c.ID)
		}
		for _, command := range c.Commands {
			if strings.Join(strings.Fields(command), " ") != command ||
				strings.HasPrefix(command, "breadboard") || strings.Contains(command, "--format") ||
				strings.Contains(command, "--workers") {
				t.Errorf("%s: %q; a command is words with one space between them, without the program's "+
					"name, a format and workers",
					c.ID, command)
			}
		}
	}
	for id := range ofClaims() {
		if i := slices.IndexFunc(Claims(), func(c Claim) bool { return c.ID == id }); i < 0 ||
			Claims()[i].Conditions != nil {
			t.Errorf("%s has a test in Go, and it is not a claim, or has conditions too", id)
		}
	}
	for _, f := range Figures() {
		if !slices.Contains(papers, f.Paper) || f.Name == "" || f.Shows == "" || f.Command == "" {
			t.Errorf("a figure without a paper, a name, a description or a command: %+v", f)
		}
	}
}

// canFail reports whether a condition is a test, or has a comparison.
func canFail(condition string) bool {
	a := newAnswers([]string{""}, []Table{nil})
	test, _, _ := a.test(condition)
	_, sign, _ := cut(condition[strings.LastIndex(condition, named)+1:], comparisons())
	return test != nil || sign != ""
}

// TestRounds: a printed number is met to half a unit of its last digit, and no further.
func TestRounds(t *testing.T) {
	for _, c := range []struct {
		v       float64
		printed string
		want    bool
	}{
		{0.13014712, "0.13", true}, {0.135, "0.13", true}, {0.1351, "0.13", false}, {0.125, "0.13", true},
		{0.1249, "0.13", false},
		{1.84034, "1.840", true}, {1.8406, "1.840", false}, {0.25466, "26%", false}, {0.2551, "26%", true},
		{-2.5, "-3", true}, {100.4, "100", true},
		{math.NaN(), "1", false}, {math.Inf(1), "1", false}, {1, "one", false}, {0, "", false},
	} {
		if got := rounds(c.v, c.printed); got != c.want {
			t.Errorf("Rounds(%v, %q) = %v", c.v, c.printed, got)
		}
	}
}

// answered returns answers to one command.
func answered(t *testing.T, table string) *Answers {
	t.Helper()
	rows := longtest.Must(ParseTable([]byte(table)))(t)
	return newAnswers([]string{"gap"}, []Table{rows})
}

// TestAnswers: numbers are read by their column and their row, and shown with them; what is not
// there is an error that names it.
func TestAnswers(t *testing.T) {
	const table = `[{"toy": "easy", "T": 100, "J": 0.5, "big": "+Inf", "word": "x", "none": null}, ` +
		`{"toy": "easy", "T": 1e6, "J": 0.25, "big": 1, "word": "y", "none": 3}]`
	a := answered(t, table)
	if v := a.Number("J", "toy=easy", "T=100"); v != 0.5 || a.err != nil {
		t.Errorf("%v, %v", v, a.err)
	}
	if list := a.Numbers("big"); !slices.Equal(list, []float64{math.Inf(1), 1}) || a.err != nil {
		t.Errorf("%v, %v", list, a.err)
	}
	if v := a.Number("J", "T=1e+06"); v != 0.25 || a.In(0).Count("toy=hard") != 0 ||
		a.In(0).Count("word=y") != 1 || a.err != nil {
		t.Errorf("%v, %v", v, a.err)
	}
	if v := a.Numbers("none"); !math.IsNaN(v[0]) || v[1] != 3 || a.err != nil {
		t.Errorf("an empty cell is %v, %v", v, a.err)
	}
	row := Row{Read: a.Readings()}
	if text := row.ours("%v"); !strings.HasPrefix(
		text,
		"J toy=easy T=100 0.5; big +Inf; big 1; J T=1e+06 0.25; rows toy=hard 0; rows word=y 1",
	) {
		t.Errorf("it shows %q", text)
	}
	for want, read := range map[string]func(a *Answers){
		"2 rows have toy=easy":      func(a *Answers) { a.Number("J", "toy=easy") },
		"no row has toy=hard":       func(a *Answers) { a.Number("J", "toy=hard") },
		"there is no column B":      func(a *Answers) { a.Number("B", "T=100") },
		"there is no column kernel": func(a *Answers) { a.Number("J", "kernel=flip") },
		"which is not a number":     func(a *Answers) { a.Number("word", "T=100") },
	} {
		a := answered(t, table)
		read(a)
		if a.err == nil || !strings.Contains(a.err.Error(), want) ||
			!strings.Contains(a.err.Error(), "breadboard gap") {
			t.Errorf("%v; want %s", a.err, want)
		}
	}
}

// TestConditions: a condition holds in every row that is where it says, or row by row; what is read
// is shown once.
func TestConditions(t *testing.T) {
	const table = `[{"toy": "a b", "J": 0.126, "B": 0.5}, {"toy": "easy", "J": 0.134, "B": 0.2}]`
	for condition, want := range map[string]bool{
		"J rounds 0.13": true, "J rounds 0.126": false, "J < B": true, "J > B": false,
		"B at toy=easy < 0.5": true, "B < 0.5": false, "B <= 0.5": true,
		"J near 1:J": true, "J same 1:B": false, "~B at toy=easy, B=0.2 near J at toy=a b": false,
		"10 * J > 1:B": true, "J < 0.25 * B": false, "J": true,
		"B >= 0.2": true, "B > 0.2": false, "J < B at toy=easy": true, "J at toy=a b < 1:B": false,
		"J rises": true, "J falls": false, "B falls": true, "B rises": false, "J != B": true, "J != J": false,
		"B within 0.31 of 0.2": true,
		"B within 0.29 of 0.2": false,
		"sum(B) near 0.7":      true, "mean(B) near 0.35": true, "median(B) near 0.35": true,
		"sd(B) near 0.21213203435596426": true,
		"ratio(B) near 2.5":              true, "count(B) same 2": true,
		"first(B) same 0.5": true, "last(B) same 0.2": true, "last(J) same 0.134": true,
		"least(J) same 0.126": true, "most(J) same 0.134": true,
		"first(J) > last(J)": false,
		"abs(0 - B) near B":  true, "sqrt(B) * sqrt(B) near B": true, "exp(log(B)) near B": true,
		"exp(B) > 1.3": false, "chi8(0) same 1": true,
		"abs(chi8(8) - 0.43347) < 1e-5": true,
		"B - J - 0.1 < 0.3":             true, "1 / B / 2 near 0.5 / B": true, "1 - 2 * B < -0.1": false,
		"(1 - 2) * B < 0": true, "B / J > 3": false,
		"B + J < 0.63":           true,
		"mean(B < 0.3) same 0.5": true, "(J < 0.13) + (B < 0.3) same 1": true,
		"(J < 0.13) * (B > 0.3) same 0": false, "B + J at toy=easy, B=0.2 > B": true,
		"(J rounds 0.13) same 0": false, "a name is B - J > 0.1": false,
		"rounded is 2 * J at toy=easy rounds 0.27": true,
	} {
		a := newAnswers([]string{"gap", "gap"}, slices.Repeat([]Table{longtest.Must(ParseTable([]byte(table)))(t)}, 2))
		if got := a.fulfil(condition); got != want || a.err != nil {
			t.Errorf("%s: %v, %v", condition, got, a.err)
		}
	}
	a := answered(t, table)
	if !a.fulfil("B at toy=easy > J at toy=easy") || !a.fulfil("B at toy=easy < 1") || len(a.Readings()) != 2 ||
		a.err != nil {
		t.Errorf("%+v, %v", a.Readings(), a.err)
	}
	a = answered(t, table)
	if !a.fulfil("the rises at toy=easy is B / J at toy=easy") ||
		!a.fulfil("2 * the rises at toy=easy > 2.9") ||
		a.fulfil("the rises at toy=easy falls") == a.fulfil("the rises at toy=easy rises") ||
		a.fulfil("the rises at toy=easy < 1.5") {
		t.Error("a name has other numbers than those that it was given")
	}
	row := Row{Read: a.Readings()}
	if text := row.ours("%.3g"); text !=
		"B 0.5; B 0.2; J toy=easy 0.134; the rises at toy=easy 3.73; the rises at toy=easy 1.49" ||
		a.err != nil {
		t.Errorf("%s, %v", text, a.err)
	}
	for _, wrong := range []string{"J equals 3", "power(J) < 1", "9:J < 1", "J at toy=hard < 1", "T < 1",
		"T", "ratio(B at toy=easy) < 1"} {
		a := answered(t, table)
		a.fulfil(wrong)
		if a.err == nil {
			t.Errorf("%s is taken for a condition that can be tested", wrong)
		}
	}
}

// TestExpand: each choice is made at all its places, and the first changes last.
func TestExpand(t *testing.T) {
	got := expand([]string{"{J|B} at toy={a|b} < 2 * {1} at toy={2}, T={1|10}", "J"})
	want := []string{
		"J at toy=a < 2 * J at toy=a, T=1", "J at toy=a < 2 * J at toy=a, T=10",
		"J at toy=b < 2 * J at toy=b, T=1", "J at toy=b < 2 * J at toy=b, T=10",
		"B at toy=a < 2 * B at toy=a, T=1", "B at toy=a < 2 * B at toy=a, T=10",
		"B at toy=b < 2 * B at toy=b, T=1", "B at toy=b < 2 * B at toy=b, T=10", "J",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// asked answers every command with the same table, and counts how often each was run.
func asked(table string, ran *sync.Map) func(context.Context, string) ([]byte, error) {
	return func(_ context.Context, command string) ([]byte, error) {
		n, _ := ran.LoadOrStore(command, 0)
		ran.Store(command, n.(int)+1)
		return []byte(table), nil
	}
}

// run judges the claims that options choose.
func run(ctx context.Context, o Options) ([]Row, error) {
	o.Effort = Fast
	return study.Run(ctx, Study(), nil, o, study.How{Workers: 1})
}

// TestVerdictsAreComputed: a verdict follows from the answers, and one that is not as it was is
// told apart; a command is run once.
func TestVerdictsAreComputed(t *testing.T) {
	var ran sync.Map
	rows, err := run(t.Context(), Options{Claims: []string{"bread-1"}, Ask: asked(`[{"J": 0.1301}]`, &ran)})
	if err != nil || len(rows) != 1 || rows[0].Now != asPrinted || rows[0].Differs() {
		t.Errorf("%+v, %v", rows, err)
	}
	rows, err = run(t.Context(), Options{Claims: []string{"bread-1"}, Ask: asked(`[{"J": 0.1399}]`, &ran)})
	if err != nil ||
		rows[0].Now != failsThere || !rows[0].Differs() {
		t.Errorf("%+v, %v", rows, err)
	}
	if n, _ := ran.Load(Claims()[0].Commands[0]); n != 2 {
		t.Errorf("two runs have run the command %v times", n)
	}
}

// TestFailingCommands: a command that fails, or answers with no table, costs the verdicts of its
// claims alone.
func TestFailingCommands(t *testing.T) {
	for _, ask := range []func(context.Context, string) ([]byte, error){
		func(context.Context, string) ([]byte, error) { return nil, errors.New("out of paper") },
		func(context.Context, string) ([]byte, error) { return []byte(`{"J": 1`), nil },
		func(context.Context, string) ([]byte, error) { return []byte(`[]`), nil }} {
		rows, err := run(t.Context(), Options{Claims: []string{"bread-1"}, Ask: ask})
		if err != nil || len(rows) != 1 || rows[0].Fault == nil || rows[0].Now != "" || !rows[0].Differs() {
			t.Errorf("%+v, %v", rows, err)
		}
	}
}

// TestForeignTables: a test that finds nothing of what it reads has an error that says so, and
// never ends the program.
func TestForeignTables(t *testing.T) {
	row := map[string]any{"toy": "easy", "estimator": "ns", "bias": nil}
	for _, table := range []Table{{}, {{}}, {{"toy": "easy"}, {"toy": "hard"}}, {row}} {
		for _, c := range Claims() {
			v, err := c.judge(newAnswers(c.Commands, slices.Repeat([]Table{table}, len(c.Commands))))
			if len(c.Commands) > 0 && err == nil {
				t.Errorf("%s is %s by the tables %v", c.ID, v, table)
			}
		}
	}
}

// TestFailures: a test that fails has the verdict that was seen, or says whose conditions it failed
// under; one of another budget decides nothing.
func TestFailures(t *testing.T) {
	fails := func(*Answers) bool { return false }
	holds := func(*Answers) bool { return true }
	for want, c := range map[Verdict]Claim{
		printedWrongly: {Holds: fails, Verdict: printedWrongly},
		failsThere:     {Holds: fails, Verdict: asPrinted},
		failsHere:      {Holds: fails, InKind: true, Verdict: sameInKind},
		notTried:       {Holds: fails, Lacks: "time", Verdict: notTried}, missing: {Lacks: "a lake"},
		asPrinted: {Holds: holds, Verdict: printedWrongly},
	} {
		if got, err := c.judge(newAnswers(nil, nil)); got != want || err != nil {
			t.Errorf("%q and %v, want %q", got, err, want)
		}
	}
	of := map[Verdict]string{}
	for _, c := range Claims() {
		if c.Verdict.Failed() || c.Verdict == notTried {
			of[c.Verdict] += c.ID + " "
		}
		for _, command := range c.Commands {
			if c.Verdict.Failed() && strings.Contains(command, "--time") {
				t.Errorf("%s fails by what it finds within a budget of ours", c.ID)
			}
		}
	}
	for v, some := range map[Verdict]string{printedWrongly: "bread-7 ", failsThere: "bread-16 ",
		failsHere: "bdmc-29 ", notTried: "bdmc-31 bdmc-35 "} {
		if !strings.Contains(of[v], some) {
			t.Errorf("%q: %s", v, of[v])
		}
	}
}

// TestJudgePanics: a mistake in a test that has found all its numbers is not taken for a failing
// command.
func TestJudgePanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("the mistake went unseen")
		}
	}()
	c := Claim{Holds: func(*Answers) bool { panic("a mistake") }}
	c.judge(newAnswers(nil, nil))
}

// TestInterrupted: if the run ends early, the claims whose commands have answered are there.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	rows, err := run(ctx, Options{
		Claims: []string{"bread-1", "bread-7"},
		Ask: func(ctx context.Context, command string) ([]byte, error) {
			if strings.Contains(command, "hard") {
				cancel()
				return nil, ctx.Err()
			}
			return []byte(`[{"J": 0.1301}]`), nil
		},
	})
	if u, is := errors.AsType[subject.Unfinished](err); !is || u.Finished != 1 || len(rows) != 1 ||
		rows[0].ID != "bread-1" {
		t.Errorf("%+v, %v", rows, err)
	}
}

// TestRefusals: what names no claim is refused, with those that there are.
func TestRefusals(t *testing.T) {
	none := func(context.Context, string) ([]byte, error) { return nil, errors.New("this is not asked") }
	for want, o := range map[string]Options{
		`unknown paper "005"`:       {Papers: []string{"005"}, Ask: none},
		`no claim "bread-0"`:        {Claims: []string{"bread-0"}, Ask: none},
		`unknown verdict "perhaps"`: {Verdicts: []string{"perhaps"}, Ask: none},
		"no claim matches all":      {Claims: []string{"bread-1"}, Papers: []string{"aide"}, Ask: none},
		"there is nothing to run":   {},
	} {
		longtest.Refuses(run(t.Context(), o))(t, want, o)
	}
}
