package draws_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"breadboard/chains/numpy"
	"breadboard/experiments/draws/codes"
	"breadboard/experiments/draws/files"
	"breadboard/experiments/forms"
	"breadboard/grid/longtest"
)

// codesOf returns the codes of a toy, whose states are counted from a base.
func codesOf(t *testing.T, selector string, base int) *codes.Codes {
	t.Helper()
	toy, err := forms.All().Parse(selector)
	longtest.NoError(t, err)
	c := codes.OfToy(toy)
	c.Base = base
	return c
}

// read returns the states of a text, each as often as it was drawn.
func read(t *testing.T, c *codes.Codes, name, text string) (states []int, err error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	longtest.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	r, err := c.Open(t.Context(), path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	for {
		x, n, err := r.Next(t.Context())
		if errors.Is(err, io.EOF) {
			return states, nil
		}
		if err != nil {
			return states, err
		}
		states = append(states, slices.Repeat([]int{x}, n)...)
	}
}

// TestCodesForms: each form in which programs write states is read as the states 1, 5 and 2 of a
// grid of 2 times 3.
func TestCodesForms(t *testing.T) {
	const zero, one = 0, 1
	for name, form := range map[string]struct {
		base int
		text string
	}{
		"numbers.csv":  {zero, "state\n1\n5\n2\n"},
		"headless.csv": {zero, "1\n5\n2\n"},
		"savetxt.txt": {
			zero, "1.000000000000000000e+00\n5.000000000000000000e+00\n2.000000000000000000e+00\n"},
		"coordinates.csv": {zero, "0,1\n1,2\n0,2\n"},
		"reversed.csv":    {zero, "x1,x0\n1,0\n2,1\n2,0\n"},
		"cells.csv":       {zero, "state\n0;1\n(1, 2)\n[0 2]\n"},
		"posterior.csv":   {one, ".chain,.iteration,.draw,x0,x1\n1,1,1,1,2\n1,2,2,2,3\n1,3,3,1,3\n"},
		"elements.csv":    {zero, "x[0],x[1]\n0,1\n1,2\n0,2\n"},
		"stan.csv": {zero,
			"# stan_version_major = 2\n# model = m_model\n# method = sample (Default)\n#     num_samples " +
				"= 3\nlp__,accept_stat__,y.1,state\n1,1,7,1\n1,1,7,5\n1,1,7,2\n"},
		"coda.csv": {
			one, "\"\",\"CHAIN\",\"ITER\",\"x0\",\"x1\"\n\"1\",1,1,1,2\n\"2\",1,2,2,3\n\"3\",1,3,1,3\n"},
		"logical.csv": {one, "x0,x1\nFALSE,2\nTRUE,3\nfalse,3\n"},
		"counts.csv":  {zero, "state,count\n1,1\n5,1\n2,1\n0,0\n"},
	} {
		got, err := read(t, codesOf(t, "random:1:1:2x3", form.base), name, form.text)
		if err != nil || !slices.Equal(got, []int{1, 5, 2}) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

// TestLabels: if states are known by labels alone, a label may be a number; a map explains other
// codes.
func TestLabels(t *testing.T) {
	c := codes.OfLabels([]string{"1", "2", "red, dark"})
	c.Map = map[string]string{"R": "red, dark"}
	got, err := read(t, c, "labels.csv", "state\n2\n1\nR\n\"red, dark\"\n")
	if err != nil || !slices.Equal(got, []int{1, 0, 2, 2}) {
		t.Error(got, err)
	}
}

// TestBase: labels that are successive numbers, of states or of values, are counted from the base
// that is given; other labels are what they are.
func TestBase(t *testing.T) {
	model := longtest.File(t, "m.json",
		`{"pi": [0.2, 0.3, 0.5], "A": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "E": [[1], [1], [1]], "y": [0]}`)
	net := longtest.File(t, "n.bif",
		"network n {}\nvariable a { type discrete [3] {0, 1, 2}; }\nvariable b { type discrete [3] "+
			"{0, 1, 2}; }\n"+
			"probability (a) { table .2, .3, .5; }\nprobability (b) { table .2, .3, .5; }\n")
	of := func(labels ...string) func(base int) *codes.Codes {
		return func(base int) *codes.Codes {
			c := codes.OfLabels(labels)
			c.Base = base
			return c
		}
	}
	toy := func(selector string) func(base int) *codes.Codes {
		return func(base int) *codes.Codes { return codesOf(t, selector, base) }
	}
	for _, c := range []struct {
		codes     func(base int) *codes.Codes
		base      int
		text      string
		want      []int
		otherwise string // the error with the other base
	}{
		{toy("hmm:" + model), 0, "x1\n2\n0\n", []int{2, 0},
			`found "0"; write a number from 1 to 3 for x1; map translates other names; if states are counted from 0`},
		{toy("hmm:" + model), 1, "x1\n3\n1.0\n", []int{2, 0},
			`found "3"; write 0, 1, 2 for x1; map translates other names; if states are counted from 1`},
		{toy("bif:" + net + ":evidence=a=2"), 1, "a,b\n3,1\n3,3\n", []int{0, 2},
			`the evidence of the target is a=2`},
		{toy("random:1:1:2x3"), 1, "x0,x1\n2,3\n1,1\n", []int{5, 0},
			`found "2"; write 0 or 1, or spins, which are -1 or 1, for x0; map translates other names; if ` +
				`columns are exchanged, `},
		{of("2", "0", "1"), 1, "state\n3\n1\n", []int{0, 1}, `found "3"; write a label, of 0, 1, 2`},
		{of("2", "0", "1"), 0, "state\n2\n0\n", []int{0, 1},
			`found "0"; write a number from 1 to 3; map translates other names; if states are counted from 0`},
		{of("1", "2"), 1, "state\n1\n2\n", []int{0, 1}, ""},
		{of("1", "2"), 0, "state\n1\n2\n", []int{0, 1}, ""},
	} {
		if got, err := read(t, c.codes(c.base), "draws.csv", c.text); err != nil ||
			!slices.Equal(got, c.want) {
			t.Error(c.text, got, err)
		}
		_, err := read(t, c.codes(1-c.base), "draws.csv", c.text)
		if err != nil != (c.otherwise != "") || err != nil && !strings.Contains(err.Error(), c.otherwise) {
			t.Errorf("%q with the other base: %v", c.text, err)
		}
	}
	if of("a", "1")(0).Counts() || of("0", "2")(0).Counts() || !of("0", "1")(0).Counts() {
		t.Error("labels that are not successive numbers are counted")
	}
}

// TestSpins: axes of two values may be written as spins, and if both 0 and -1 stand nothing is
// guessed.
func TestSpins(t *testing.T) {
	got, err := read(t, codesOf(t, "ising:2x2:0.3", 0), "spins.csv", "-1,1,1,-1\n1,+1,-1,-1\n")
	if err != nil || !slices.Equal(got, []int{6, 12}) {
		t.Error(got, err)
	}
	for _, mixed := range []string{"-1,1,1,-1\n1,1,0,-1\n", "0,1,1,0\n1,1,-1,1\n"} {
		if got, err := read(t, codesOf(t, "ising:2x2:0.3", 0), "mixed.csv", mixed); err == nil ||
			!strings.Contains(err.Error(), "line 2") ||
			!strings.Contains(err.Error(), "or spins, which are -1 or 1") {
			t.Error(got, err)
		}
	}
}

// TestWrong: what is wrong is said with the line and what to write.
func TestWrong(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"empty.csv":  {"", "it is empty"},
		"header.csv": {"state\n", "no rows"},
		"base.csv": {"state\n1\n6\n",
			"line 3 (row 2), column state: found \"6\"; write a number from 0 to 5, or its 2 coordinates; " +
				"map translates other names; if states are counted from 1, as in R, give base 1"},
		"huge.csv":  {"1\n99999999999999999999\n", "line 2"},
		"nan.csv":   {"state\nNaN\n", "line 2 (row 1), column state: found nan"},
		"na.csv":    {"x0,x1\n0,1\nNA,1\n", "line 3 (row 2), column x0: found NA, a missing value; write "},
		"half.csv":  {"state\n0.5\n", "found \"0.5\""},
		"mixed.csv": {"x0,x1\n0,1\n1\n", "line 3"},
		"lacks.csv": {"x0\n0\n",
			"no column x1; write one for each variable, or a column state; column NAME=x1 says which it is"},
		"both.csv": {"state,x0\n0,1\n", "found the column state and others of its coordinates"},
		"other.csv": {"state,draws\n0,5\n",
			"found the column draws, of which nothing says what it is; give column draws=ROLE, where ROLE " +
				"is x0, x1, state, count, "},
		"wide.csv": {
			"1,2,3\n", "found a line of values, 1, 2, 3, and no names above it; write one row a line"},
		"line.csv":   {"state\n1 2 3 4\n", "write one draw a line"},
		"list.csv":   {"[1, 2, 3, 4]\n", "found a list"},
		"twice.csv":  {"state,state\n1,1\n", "two columns"},
		"count.csv":  {"state,count\n1,-1\n", "whole number of draws"},
		"other.json": {"[1]", "found a list without names"},
	} {
		longtest.Refuses(read(t, codesOf(t, "random:1:1:2x3", 0), name, c.text))(t, c.want, name)
	}
}

// TestLogical: TRUE and FALSE are labels in any case, and stand for nothing else if there are
// labels.
func TestLogical(t *testing.T) {
	c := codesOf(t, "random:1:1:2x3", 0)
	c.Axes[0].Labels = []string{"true", "false"}
	if got, err := read(t, c, "logical.csv", "x0,x1\nFALSE,1\nTrue,2\n"); err != nil ||
		!slices.Equal(got, []int{4, 2}) {
		t.Error(got, err)
	}
	c.Axes[0].Labels = []string{"no", "yes"}
	if got, err := read(t, c, "words.csv", "x0,x1\nTRUE,1\n"); err == nil {
		t.Error(got)
	}
	if got, err := read(t, codes.OfLabels([]string{"False", "True"}), "law.csv",
		"state\nTRUE\nFALSE\n"); err != nil || !slices.Equal(got, []int{1, 0}) {
		t.Error(got, err)
	}
}

// TestChainColumn: a column of chains is known by its name, or named.
func TestChainColumn(t *testing.T) {
	for column, want := range map[string]string{"batch=chain": "chain 2 of draws",
		"": "the column batch, of which nothing says what it is", "batch=none": "draws",
		"bench=chain": "no column bench; column names one of batch, state",
		"batch=bench": "the role bench of the column batch"} {
		c := codesOf(t, "random:1:1:2x3", 0)
		if name, role, err := files.ParseRole(column); err == nil {
			c.Roles = files.Roles{name: role}
		}
		r, err := c.Stream(t.Context(), "draws",
			strings.NewReader("batch,state\n"+strings.Repeat("1,3\n", 5)+strings.Repeat("2,4\n", 5)))
		all := codes.Readers{List: []*codes.Reader{r}}
		said := ""
		for err == nil {
			_, _, err = all.Next(t.Context())
			if err == nil {
				said = all.Chain()
			}
		}
		if err != io.EOF {
			said = err.Error()
		}
		if !strings.Contains(said, want) {
			t.Errorf("%s: %s, want %s", column, said, want)
		}
	}
}

// TestCountedRows: rows of the warm-up are no draws, and numbers of draws rise in each chain.
func TestCountedRows(t *testing.T) {
	for text, want := range map[string]string{
		"warmup,state\n1,5\n0,1\nFALSE,2\n":            "[1 2]",
		"warmup,state\nno,5\n":                         "say of every row whether it is of the warm-up",
		"chain,iteration,state\n1,1,1\n2,1,2\n1,2,3\n": "[1 2 3]",
		".iteration,state\n1,1\n1,2\n":                 `line 3 (row 2), column .iteration: found "1", and 1 before it`,
		"draw,state\n2,1\n1,2\n":                       "one row a draw",
		"2\n1\n1\n": "line 1: found 2, and 2 rows below it; delete the " +
			"first line if it counts the rows, or write a heading above it",
		"state\n2\n1\n1\n": "[2 1 1]", "draw\n2\n1\n1\n": "[2 1 1]",
	} {
		got, err := read(t, codesOf(t, "random:1:1:2x3", 0), "counted.csv", text)
		if err == nil && fmt.Sprint(got) != want || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
}

// TestCodesWeights: columns of weights are known by their names, or by the one that is given, and
// what is no weight is refused.
func TestCodesWeights(t *testing.T) {
	for _, c := range []struct {
		given, text, want string
		weights           float64 // that of the second row; NaN if there is none
	}{
		{"", "state,weight\n1,1\n2,0.5\n", "", 0.5}, {"", "weights,x0,x1\n1,1,1\n0.25,1,2\n", "", 0.25},
		{"", "state,_weight\n1,1\n1,0\n", "", 0},
		{"", "state,log_w\n1,0\n2,-1\n", "", math.Exp(-1)}, {"", "state,lw\n1,0\n2,-inf\n", "", 0},
		{"", "state,logweight\n1,0\n2,1\n", "", math.E},
		{"mine=weight", "state,mine\n1,1\n2,3\n", "", 3}, {"mine=log-weight", "state,mine\n1,1\n2,0\n",
			"", 1}, {"w=none", "state,w\n1,1\n2,3\n", "", math.NaN()},
		{"w=weight", "state,w\n1,1\n2,-3\n",
			"line 3 (row 2), column w: found \"-3\"; write a weight of 0 or more, or give column w=log-weight", 0},
		{"", "state,lw\n1,1\n2,nan\n", "write the natural logarithm of the weight, a number or -inf", 0},
		{"w=weight", "state,count,w\n1,1,2\n", "give either a row with a weight for each draw, or counts", 0},
	} {
		code := codesOf(t, "random:1:1:2x3", 0)
		if name, role, err := files.ParseRole(c.given); err == nil {
			code.Roles = files.Roles{name: role}
		}
		r, err := code.Stream(t.Context(), "draws", strings.NewReader(c.text))
		all := codes.Readers{List: []*codes.Reader{r}}
		for range 2 {
			if err == nil {
				_, _, err = all.Next(t.Context())
			}
		}
		if c.want != "" {
			longtest.Refused(t, err, c.want, c.text)
			continue
		}
		if err != nil || r.Weighted == math.IsNaN(c.weights) ||
			r.Weighted && math.Abs(math.Exp(all.LogWeight())-c.weights) > 1e-15 {
			t.Errorf("%q: weight exp(%v), %v", c.text, all.LogWeight(), err)
		}
	}
}

// TestEvidence: a column of a variable that was observed is held to what was seen, and left out; so
// is a log density.
func TestEvidence(t *testing.T) {
	c := codesOf(t,
		"bif:../../../../toys/networks/testdata/asia.bif:evidence=xray=yes:hide=asia+tub+smoke+lung+bronc+either", 0)
	if got, err := read(t, c, "right.csv", "dysp,xray,lp__\nyes,yes,1\nno,yes,2\n"); err != nil ||
		len(got) != 2 || got[0] == got[1] {
		t.Error(got, err)
	}
	longtest.Refuses(read(t, c, "wrong.csv", "dysp,xray\nyes,no\n"))(t,
		`column xray: found "no"; the evidence of the target is xray=yes`)
}

// TestArraysOfStates: states and their coordinates in arrays of all shapes, of which one with more
// chains than draws is refused unless the shape is said.
func TestArraysOfStates(t *testing.T) {
	// two chains of two draws on a grid of 2x3
	coordinates := numpy.Integers([]int{0, 1, 1, 2, 1, 0, 0, 2}, 2, 2, 2)
	var archive bytes.Buffer
	longtest.NoError(t, numpy.WriteArchive(
		&archive,
		[]numpy.Member{{Name: "x0", Data: numpy.Integers([]int{0, 1, 1, 0}, 2, 2)},
			{Name: "x1", Data: numpy.Integers([]int{1, 2, 0, 2}, 2, 2)}},
	))
	for _, c := range []struct {
		name, text string
		shape      files.Shape
		want       string
	}{
		{"emcee.npy", string(coordinates), "", "[1 5 3 2]"},
		{"emcee.npy", string(coordinates), files.DrawsFirst, "[1 3 5 2]"},
		{"a.npz", archive.String(), "", "[1 5 3 2]"},
		{"s.npy", string(numpy.Integers([]int{0, 1, 2, 3, 4, 5}, 2, 3)), "", "[0 1 2 3 4 5]"},
		{"s.npy", string(numpy.Integers([]int{0, 1, 2, 3, 4, 5}, 3, 2)), files.DrawsFirst, "[0 2 4 1 3 5]"},
		{"s.npy", string(numpy.Integers([]int{0, 1, 2, 3, 4, 60}, 2, 3)),
			"", `s.npy, row 6, column state: found "60"`},
		// 5 and 2 were read before
		{"s.npy", string(numpy.Integers([]int{5, 2, 5, 5, 0, 2}, 6)), "", "[5 2 5 5 0 2]"},
		{"s.npy", string(numpy.Floats([]float64{5, 2, 5, 5.5}, 4)), "",
			`s.npy, row 4, column state: found "5.5"`},
		{"s.npy", string(numpy.Integers(make([]int, 12), 4, 3)), "",
			"s.npy, column s: found an array of shape (4, 3); give shape draws,chains if it has 4 draws of 3 chains"},
	} {
		code := codesOf(t, "random:1:1:2x3", 0)
		code.Shape = c.shape
		states, err := read(t, code, c.name, c.text)
		if got := fmt.Sprint(states); err == nil && got != c.want ||
			err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %s, %v", c.name, got, err)
		}
	}
}

// TestAxisNamedState: a variable of the target called state is that variable, and not the number of
// a state.
func TestAxisNamedState(t *testing.T) {
	path := longtest.File(t, "t.csv", "state,b,prob\n0,0,.1\n0,1,.2\n1,0,.3\n1,1,.4\n")
	toy := longtest.Must(forms.All().Parse("file:" + path))(t)
	if got, err := read(t, codes.OfToy(toy), "d.csv", "state,b\n1,0\n0,1\n"); err != nil ||
		fmt.Sprint(got) != "[2 1]" {
		t.Error(got, err)
	}
}
