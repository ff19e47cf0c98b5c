package samplers_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"breadboard/chains/numpy"
	"breadboard/experiments/forms"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/grid/longtest"
)

// samplersSelection is one problem with all that it needs.
func samplersSelection(toy string) samplers.Selection {
	return samplers.Selection{
		Reader:    forms.Reader(),
		Toys:      []string{toy},
		Kernels:   []string{"metropolis"},
		Starts:    []string{"uniform"},
		Functions: []string{"x0"},
	}
}

// TestFunctions: values by hand on a grid of two rows and three columns.
func TestFunctions(t *testing.T) {
	path := longtest.File(t, "g.csv", "0,1,2\n3,4,5\n")
	own := []float64{2, 7, 1, 8, 2, 8}
	array := func(name string, values []float64, shape ...int) string {
		return "file:" + longtest.File(t, name+".npy", string(numpy.Floats(values, shape...)))
	}
	for wrong, want := range map[string]string{
		array("a", own[:4], 4): "shape (4,)", array("b", own, 3, 2): "as (6) or (2, 3)", "file:" + path: "not an array of NumPy",
		array("c", []float64{0, 1, math.Inf(1), 0, 0, 0}, 6): "state 2 is +Inf",
	} {
		s := samplersSelection("file:" + path)
		s.Functions = []string{wrong}
		if _, err := s.Problems(context.Background()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", wrong, err, want)
		}
	}
	for name, want := range map[string][]float64{
		array("f - 1", own, 2, 3): own, array("g", own, 6): own,
		"x0": {0, 0, 0, 1, 1, 1}, "x1": {0, 1, 2, 0, 1, 2}, "sum": {0, 1, 2, 1, 2, 3},
		"g":     {0, 1, 2, 3, 4, 5},
		"x1<=1": {1, 1, 0, 1, 1, 0}, "g<=2.5": {1, 1, 1, 0, 0, 0}, "sum<=0": {1, 0, 0, 0, 0, 0},
	} {
		s := samplersSelection("file:" + path)
		s.Functions = []string{name}
		problems := longtest.Must(s.Problems(context.Background()))(t)
		f := problems[0].Functions[0]
		if !f.IsScalar() || f.Name != name {
			t.Errorf("%s: %d parts", f.Name, len(f.Parts))
		}
		for x, v := range f.Parts[0].Raw {
			if v != want[x] {
				t.Errorf("%s at state %d: %v, want %v", name, x, v, want[x])
			}
		}
	}
	s := samplersSelection("file:" + path)
	s.Functions = []string{"all"}
	problems, err := s.Problems(context.Background())
	if err != nil || len(problems[0].Functions[0].Parts) != 2 || problems[0].Functions[0].IsScalar() {
		t.Errorf("all: %v", err)
	}
}

// TestFunctionsOfClasses: on classes that were found on states a function is that of the states, if
// it is the same for all members of a class. Those of 3x3 under the transposition are 0,0 and 0,1
// and 0,2 and 1,1 and 1,2 and 2,2.
func TestFunctionsOfClasses(t *testing.T) {
	plane := longtest.File(t, "g.csv", "0,1,2\n1,3,1e-13\n2,0,5\n") // 1,2 and 2,1 are alike but for rounding
	for _, c := range []struct {
		toy, name string
		want      []float64 // nil if it is refused
	}{
		{"file:" + plane, "g", []float64{0, 1, 2, 3, 1e-13, 5}},
		{"file:" + plane, "sum", []float64{0, 1, 2, 2, 3, 4}},
		{"file:" + plane, "sum<=2", []float64{1, 1, 1, 1, 0, 0}},
		{"file:" + plane, "x0", nil},
		{"file:" + plane, "x0<=1", nil},
		{"file:" + plane, "all", nil},
		{"ising:1x2:0.4", "absm", []float64{1, 0}},
		{"ising:1x2:0.4", "m", nil},
		{"ising:1x2:0.4:0.1", "m", []float64{-1, 0, 1}},
		{"potts:3:1x3:0.5", "largest",
			[]float64{1, 2. / 3, 2. / 3, 2. / 3, 2. / 3, 1. / 3, 2. / 3, 1. / 3, 2. / 3, 1}},
	} {
		s := samplersSelection("quotient:neighbours:1e-12:" + c.toy)
		s.Functions = []string{c.name}
		problems, err := s.Problems(context.Background())
		switch {
		case c.want == nil && (err == nil ||
			!strings.Contains(err.Error(), "a function must be the same for all members of a class; it is ")):
			t.Errorf("%s on %s: error %v", c.name, c.toy, err)
		case c.want != nil && err != nil:
			t.Error(err)
		case c.want != nil && !slices.Equal(problems[0].Functions[0].Parts[0].Raw, c.want):
			t.Errorf("%s on %s: %v, want %v", c.name, c.toy, problems[0].Functions[0].Parts[0].Raw, c.want)
		}
	}
}

// TestAxisFunctions: if a toy names its axes, the values of these are functions, by which the means
// of the eight schools are found. The means are sums over the cells, by other code.
func TestAxisFunctions(t *testing.T) {
	s := samplersSelection("schools:31x31")
	s.Functions = []string{"mu", "log_tau", "tau", "mu<=0", "tau<=5"}
	problems := longtest.Must(s.Problems(context.Background()))(t)
	functions := problems[0].Functions
	for i, want := range []float64{4.39454686466, math.NaN(), 3.63404871841} {
		if mean := functions[i].Parts[0].Mean; math.Abs(mean-want) > 1e-11 {
			t.Errorf("the mean of %s is %.12g, want %v", functions[i].Name, mean, want)
		}
	}
	for row := range 31 {
		for col := range 31 {
			mu := -15 + 40*(float64(row)+0.5)/31
			logTau := -3 + 7*(float64(col)+0.5)/31
			for i, want := range []float64{
				mu, logTau, math.Exp(logTau), indicated(mu <= 0), indicated(math.Exp(logTau) <= 5)} {
				if got := functions[i].Parts[0].Raw[31*row+col]; math.Abs(got-want) >
					1e-13*(1+math.Abs(want)) {
					t.Fatalf("%s in cell %d,%d is %v, want %v", functions[i].Name, row, col, got, want)
				}
			}
		}
	}
	for want, change := range map[string]func(*samplers.Selection){
		`function "theta": it is unknown; choices: x0, x1, ..., AXIS, sum, g, mode, x0<=3, AXIS=VALUE, ` +
			`AXIS*log(AXIS), all, file:PATH.npy; AXIS on schools:5x7 is mu, log_tau, tau`: func(s *samplers.Selection) {
			s.Toys = []string{"schools:5x7"}
			s.Functions = []string{"theta"}
		},
		`function "mu": it is unknown; choices: x0, x1, ..., AXIS, sum, g, mode, x0<=3, AXIS=VALUE, ` +
			`AXIS*log(AXIS), all, file:PATH.npy; the axes of barrier have no names`: func(s *samplers.Selection) {
			s.Toys = []string{"barrier"}
			s.Functions = []string{"mu"}
		},
	} {
		s := samplersSelection("schools")
		change(&s)
		if _, err := s.Problems(context.Background()); err == nil || err.Error() != want {
			t.Errorf("%v, want %q", err, want)
		}
	}
	toy := longtest.Must(forms.All().Parse("hyper"))(t)
	if names := samplers.AxisFunctions(toy); len(names) != toy.Lattice().Dims() || names[0] != "eta" {
		t.Errorf("hyper has the functions %q by name", names)
	}
}

// TestLabelledFunctions: if values have labels, the name of an axis is its coordinate, and with a
// label the indicator. Variables that are called like axes are found by their names, and one that
// has been observed is no axis, though there is an axis of its number.
func TestLabelledFunctions(t *testing.T) {
	toy := "uai:" + longtest.File(t, "n.uai", "MARKOV\n3\n2 2 3\n1\n3 0 1 2\n12\n1 1 1 1 1 1 1 2 3 4 5 6\n") +
		":evidence=0=1"
	s := samplersSelection(toy)
	for name, want := range map[string][]float64{
		"x1": {0, 0, 0, 1, 1, 1}, "x2": {0, 1, 2, 0, 1, 2}, "x2=2": {0, 0, 1, 0, 0, 1},
		"x1=0": {1, 1, 1, 0, 0, 0}, "1=1": {0, 1, 0, 0, 1, 0},
		"x2<=1": {1, 1, 0, 1, 1, 0},
	} {
		s.Functions = []string{name}
		f := longtest.Sure(s.Problems(context.Background()))[0].Functions[0]
		if got := f.Parts[0].Raw; !slices.Equal(got, want) {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	for name, want := range map[string]string{"x0": "is x1, x2",
		"x2=3": `unknown value of x2 "3"; choices: 0, 1, 2`, "x0=1": `unknown axis "x0"; did you mean`} {
		s.Functions = []string{name}
		longtest.Refuses(s.Problems(context.Background()))(t, want, name)
	}
	if name := samplers.DefaultFunction(longtest.Sure(forms.All().Parse(toy))); name != "x1" {
		t.Errorf("the default function is %s", name)
	}
}

func indicated(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// TestBadSelections: each error names what is wrong, where, and what to do.
func TestBadSelections(t *testing.T) {
	zeros := longtest.File(t, "zeros.csv", "0,1,-inf\n")
	staged := strings.Replace(longtest.File(t, "m2.csv", "1,0,0\n0,1,0\n0,0,1\n"), "m2", "m{t}", 1)
	for want, change := range map[string]func(*samplers.Selection){
		`has a file for each stage of an annealing`: func(s *samplers.Selection) {
			s.Toys = []string{"file:" + zeros}
			s.Kernels = []string{"matrix:" + staged}
		},
		`function "x2": barrier has the axes x0 to x1`: func(s *samplers.Selection) {
			s.Functions = []string{"x2"}
		},
		`function "y": it is unknown; choices: x0`: func(s *samplers.Selection) {
			s.Functions = []string{"y"}
		},
		`function "x01": it is unknown`: func(s *samplers.Selection) {
			s.Functions = []string{"x01"}
		},
		`function "x0<=a": a: it is unknown`: func(s *samplers.Selection) {
			s.Functions = []string{"x0<=a"}
		},
		`function "x0<=9" on barrier: the function is c`: func(s *samplers.Selection) {
			s.Functions = []string{"x0<=9"}
		},
		`has no dominant mode; barrier has one`: func(s *samplers.Selection) {
			s.Toys = []string{"easy"}
			s.Functions = []string{"mode"}
		},
		`its states have no coordinates`: func(s *samplers.Selection) {
			s.Toys = []string{"graph:complete:5:random:1:0"}
		},
		`start "here"`: func(s *samplers.Selection) {
			s.Starts = []string{"here"}
		},
		`start "point:49": the states are numbered`: func(s *samplers.Selection) {
			s.Starts = []string{"point:49"}
		},
		`start "point:2": it has no mass`: func(s *samplers.Selection) {
			s.Toys = []string{"file:" + zeros}
			s.Starts = []string{"point:2"}
		},
		`function "g" is -Inf at state 2`: func(s *samplers.Selection) {
			s.Toys = []string{"file:" + zeros}
			s.Functions = []string{"g"}
		},
		`the target barrier is named twice`: func(s *samplers.Selection) {
			s.Toys = []string{"barrier", " barrier"}
		},
		`no toy is named`:    func(s *samplers.Selection) { s.Toys = nil },
		`no kernel is named`: func(s *samplers.Selection) { s.Kernels = nil },
		`"gibbs"`:            func(s *samplers.Selection) { s.Kernels = []string{"gibbs"} },
		`warmup`:             func(s *samplers.Selection) { s.Warmup = -1 },
	} {
		s := samplersSelection("barrier")
		change(&s)
		longtest.Refuses(s.Problems(context.Background()))(t, want)
	}
}

// TestStarts: each start is the distribution that its name says, and a warm-up moves it.
func TestStarts(t *testing.T) {
	s := samplersSelection("barrier:3x3")
	s.Starts = []string{"uniform", "target", "initial", "mode", "point:4"}
	problems := longtest.Must(s.Problems(context.Background()))(t)
	p := &problems[0]
	law := func(i, x int) float64 { return p.Starts[i].Law[x] }
	if law(0, 3) != 1.0/9 || law(1, 3) != p.Chain.Target[3] || law(2, 3) != 1.0/9 || law(3, 2) != 1 ||
		law(4, 4) != 1 {
		t.Errorf("%v", p.Starts)
	}
	s.Toys = []string{"random:1:0:3x3"}
	s.Warmup = 1000
	problems = longtest.Must(s.Problems(context.Background()))(t)
	for x, q := range problems[0].Starts[4].Law {
		p = &problems[0]
		if math.Abs(q-p.Chain.Target[x]) > 1e-12 {
			t.Errorf("after 1,000 moves state %d has probability %v, not %v", x, q, p.Chain.Target[x])
		}
	}
}

// TestWork: the first state is asked for once, and Metropolis asks for one value a move.
func TestWork(t *testing.T) {
	s := samplersSelection("barrier")
	s.Kernels = []string{"metropolis", "heatbath-scan", "stay"}
	s.Warmup = 5
	problems := longtest.Must(s.Problems(context.Background()))(t)
	for i, each := range []float64{1, 12, 0} {
		p := &problems[i]
		if w := p.Work(10); w != 1+14*each {
			t.Errorf("%s: the work of ten samples is %v", p.Kernel, w)
		}
	}
}

// problemsOf builds the problems of a selection.
func problemsOf(t testing.TB, s samplers.Selection) []samplers.Problem {
	t.Helper()
	s.Reader.Forms = forms.All()
	out := longtest.Must(s.Problems(context.Background()))(t)
	return out
}

// samplersNear compares a number with what it should be, by a tolerance relative to that, or
// absolute if it is below one.
func samplersNear(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*max(1, math.Abs(want))) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

// TestCorpora: the built-in corpora have as many targets as they say, no two alike, each with its
// canonical name.
func TestCorpora(t *testing.T) {
	for name, want := range map[string]int{"small": 10, "standard": 100} {
		c := longtest.Must(samplers.ReadCorpus(name))(t)
		targets, err := c.Load(t.Context(), forms.Reader())
		if err != nil || len(targets) != want || c.Name != name {
			t.Errorf("%s has %d targets, want %d: %v", c.Name, len(targets), want, err)
		}
		values := map[string]string{}
		for i, toy := range targets {
			if toy.Name != c.Targets[i] {
				t.Errorf("%s is called %s", c.Targets[i], toy.Name)
			}
			if n := toy.Space.States(); n > 100 {
				t.Errorf("%s has %d states", toy.Name, n)
			}
			key := fmt.Sprint(toy.Space, toy.G)
			if other, double := values[key]; double {
				t.Errorf("%s is the same target as %s", toy.Name, other)
			}
			values[key] = toy.Name
		}
	}
}

// file writes a corpus to a file and returns its path.
func file(t testing.TB, text string) string { return longtest.File(t, "mine.toml", text) }

func TestCorpusFromFile(t *testing.T) {
	c, err := samplers.ReadCorpus(" " + file(
		t,
		"\ufeffname = 'two'\ntargets = ['easy', ' random:2:7 ', # the last\n 'mixture:1*easy+2*hard']\n",
	))
	if err != nil || strings.Join(c.Targets, ", ") != "easy, random:2:7, mixture:1*easy+2*hard" {
		t.Errorf("%v, %v", c, err)
	}
	path := file(t, "targets = ['easy']")
	if c, err := samplers.ReadCorpus(path); err != nil || c.Name != path {
		t.Errorf("a corpus without a name is called %v, %v", c, err)
	}
}

// TestBadCorpora: what is wrong with the name of a corpus.
func TestBadCorpora(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "x.toml")
	longtest.NoError(t, os.Mkdir(folder, 0o755))
	for text, want := range map[string]string{
		"smal":     `unknown corpus "smal"; did you mean small?`,
		"":         "choices: small, standard, FILE.toml",
		"my.csv":   "choices: small, standard, FILE.toml",
		"no.toml":  "no.toml: no such file",
		"/dev/nil": "unknown corpus",
		folder:     "is not a regular file but a folder",
	} {
		longtest.Refuses(samplers.ReadCorpus(text))(t, want, text)
	}
}

// TestBadCorpusFiles: what is wrong within a file.
func TestBadCorpusFiles(t *testing.T) {
	for text, want := range map[string]string{
		"":                             "there are no targets; give a list of them",
		"targets = []":                 "the list of targets is empty",
		"targets = 'easy'":             "targets is not a list",
		"targets = [1]":                "target 1: 1 is not a text; write a selector in quotes",
		"targets = ['easy', ['hard']]": "target 2: [hard] is not a text",
		"targets = ['easy', '']":       "target 2: it is empty",
		"targets = [\"a\\nb\"]":        "control character",
		"targets = ['easy', ' easy']":  "target 2, easy, is the same as target 1; name each once",
		"targets = ['x{1..3}', 'x2']":  "target 2, x2, is the same as target 1; name each once",
		"targets = ['x{3..1}']":        "target 1: \"x{3..1}\": the range {3..1} goes down",
		"targets = ['easy', 'x{1..10000}']": "target 2: x{1..10000}: with the ranges there are more than " +
			"10000 targets; split the corpus",
		"targets = ['x{1..1000000000000}']": "there are more than 10000",
		"target = ['easy']":                 `unknown key "target"; did you mean targets?`,
		"name = 3\ntargets = ['easy']":      "name is not a text of one line",
		"name = ''\ntargets = ['easy']":     "name is not a text of one line",
		"targets = ['easy'\n":               "line 1, column 18: array is incomplete",
		"targets = ['easy']\ntargets=[1]":   "line 2",
		"targets = ['" + strings.Repeat("e", 1001) +
			"']": "a selector of 1001 bytes; the limit is 1000",
		"targets = [" + strings.Repeat("'x',", 10_001) +
			"]": "there are 10001 targets, and the limit is 10000",
		"targets = ['easy'] #" + strings.Repeat(" ", 1<<20) + "\n": "at most 1.049 MB are read",
	} {
		path := file(t, text)
		_, err := samplers.ReadCorpus(path)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%.60s: %v, want %q", text, err, want)
		}
	}
}

// TestBadTargets: what is wrong with a target is found where it is loaded.
func TestBadTargets(t *testing.T) {
	for text, want := range map[string]string{
		"targets = ['easy', 'eazy']": `unknown toy "eazy"; did you mean easy?`,
		"targets = ['schools', 'schools:31x31']": "the target schools is named twice, as " +
			"schools and as schools:31x31; name each once",
		"targets = ['barrier', 'barrier:7x7']": "the targets barrier and barrier:7x7 are the " +
			"same, state by state; name one of them",
		"targets = ['random:2:7', 'random:2.0:7:7x7']":     "the target random:2:7 is named twice",
		"targets = ['mixture:1*easy+1*barrier:5x5']":       "easy, is on 7x7, and part 2, barrier:5x5, on 5x5",
		"name = 'other'\ntargets = ['file:not-there.csv']": "corpus other: toy file: open not-there.csv",
	} {
		c := longtest.Must(samplers.ReadCorpus(file(t, text)))(t)
		longtest.Refuses(c.Load(t.Context(), forms.Reader()))(t, want, text)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (&samplers.Corpus{Name: "x", Targets: []string{"easy"}}).Load(
		ctx,
		forms.Reader(),
	); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of the context: %v", err)
	}
}

// FuzzDecodeCorpus: what is decoded is a list of texts of one line, no two alike, and what is not
// has an error of one line.
func FuzzDecodeCorpus(f *testing.F) {
	for _, text := range []string{"targets = ['easy', \"hard\"]", "name = 'x'\ntargets = ['a',\n'b']",
		"[targets]\na = 1", "targets = [nan, 1979-05-27]",
		"\"a\\nb\" = 1"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := samplers.DecodeCorpus(text)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r") {
				t.Errorf("an error of several lines: %q", err)
			}
			return
		}
		seen := map[string]bool{}
		for _, target := range c.Targets {
			if target == "" || target != strings.TrimSpace(target) || strings.ContainsAny(target, "\n\r") ||
				seen[target] {
				t.Errorf("target %q", target)
			}
			seen[target] = true
		}
		if len(c.Targets) == 0 {
			t.Error("no target")
		}
	})
}
