package networks_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"breadboard/grid/longtest"
	"breadboard/toys/networks"
)

// read reads a network from a file of testdata.
func read(tb testing.TB, name string, order networks.TableOrder) *networks.Network {
	tb.Helper()
	data := longtest.Sure(os.ReadFile(filepath.Join("testdata", name)))
	n, err := parsers(order)[filepath.Ext(name)](data)
	if err != nil {
		tb.Fatalf("%s: %v", name, err)
	}
	return n
}

// parsers are the parsers by the endings of their files.
func parsers(order networks.TableOrder) map[string]func([]byte) (*networks.Network, error) {
	return map[string]func([]byte) (*networks.Network, error){
		".bif": func(data []byte) (*networks.Network, error) { return networks.ParseBIF(data, order) },
		".uai": networks.ParseUAI,
	}
}

// lawn is the network of all files in testdata/same, by hand.
func lawn() *networks.Network {
	return &networks.Network{
		Bayes: true,
		Variables: []networks.Variable{
			{Name: "rain", Labels: []string{"yes", "no"}}, {Name: "sprinkler", Labels: []string{"on", "off"}},
			{Name: "grass", Labels: []string{"wet", "damp", "dry"}},
		},
		Factors: []networks.Factor{
			{Scope: []int{0}, Values: []float64{0.2, 0.8}},
			{Scope: []int{0, 1}, Values: []float64{0.01, 0.99, 0.4, 0.6}},
			{Scope: []int{0, 1, 2}, Values: []float64{
				0.9, 0.0625, 0.0375, // rain, sprinkler on
				0.5, 0.3, 0.2, // rain, sprinkler off
				0.7, 0.2, 0.1, // no rain, sprinkler on
				0.125, 0.25, 0.625,
			}},
		},
	}
}

// TestSame: every file in testdata/same is the same network, written in another way that files in
// the wild have, or that a program may get wrong.
func TestSame(t *testing.T) {
	files := longtest.Sure(filepath.Glob("testdata/same/*"))
	if len(files) < 19 {
		t.Fatalf("only %d files", len(files))
	}
	for _, file := range files {
		name := filepath.Base(file)
		order := networks.ChildSlowest
		want := lawn()
		if strings.Contains(name, "child_fastest") {
			order = networks.ChildFastest
		}
		if strings.HasSuffix(name, ".uai") {
			for v := range want.Variables {
				want.Variables[v].Name = fmt.Sprint("x", v)
				want.Variables[v].Labels = []string{"0", "1", "2"}[:len(want.Variables[v].Labels)]
			}
		}
		if n := read(t, "same/"+name, order); !reflect.DeepEqual(n, want) {
			t.Errorf("%s is\n%+v\nand should be\n%+v", name, n, want)
		}
	}
}

// TestOrdersOfTables: a table that is a distribution in one order alone is refused in the other
// with the cure, and one that is a distribution in both has a note where they differ.
func TestOrdersOfTables(t *testing.T) {
	fastest := longtest.Sure(os.ReadFile("testdata/same/table_child_fastest.bif"))
	longtest.Refuses(networks.ParseBIF(fastest, networks.ChildSlowest))(t,
		"line 6: the table of sprinkler seems to be written with the child fastest")
	slowest := longtest.Sure(os.ReadFile("testdata/same/table.bif"))
	longtest.Refuses(networks.ParseBIF(slowest, networks.ChildFastest))(t,
		"line 6: the table of sprinkler is in the order of BIF")
	n := read(t, "both_orders.bif", networks.ChildSlowest)
	if want := []float64{0.1, 0.9, 0.9, 0.1, 0.3, 0.7, 0.7, 0.3}; !slices.Equal(n.Factors[2].Values, want) {
		t.Errorf("the table is %v", n.Factors[2].Values)
	}
	if len(n.Notes) != 1 || !strings.HasPrefix(
		n.Notes[0],
		"the columns of the table of c sum to one with the child slowest, as BIF has it",
	) {
		t.Errorf("notes %q", n.Notes)
	}
	n = read(t, "both_orders.bif", networks.ChildFastest)
	if want := []float64{0.1, 0.9, 0.3, 0.7, 0.9, 0.1, 0.7, 0.3}; !slices.Equal(n.Factors[2].Values, want) ||
		n.Notes != nil {
		t.Errorf("the table is %v, notes %q", n.Factors[2].Values, n.Notes)
	}
}

// TestWords: words that are keywords elsewhere, or have characters that few formats allow.
func TestWords(t *testing.T) {
	n := read(t, "keywords.bif", networks.ChildSlowest)
	want := []networks.Variable{{Name: "variable", Labels: []string{"table", "default", "property"}},
		{Name: "probability", Labels: []string{"type", "discrete"}}}
	if !reflect.DeepEqual(n.Variables, want) ||
		!slices.Equal(n.Factors[1].Values, []float64{0.3, 0.7, 0.2, 0.8, 0.1, 0.9}) {
		t.Errorf("%+v", n)
	}
	n = read(t, "quirks.bif", networks.ChildSlowest)
	want = []networks.Variable{
		{Name: "p44/42", Labels: []string{"0", "1"}},
		{Name: "dose-level", Labels: []string{"<5", "5-10", ">=10"}},
		{Name: "Only_One", Labels: []string{"always"}}, {Name: "y.2", Labels: []string{"0", "1"}},
	}
	if !reflect.DeepEqual(n.Variables, want) {
		t.Errorf("%+v", n.Variables)
	}
	if n := read(t, "dog.bif", networks.ChildSlowest); n.Variables[0].Name != "light-on" ||
		!slices.Equal(n.Factors[0].Values, []float64{0.6, 0.4, 0.05, 0.95}) {
		t.Errorf("%+v", n)
	}
}

// TestRounded: columns that miss one by the rounding of printed numbers are divided by their sum,
// with a note; those that miss it by less than 1e-9 are left as they are.
func TestRounded(t *testing.T) {
	n := read(t, "rounded.bif", networks.ChildSlowest)
	third := 0.333 / (0.333 + 0.333 + 0.333)
	sum := 0.3334 + 0.3333 + 0.3334
	want := []float64{
		0.3333333333, 0.3333333333, 0.3333333333, 0.3334 / sum, 0.3333 / sum, 0.3334 / sum, 0, 0, 1}
	near := func(a, b float64) bool { return a-b < 1e-16 && b-a < 1e-16 }
	if !slices.EqualFunc(n.Factors[0].Values, []float64{third, third, third}, near) ||
		!slices.EqualFunc(n.Factors[1].Values, want, near) {
		t.Errorf("%+v", n.Factors)
	}
	const note = "2 columns of probabilities did not sum to one and were divided by their sum, the worst " +
		"missed it by 0.001 (a, in line 4); log p(e) may move by as much for each"
	if len(n.Notes) != 1 || n.Notes[0] != note {
		t.Errorf("notes %q", n.Notes)
	}
}

// TestLonely: a variable that no table has is free, and a scope in descending order is read in its
// own order.
func TestLonely(t *testing.T) {
	n := read(t, "lonely.uai", networks.ChildSlowest)
	if f := n.Factors[0]; n.Bayes || len(n.Variables) != 3 || !slices.Equal(f.Scope, []int{2, 0}) ||
		!slices.Equal(f.Values, []float64{1, 2, 3, 4, 5, 6}) {
		t.Errorf("%+v", n)
	}
}

// mistakes returns the cases of a file of bad input: what the error should contain, and the text
// that should have it.
func mistakes(tb testing.TB, name string) (cases [][2]string) {
	tb.Helper()
	text := string(longtest.Sure(os.ReadFile(filepath.Join("testdata", name))))
	for _, part := range strings.Split("\n"+text, "\n== ")[1:] {
		want, body, _ := strings.Cut(part, "\n")
		cases = append(cases, [2]string{want, body})
	}
	return cases
}

// TestMistakes: bad input is refused with the line, what was expected and the cure.
func TestMistakes(t *testing.T) {
	for name, parse := range map[string]func([]byte) error{
		"bad_bif.txt": func(data []byte) error {
			_, err := networks.ParseBIF(data, networks.ChildSlowest)
			return err
		},
		"bad_uai.txt":  func(data []byte) error { _, err := networks.ParseUAI(data); return err },
		"bad_evid.txt": evidenceFor(t, "uai:testdata/asia.uai"),
	} {
		cases := mistakes(t, name)
		for _, c := range cases {
			longtest.Refused(t, parse([]byte(c[1])), c[0])
		}
		if len(cases) < 7 {
			t.Errorf("%s has only %d cases", name, len(cases))
		}
	}
	for text, want := range map[string]string{
		"variable a\x00b { type discrete [ 1 ] { x }; }": `line 1: the word "a\x00b" has characters ` +
			`that are not printed`,
		"\n\nvariable a { type discrete [ 1 ] { \xff }; }": `line 3: the word "\xff" has characters that ` +
			`are not printed or are no UTF-8`,
		"\xff\xfev\x00a\x00": "the format is UTF-16",
		"variable a\r{ }":    "line 1 has a carriage return in it",
	} {
		longtest.Refuses(networks.ParseBIF([]byte(text), networks.ChildSlowest))(t, want)
	}
}

// evidenceFor returns a function that reads a text as evidence for a network.
func evidenceFor(t *testing.T, network string) func([]byte) error {
	path := filepath.Join(t.TempDir(), "e.evid")
	return func(data []byte) error {
		longtest.NoError(t, os.WriteFile(path, data, 0o644))
		_, err := parse(network + ":evidence=" + path)
		return err
	}
}

// parse reads the network of a selector.
func parse(selector string) (*networks.Query, error) {
	name, arguments, _ := strings.Cut(selector, ":")
	for _, f := range networks.Formats() {
		if f.Name == name {
			return f.Parse(arguments)
		}
	}
	panic(name)
}

// bound keeps a fuzzing process within a gigabyte: what would take more makes the collector run all
// the time, and the fuzzer sees a hang.
func bound(f *testing.F) {
	before := debug.SetMemoryLimit(1 << 30)
	f.Cleanup(func() { debug.SetMemoryLimit(before) })
}

// seeds adds the files of testdata that match a pattern, and the texts of a file of bad input.
func seeds(f *testing.F, bad string, patterns ...string) {
	for _, pattern := range patterns {
		for _, path := range longtest.Sure(filepath.Glob(filepath.Join("testdata", pattern))) {
			f.Add(longtest.Sure(os.ReadFile(path)))
		}
	}
	for _, c := range mistakes(f, bad) {
		f.Add([]byte(c[1]))
	}
}

// checkNetwork fails if a network that was read is not what the doc comment of Network promises.
func checkNetwork(t *testing.T, n *networks.Network) {
	t.Helper()
	cards := n.Cards()
	for _, k := range cards {
		if k < 1 {
			t.Fatal("a variable has no values")
		}
	}
	for i, f := range n.Factors {
		size := 1
		seen := map[int]bool{}
		for _, v := range f.Scope {
			if seen[v] {
				t.Fatalf("factor %d has variable %d twice", i, v)
			}
			seen[v], size = true, size*cards[v]
		}
		if len(f.Values) != size {
			t.Fatalf("factor %d has %d entries of %d", i, len(f.Values), size)
		}
		for _, v := range f.Values {
			if !(v >= 0) || math.IsInf(v, 1) {
				t.Fatalf("factor %d has the entry %v", i, v)
			}
		}
		if n.Bayes {
			checkLaw(t, i, f, cards)
		}
	}
	if n.Bayes && len(n.Factors) != len(cards) {
		t.Fatalf("%d variables have %d distributions", len(cards), len(n.Factors))
	}
}

// checkLaw fails if a factor is not the distribution of the variable of its number.
func checkLaw(t *testing.T, v int, f networks.Factor, cards []int) {
	t.Helper()
	if f.Scope[len(f.Scope)-1] != v {
		t.Fatalf("factor %d has the scope %v", v, f.Scope)
	}
	for c := 0; c < len(f.Values); c += cards[v] {
		sum := 0.0
		for _, p := range f.Values[c : c+cards[v]] {
			sum += p
		}
		if math.Abs(sum-1) > 1.1e-9 {
			t.Fatalf("variable %d has probabilities that sum to %v", v, sum)
		}
	}
}

// FuzzParseBIF: what is read keeps the promises of Network, and what is not has an error with a
// cure.
func FuzzParseBIF(f *testing.F) {
	bound(f)
	seeds(f, "bad_bif.txt", "*.bif", "same/*.bif")
	f.Add([]byte("variable a(b) { type discrete [ 1 ] { _1] }; } probability ( a(b) ) { table 1; }"))
	f.Add([]byte("variable a { type discrete [ 1 ] { " + strings.Repeat("x(", 1000)))
	f.Add([]byte(strings.Repeat("network ", 1000)))
	f.Add([]byte(strings.Repeat("{(", 1000)))
	f.Add([]byte("/*" + strings.Repeat("/*", 1000)))
	f.Add([]byte("variable a { type discrete [ 2 ] { x, y }; } probability ( a ) { " +
		strings.Repeat("( ", 1000)))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, order := range []networks.TableOrder{networks.ChildSlowest, networks.ChildFastest} {
			if n, err := networks.ParseBIF(data, order); err == nil {
				checkNetwork(t, n)
			} else if err.Error() == "" || len(err.Error()) > 20_000 {
				t.Errorf("the error has %d characters", len(err.Error()))
			}
		}
	})
}

// FuzzParseUAI: what is read keeps the promises of Network, is written so that it reads the same or
// not at all, and what is not read has an error with a cure.
func FuzzParseUAI(f *testing.F) {
	f.Add([]byte("BAYES\n1 2 # a\n1\n1 0#\n2 0.2 0.8"))
	f.Add([]byte("MARKOV 1 65536 0"))
	f.Add([]byte("MARKOV\n" + strings.Repeat("9", 400)))
	bound(f)
	seeds(f, "bad_uai.txt", "*.uai", "same/*.uai")
	f.Fuzz(func(t *testing.T, data []byte) {
		n, err := networks.ParseUAI(data)
		switch {
		case err == nil:
			checkNetwork(t, n)
			if _, err := n.BIF("x.bif"); err != nil && err.Error() == "" {
				t.Error("an error without a text")
			}
		case err.Error() == "" || len(err.Error()) > 20_000:
			t.Errorf("the error has %d characters", len(err.Error()))
		}
	})
}

// FuzzSelector: whatever stands behind the path of a network is read as a query with a canonical
// selector that is read as the same query, or it is refused.
func FuzzSelector(f *testing.F) {
	bound(f)
	for _, options := range []string{
		"", ":evidence=xray=yes+dysp=no", ":hide=either:evidence=\"lung\"=yes", ":keep=tub+lung",
		":table=child-fastest", ":evidence=", ":hide=a:hide=b",
		`:evidence="a+b"="c:d"`, `:evidence="`, ":evidence=lung=yes=no", ":hide=\"\"", ":evidence=3=1",
		":evidence=7=0+6=1:keep=x0+x1",
	} {
		f.Add(options)
	}
	f.Fuzz(func(t *testing.T, options string) {
		if strings.Contains(options, "evidence=") &&
			!strings.Contains(strings.ReplaceAll(options, "evidence=", ""), "=") {
			return // names a file
		}
		for _, file := range []string{"bif:testdata/asia.bif", "uai:testdata/asia.uai"} {
			q, err := parse(file + options)
			if err != nil {
				continue
			}
			name, _, _ := strings.Cut(file, ":")
			again, err := parse(name + ":" + q.Selector)
			if err != nil || again.Selector != q.Selector || !sameQuestion(again, q) {
				t.Errorf("%s%s calls itself %s, which is %v, %v", file, options, q.Selector, again, err)
			}
		}
	})
}

// sameQuestion reports whether two queries ask the same.
func sameQuestion(a, b *networks.Query) bool {
	for v := range a.Variables {
		if a.Evidence[v] != b.Evidence[v] || a.Hidden[v] != b.Hidden[v] {
			return false
		}
	}
	return true
}

// FuzzEvidence: a file of evidence is read, or refused with an error.
func FuzzEvidence(f *testing.F) {
	bound(f)
	seeds(f, "bad_evid.txt", "*.evid", "*.txt")
	path := filepath.Join(f.TempDir(), "e")
	f.Fuzz(func(t *testing.T, data []byte) {
		longtest.NoError(t, os.WriteFile(path, data, 0o600))
		for _, network := range []string{"bif:testdata/asia.bif", "uai:testdata/asia.uai"} {
			q, err := parse(network + ":evidence=" + path)
			if err != nil {
				continue
			}
			for v, value := range q.Evidence {
				if value < networks.Unseen || value >= len(q.Variables[v].Labels) {
					t.Errorf("variable %d has the value %d", v, value)
				}
			}
		}
	})
}
