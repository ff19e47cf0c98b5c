package toys_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/toys"
	"breadboard/toys/forms"
)

// written writes files into a folder and returns it.
func written(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		longtest.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	return dir
}

const (
	friends  = "# who knows whom\nann,bob\nbob,cat\ncat,ann\ncat,dan\n"
	friendsG = "# label,g\ndan,2\nbob,1.5\nann,0\ncat,-Inf\n"
)

// TestGraphSpaces: the graphs with names take g = sigma z in the order of their states, and their
// names read back.
func TestGraphSpaces(t *testing.T) {
	for selector, want := range map[string]struct {
		states int
		label  string // of state 1
	}{
		"graph:hypercube:4:random:2:0":        {16, "0001"},
		"graph:permutations:4:random:0.5:7":   {24, "1243"},
		"graph:path:5:random:2:0":             {5, "1"},
		"graph:cycle:6:random:2:0":            {6, "1"},
		"graph:complete:7:random:2:0":         {7, "1"},
		"graph:torus:3x4:random:2:4294967295": {12, "0,1"},
	} {
		toy := longtest.Sure(forms.Targets().Parse(selector))
		if toy.Name != selector || toy.Space.States() != want.states || toy.State(1) != want.label ||
			!toy.ByLabel() {
			t.Errorf("%s is %s with %d states, state 1 is %s", selector, toy.Name, toy.Space.States(),
				toy.State(1))
		}
		if x, err := toy.FindState(want.label); err != nil || x != 1 {
			t.Errorf("%s: %s is state %d", selector, want.label, x)
		}
		var sigma float64
		var seed uint32
		longtest.Must(fmt.Sscanf(selector[strings.Index(selector, "random:")+7:], "%f:%d", &sigma, &seed))(t)
		for x, z := range toys.StandardNormal(seed, want.states) {
			if toy.G[x] != sigma*z {
				t.Errorf("%s: g of state %d is %v, want %v", selector, x, toy.G[x], sigma*z)
			}
		}
	}
	if toy, err := forms.Targets().Parse("graph:hypercube:04:random:2.50:0"); err != nil ||
		toy.Name != "graph:hypercube:4:random:2.5:0" {
		t.Errorf("%v, %v", toy, err)
	}
}

// TestGraphFiles: states are numbered as the edges have them, and g goes to them by label.
func TestGraphFiles(t *testing.T) {
	dir := written(t, map[string]string{"e.csv": friends, "g.csv": friendsG, "p.csv": "dan,2\nbob,0.5\nann,1\ncat,0\n",
		"xy.csv": "ann,0,1,2\nbob,0,-1.5,0\ncat,0,0,0\ndan,1,3,3\n"})
	t.Chdir(dir)
	toy := longtest.Sure(forms.Targets().Parse("graph:e.csv:g.csv"))
	for x, want := range []string{"ann 0", "bob 1.5", "cat -Inf", "dan 2"} {
		if got := fmt.Sprint(toy.State(x), " ", toy.G[x]); got != want {
			t.Errorf("state %d is %s, want %s", x, got, want)
		}
	}
	if toy.Layout != nil || toy.Name != "graph:e.csv:g.csv" {
		t.Errorf("%s has layout %v", toy.Name, toy.Layout)
	}
	toy, err := forms.Targets().Parse("graph:e.csv:xy.csv")
	if err != nil || !slices.Equal(toy.Layout, []toys.Place{{X: 1, Y: 2}, {X: -1.5}, {}, {X: 3, Y: 3}}) {
		t.Errorf("%v, %v", toy, err)
	}
	toy, err = forms.Targets().Parse("graph:e.csv:random:2:0")
	if err != nil || toy.G[3] != 2*toys.StandardNormal(0, 4)[3] || toy.Name != "graph:e.csv:random:2:0" {
		t.Errorf("%v, %v", toy, err)
	}
	longtest.Must(forms.Targets().ParseInitial(context.Background(), "file:xy.csv", toy))(t)
	toy = longtest.Sure(forms.Targets().Parse("graph:e.csv:prob:p.csv"))
	if !slices.Equal(toy.G, []float64{0, math.Log(0.5), math.Inf(-1), math.Log(2)}) {
		t.Errorf("%s has g %v", toy.Name, toy.G)
	}
	for selector, want := range map[string]string{
		"smoothed:3": "along the axes of a grid, and graph of 4 states and 4 edges is none; tempered:BETA",
		"file:e.csv": "g of state ann"} {
		longtest.Refuses(forms.Targets().ParseInitial(context.Background(), selector, toy))(t, want)
	}
}

func TestGraphSelectorsRefused(t *testing.T) {
	t.Chdir(written(t, map[string]string{
		"e.csv": friends, "g.csv": friendsG, "short.csv": "ann,1\n", "bad.csv": "ann,bob\nann,bob\n"}))
	for selector, want := range map[string]string{
		"graph":                         "graph:EDGES:G",
		"graph:":                        "graph:EDGES:G",
		"graph:e.csv":                   ": g is missing",
		"graph:e.csv:":                  "two files",
		"graph::g.csv":                  "two files",
		"graph:a:b:c":                   "no colon in their paths",
		"graph:hypercube":               "write graph:hypercube:BITS:G",
		"graph:hypercube:4":             "write graph:hypercube:BITS:G",
		"graph:hypercube:x:random:2:0":  "not a whole number",
		"graph:hypercube:+4:random:2:0": "not a whole number",
		"graph:hypercube:99:random:2:0": "it has from 1 to",
		"graph:torus:3x2:random:2:0":    "a ring needs 3",
		"graph:cycle:2:random:2:0":      "a cycle of 2 states",
		"graph:path:0:random:2:0":       "a path of 0 states",
		"graph:hypercubes:4:random:2:0": "spaces that need none are hypercube:BITS",
		"graph:hypercube:4:random": "write random:SIGMA:SEED, as in random:2:0 (a file of that " +
			"name is ./random)",
		"graph:hypercube:4:file:g.csv":     "without file: in front, as in graph:hypercube:4:g.csv",
		"graph:cycle:3:random:-2:0":        `toy "graph:cycle:3:random:-2:0": sigma -2`,
		"graph:path:9:random:1e308:0":      `toy "graph:path:9:random:1e308:0": sigma is so large`,
		"graph:permutations:50:random:2:0": "has 3.04140932017134e+64 states",
		"graph:permutations:171:random:2:0": "permutations of 171 items are more states than can be " +
			"counted; permutations have at most",
		"graph:torus:3:3:random:2:0":        "no such file",
		"graph:complete:3:random:2":         "random:SIGMA:SEED",
		"graph:complete:3:random:":          "random:SIGMA:SEED",
		"graph:complete:3:random:x:0":       "sigma",
		"graph:complete:3:random:2:x":       "seed",
		"graph:complete:3:random:-1:0":      "not negative",
		"graph:hypercube:3:random:1e308:0":  "overflows",
		"graph:permutations:12:random:2:0":  "479001600 states",
		"graph:missing.csv:g.csv":           "missing.csv",
		"graph:e.csv:missing.csv":           "missing.csv",
		"graph:e.csv:prob:g.csv":            "a probability is",
		"graph:e.csv:g.npy":                 ".npy has no labels",
		"graph:bad.csv:g.csv":               "bad.csv: line 2 joins ann and bob",
		"graph:e.csv:short.csv":             "short.csv: state bob has no line, and so have 3 of 4",
		"graph:e.csv:e.csv":                 "e.csv: line 2: g of state ann: \"bob\" is not a number",
		"graph:hypercube:1:g.csv":           "no state of the graph has the label \"dan\"; its labels are 0 1",
		`graph:C:\missing.csv:D:\other.csv`: `C:\missing.csv`,
	} {
		longtest.Refuses(forms.Targets().Parse(selector))(t, want)
	}
}

func TestFilesOf(t *testing.T) {
	for selector, want := range map[string]string{
		"easy": "[]", "random:2:0": "[]", "file:a:b": "[a:b]", "via:0.5:x": "[x]", "graph:e:g": "[e g]",
		"graph:e:random:2:0":  "[e]",
		"graph:hypercube:4:g": "[g]", "graph:hypercube:4:random:2:0": "[]", `graph:C:\e:D:\g`: `[C:\e D:\g]`,
		"graph:C:/e:g": "[C:/e g]",
		"graph:e:D:/g": "[e D:/g]", "mixture:1*file:a+b*c.csv+3*file:b": "[a+b*c.csv b]",
		"mixture:1*easy+2*graph:b:random:1:0": "[b]", "graph:": "[]",
		"graph:x:": "[]",
	} {
		if got := fmt.Sprint(forms.Targets().FilesOf(selector)); got != want {
			t.Errorf("%s names the files %s, want %s", selector, got, want)
		}
	}
}

func TestByLabelRefuses(t *testing.T) {
	g := longtest.Sure(grid.ParseEdges([]byte("a,b\nb,c\n")))
	for text, want := range map[string]string{
		"":           "state a has no line, and so have 3 of 3",
		"a,1\nb,2\n": "state c has no line, and so have 1 of 3",
		"label,g\na,1\nb,2\nc,3\n": "line 1: no state of the graph has the label \"label\"; its labels " +
			"are a b c (a line of headings needs a #",
		"a,1\nb,2\n\nc,3\na,4\n":   "line 5: state a stands on line 1 already",
		"a,1\nb\n":                 "line 2: there are 1 columns",
		"a,1,2\n":                  "there are 3 columns",
		"a,1\nb,1,0,0\n":           "line 2: there are 4 columns and 2 before",
		"a,1,x,0\n":                "coordinates",
		"a,1,1e200,0\n":            "1e100",
		"a,nan\n":                  "line 1: g of state a: nan",
		"a,+inf\n":                 "must be finite",
		"a,\n":                     "empty",
		"a,\"1,5\"\n":              "comma",
		"a,-inf\nb,-inf\nc,-inf\n": "no mass",
		"a,0x10\n":                 "not a number",
	} {
		_, _, err := toys.LogF().ParseByLabel([]byte(text), g)
		longtest.Refused(t, err, want, text)
	}
}

func FuzzParseByLabel(f *testing.F) {
	for _, s := range []string{
		"a,1\nb,2\nc,-inf\n", "c,1,0,0\nb,2,1,1\na,0,1e3,-2\n", "# x\n\"a\",1\n", "a,1\na,1\n"} {
		f.Add(s)
	}
	g := longtest.Must(grid.ParseEdges([]byte("a,b\nb,c\n")))(f)
	f.Fuzz(func(t *testing.T, s string) {
		logf, layout, err := toys.LogF().ParseByLabel([]byte(s), g)
		if err != nil {
			return
		}
		if len(logf) != 3 || layout != nil && len(layout) != 3 {
			t.Fatalf("%q: %v, %v", s, logf, layout)
		}
		for _, v := range logf {
			if math.IsNaN(v) || math.IsInf(v, 1) {
				t.Errorf("%q: %v", s, logf)
			}
		}
	})
}

func ExampleParse_graph() {
	toy, err := forms.Targets().Parse("graph:permutations:3:random:2:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	for x, g := range toy.G {
		fmt.Printf("%s %.3f\n", toy.State(x), g)
	}
	// Output:
	// 123 3.528
	// 132 0.800
	// 213 1.957
	// 231 4.482
	// 312 3.735
	// 321 -1.955
}
