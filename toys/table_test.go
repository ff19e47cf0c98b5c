package toys_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"breadboard/chains/numpy"
	"breadboard/chains/selector"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/toys"
	"breadboard/toys/forms"
	"breadboard/toys/models"
)

// posterior is a table of a posterior on two axes, whose log Z is 0.44018969856.
const posterior = "alpha,beta,lp\n0.5,1,-2\n0.5,2,-1\n1.5,1,0\n1.5,2,-3\n"

// TestTables: however a table is written its target is the same, with the values of its axes.
func TestTables(t *testing.T) {
	edit := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(posterior) }
	for name, c := range map[string]struct{ text, note string }{
		"CRLF": {edit("\n", "\r\n"), ""}, "BOM": {"\ufeff" + posterior, ""},
		"no last line feed": {strings.TrimSpace(posterior), ""},
		"blanks behind":     {edit("\n", " \t \n"), ""}, "tabs": {edit(",", "\t"), ""},
		"semicolons": {edit(",", ";"), ""}, "blanks": {edit(",", "  "), ""},
		"comments": {"# a\n" + edit("1.5,1", "% b\n\n1.5,1"), ""},
		"quotes":   {edit("alpha", `"alpha"`, "0.5", `"0.5"`, "-2\n", "\"-2\"\n"), ""},
		"rows of R": {edit("alpha", `"","alpha"`, "0.5,1", `"1",0.5,1`, "0.5,2", `"2",0.5,2`, "1.5,1",
			`"3",1.5,1`, "1.5,2", `"4",1.5,2`), ""},
		"columns": {"lp,beta,alpha\n-2,1,.5\n-1,2,5e-1\n0,1,1.50\n-3,2,1.5\n", ""},
		"rows":    {"beta,alpha,lp__\n2,1.5,-3\n1,1.5,0\n2,0.5,-1\n1,0.5,-2\n", ""},
		"probabilities": {
			"alpha,beta,prob\n.5,1,.1353352832366127\n.5,2,.36787944117144233\n1.5,1,1\n1.5,2,.049787068367863944\n",
			"prob is taken as probabilities"},
		"both": {edit(",lp", ",lp,p", "-2\n", "-2,.135\n", "-1\n", "-1,.368\n", "0\n", "0,1\n",
			"-3\n", "-3,.05\n"), "p is left out, since lp says the same"},
		"records": {`[{"alpha":0.5,"beta":1,"lp":-2},` + "\n" +
			`{"alpha":0.5,"beta":2,"lp":-1},{"alpha":1.5,"beta":1,"lp":0},{"alpha":1.5,"beta":2,"lp":-3}]`,
			""},
		"lists": {`[["alpha","beta","lp"],[0.5,1,-2],[0.5,2,-1],[1.5,1,0],[1.5,2,-3]]`, ""},
		"one value": {
			edit(",lp", ",n,lp", "1,", "1,7,", "2,", "2,7,"), "n is 7 in every row and no axis"},
	} {
		toy := longtest.Must(forms.Targets().Parse("file:" + fileOf(t, "t.csv", []byte(c.text))))(t)
		z := 0.0
		alpha := 0.0
		product := 0.0
		for x, g := range toy.G {
			values := map[string]float64{}
			for k, axis := range toy.Axes {
				values[axis.Name] = axis.ValueAt(toy.Lattice().Coord(x, k))
			}
			z = z + math.Exp(g)
			alpha = alpha + math.Exp(g)*values["alpha"]
			product = product + math.Exp(g)*values["alpha"]*values["beta"]
		}
		near := func(v, want float64) bool { return math.Abs(v-want) < 1e-10 }
		if !near(math.Log(z), 0.44018969856) || !near(alpha/z, 1.17597286317) ||
			!near(product/z, 1.34250217713) || toy.Space.String() != "2x2" {
			t.Errorf("%s: log Z %v, E[alpha] %v, E[alpha beta] %v on %v", name, math.Log(z), alpha/z,
				product/z, toy.Space)
		}
		if !strings.HasSuffix(toy.Doubt, c.note) || c.note == "" && toy.Doubt != "" {
			t.Errorf("%s: the note is %q, want %q", name, toy.Doubt, c.note)
		}
	}
	for text, want := range map[string]string{
		edit("-1\n", "\n"):    "line 3, column 3 (lp): the cell is empty",
		edit("-1\n", "nan\n"): "line 3, column 3 (lp): nan",
		edit("-1\n", "inf\n"): "line 3, column 3 (lp): inf", edit("-1\n", "1e999\n"): "line 3, column 3 (lp)",
		edit("0.5,2", ",2"):              `line 3, column 1 (alpha): "" is not a value`,
		edit("0.5,2", "NaN,2"):           `line 3, column 1 (alpha): "NaN" is not a value`,
		edit("0.5,2", "low,2"):           `line 3, column 1 (alpha): "low" stands among numbers`,
		edit("0.5,1", "low,1"):           `line 3, column 1 (alpha): "0.5" stands among words`,
		edit("0.5", "57%", "1.5", "60%"): `"57%" is not a value of an axis`,
		edit("1.5,2",
			"0.5,2"): "line 5, column 3 (lp): the state alpha=0.5,beta=2 has a row in line 3 already",
		edit("beta", "alpha"):                 `two columns are named "alpha"`,
		edit("1.5,2", "alpha,beta,lp\n1.5,2"): "line 5 has the header again",
		"0,1,2\n-.5,-1.5,-2.5\n0,1,2\n":       "line 3 has the header again", edit(",lp",
			",ll"): "no column is called lp, logp, prob or alike; name that of g = log f, as in " +
			"file:PATH:lp=ll; all others are axes",
		edit("beta", "chain"):                          "a column chain counts draws",
		"draw,a,lp\n1,.1,-1\n2,.2,-2\n":                "a column draw counts draws",
		edit("beta", "logp"):                           "logp and lp may both be the column of f",
		edit("1.5,1", "1.5000000000001,1"):             "differs from 1.5 by a rounding",
		"[{\"a\":1,\"lp\":0},\n{\"a\":2}]":             "line 2: row 2 has a, and the first one a and lp",
		"[{\"a\":1,\"lp\":0},\n{\"a\":2,\"lp\":null}]": "line 2, column 2 (lp): the cell is empty",
		"[{\"a\":1,\"lp\":0},\n{\"a\":2,\"lp\":NaN}]":  "line 2, column 2 (lp): NaN",
		`[{"a":1,"a":2,"lp":0}]`:                       `two columns are named "a"`,
		`[{"a":1}] x`:                                  `line 1: the text is no JSON from "x" on`,
		"[[1,2],\n[]]":                                 "line 2: found a row without cells",
		`{"a":[1,2],"lp":[3,4]}`:                       "an object in JSON is not a table",
		"[[\"a\",\"lp\"],\n[1,2],\n[2,null]]":          "line 3, column 2 (lp): the cell is empty",
		"g,count\n0,10\n1,20\n": "count and g may both be the column of f; name " +
			"it, as in prob:PATH:lp=count or file:PATH:lp=g",
		"lp,b,prob\n-1,0,.5\n-2,1,.9\n": "prob and lp may both be the column of f",
		",1,2\n0.5,-1,-2\n1.5,-2,-3\n":  "write a row for each state below the names",
		"alpha,1,2\n0.5,-1,-2\n":        "write a row for each state below the names",
		",low,high\na,-1,-2\n":          "write a row for each state below",
		",0\na,.5\nb,.5":                "its rows or columns are named",
		edit(",", ";", ".", ","):        `"0,5" is not a value of an axis`,
		edit("-3\n", "-3,\n"):           "line 5 has 4 columns",
		"lp\n1\n2\n":                    "no column beside lp",
		edit("-2\n", "-inf\n", "-1\n", "-inf\n", "0\n", "-inf\n", "-3\n", "-inf\n"): "no mass",
		"a,b,lp\nx,low,1\ny,high\n": "line 3 has 2 columns",
	} {
		longtest.Refuses(forms.Targets().Parse("file:"+fileOf(t, "t.csv", []byte(text))))(t, want, text)
	}
}

// TestTablesWithZeros: states without a row are zeros of f, words stand as they come, and a column
// is named behind the path, which is no part of the file's name.
func TestTablesWithZeros(t *testing.T) {
	path := fileOf(t, "t.csv", []byte("dose,flag,ll\nlow,TRUE,-1\nhigh,FALSE,-2\nlow,FALSE,-inf\n"))
	toy := longtest.Must(forms.Targets().Parse("file:" + path + ":lp=ll"))(t)
	inf := math.Inf(-1)
	if !slices.Equal(toy.G, []float64{inf, -1, -2, inf}) ||
		fmt.Sprint(toy.Axes[0].Labels, toy.Axes[1].Labels) != "[low high] [FALSE TRUE]" ||
		!strings.HasSuffix(toy.Doubt, "1 of 4 states have no row and are zeros of f") ||
		toy.Label(1) != "dose=low,flag=TRUE" || !slices.Equal(forms.Targets().FilesOf(toy.Name), []string{path}) {
		t.Errorf("%v, %+v, %q, %s, %v", toy.G, toy.Axes, toy.Doubt, toy.Label(1), forms.Targets().FilesOf(toy.Name))
	}
	start := fileOf(t, "s.csv", []byte("flag,p,dose\nTRUE,.25,low\nFALSE,.75,low\n"))
	if g := longtest.Must(toys.Probabilities().ReadOn(start, toy))(t); !slices.Equal(
		g,
		[]float64{math.Log(0.75), math.Log(0.25), inf, inf},
	) {
		t.Errorf("the start on the axes of the target is %v", g)
	}
	for text, want := range map[string]string{
		"flag,p,dose\nTRUE,1,mid\nFALSE,1,low\n": `unknown value of dose "mid"`,
		"flag,p,d\nTRUE,1,low\nFALSE,1,high\n":   "d is not an axis of the target; give axes the same names",
		"flag,p\nTRUE,1\nFALSE,2\n":              "it has 1 of the 2 axes of the target"} {
		_, err := forms.Targets().ParseInitial(context.Background(), "prob:"+fileOf(t, "s.csv", []byte(text)), toy)
		longtest.Refused(t, err, want)
	}
	longtest.Refuses(forms.Targets().Parse("file:"+path+":lp=l"))(t, `unknown column "l"`)
}

// TestArchivesWithAxes: an archive of log f and an array of values for each axis has these axes.
func TestArchivesWithAxes(t *testing.T) {
	file := func(members ...numpy.Member) string {
		var b bytes.Buffer
		longtest.NoError(t, numpy.WriteArchive(&b, members))
		return "file:" + fileOf(t, "t.npz", b.Bytes())
	}
	member := func(name string, values []float64, shape ...int) numpy.Member {
		return numpy.Member{Name: name, Data: numpy.Floats(values, shape...)}
	}
	lp := member("post", []float64{-2, -1, 0, -3}, 2, 2)
	alpha := member("alpha", []float64{1.5, 0.5}, 2)
	beta := member("beta", []float64{1, 2}, 2)
	if toy := longtest.Must(forms.Targets().Parse(file(alpha, lp, beta)))(t); toy.Label(1) != "alpha=1.5,beta=2" ||
		toy.G[1] != -1 {
		t.Errorf("%v: %s", toy.G, toy.Label(1))
	}
	toy := longtest.Must(forms.Targets().Parse(file(alpha, member("p", []float64{1, 0}, 2))))(t)
	if toy.Label(0) != "alpha=1.5" || toy.G[0] != 0 {
		t.Errorf("%v: %s", toy.G, toy.Label(0))
	}
	words := numpy.Member{Name: "dose", Data: numpy.Texts([]string{"low", "high²"}, 2)}
	toy = longtest.Must(forms.Targets().Parse(file(words, member("prob", []float64{1, 2}, 2))))(t)
	if toy.Label(1) != "dose=high²" || toy.G[1] != math.Log(2) {
		t.Errorf("%v: %s", toy.G, toy.Label(1))
	}
	twice := numpy.Member{Name: "beta", Data: numpy.Texts([]string{"a", "a"}, 2)}
	longtest.Refuses(forms.Targets().Parse(file(lp, alpha, twice)))(t,
		"beta is the array of axis 1 and has 2 values")
	longtest.Refuses(forms.Targets().Parse(file(lp, alpha, member("beta", []float64{1, 1}, 2))))(t,
		"beta is the array of axis 1 and has 2 values; write 2 that are finite and differ")
	longtest.Refuses(forms.Targets().Parse(file(alpha, beta)))(t, "has 2 arrays; name one of them")
}

// TestWrittenValues: a value is found by the digits that a text has of it, if these are enough.
func TestWrittenValues(t *testing.T) {
	axis := models.Axis{Name: "x", Values: []float64{-1e-5, 0.26, 1. / 3, 0.335, 2, 1e6, 1000001}}
	for text, want := range map[string]int{"0.333333": 2, "0.3333": 2, "0.33": -1, "0.26": 1, "0.3": -1,
		"2": 4, "2.0": 4, "2.00001": 4, "2.1": -1, "1000001": 6, "1000000.4": -1,
		"1e6": 5, "-1.0e-05": 0, "-0.0000100": 0, "-1.2e-5": -1, "0.335": 3, "2.6e-1": 1, "1": -1, "3": -1} {
		v := longtest.Must(selector.ParseNumber(text))(t)
		if at := axis.Written(v, text); at != want {
			t.Errorf("%s is value %d, want %d", text, at, want)
		}
	}
}

// FuzzTable: a text is refused, or is a target on its axes.
func FuzzTable(f *testing.F) {
	for _, text := range []string{posterior, "a\tp\nx\t1\ny\t0\n", `"",a,lp` + "\n1,2,3\n2,3,4\n",
		"a,lp,p\n1,0,1\n2,-inf,0\n", "lp\n1\n", "a;lp\n1;2\n", "#\na b lp\n1 2 3\n1 3 4",
		`[{"a":1,"lp":-Infinity},{"a":2,"lp":0}]`, `[["lp","a"],[1,2],[2,3]]`, ",1,2\n0,1,2",
		"  1 2\n0 1 2\n1 2 3"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		toy, err := forms.Targets().Parse("file:" + fileOf(t, "t.csv", []byte(text)))
		if err != nil {
			return
		}
		for x := range toy.G {
			if len(toy.Axes) > 0 && toy.Labelled() {
				if found, err := toy.FindState(toy.Label(x)); !strings.ContainsAny(text, "=, \t") &&
					(err != nil || found != x) {
					t.Fatalf("%q: state %d is %s, found at %d, %v", text, x, toy.Label(x), found, err)
				}
			}
			if math.IsNaN(toy.G[x]) || math.IsInf(toy.G[x], 1) {
				t.Fatalf("%q: g is %v", text, toy.G)
			}
		}
	})
}

// TestArchiveOfManyArrays: no array of an archive is read that has more of them than a grid has
// axes and numbers.
func TestArchiveOfManyArrays(t *testing.T) {
	var members []numpy.Member
	for k := range grid.MaxAxes + 2 {
		members = append(members, numpy.Member{Name: fmt.Sprint("a", k), Data: []byte("no array")})
	}
	var b bytes.Buffer
	longtest.NoError(t, numpy.WriteArchive(&b, members))
	path := filepath.Join(t.TempDir(), "many.npz")
	longtest.NoError(t, os.WriteFile(path, b.Bytes(), 0o600))
	longtest.Refuses(forms.Targets().Parse("file:"+path))(t, "the archive has 41 arrays; name one of them")
}
