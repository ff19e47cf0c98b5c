package toys_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/numpy"
	"breadboard/chains/paths"
	"breadboard/chains/selector/selectortest"
	"breadboard/grid/longtest"
	"breadboard/toys"
	"breadboard/toys/forms"
)

// TestStandardNormal compares with what NumPy's RandomState(seed).standard_normal prints.
func TestStandardNormal(t *testing.T) {
	for seed, want := range map[uint32][]float64{
		0: {1.764052345967664, 0.4001572083672233, 0.9787379841057392, 2.240893199201458, 1.8675579901499675,
			-0.977277879876411, 0.9500884175255894},
		1:  {1.6243453636632417, -0.6117564136500754, -0.5281717522634557},
		42: {0.4967141530112327, -0.13826430117118466, 0.6476885381006925},
	} {
		for i, z := range toys.StandardNormal(seed, len(want)) {
			// The logarithm may differ in its last bit between processors.
			if math.Abs(z-want[i]) > 4e-16*math.Abs(want[i]) {
				t.Errorf("seed %d: value %d is %v, NumPy's is %v", seed, i, z, want[i])
			}
		}
	}
	for n := range 5 {
		if got := len(toys.StandardNormal(3, n)); got != n {
			t.Errorf("%d values asked for, %d returned", n, got)
		}
	}
}

func TestBarrier(t *testing.T) {
	toy := longtest.Sure(forms.Targets().Parse("barrier"))
	picture := map[float64]string{-10: "#", 3: "o", 0: "."}
	var b strings.Builder
	for x, g := range toy.G {
		b.WriteString(picture[g])
		if x%7 == 6 {
			b.WriteString("\n")
		}
	}
	want := "...#ooo\n...#ooo\n...#ooo\n#######\n...#...\n...#...\n...#...\n"
	if b.String() != want {
		t.Errorf("BARRIER is\n%swant\n%s", b.String(), want)
	}
	if len(toy.Mode) != 9 {
		t.Errorf("the dominant mode has %d states", len(toy.Mode))
	}
	// Its mass by hand: 9 e^3 / (9 e^3 + 27 + 13 e^-10).
	mass := 9 * math.Exp(3) / (9*math.Exp(3) + 27 + 13*math.Exp(-10))
	if p, ok := toy.Lookup("dominant_mode_mass", 0); !ok || !p.Rounds(mass) {
		t.Errorf("the dominant mode has %v of the mass, printed %v", mass, p)
	}
}

func TestRounds(t *testing.T) {
	for _, c := range []struct {
		text string
		v    float64
		want bool
	}{
		{"0.13", 0.13014, true},
		{"0.13", 0.1351, false},
		{"1.840", 1.84034, true},
		{"1.840", 1.8394, false},
		{"0.00518", 0.0051789, true},
		{"87%", 0.8700, true},
		{"26%", 0.2547, false},
		{"9%", 0.0919, true},
	} {
		if got := (toys.Printed{Text: c.text}).Rounds(c.v); got != c.want {
			t.Errorf("%v rounds to %s: %v, want %v", c.v, c.text, got, c.want)
		}
	}
}

func TestParse(t *testing.T) {
	longtest.Only(t)
	for selector, want := range map[string]string{
		"easy": "7x7", "hard": "7x7", "barrier": "7x7", "barrier:9x9": "9x9", "barrier:3x5": "3x5",
		"ising:2x3:0.5": "2x2x2x2x2x2", "ising:3x3:-1:torus": "2x2x2x2x2x2x2x2x2", "ising:1x1:0:2": "2",
		"ising:3x3:1:-0.5:torus": "2x2x2x2x2x2x2x2x2",
		"potts:3:1x2:0.5":        "3x3", "potts:2:3x3:1e-07:torus": "2x2x2x2x2x2x2x2x2",
		"potts:4096:1x2:1": "4096x4096",
		"random:2:7":       "7x7", "random:0.5:4294967295:2x2x2": "2x2x2", "random:1:0:10": "10",
		"smooth:2:7:3": "7x7", "smooth:0.5:0:0:2x2x2": "2x2x2", "smooth:1:0:100000:3": "3",
		"schools": "31x31", "schools:1x2": "1x2",
		"cells:0:1:-2/3:-Inf:0.5": "2x3", "cells:1e+300": "1", "cells:1:2:3": "3",
		"mixture:0.5*cells:1e+30:2+0.5*cells:2:1": "2",
		"mixture:1*easy": "7x7", "mixture:0.3*easy+0.7*barrier": "7x7",
		"mixture:1e-07*ising:1x2:1e+30+1e30*ising:1x2:1": "2x2",
	} {
		toy, err := forms.Targets().Parse(selector)
		if err != nil || toy.Space.String() != want || toy.Name != selector ||
			len(toy.G) != toy.Space.States() {
			t.Errorf("%s: %v, %v", selector, toy, err)
		}
	}
	for selector, want := range map[string]string{
		"eazy":   "did you mean easy?",
		"barier": "did you mean barrier?",
		"nonsense": "choices: easy, hard, barrier, random, smooth, ising, " +
			"potts, schools, cells, mixture, curie-weiss,",
		"":                         "choices",
		"easy:9x9":                 "takes no argument",
		"barrier:8x8":              "odd",
		"barrier:1x1":              "at least 3",
		"barrier:9":                "two sides",
		"barrier:":                 "is not a size",
		"barrier:9,9":              "is not a size",
		"random":                   "random:SIGMA:SEED",
		"random:2":                 "random:SIGMA:SEED",
		"random:-1:0":              "not negative",
		"random:nan:0":             "not a number",
		"random:1e308:0":           "overflows",
		"random:2:-1":              "seed",
		"random:2:4294967296":      "seed",
		"random:2:0:0x7":           "side 0",
		"random:2:0:100000x100000": "limit",
		"random:2:0:7x7:1":         "random:SIGMA:SEED",
		"smooth":                   "give sigma, the seed and the number of passes, as in smooth:2:0:3:5x5",
		"smooth:2:0":               "smooth:SIGMA:SEED:PASSES",
		"smooth:2:0:3:5x5:1":       "smooth:SIGMA:SEED:PASSES",
		"smooth:-1:0:1":            "not negative",
		"smooth:2:-1:1":            "seed",
		"smooth:2:0:x":             `"x" is not a number of passes from 0 to 100000`,
		"smooth:2:0:-1":            "-1 passes; give a number from 0 to 100000",
		"smooth:2:0:100001":        "100001 passes",
		"smooth:2:0:1:0x7":         "side 0",
		"smooth:1e308:0:1":         "overflows",
		"smooth:2:0:100000:999x999": "100000 passes over 998001 states with 2 axes are 2e+11 " +
			"averages; at most 2147483648 are made",
		"schools:":      "is not a size",
		"schools:5":     "two sides",
		"schools:5x5x5": "two sides",
		"schools:0x5":   "side 0",
		"cells":         "give g of every cell, as in cells:0:1:-2/3:-inf:0.5",
		"cells:": "row 1, column 1: the cell is empty; give a number, or " +
			"-inf for a zero of f",
		"cells:1:2/3":     "row 2 has 1 cells, the first row has 2; give every row as many",
		"cells:1:2/3:4/":  "row 3 has 1 cells",
		"cells:1:2/3::4":  "row 2 has 3 cells",
		"cells:1:2/3:":    "row 2, column 2: the cell is empty",
		"cells:1:2/3:x":   `row 2, column 2: "x" is not a number`,
		"cells:1:nan":     "row 1, column 2: nan; log f must be finite, or -inf for a zero of f",
		"cells:1/+Inf":    "row 2, column 1: +Inf; log f must be finite",
		"cells:1:1e999":   `row 1, column 2: "1e999" is not a number, or outside the range`,
		"cells:1,5:2":     `row 1, column 1: "1,5" has a comma; write decimals with a point`,
		"cells:1 2/3 4":   `"1 2" is not a number; part cells by colons and rows by slashes`,
		"cells:-inf:-inf": "every cell is -inf; the target has no mass",
		"mixture": "give weights and targets, as in " +
			"mixture:0.3*random:2:0:5x5+0.7*barrier:5x5",
		"mixture:":     `part 1, "", does not begin with a weight and *`,
		"mixture:easy": `part 1, "easy", does not begin with a weight and *`,
		"matrix:P.csv": "matrix:P.csv is a kernel and no target; breadboard kernel " +
			"check matrix:P.csv",
		"mixture:1*easy+hard":             `part 1: unknown toy "easy+hard"`,
		"mixture:1*easy++0.5*hard":        `part 1: unknown toy "easy+"`,
		"mixture:-1*easy":                 "does not begin with a weight",
		"mixture:0*easy":                  "weight of part 1, easy, is 0; give a number above 0",
		"mixture:1*easy+2*":               `part 2: unknown toy ""`,
		"mixture:1*mixture:1*easy+2*hard": "part 1 is a mixture itself",
		"mixture:1*easy+2*barrier:9x9": "part 1, easy, is on 7x7, and part 2, barrier:9x9, on 9x9; " +
			"the parts of a mixture are on one space",
		"mixture:1*easy+2*eazy":               "did you mean easy?",
		"file:":                               "no path",
		"file:/nonexistent/g.csv":             "/nonexistent/g.csv",
		"model":                               "give the path, as in model:points.toml",
		"model:":                              "no path",
		"model:/nonexistent/m.toml":           "/nonexistent/m.toml",
		"clu6:3":                              "takes no argument",
		"random:1:0:99999999999999x9":         "limit",
		"ising":                               "give the sides and J, as in",
		"ising:":                              "ising:RxC:J:FIELD",
		"ising:4x4":                           "ising:RxC:J:FIELD",
		"ising:4x4:":                          `J: "" is not a number`,
		"ising:4x4:x":                         `J: "x" is not a number`,
		"ising:4x4:nan":                       `J: "nan" is not a number`,
		"ising:4x4:1e400":                     "outside the range",
		"ising:4x4:1e308":                     "overflows",
		"ising:4x4:0:1e308":                   "overflows",
		"ising:4x4:1:toros":                   "behind J stands the field, or torus",
		"ising:4x4:1:torus:0.5":               "ising:RxC:J:FIELD",
		"ising:4x4:torus":                     "ising:RxC:J:FIELD",
		"ising:4x4:1:0:torus:x":               "ising:RxC:J:FIELD",
		"ising:4x4:1:0:torus:torus":           "ising:RxC:J:FIELD",
		"ising:0x4:1":                         "the sides are 0 and 4; they are 1 or more",
		"ising:2x-2:1":                        "1 or more",
		"ising:2x2:1:torus":                   "3 or more on a torus",
		"ising:1x3:1:torus":                   "3 or more on a torus",
		"ising:4x4x4:1":                       "a plane with two",
		"ising:4:1":                           "a plane with two",
		"ising:4,4:1":                         "is not a size",
		"ising:6x6:1":                         "2^36 states (68719476736) would take about",
		"ising:40x40:1":                       "2^1600 states (10^481.6)",
		"ising:4000000000x4000000000:1:torus": "limit",
		"potts":                               "give the number of values, the sides and J",
		"potts:3":                             "potts:Q:RxC:J",
		"potts:3:2x2":                         "potts:Q:RxC:J",
		"potts:3:2x2:1:0.5":                   "potts:Q:RxC:J",
		"potts:3:2x2:x":                       `J: "x" is not a number`,
		"potts:3:2x2:1e308":                   "overflows",
		"potts:1:2x2:1":                       "the number of values is 1; it is 2 or more",
		"potts:2.5:2x2:1":                     "is not a number of values",
		"potts:300:4x4:1":                     "300^16 states (10^39.63)",
		"potts:99999999999:1x1:1":             "states (99999999999)",
		"potts:3:2x2:1:torus":                 "3 or more on a torus",
		"potts:3:2:1":                         "a plane with two",
		"ising:-3x3:1":                        "the sides are -3 and 3",
		"potts:2:3x-3:1":                      "the sides are 3 and -3",
		"potts:2:99999999x3:1":                "limit",
		"quotient:values:ising:-3x3:1":        "the sides are -3 and 3",
		"mixture:0.5*ising:-3x3:1+0.5*easy":   "the sides are -3 and 3",
	} {
		forms.Targets().DemandOf(selector) // what the commands ask first: it ends
		longtest.Refuses(forms.Targets().Parse(selector))(t, want)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range append(
		forms.Targets().Targets.Listing.Syntaxes(),
		"barrier:9x9",
		"random:2:0:3x3",
		"random:1e999:0",
		"ising:2x3:-0:.5",
		"ising:3x3:1e-7:torus",
		"potts:3:2x3:+1",
		"smooth:1:0:2:3",
		"cells:1:-inf/-0:+1e2",
		"cells:1/2:",
		"mixture:1e+3*easy+2*hard",
	) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, selector string) {
		forms.Targets().DemandOf(selector)
		if len(forms.Targets().FilesOf(selector)) > 0 ||
			len(selector) > 18 && !(strings.HasPrefix(selector, "graph:") && len(selector) <= 28) &&
				!(strings.HasPrefix(selector, "mixture:") && len(selector) <= 32) &&
				!strings.HasPrefix(selector, "cells:") {
			return // reads what it names; large sizes only take time
		}
		toy, err := forms.Targets().Parse(selector)
		if err != nil {
			return
		}
		if again, err := forms.Targets().Parse(toy.Name); err != nil || again.Name != toy.Name {
			t.Errorf("%q: its name %q does not read back: %v", selector, toy.Name, err)
		}
	})
}

func ExampleParse() {
	toy, err := forms.Targets().Parse("barrier:5x5")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(toy.Name, toy.Space.States(), toy.Mode)
	_, err = forms.Targets().Parse("barier")
	fmt.Println(err)
	// Output:
	// barrier:5x5 25 [3 4 8 9]
	// unknown toy "barier"; did you mean barrier?
}

// middle writes a file of g on 3x3 and returns its path.
func middle(tb testing.TB) string {
	tb.Helper()
	return fileOf(tb, "g:1.csv", []byte("0,1,2\n1,0,-1\n-2,2,0.5\n"))
}

// line writes a file of nine numbers, one a line, and returns its path.
func line(tb testing.TB) string {
	tb.Helper()
	return fileOf(tb, "g:1.csv", []byte("0\n1\n2\n1\n0\n-1\n-2\n2\n0.5\n"))
}

// weights writes a file of probabilities on 3x3, without their normalisation, and returns its path.
func weights(tb testing.TB) string {
	tb.Helper()
	return fileOf(tb, "p:1.csv", []byte("4 1 2\n1 7 1e-9\n3 2 0.5\n"))
}

func TestForms(t *testing.T) {
	longtest.Only(t)
	selectortest.Run(t, selectortest.Check[toys.Forms, *toys.Toy]{
		Set: forms.Targets().Targets, Env: forms.Targets(), Examples: map[string]string{
			"file": "file:" + middle(t), "prob": "prob:" + weights(t), "model": "model:" +
				modelFile(t, clu4File, clu4Data),
			"rudy": "rudy:energies/testdata/torus3x4.rud:0.5", "qubo": "qubo:energies/testdata/gaps6.qubo:3",
			"bq":         "bq:energies/testdata/four.bq:1",
			"ising-file": "ising-file:energies/testdata/spins.txt:2",
			"maxcut":     "maxcut:" + fileOf(t, "edges.txt", []byte("0 1\n1 2\n2 0\n")) + ":0.5",
			"weight":     "weight:8:file:" + line(t), "bif": "bif:networks/testdata/asia.bif",
			"uai": "uai:networks/testdata/asia.uai",
			"hmm": "hmm:" +
				fileOf(t, "chain.json", []byte(`{"pi": [1], "A": [[1]], "E": [[1]], "y": [0, 0]}`))},
		Name: func(toy *toys.Toy) string { return toy.Name },
		Same: func(a, b *toys.Toy) bool { return reflect.DeepEqual(a, b) },
	})
}

func sameInitial(a, b toys.Initial) bool { return reflect.DeepEqual(a, b) }

// on returns what an initial distribution on 3x3 must know.
func on(tb testing.TB) toys.Start {
	tb.Helper()
	toy := longtest.Sure(forms.Targets().Parse("barrier:3x3"))
	return toys.NewStart(context.Background(), toy)
}

func TestInitialForms(t *testing.T) {
	start := on(t)
	start.Toy.LogPrior = make([]float64, len(start.Toy.G))
	for x := range start.Toy.LogPrior {
		start.Toy.LogPrior[x] = -math.Log(float64(len(start.Toy.G)))
	}
	selectortest.Run(t, selectortest.Check[toys.Start, toys.Initial]{
		Set:      toys.InitialForms(),
		Env:      start,
		Examples: map[string]string{"file": "file:" + middle(t), "prob": "prob:" + weights(t)},
		Name:     func(i toys.Initial) string { return i.Name },
		Same:     sameInitial,
	})
}

// TestPathForms: paths between the ends of a toy are those of chains, with files on the toy's
// space.
func TestPathForms(t *testing.T) {
	start := on(t)
	initial := longtest.Sure(forms.Targets().ParseInitial(context.Background(), "tempered:0.5", start.Toy))
	file := middle(t)
	for _, f := range paths.Forms().Listing.All() {
		if f.Name() == "tempered" {
			continue // it is for models: see TestTemperedPath
		}
		if f.Name() == "file" {
			continue // TestStages has its file
		}
		text := strings.Replace(f.Example, "middle.csv", file, 1)
		p, err := forms.Targets().ParsePath(text, initial.Ends, start.Toy)
		if err != nil || p.String() != text {
			t.Errorf("%s: %v, %v", text, p, err)
		}
		if named := forms.Targets().FileOf(text); (named == file) != (f.File != nil) {
			t.Errorf("%s names the file %q", text, named)
		}
	}
}

// TestStages: the geometric path in a file, in the shape of the grid or with the states in a row,
// has the numbers of the geometric path; another array is refused.
func TestStages(t *testing.T) {
	toy := longtest.Sure(forms.Targets().Parse("easy"))
	initial := longtest.Sure(forms.Targets().ParseInitial(context.Background(), "uniform", toy))
	const stages = 4
	var values []float64
	for i := range stages {
		for _, v := range toy.G {
			values = append(values, v*float64(i)/(stages-1)+5*float64(i))
		}
	}
	path := filepath.Join(t.TempDir(), "stages.npy")
	want := longtest.Sure(forms.Targets().ParsePath("geometric", initial.Ends, toy))
	for _, shape := range [][]int{{stages, 49}, {stages, 7, 7}} {
		longtest.NoError(t, os.WriteFile(path, numpy.Floats(values, shape...), 0o666))
		p := longtest.Must(forms.Targets().ParsePath("file:"+path, initial.Ends, toy))(t)
		got, other := make([]float64, 49), make([]float64, 49)
		for _, beta := range []float64{0, 0.2, 1. / 3, 1} {
			p.LogF(got, chains.At(beta))
			want.LogF(other, chains.At(beta))
			for x := range got {
				if math.Abs(got[x]-got[0]-(other[x]-other[0])) > 1e-12 {
					t.Fatalf("%v, beta %v: %v, geometric %v", shape, beta, got, other)
				}
			}
		}
	}
	for name, of := range map[string]struct {
		values []float64
		shape  []int
	}{"the shape (49,)": {values[:49], []int{49}}, "the shape (4, 48)": {values[:192], []int{4, 48}},
		"its last stage differs": {values[:147], []int{3, 49}}, "its first stage differs": {values[49:], []int{3, 7, 7}},
		"1 distributions": {values[:49], []int{1, 49}}} {
		longtest.NoError(t, os.WriteFile(path, numpy.Floats(of.values, of.shape...), 0o666))
		_, err := forms.Targets().ParsePath("file:"+path, initial.Ends, toy)
		longtest.Refused(t, err, name, name)
	}
}

// FuzzParseInitial: an initial distribution that is parsed has a name that is parsed back to the
// same, and it has mass and is no infinity anywhere.
func FuzzParseInitial(f *testing.F) {
	for _, text := range append(toys.InitialForms().Listing.Syntaxes(), "tempered:1e-300", "smoothed:0",
		"smoothed:100000", "smoothed:+3", "tempered:-0",
		"uniform:") {
		f.Add(text)
	}
	start := on(f)
	f.Fuzz(func(t *testing.T, text string) {
		if name, path, _ := strings.Cut(text, ":"); path != "" && (name == "file" || name == "prob") {
			return // reads what it names
		}
		initial, err := forms.Targets().ParseInitial(context.Background(), text, start.Toy)
		if err != nil {
			return
		}
		if again, err := forms.Targets().ParseInitial(context.Background(), initial.Name, start.Toy); err != nil ||
			!sameInitial(initial, again) {
			t.Errorf("%q calls itself %q, which is another one (%v)", text, initial.Name, err)
		}
		path := longtest.Sure(paths.GeometricBetween(initial.Ends))
		logf := make([]float64, path.States())
		path.LogF(logf, chains.At(0))
		for x, v := range logf {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Errorf("%q: log f(%d) is %v", text, x, v)
			}
		}
	})
}

// TestDemandOf: the demand that is read off a selector is that of the toy which is made of it, and
// every form that takes sides has one.
func TestDemandOf(t *testing.T) {
	sized := []string{
		"barrier:9x5", "random:2:0:3x4x5", "smooth:2:0:3:5x5", "ising:2x3:0.5:0.1", "potts:3:2x2:0.5",
		"schools:5x7", "graph:permutations:4:random:2:0",
		"graph:hypercube:5:random:2:0", "graph:path:17:random:1:1", "graph:torus:3x4:random:1:1",
		"graph:complete:6:random:1:1", "graph:cycle:8:random:1:1",
	}
	for _, selector := range sized {
		for _, name := range []string{selector, "mine=" + selector} {
			toy := longtest.Sure(forms.Targets().Parse(name))
			if got := forms.Targets().DemandOf(name).States; got != float64(toy.Space.States()) {
				t.Errorf("%s: %v states, want %d", name, got, toy.Space.States())
			}
		}
	}
	for _, form := range forms.Targets().Targets.Listing.All() {
		if form.File != nil || form.Name() == "mixture" {
			continue
		}
		toy := longtest.Sure(forms.Targets().Parse(form.Example))
		if got := forms.Targets().DemandOf(form.Example).States; got < float64(toy.Space.States()) {
			t.Errorf("%s: %v states, and the toy has %d", form.Example, got, toy.Space.States())
		}
	}
}

// TestDemandOfWhatIsHuge: a toy too large to be made is recognised before it is made.
func TestDemandOfWhatIsHuge(t *testing.T) {
	for selector, least := range map[string]float64{
		"schools:3000x3000": 9e6, "barrier:99999x99999": 9e9, "random:2:0:1000x1000x1000": 1e9,
		"ising:100x100:1": math.Inf(1), "potts:3:5x5:1": 8e11,
		"graph:hypercube:60:random:1:1": 1e18, "graph:permutations:100:random:1:1": 1e157,
		"graph:torus:9999x9999:random:1:1":                            9e7,
		"x=mixture:0.5*random:1:1:3000x3000+0.5*random:2:2:3000x3000": 18e6,
		"mixture:1*easy" + strings.Repeat("+1*easy", 999):             49e3,
	} {
		if got := forms.Targets().DemandOf(selector).States; got < least {
			t.Errorf("%s: %v states, want %v or more", selector, got, least)
		}
	}
}

// TestDemandOfSmoothing: passes of the filter count along each axis, and ten times where they are
// made of logarithms as well, as targets and as where a path starts.
func TestDemandOfSmoothing(t *testing.T) {
	for selector, want := range map[string]float64{
		"smooth:2:0:100000:9x9": 2e5, "smooth:2:0:100000": 2e5, "smooth:2:0:100000:3x3x3": 3e5,
		"x=smooth:2:0:7:9": 7, "smooth:1000:0:100:9x9": 2e3, "random:2:0": 0,
	} {
		if got := forms.Targets().DemandOf(selector).Passes; got != want {
			t.Errorf("%s: %v passes, want %v", selector, got, want)
		}
	}
	for _, c := range []struct {
		initial, toy string
		want         float64
	}{
		{"smoothed:100000", "barrier", 2e5}, {"smoothed:5", "random:2:0:3x3x3", 15},
		{"smoothed:5", "cells:0:-601", 50}, {"smoothed:5", "cells:0:-600", 5},
		{"smoothed:5", "cells:0:-inf", 5}, {"uniform", "barrier", 0},
		{"smoothed:5", "graph:complete:4:random:1:1", 0},
	} {
		toy := longtest.Sure(forms.Targets().Parse(c.toy))
		if got := toys.DemandOfInitial(c.initial, toy); got.Passes != c.want ||
			got.States != float64(toy.Space.States()) {
			t.Errorf("%s of %s: %+v, want %v passes", c.initial, c.toy, got, c.want)
		}
	}
}
