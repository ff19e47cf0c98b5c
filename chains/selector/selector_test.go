package selector_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"breadboard/chains/selector"
	"breadboard/chains/selector/selectortest"
	"breadboard/grid/longtest"
)

// letters is a small set: texts that are repeated, in which the E is the most repeats.
func letters() selector.Set[int, string] {
	return selector.NewSet("letter", aForm, beForm, seaForm)
}

type form = selector.Form[int, string]

func aForm() form {
	return form{
		Syntax: "a", Doc: "the letter a", Example: "a", Instead: "; b does",
		Parse: func(selector.Args, int) (string, error) { return "a", nil },
	}
}

func beForm() form {
	return form{
		Syntax: "be[:TIMES]", Doc: "the letters be", Source: "the alphabet", Example: "be:2",
		Parse: func(args selector.Args, most int) (string, error) {
			times := 1.0
			if args.Given {
				var err error
				times, err = args.Number("times")
				if err != nil {
					return "", err
				}
			}
			if times > float64(most) {
				return "", args.Wrap(errTooMany)
			}
			return fmt.Sprintf("be:%v", times), nil
		},
	}
}

func seaForm() form {
	return form{
		Syntax:  "sea:PATH",
		Doc:     "a file",
		Example: "sea:shore:sand",
		Missing: "the path",
		File:    selector.WholeArgument,
		Parse: func(args selector.Args, _ int) (string, error) {
			first, rest := args.Cut()
			return strings.TrimSuffix("sea:"+first+":"+rest, ":"), nil
		},
	}
}

var errTooMany = errors.New("too many")

func sameOfSelectors(a, b string) bool { return a == b }

func TestForms(t *testing.T) {
	selectortest.Run(t, selectortest.Check[int, string]{
		Set:  letters(),
		Env:  3,
		Name: func(v string) string { return v },
		Same: sameOfSelectors,
	})
}

// TestAdapted: an adapted form is read like the first one, and has its whole description.
func TestAdapted(t *testing.T) {
	adapted := selector.AdaptSet(
		letters(),
		func(most string) int { return len(most) },
		func(v string) int { return len(v) },
	)
	more := selector.With(selector.Insert(adapted, "be",
		func() selector.Form[string, int] { return selector.Form[string, int]{Syntax: "dee"} }),
		func() selector.Form[string, int] { return selector.Form[string, int]{Syntax: "ef"} })
	if got := strings.Join(more.Listing.Syntaxes(), " "); got != "a dee be[:TIMES] sea:PATH ef" {
		t.Errorf("the set has %s", got)
	}
	if !slices.Equal(adapted.Listing.Descriptions(), letters().Listing.Descriptions()) {
		t.Errorf("an adapted set says %v", adapted.Listing.Descriptions())
	}
	for text, want := range map[string]int{"a": 1, "be": 4, "be:3": 4, "sea:x": 5} {
		if v, err := more.Parse(text, "yes"); err != nil || v != want {
			t.Errorf("%s: %v, %v", text, v, err)
		}
	}
	_, first := letters().Parse("be:4", 3)
	if _, err := more.Parse("be:4", "yes"); err == nil || err.Error() != first.Error() {
		t.Errorf("error %v, want %v", err, first)
	}
	if adapted.Listing.File("sea:x:y") != "x:y" || adapted.Listing.File("be:x") != "" ||
		adapted.Listing.File("x:y") != "" {
		t.Error("an adapted set finds other files")
	}
	defer func() {
		if recover() == nil {
			t.Error("forms in front of one that is not there")
		}
	}()
	selector.Insert(adapted, "ell")
}

func TestNumbers(t *testing.T) {
	for text, want := range map[string]float64{"1": 1, "-2.5": -2.5, "+1e3": 1000, ".5": 0.5, "1E-3": 0.001} {
		if v, err := selector.ParseNumber(text); err != nil || v != want {
			t.Errorf("%q: %v, %v", text, v, err)
		}
	}
	for _, text := range []string{
		"", "nan", "inf", "-Infinity", "1_000", "0x1p3", "1 ", "e", "--1", "1e999"} {
		longtest.Refuses(selector.ParseNumber(text))(t, "not a number", text)
	}
	longtest.Refuses(selector.ParseNumber("1,5"))(t, "comma")
	for text, want := range map[string]float64{"0": 0, "1": 1, "1e-3": 0.001, "-0": 0} {
		if p, err := selector.ParseProbability(text); err != nil || p != want || math.Signbit(p) {
			t.Errorf("probability %s: %v, %v", text, p, err)
		}
	}
	for _, text := range []string{"1.0000001", "-1e-9"} {
		longtest.Refuses(selector.ParseProbability(text))(t, "not a probability")
	}
	for text, want := range map[string]int{"10": 10, " 1e1 ": 10, "3": 3, "-0": 0} {
		if n, err := selector.ParseWhole(text, 0, 10); err != nil || n != want {
			t.Errorf("whole number %q: %v, %v", text, n, err)
		}
	}
	for text, want := range map[string]string{"11": "from 0 to 10", "-1": "from 0 to 10",
		"2.5": "not a whole number", "x": "not a number", "": "not a number"} {
		longtest.Refuses(selector.ParseWhole(text, 0, 10))(t, want)
	}
	if _, err := selector.ParseWhole("-1", 0, 1e12); err == nil ||
		!strings.HasSuffix(err.Error(), "to 1e12") && math.MaxInt > 1e12 {
		t.Errorf("the largest is written otherwise than it can be given: %v", err)
	}
}

// FuzzParseOfSelectors: any text is parsed or refused without a panic, what a name may be followed
// by has no bearing on which form it has, and a form without arguments has none.
func FuzzParseSelector(f *testing.F) {
	for _, text := range []string{"a", "be", "be:2", "sea:x:y", "sea", "a:", ":", "[", "be[:2]", "\xff:"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		set := letters()
		name := text
		if i := strings.IndexByte(text, ':'); i >= 0 {
			name = text[:i]
		}
		known := name == "a" || name == "be" || name == "sea"
		_, err := set.Parse(text, 3)
		if set.Listing.Named(text) != known || !known && err == nil ||
			name == "a" && (err == nil) != (text == "a") {
			t.Errorf("%q: %v", text, err)
		}
	})
}

// TestPlainText: the mark of UTF-8 is taken off, and what would be read as other lines than its
// writer meant is refused.
func TestPlainText(t *testing.T) {
	for data, want := range map[string]string{
		"": "", "\ufeff1\r\n2": "1\r\n2", "1\n\n2\n": "1\n\n2\n", "1\r": "1\r"} {
		if got, err := selector.PlainText([]byte(data)); err != nil || string(got) != want {
			t.Errorf("%q: %q, %v", data, got, err)
		}
	}
	for data, want := range map[string]string{
		"\xff\xfe1\x00": "UTF-16", "\xfe\xff\x001": "UTF-16", "1\r2\r": "line 1 has a carriage return",
		"1\r\n2\r3": "line 2 has a carriage return",
		"1\r\r\n":   "line 1",
	} {
		longtest.Refuses(selector.PlainText([]byte(data)))(t, want)
	}
	if got := selector.Fields(" 1\t\t2 3\r\n"); !slices.Equal(got, []string{"1", "2", "3"}) ||
		len(selector.Fields(" \t")) > 0 {
		t.Errorf("%q", got)
	}
}

// TestMeant: a name by which others know something, and the path of a file, are answered with what
// selects it.
func TestMeant(t *testing.T) {
	reader := func(name, example string) func() form {
		return func() form {
			return form{
				Syntax:  name + ":PATH",
				Doc:     "a file",
				Example: name + ":" + example,
				File:    selector.WholeArgument,
			}
		}
	}
	run := func() form { return form{Syntax: "exec:COMMAND", Doc: "a program", Example: "exec:python3 k.py"} }
	known := func(name string) func() form {
		return func() form {
			return form{
				Syntax:   name,
				Doc:      "the " + name,
				Example:  name,
				Others:   []string{"gibbs"},
				Replaces: []string{"slice"},
			}
		}
	}
	set := selector.NewSet("thing",
		known("random"), known("scan"), reader("file", "a.csv"), reader("model", "a.toml"), run)
	for text, want := range map[string]string{
		"gibbs":   `unknown thing "gibbs"; gibbs is called random (the random) or scan (the scan) here`,
		"Gibbs:3": `unknown thing "Gibbs:3"; gibbs is called random (the random) or scan (the scan) here`,
		"Slice:1": `unknown thing "Slice:1"; slice is for continuous variables, and the states here ` +
			`are discrete; the nearest thing is random (the random) or scan (the scan)`,
		"x.csv":        `unknown thing "x.csv"; did you mean file:x.csv?`,
		"dir/x":        `unknown thing "dir/x"; did you mean file:dir/x?`,
		`D:\x.toml`:    `unknown thing "D:\\x.toml"; did you mean model:D:\x.toml?`,
		"./k.py":       `unknown thing "./k.py"; did you mean exec:COMMAND, as in exec:python3 k.py?`,
		"a.npz#k":      `unknown thing "a.npz#k"; did you mean file:a.npz#k?`,
		"randon:1.5:2": `unknown thing "randon:1.5:2"; did you mean random?`,
	} {
		if _, err := set.Parse(text, 0); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	none := selector.NewSet("thing", known("random"))
	if err := none.Listing.Unknown("x.csv"); err.Error() != `unknown thing "x.csv"; choices: random` {
		t.Error(err)
	}
}

// TestCutName: a name stands in front of a whole selector. What only looks like one is a part of a
// path or of an argument.
func TestCutName(t *testing.T) {
	set := letters().Listing
	for text, want := range map[string][2]string{
		"own=be:2": {"own", "be:2"}, "Größe_1-a.b=a": {"Größe_1-a.b", "a"}, "be": {"", "be"},
		"sea:x=y": {"", "sea:x=y"}, "sea:x=a": {"", "sea:x=a"},
		"x/y=z.csv": {"", "x/y=z.csv"}, "own=sea:x=y": {"own", "sea:x=y"}, "own=c": {"own", "c"},
	} {
		name, text, err := set.CutName(text)
		if err != nil || [2]string{name, text} != want {
			t.Errorf("%v: %q %q, %v", want, name, text, err)
		}
	}
	for text, want := range map[string]string{
		"=a": "is empty", "own=": "write NAME=SELECTOR, as in own=a", "be=a": "be is a form of letter already",
		"x=y=a": "two names", "..=a": "points alone",
		"-x=a": "begins with a hyphen", "x,y=a": `has ',' in it`, "{x}=a": `has '{' in it`,
		"x/y=be:2": `has '/' in it`, "x y=a": `has ' ' in it`,
		"x&y=a": `has '&' in it`, "x:y=a": `has ':' in it`, "x\u202ey=a": `has '\u202e' in it`,
		"\xff=a":                           "has '\ufffd' in it",
		strings.Repeat("x", 10_000) + "=a": "has 10000 characters; give at most 64",
	} {
		_, _, err := set.CutName(text)
		longtest.Refused(t, err, want)
		if err != nil && len(err.Error()) > 300 {
			t.Errorf("%d characters", len(err.Error()))
		}
	}
	if err := selector.CheckNames([]string{"x=a", "y=a", "x=a", "a", "a"}); err != nil {
		t.Error(err)
	}
	longtest.Refused(t, selector.CheckNames([]string{"x=a", "y=be", "x=be:2"}),
		"the name x stands for two selectors, a and be:2")
}

// TestManyChoices: an error lists fifty choices at most, and suggests the nearest of all if that is
// near.
func TestManyChoices(t *testing.T) {
	var choices []string
	for i := range 50 {
		choices = append(choices, fmt.Sprint("random:", i))
	}
	if text := selector.UnknownError("toy", "nothing", choices).Error(); !strings.HasSuffix(
		text,
		", random:48, random:49",
	) {
		t.Error(text)
	}
	choices = append(choices, "easy")
	longtest.Refused(t, selector.UnknownError("toy", "esy", choices), `unknown toy "esy"; did you mean easy?`)
	longtest.Refused(t, selector.UnknownError("toy", "nothing", choices), ", random:49,... (51 in all)")
}

// TestNesting: the selectors that stand within one are counted before any form is asked to parse
// it.
func TestNesting(t *testing.T) {
	parsed := 0
	nested := func(syntax string) func() selector.Form[selector.Nothing, int] {
		return func() selector.Form[selector.Nothing, int] {
			return selector.Form[selector.Nothing, int]{Syntax: syntax, Example: syntax,
				Parse: func(selector.Args, selector.Nothing) (int, error) { parsed++; return 0, nil }}
		}
	}
	set := selector.NewSet("thing", nested("leaf[:G]"), nested("lazy:P[:KERNEL]"),
		nested("fold:WAYS[:TOL]:TOY"), nested("sum:W1*K1+W2*K2..."),
		nested("cells:G:G.../G:G..."))
	for _, level := range []string{
		"lazy:0.5:", "fold:x:", "fold:a+b:", "fold:x:1e+3:", "fold:x:+1:", "sum:1*", "sum:.5*lazy:1:"} {
		for levels, read := range map[int]bool{50: true, 101: false, 100_000: false} {
			parsed = 0
			_, err := set.Parse(strings.Repeat(level, levels)+"leaf", selector.Nothing{})
			if read != (err == nil && parsed == 1) || err != nil && (parsed > 0 || len(err.Error()) > 300) {
				t.Errorf("%d times %s: parsed %d times, %v", levels, level, parsed, err)
			}
		}
	}
	for _, wide := range []string{
		"cells" + strings.Repeat(":-1e+3", 5000), "sum:1*leaf:0" + strings.Repeat("+1*leaf:0", 5000)} {
		if _, err := set.Parse(wide, selector.Nothing{}); err != nil {
			t.Error(err)
		}
	}
}

// TestDecodeTOML: a text may begin with a byte order mark. A mistake is named with its line, and
// with the cure if it is a backslash.
func TestDecodeTOML(t *testing.T) {
	var keys map[string]any
	if err := selector.DecodeTOML([]byte("\ufeffa = 'C:\\x.csv'\r\n"), &keys); err != nil ||
		keys["a"] != `C:\x.csv` {
		t.Error(keys, err)
	}
	for text, want := range map[string]string{
		"a = 1\nb = \"C:\\x\"": "line 2, column 8: unicode escape sequence is too short; in double quotes " +
			"a backslash begins an escape",
		"a = ": "line 1, column 4: ", "\xff\xfea": "UTF-16", "": "",
	} {
		if err := selector.DecodeTOML([]byte(text), &keys); (err != nil) != (want != "") ||
			err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	for found, want := range map[int]string{1: "an earlier version", 2: "", 3: "a later version"} {
		if err := selector.CheckSchema(found, 2); (err != nil) != (want != "") ||
			err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%d: %v", found, err)
		}
	}
}

// TestLongLists: a long list of choices has the names alone.
func TestLongLists(t *testing.T) {
	var list []string
	for i := range 30 {
		list = append(list, strings.Repeat("x", i+10)+":WITH:ARGUMENTS")
	}
	if err := selector.UnknownError("toy", "barrier", list); strings.Contains(err.Error(), "ARGUMENTS") ||
		!strings.HasSuffix(err.Error(), ", "+strings.Repeat("x", 39)) {
		t.Error(err)
	}
}
