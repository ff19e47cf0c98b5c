package sweep

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"breadboard/experiments/forms"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
)

func resolve(name, text string, set ...string) (*Sweep, error) {
	spec, err := Parse(sweptStudies(), name, []byte(text))
	if err != nil {
		return nil, err
	}
	for _, s := range set {
		if err := spec.Set("--set", s); err != nil {
			return nil, err
		}
	}
	s, err := spec.Sweep()
	if err != nil {
		return nil, err
	}
	_, err = s.Plan()
	return s, err
}

// cells lists the cells of a sweep, one a line.
func cells(s *Sweep) string {
	var b strings.Builder
	for i := range s.Len() {
		fmt.Fprintln(&b, strings.Join(texts(s.Cell(i)), " "))
	}
	return b.String()
}

func TestSet(t *testing.T) {
	s := longtest.Must(resolve("x",
		"[grid]\ntoy=['easy']\nT=[5]", "T=10,1e3", "toy=hard,\"random:1:1\"", "kernel= barker "))(t)
	want := "hard geometric uniform linear barker 10\nhard geometric uniform linear barker 1000\n" +
		"random:1:1 geometric uniform linear barker 10\nrandom:1:1 geometric uniform linear barker 1000\n"
	if got := cells(s); got != want {
		t.Errorf("cells\n%s\nwant\n%s", got, want)
	}
	for _, c := range []struct{ set, want string }{
		{"T", "write PARAMETER=VALUE"}, {"tau=3", `unknown parameter "tau"`},
		{"T=", "--set T: no value; write"}, {"T=10\n20", "has a line break in it"},
		{"toy=easy\nhard", "line break"}, {strings.Repeat("x", 1e5), "xxx...: write PARAMETER"},
		{strings.Repeat("x", 1e5) + "=1", `xxx..."`},
		{"T=" + strings.Repeat("\"", 1e5+1), "is not a list"},
		{"T=" + strings.Repeat("x", 1e5), "is not a number"}, {"T=x", `"x" is not a number`},
		{"T=1", "from 2 to 1e12"},
		{"toy=", "no value"}, {`toy="a`, "is not a list"},
		{"toy=easy,easy", "--set toy: toy easy appears twice"}, {"toy=eazy", "--set toy: unknown toy"},
	} {
		if _, err := resolve("x", "[grid]", c.set); err == nil || !strings.Contains(err.Error(), c.want) ||
			len(err.Error()) > 1000 {
			t.Errorf("--set %.200s: %.500v, want %q", c.set, err, c.want)
		}
	}
	longtest.Refuses(resolve("x", "[[case]]\ntoy='easy'\nT=3", "T=4"))(t, "no [grid]", "without a grid")
}

// TestBadSpecs: every error names the line, and what to do.
func TestBadSpecs(t *testing.T) {
	longtest.Only(t)
	many := strings.Repeat("2,3,4,5,6,7,8,9,10,11,", 40)
	for _, c := range []struct{ text, want string }{
		{"", "neither a [grid] nor a [[case]]"},
		{"# nothing\n", "neither a [grid] nor a [[case]]"},
		{"T = 3", "line 1: T stands outside of any table"},
		{"[girds]\ntoy = ['easy']", `line 1: unknown table "girds"`},
		{"x = [1]", `line 1: unknown table "x"`},
		{"grid = 3", "line 1: grid is a table; write [grid]"},
		{"[[grid]]\nT = [3]", "line 1: grid is a table; write [grid]"},
		{"[case]\ntoy = 'easy'", "write [[case]] with two brackets"},
		{"case = ['easy']", "write [[case]] with two brackets"},
		{"[grid]\ntyo = ['easy']", `line 2: unknown parameter "tyo"`},
		{"[grid]\nkernels = ['barker']", "line 2: unknown parameter \"kernels\"; did you mean kernel?"},
		{"[grid]\ntoy = ['easy'\nT = 3", "line 3, column 1: "},
		{"[grid]\ntoy = ['easy']\ntoy = ['hard']", "line 3, column 1: "},
		{"[grid]\ntoy = 'easy", "line 2, column"},
		{"\xff", "line 1, column 1"},
		{"[grid]\ntoy = ['easy',\n  'barier']", "line 3: unknown toy \"barier\"; did you mean barrier?"},
		{"[grid]\nkernel = ['gibbs']", "line 2: unknown kernel"},
		{"[grid]\npath = ['straight']", "line 2: unknown path"},
		{"[grid]\nschedule = ['quick']", "line 2: unknown schedule"},
		{"[grid]\nschedule = ['cess',\n'cess:0.9']",
			"line 3: schedule cess:0.9 finds its own T, but a cell needs a given T; write cess, or use " +
				"breadboard tightness"},
		{"[grid]\ntoy=['easy']\nkernel = ['lazy:0.5', 'lazy:.5']",
			"line 3: kernel lazy:0.5 (as lazy:.5) appears twice"},
		{"[grid]\ntoy=['easy']\nT=[1e12]\nschedule = ['acceptance']", "the limit of one cell is 30"},
		{"[grid]\nschedule = ['file:nope']", "line 2: schedule file"},
		{"[grid]\ntoy = ['file:nope.csv']",
			"line 2: no cell can have toy file:nope.csv: toy file: open nope.csv"},
		{"[grid]\ntoy = []", "line 2: toy is an empty list"},
		{"[grid]\ntoy = ['']", "line 2: toy is empty"},
		{"[grid]\ntoy = [3]", "line 2: toy is 3; write a selector in quotes"},
		{"[grid]\ntoy = [['easy']]", "line 2: toy is [easy]; write a selector in quotes"},
		{"[grid]\ntoy = [{a = 1}]", "line 2: toy is map"},
		{"[grid]\ntoy = ['''ea\nsy''']", "line 2: toy \"ea\\nsy\" has a line break"},
		{"[grid]\ntoy = ['" + strings.Repeat("x", 1001) + "']",
			"line 2: toy is a selector of 1001 bytes; the limit is 1000"},
		{"[grid]\nT = ['ten']", "line 2: T is the text \"ten\"; write a number without quotes"},
		{"[grid]\nT = [10,\n 1]", "line 3: T is 1; it is a whole number from 2 to 1e12"},
		{"[grid]\nT = ['" + strings.Repeat("x", 1e5) + "']", "line 2: T is the text \"xxx"},
		{"[grid]\ntoy = [['" + strings.Repeat("x", 1e5) + "']]", "line 2: toy is [xxx"},
		{"[grid]\nT = [['" + strings.Repeat("x", 1e5) + "']]", "line 2: T is [xxx"},
		{"[grid]\n" + strings.Repeat("x", 1e5) + " = 1", "line 2: unknown parameter \"xxx"},
		{strings.Repeat("x", 1e5) + " = 1", "line 1: unknown table \"xxx"},
		{"[grid]\nT = [2.5]", "line 2: T is 2.5"},
		{"[grid]\nT = [1e13]", "line 2: T is 1e+13"},
		{"[grid]\nT = [nan]", "line 2: T is NaN"},
		{"[grid]\nT = [inf]", "line 2: T is +Inf"},
		{"[grid]\nT = [true]", "line 2: T is true"},
		{"[grid]\nT = [1979-05-27]", "line 2: T is 1979-05-27"},
		{"[grid]\nT = [10, 20, 10]", "line 2: T 10 appears twice"},
		{"[grid]\nschedule = ['sigmoid', 'sigmoid:4.0']",
			"line 2: schedule sigmoid (as sigmoid:4.0) appears twice"},
		{"[grid]\ntoy=['easy']\nT=[9]\n[[case]]\ntoy='easy'\nT=9",
			"line 4: the case toy easy, path geometric, initial uniform, schedule linear, kernel " +
				"metropolis, T 9 is already in the grid"},
		{"[[case]]\ntoy='easy'\nT=9\n\n[[case]]\ntoy='easy'\nT=9",
			"line 5: the case toy easy, path geometric, initial uniform, schedule linear, kernel " +
				"metropolis, T 9 appears twice, first at x, line 1"},
		{"[[case]]\ntoy = ['easy']\nT = 3", "line 2: a case has a single value of toy"},
		{"[[case]]\ntoy = 'easy'", "line 1: the case has no T"},
		{"[[case]]\nT = 3", "line 1: the case has no toy"},
		{"[grid]\nkernel = ['exec:sh k.sh']",
			"line 2: kernel exec:sh k.sh: a change of the program would go unnoticed"},
		{"[grid]\ntoy = ['random:20000:1']", "line 2: toy random:20000:1: log f of the target spans"},
		{"[grid]\ntoy = ['random:1:0:100000x100000']", "line 2: "},
		{"[grid]\ntoy = ['random:1:0:1000x1000']\nT = [1e12]", "the limit of one cell is 30"},
		{"[grid]\ntoy = [" + names(200) + "]\npath=['geometric']\nschedule=[" + powers(1000) +
			"]\nT = [" + many + "]",
			"more than 10000000 cells (200 values of toy times 1000 values of schedule times 400 values of T)"},
		{"[grid]\ntoy = [" + names(100) + "]\nschedule = [" + powers(200) + "]\nT = [1e12]",
			"years on one core, and the limit is 100"},
	} {
		if _, err := resolve("x", c.text); err == nil || !strings.Contains(err.Error(), c.want) ||
			len(err.Error()) > 2000 {
			t.Errorf("%.200s\n%.3000v, want %q", c.text, err, c.want)
		}
	}
}

func names(n int) string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf("'random:1:%d'", i))
	}
	return strings.Join(out, ",")
}

func powers(n int) string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf("'power:%d.%02d'", 1+i/100, i%100))
	}
	return strings.Join(out, ",")
}

// TestFiles: what a file holds is part of a cell, and where T is left out beside a schedule it is
// its length.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		longtest.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	toy := write("toy.csv", "0,1\n")
	betas := write("betas", "0\n0.5\n1\n")
	more := write("more", "0\n0.1\n0.5\n1\n")
	text := fmt.Sprintf("[grid]\ntoy = ['file:%s']\nschedule = ['file:%s']\n", toy, betas)
	first := mustSweep(t, text)
	if c := first.Cell(0); first.Len() != 1 || c.distributions() != 3 || c.Get("toy") != "file:"+toy {
		t.Fatalf("%d cells, the first %v", first.Len(), c)
	}
	longtest.NoError(t, first.unchanged(first.Cell(0)))
	write("toy.csv", "0,2\n")
	second := mustSweep(t, text)
	if first.Key(first.Cell(0)) == second.Key(second.Cell(0)) || first.ID() == second.ID() {
		t.Error("another file makes the same cell")
	}
	if d := second.difference(first); !strings.Contains(d, "the contents of "+toy+" have changed") {
		t.Error(d)
	}
	longtest.Refused(t, first.unchanged(first.Cell(0)), "has changed since", "a changed file")
	for text, want := range map[string]string{
		fmt.Sprintf("[grid]\nschedule = ['file:%s', 'file:%s']\n", betas,
			more): "line 1: T is missing, and the schedules have different ones",
		fmt.Sprintf("[grid]\nschedule = ['file:%s', 'linear']\n",
			betas): "line 1: T is missing, and the schedules have different ones",
		fmt.Sprintf("[grid]\nschedule = ['file:%s']\nT = [4]\n", betas):    "has 3 points but 4",
		fmt.Sprintf("[grid]\nschedule = ['file:%s']\nT = [3, 4]\n", betas): "has 3 points but 4",
	} {
		longtest.Refuses(resolve("x", text))(t, want, text)
	}
	for i, path := range []string{"k2.csv", "k3.csv"} {
		write(path,
			fmt.Sprintf("0.%d%[3]s,0.%[2]d%[3]s\n0.5%[3]s,0.5%[3]s\n", 5-i, 5+i, strings.Repeat("0", 20)))
	}
	c := cellFrom("easy", "geometric", "uniform", "linear", "matrix:"+filepath.Join(dir, "k{t}.csv"), "3")
	staged := mustSweep(t, fmt.Sprintf("[grid]\ntoy = ['file:%s']\nT = [3]\nkernel = ['%s']\n", toy, c.Get("kernel")))
	if got := staged.Cell(0); got.Get("kernel") != c.Get("kernel") || got.Get("T") != "3" ||
		len(staged.files) != 3 {
		t.Errorf("kernels for each stage: %v, files %v", got, staged.files)
	}
	if got := c.files(forms.All(), fileExists); len(got) != 2 || filepath.Base(got[1]) != "k3.csv" {
		t.Errorf("the matrices of the stages are %v", got)
	}
	if got := FilesOf(forms.All(), "matrix:k.npz#kernel_{t}"); len(got) != 1 || got[0] != "k.npz" {
		t.Errorf("the matrices of the stages in an archive are in %v", got)
	}
	if got := FilesOf(forms.All(), "matrix:"+filepath.Join(dir, "k{t}.csv")); len(got) != 2 {
		t.Errorf("the matrices of the stages are in %v", got)
	}
}

// TestStartLeftOut: if nothing is said of the start, paths start where other commands have them
// start: at the prior of models, and else at uniform. A grid of both kinds of toys has to say it.
func TestStartLeftOut(t *testing.T) {
	const both = "initial is missing, and its default differs"
	for text, want := range map[string]string{
		"[grid]\ntoy = ['clu4', 'bin4']\nT = [3]\npath = ['tempered']\n": "prior prior",
		"[grid]\ntoy = ['easy', 'barrier']\nT = [3]\n":                   "uniform uniform",
		"[grid]\nT = [3]\n": "uniform uniform uniform",
		"[grid]\ntoy = ['clu4', 'easy']\ninitial = ['uniform']\nT = [3]\n":           "uniform uniform",
		"[[case]]\ntoy = 'clu4'\nT = 3\n[[case]]\ntoy = 'easy'\nT = 3\n":             "prior uniform",
		"[[case]]\ntoy = 'clu4'\nT = 3\ninitial = 'uniform'\n":                       "uniform",
		"[grid]\ntoy = ['easy', 'clu4']\nT = [3]\n":                                  "line 1: " + both,
		"[grid]\ntoy = ['clu4', 'nothing']\nT = [3]\n":                               "unknown toy",
		"[grid]\ntoy = ['clu4', 'easy']\npath = ['tempered']\ninitial = ['prior']\n": "the toy easy has no prior",
	} {
		s, err := resolve("x", text)
		if err != nil {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", text, err, want)
			}
			continue
		}
		var got []string
		for i := range s.Len() {
			got = append(got, s.Cell(i).Get("initial"))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %q", text, got, want)
		}
	}
}

// TestManifest reads back what is written, and notices a change.
func TestManifest(t *testing.T) {
	s := mustSweep(t, small)
	text := mustEncode(t, s)
	again := longtest.Must(parseManifest(sweptStudies(), text))(t)
	if again.ID() != s.ID() || cells(again) != cells(s) {
		t.Errorf("comes back as\n%s", cells(again))
	}
	const changed = "the file has changed"
	for _, spoil := range [][3]string{{`"2"`, `"7"`, changed}, {`"schema": 2`, `"schema": 3`,
		"a later version of breadboard wrote it (schema 3"}, {"{", "[", "damaged"},
		{`"cells": 9`, `"cells": 8`, changed}, {`"T"`, `"U"`, changed}} {
		longtest.Refuses(parseManifest(
			sweptStudies(),
			[]byte(strings.Replace(string(text), spoil[0], spoil[1], 1)),
		))(t, spoil[2], spoil)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("[grid]\ntoy = ['easy']\nT = [10, 1e2]\n[[case]]\ntoy='hard'\nT=5")
	f.Add("grid = {toy=['a',\n'b'], T=3}\ncase=[{toy='x'}]")
	f.Add("[grid]\nT = [1979-05-27, nan]\n\"a.b\".c = 1")
	f.Fuzz(func(t *testing.T, text string) {
		spec, err := Parse(sweptStudies(), "x", []byte(text))
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("an error of several lines: %q", err)
			}
			return
		}
		for _, b := range append(slices.Clone(spec.cases), *orEmpty(spec.grid)) {
			for name, values := range b.values {
				if !slices.Contains(subject.Names(spec.study.Parameters), name) || len(values) == 0 {
					t.Errorf("%s: %v", name, values)
				}
			}
		}
	})
}

func orEmpty(b *block) *block {
	if b == nil {
		return &block{}
	}
	return b
}

// TestRunsOfNumbers writes runs out, in a file and on the command line.
func TestRunsOfNumbers(t *testing.T) {
	for text, want := range map[string]string{
		"seed = {from = 0, to = 3}":                         "0 1 2 3",
		"seed = [{from = 5, to = 20, step = 5}, 7]":         "5 10 15 20 7",
		"seed = {from = 999999999999999, to = 1e15}":        "999999999999999 1000000000000000",
		"chains = {linspace = [10, 20, 3]}":                 "10 15 20",
		"chains = {logspace = [10, 1e5, 9]}":                "10 32 100 316 1000 3162 10000 31623 100000",
		"chains = {logspace = [2, 8, 13]}":                  "2 3 4 5 6 7 8",
		"T = [2, {logspace = [10, 1e3, 3]}, 5000]":          "2 10 100 1000 5000",
		"toy = ['random:2:{0..2}', 'easy']":                 "random:2:0 random:2:1 random:2:2 easy",
		"toy = 'random:{1..2}:{8..9}'":                      "random:1:8 random:1:9 random:2:8 random:2:9",
		"schedule = ['power:{1..3}']":                       "power:1 power:2 power:3",
		"path = ['geometric', 'q:0.{25..75..25}']":          "geometric q:0.25 q:0.5 q:0.75",
		"seed = [{from = 1, to = 2}, {from = 4, to = 4}]":   "1 2 4",
		"\"chains\" = {linspace = [2, 4, 2]}\nseed = [1,2]": "2 4",
	} {
		name, _, _ := strings.Cut(strings.Trim(text, `"`), " ")
		name = strings.Trim(name, `"`)
		s := mustSweep(t, "study='ais'\n[grid]\n"+text+"\n")
		if got := strings.Join(s.Values(name), " "); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
	s := mustSweep(t, "study='kernelcheck'\n[grid]\ntoy='easy'\nbeta = [{from = 0, to = 1, step = 0.1}]")
	if got := strings.Join(s.Values("beta"), " "); got != "0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1" {
		t.Errorf("a tenth at a time: %s", got)
	}
	s = mustSweep(t, "study='kernelcheck'\n[grid]\ntoy='easy'\nbeta = {logspace = [0.001, 1, 4]}")
	if got := strings.Join(s.Values("beta"), " "); got != "0.001 0.01 0.1 1" {
		t.Errorf("powers of ten: %s", got)
	}
	s, err := resolve("x", "study='ais'\n[grid]\ntoy='easy'\nT=[3]", "seed={0..4..2},9", "toy=random:2:{3,4},easy")
	if err != nil || strings.Join(s.Values("seed"), " ") != "0 2 4 9" ||
		strings.Join(s.Values("toy"), " ") != "random:2:3 random:2:4 easy" {
		t.Errorf("--set: %v, %v", s, err)
	}
}

// TestZip: zipped lists must be equally long, and all else is combined with them.
func TestZip(t *testing.T) {
	s := mustSweep(t,
		"study='ais'\n[grid]\ntoy=['easy','hard']\nT=[9]\n[zip]\nchains=[30, 20, 20]\nseed={from=5, "+
			"to=7}\n[[case]]\ntoy='easy'\nT=9\nchains=30\nseed=6")
	var got []string
	for i := range s.Len() {
		c := s.Cell(i)
		got = append(got, c.Get("toy")+" "+c.Get("chains")+" "+c.Get("seed"))
	}
	if want := "easy 30 5,easy 20 6,easy 20 7,hard 30 5,hard 20 6,hard 20 7,easy 30 6"; strings.Join(got, ",") != want {
		t.Errorf("cells %v, want %s", got, want)
	}
	if values := strings.Join(s.Values("chains"), " "); values != "30 20" {
		t.Errorf("chains takes the values %s", values)
	}
	text := mustEncode(t, s)
	if again, err := parseManifest(sweptStudies(), text); err != nil || again.ID() != s.ID() ||
		cells(again) != cells(s) {
		t.Errorf("the manifest reads as %v, %v", again, err)
	}
	combined := mustSweep(t, "study='ais'\n[grid]\ntoy=['easy','hard']\nT=[9]\nchains=[30, 20]\nseed={from=5, to=7}")
	if combined.ID() == s.ID() || combined.Len() != 12 {
		t.Errorf("a grid of the same values has %d cells and the key %v", combined.Len(), combined.ID())
	}
	two := mustSweep(t,
		"[[zip]]\ntoy=['easy','hard']\nT=[3,4]\n[[zip]]\nschedule=['linear','power:2']\nkernel=['barker','metropolis']")
	if want := "easy geometric uniform linear barker 3\neasy geometric uniform power:2 metropolis 3\nhard " +
		"geometric uniform linear barker 4\nhard geometric uniform power:2 metropolis 4\n"; cells(two) != want {
		t.Errorf("two zips are\n%s\nwant\n%s", cells(two), want)
	}
	longtest.Must(resolve("x", "[zip]\ntoy=['easy','hard']\nT=[3,4]", "T=5,6"))(t)
	longtest.Refuses(resolve("x", "[zip]\ntoy=['easy','hard']\nT=[3,4]", "T=5"))(t,
		"--set T: there are 1 values, but the lists with which T is zipped have 2")
}

// TestBadRuns: runs that are wrong, or too long for any sweep, are refused with their place before
// memory is taken for them.
func TestBadRuns(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"[grid]\ntoy=['random:2:{0..999999999}']",
			"x has more than 10000000 cells (1000000000 values of toy)"},
		{"study='ais'\n[grid]\nseed={from=0, to=1e15}",
			"x has more than 10000000 cells (1000000000000001 values of seed)"},
		{"study='ais'\n[grid]\nchains={from=2, to=1e4}\nseed={from=0, to=9999}",
			"x has more than 10000000 cells (9999 values of chains times 10000 values of seed)"},
		{"study='ais'\n[zip]\nchains={from=2, to=1e8}\nseed=[1]",
			"more than 10000000 cells (99999999 values of chains)"},
		{"study='ais'\n[grid]\nseed=[{from=0, to=1e15}, {from=0, to=1e15}]",
			"more than 10000000 cells (2000000000000002 values of seed)"},
		{"[grid]\ntoy=['random:{0..999999999999999}:{0..999999999999999}', 'easy']",
			"more than 10000000 cells"},
		{"[grid]\nT={logspace=[2, 1e12, 1e300]}", "more than 10000000 cells"},
		{"[grid]\ntoy=['easy',\n'random:2:{0..x}']", "line 3: \"random:2:{0..x}\": {0..x} is not a range"},
		{"[grid]\ntoy=['random:2:{9..0}']", "line 2: \"random:2:{9..0}\": the range {9..0} goes down"},
		{"[grid]\ntoy={from=0, to=3}",
			"line 2: toy is map[from:0 to:3]; write a selector in quotes, as on the command line; a range " +
				"is written random:2:{0..999}"},
		{"[grid]\nT='{2..9}'",
			"line 2: T is the text \"{2..9}\"; write a range of numbers as in {from = 0, to = 999}"},
		{"[grid]\nT={from=2}",
			"line 2: T is a table of from; write a range of numbers as {from = 0, to = 999}"},
		{"[grid]\nT={from=2, to=9, logspace=[1,2,3]}",
			"line 2: T is a table of from, logspace, to; write a range of numbers as"},
		{"[grid]\nT={}", "line 2: T is a table of ; write a range of numbers as"},
		{"[grid]\nT={from=9, to=2}", "line 2: T goes from 9 down to 2; write the smaller number first"},
		{"[grid]\nT={from=2, to=9, step=0}", "line 2: step of T is 0; give a whole number above zero"},
		{"[grid]\nT={from=2, to=9, step=-1}", "line 2: step of T is -1; give a whole number above zero"},
		{"[grid]\nT={from=2, to=9, step=0.5}", "line 2: step of T is 0.5; give a whole number above zero"},
		{"[grid]\nT={from=2.5, to=9}", "line 2: from of T is 2.5; give a whole number"},
		{"[grid]\nT={from='2', to=9}", "line 2: from of T is 2; give a whole number"},
		{"[grid]\nT={from=nan, to=9}", "line 2: from of T is NaN; give a whole number"},
		{"[grid]\nT={from=1, to=9}", "line 2: T is 1; it is a whole number from 2 to 1e12"},
		{"[grid]\nT={from=2, to=1e13}", "line 2: T is 1e+13; it is"},
		{"[grid]\nT={logspace=[10, 1e5]}",
			"line 2: logspace of T is [10 100000]; give the first number, the last and how many, as in " +
				"logspace = [1, 100, 3]"},
		{"[grid]\nT={logspace=10}", "line 2: logspace of T is 10; give the first number"},
		{"[grid]\nT={logspace=[10, 'x', 3]}", "give three numbers"},
		{"[grid]\nT={logspace=[10, inf, 3]}", "give three numbers"},
		{"[grid]\nT={linspace=[10, 20, 1]}", "the third says how many, 2 or more"},
		{"[grid]\nT={linspace=[10, 20, 2.5]}", "the third says how many, 2 or more"},
		{"[grid]\nT={linspace=[20, 10, 3]}", "the first must be below the second"},
		{"[grid]\nT={linspace=[1, 10, 3]}", "line 2: T is 1; it is a whole number from 2"},
		{"study='kernelcheck'\n[grid]\nbeta={logspace=[0, 1, 3]}",
			"line 3: logspace of beta is [0 1 3]; equal ratios need numbers above zero"},
		{"[[case]]\ntoy='random:2:{0..9}'\nT=3",
			"line 2: a case has a single value of toy; lists and ranges belong in [grid]"},
		{"[[case]]\ntoy='easy'\nT={from=2,to=3}",
			"line 3: a case has a single value of T; lists and ranges belong in [grid]"},
		{"[zip]\ntoy=['easy','hard']\nT=[3]",
			"line 3: T has 1 values and toy has 2; zipped lists must be equally long"},
		{"[zip]", "line 1: nothing is zipped"},
		{"zip=[]", "neither a [grid] nor a [[case]]"},
		{"zip=3", "line 1: zip is a table; write [zip]"},
		{"zip=[3]", "line 1: zip is a table; write [zip]"},
		{"[grid]\ntoy='easy'\n[zip]\ntoy=['easy','hard']\nT=[3,4]",
			"line 4: toy is also at x, line 2; give it once"},
		{"[[zip]]\nT=[3,4]\n[[zip]]\nT=[3,4]", "line 4: T is also at x, line 2; give it once"},
		{"[zip]\ntoy=['easy','hard','easy']\nT=[3,4,3]",
			"line 2: toy easy, T 3 are zipped twice; delete one of them"},
		{"[zip]\ntyo=['easy']", `line 2: unknown parameter "tyo"`},
		{"[zip]\ntoy=['eazy','hard']\nT=[3,4]", `line 2: unknown toy "eazy"`},
		{"[zip]\ntoy=['easy','hard']\nT=[3,4]\n[[case]]\ntoy='hard'\nT=4", "is already in the grid"},
	} {
		if _, err := resolve("x", c.text); err == nil || !strings.Contains(err.Error(), c.want) ||
			len(err.Error()) > 2000 {
			t.Errorf("%.200s\n%.3000v, want %q", c.text, err, c.want)
		}
	}
	for set, want := range map[string]string{
		"seed={0..999999999}": "--set seed: there are more than 10000000 values",
		"seed={3..}":          "is not a range",
		"T={1..3}":            "--set T: T is 1; it is a whole number", "seed=x{0..3}": `"x0" is not a number`,
	} {
		longtest.Refuses(resolve("x", "study='ais'\n[grid]\ntoy='easy'\nT=3", set))(t, want, set)
	}
}

// TestKeysNeverChange: the keys in testdata/keys.txt were computed by the first version of this
// schema, and results under them lie in folders.
func TestKeysNeverChange(t *testing.T) {
	spec := longtest.Must(os.ReadFile("testdata/keys.toml"))(t)
	want := longtest.Must(os.ReadFile("testdata/keys.txt"))(t)
	s := mustSweep(t, string(spec))
	var got strings.Builder
	fmt.Fprintf(&got, "%v sweep\n", s.ID())
	for i := range s.Len() {
		fmt.Fprintf(&got, "%v %s\n", s.Key(s.Cell(i)), strings.Join(texts(s.Cell(i)), " "))
	}
	if got.String() != string(want) {
		t.Errorf("keys\n%s\nwant\n%s", got.String(), want)
	}
}
