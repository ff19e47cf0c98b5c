package toys_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"breadboard/chains/numpy"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/toys"
	"breadboard/toys/forms"
)

func TestCSV(t *testing.T) {
	space, g, err := toys.ParseCSV([]byte("\ufeff1, -2.5,-inf\r\n0,1e3,-Infinity\n"))
	if err != nil || space.String() != "2x3" {
		t.Fatal(space, err)
	}
	inf := math.Inf(-1)
	for x, want := range []float64{1, -2.5, inf, 0, 1000, inf} {
		if g[x] != want {
			t.Errorf("g[%d] = %v, want %v", x, g[x], want)
		}
	}
	for text, want := range map[string]string{
		"":             "empty",
		"\n\n":         "empty",
		"1,2\n3\n":     "line 2 has 1 column, the first row has 2",
		"1,2\n3,4,5\n": "line 2 has 3 columns",
		"1,2\n3,x\n":   "line 2, column 2",
		"1,\n":         "line 1, column 2: the cell is empty",
		"nan,1\n":      "line 1, column 1: nan",
		"1,+Inf\n":     "line 1, column 2: +Inf",
		"1,inf\n":      "log f must be finite",
		"1,5;2,5\n":    "decimal commas",
		"\"1,5\",2\n":  "comma",
		"1 2,3\n": "line 1, column 1: \"1 2\" has a blank in it; separate all numbers by " +
			"commas, or all of them by blanks",
		"1 2\n3\n":             "line 2 has 1 column, the first row has 2",
		"1 2\n\n3 x\n":         "line 3, column 2: \"x\" is not a number",
		"1 2\r3 4\r":           "line 1 has a carriage return in it",
		"\xff\xfe1\x00":        "UTF-16",
		" \n\t\n":              "empty",
		"1_000,2\n":            "not a number",
		"0x10,2\n":             "not a number",
		"-inf,-inf\n":          "no mass",
		"1,2\n\"3,4\n":         "line",
		"1e999,1\n":            "range",
		"# header\n1,2\n1,x\n": "line 3, column 2",

		"0,1687\n0,05\n": `"0,1687" may be one number with a decimal comma, 0.1687, or two ` +
			`columns, 0 and 1687; for decimals write points, as by tr , . <FILE >NEW`,
		"-1,250\r\n0,125\n2,500": "decimal comma, -1.250, or two columns, -1 and 250",
	} {
		_, _, err := toys.ParseCSV([]byte(text))
		longtest.Refused(t, err, want, text)
	}
}

// npy writes a header of version 1 and the data, as NumPy does.
func npy(descr, order, shape string, data []byte) []byte {
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }", descr, order, shape)
	header += strings.Repeat(" ", 63-(10+len(header))%64) + "\n"
	out := binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(header)))
	return append(append(out, header...), data...)
}

func float64s(v ...float64) []byte {
	var b []byte
	for _, x := range v {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	return b
}

func TestNPY(t *testing.T) {
	six := float64s(1, 2, 3, 4, 5, 6)
	for _, c := range []struct {
		name, size string
		data       []byte
		want       []float64
	}{
		{"C order", "2x3", npy("<f8", "False", "(2, 3)", six), []float64{1, 2, 3, 4, 5, 6}},
		{"Fortran order", "2x3", npy("<f8", "True", "(2, 3)", six), []float64{1, 3, 5, 2, 4, 6}},
		{"a line", "6", npy("<f8", "False", "(6,)", six), []float64{1, 2, 3, 4, 5, 6}},
	} {
		space, g, err := toys.ParseNPY(c.data)
		if err != nil || space.String() != c.size || fmt.Sprint(g) != fmt.Sprint(c.want) {
			t.Errorf("%s: %v %v %v, want %s %v", c.name, space, g, err, c.size, c.want)
		}
	}
	for want, data := range map[string][]byte{
		"nothing: it is empty":                       nil,
		"6 numbers in 48 bytes, and the file has 40": npy("<f8", "False", "(2, 3)", six[:40]),
		"float64":        npy("<c16", "False", "(3,)", six),
		"index [1]: NaN": npy("<f8", "False", "(2,)", float64s(1, math.NaN())),
		"no mass":        npy("<f8", "False", "(1,)", float64s(math.Inf(-1))),
	} {
		_, _, err := toys.ParseNPY(data)
		longtest.Refused(t, err, want)
	}
}

// ExampleNumbers_Parse makes a selector of a file that was dropped on a page.
func ExampleNumbers_Parse() {
	space, g, _, err := toys.LogF().Parse("dropped.csv", []byte("0,1.50\n-inf,2\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	toy, err := toys.Cells(space, g)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(toy.Name)
	_, _, _, err = toys.LogF().Parse("dropped.csv", []byte("0,1\n2,tree\n"))
	fmt.Println(err)
	// Output:
	// cells:0:1.5/-Inf:2
	// line 2, column 2: "tree" is not a number; write a decimal number, as in 0.25
}

// TestHeaderOfNumbers: pandas numbers the columns of an array, and writes every float with a point.
func TestHeaderOfNumbers(t *testing.T) {
	for _, c := range []struct {
		text, space, doubt string
		first              float64
	}{
		{"0,1,2\n-0.5,-1.25,-2.0\n-0.75,0.0,-inf\n", "2x3",
			"PATH: the first line, 0,1,2, numbers the columns and is taken as a header; if it is a row, " +
				"write its first number as 0.0",
			-0.5},
		{"0 1\n.5 1e-3\n1.5 2.5\n", "2x2", "taken as a header", 0.5},
		{"1,2,3\n-0.5,-1.25,-2.0\n", "3",
			"is taken as a header; if it is a row, write its first number as 1.0", -0.5},
		{"0.0,1,2\n-0.5,-1.25,-2.0\n", "2x3", "", 0},
		{"0,1\n0.5,0.25\n", "2x2", "", 0}, // two states on each of two axes
		{"0\n-0.5\n-1.0\n", "3",
			"PATH: the first line, 0, is taken as a row; if it numbers the columns, leave it out", 0},
		{"0\n-0.5\n-1\n", "3", "line of 3", 0},
		{"0,1,2\n3,4,5\n", "2x3", "taken as a row; if it numbers the columns, leave it out", 0},
		{"0,1,2\n", "3", "", 0},
		{"0\n1.5\n", "2x1", "line of 2", 0},
		{"0,1,3\n0.5,1.5,2.5\n", "2x3", "", 0},
	} {
		path := filepath.Join(t.TempDir(), "t.csv")
		longtest.NoError(t, os.WriteFile(path, []byte(c.text), 0o600))
		toy := longtest.Must(forms.Targets().Parse("file:" + path))(t)
		if doubt := strings.ReplaceAll(toy.Doubt, path, "PATH"); toy.G[0] != c.first ||
			(doubt == "") != (c.doubt == "") || !strings.Contains(doubt, c.doubt) {
			t.Errorf("%q: %v, %v, %q", c.text, toy.Space, toy.G, doubt)
		}
		if space := toy.Space.String(); space != c.space && c.doubt != "line of 2" {
			t.Errorf("%q: %s, want %s", c.text, space, c.space)
		}
	}
	path := filepath.Join(t.TempDir(), "bad.csv")
	longtest.NoError(t, os.WriteFile(path, []byte("0,1,2\n0.5,1.5,x.5\n"), 0o600))
	longtest.Refuses(forms.Targets().Parse("file:"+path))(t, path+": line 2, column 3")
}

func FuzzParseCSV(f *testing.F) {
	for _, s := range []string{"1,2\n3,4\n", "-inf,0\n", "1,5;2\n", "\"", "\ufeff1", "0,1687\n0,05\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) { checkParsed(t, toys.ParseCSV, data) })
}

func FuzzParseNPY(f *testing.F) {
	f.Add(npy("<f8", "False", "(2, 1)", float64s(1, 2)))
	f.Add(npy("<i4", "True", "(1,)", []byte{1, 0, 0, 0}))
	f.Add([]byte("\x93NUMPY\x02\x00\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) { checkParsed(t, toys.ParseNPY, data) })
}

// checkParsed checks that what a parser accepts is a target.
func checkParsed(t *testing.T, parse func([]byte) (*grid.Lattice, []float64, error), data []byte) {
	space, g, err := parse(data)
	if err != nil {
		return
	}
	if len(g) != space.States() {
		t.Fatalf("%d numbers for %d states", len(g), space.States())
	}
	mass := false
	for x, v := range g {
		if math.IsNaN(v) || math.IsInf(v, 1) {
			t.Fatalf("g[%d] = %v", x, v)
		}
		mass = mass || !math.IsInf(v, -1)
	}
	if !mass {
		t.Fatal("no mass")
	}
}

// TestAxesOfLengthOneAreDropped: a target in a file has no axis of length one, a note says which
// shape was read if it had some, and a distribution to start from is compared without them.
func TestAxesOfLengthOneAreDropped(t *testing.T) {
	four := []float64{0, 1.5, math.Inf(-1), -2}
	for path, want := range map[string]struct{ space, note string }{
		fileOf(t, "row.csv", []byte("0,1.5,-inf,-2\n")): {"4", ""},
		fileOf(t, "column.csv", []byte("0\n1.5\n-inf\n-2\n")): {"4",
			"column.csv has the shape 4x1 and is taken as a line of 4, since axes of length one are dropped"},
		fileOf(t, "square.csv", []byte("0 1.5\n-inf -2\n")):                   {"2x2", ""},
		fileOf(t, "line.npy", npy("<f8", "False", "(4,)", float64s(four...))): {"4", ""},
		fileOf(t, "column.npy", npy("<f8", "True", "(4, 1)", float64s(four...))): {
			"4", "column.npy has the shape 4x1 and is taken as a line of 4"},
		fileOf(t, "square.npy", npy("<f8", "False", "(2, 1, 2)", float64s(four...))): {
			"2x2", "square.npy has the shape 2x1x2 and is taken as 2x2, since"},
	} {
		toy := longtest.Must(forms.Targets().Parse("file:" + path))(t)
		if fmt.Sprint(toy.Space) != want.space || !slices.Equal(toy.G, four) ||
			!strings.Contains(toy.Doubt, want.note) || want.note == "" && toy.Doubt != "" {
			t.Errorf("%s: %v on %v, %q; want %s, %q", path, toy.G, toy.Space, toy.Doubt, want.space, want.note)
		}
		for _, space := range []string{"4", "1x4", "4x1", "2x2", "1x2x2x1", "1x5"} {
			on := longtest.Must(forms.Targets().Parse("random:1:0:" + space))(t)
			start, err := forms.Targets().ParseInitial(context.Background(), "file:"+path, on)
			if strings.Trim(strings.ReplaceAll("x"+space+"x", "x1x", "x"), "x") != want.space {
				// on another space
				longtest.Refused(t, err, " and the toy random:1:0:"+space+" is on "+space)
				continue
			}
			logf, wrong := toys.ReadOn(path, on)
			if err != nil || wrong != nil || !slices.Equal(logf, four) || start.Doubt != toy.Doubt {
				t.Errorf("%s on %s: %v, %v, %v", path, space, logf, err, wrong)
			}
		}
	}
	longtest.Refuses(forms.Targets().Parse("weight:3:file:"+fileOf(t, "plane.csv", []byte("0,1\n2,3\n"))))(t,
		"plane.csv has the shape 2x2; give the g of 0 to 3 ones as a line of numbers")
}

// TestFilesOfModelCheckers: they number states, and are refused before they are taken for a grid.
func TestFilesOfModelCheckers(t *testing.T) {
	path := fileOf(t, "p.srew", []byte("3 2\n0 0.5\n1 0.5\n"))
	longtest.Refuses(forms.Targets().Parse("prob:"+path))(t,
		"the format is one of model checkers, which is not read; write transitions as a matrix in p.srew.mtx")
	longtest.Refuses(forms.Targets().Parse("file:"+path))(t, "and a number for each state as a line of p.srew.csv")
}

// fileOf writes a file and returns its path.
func fileOf(tb testing.TB, name string, data []byte) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), name)
	longtest.NoError(tb, os.WriteFile(path, data, 0o644))
	return path
}

// archive returns a file .npz of two arrays.
func archive(tb testing.TB) []byte {
	tb.Helper()
	var b bytes.Buffer
	longtest.NoError(tb, numpy.WriteArchive(&b, []numpy.Member{
		{Name: "g", Data: numpy.Floats([]float64{0, 1, -2, math.Inf(-1), 4, 5}, 2, 3)},
		{Name: "p", Data: numpy.Floats([]float64{0.25, 0, 0.5, 0.25}, 2, 2)},
	}))
	return b.Bytes()
}

// TestBlanks: a text whose numbers are separated by blanks and tabs is the same target as one with
// commas.
func TestBlanks(t *testing.T) {
	space, g, err := toys.ParseCSV([]byte("\ufeff  1\t-2.5   -inf \r\n\n0 1e3\t-Infinity\r\n"))
	if err != nil || space.String() != "2x3" || fmt.Sprint(g) != "[1 -2.5 -Inf 0 1000 -Inf]" {
		t.Fatal(space, g, err)
	}
}

// TestArchives: one array of a .npz is a target, selected by its key.
func TestArchives(t *testing.T) {
	path := fileOf(t, "a.npz", archive(t))
	toy, err := forms.Targets().Parse("file:" + path + "#g")
	if err != nil || toy.Space.String() != "2x3" || toy.Name != "file:"+path+"#g" ||
		fmt.Sprint(toy.G) != "[0 1 -2 -Inf 4 5]" {
		t.Fatal(toy, err)
	}
	if files := forms.Targets().FilesOf(toy.Name); len(files) != 1 || files[0] != path {
		t.Errorf("the files of %s are %q", toy.Name, files)
	}
	if space, g, _, err := toys.Probabilities().Parse("a.npz#p", archive(t)); err != nil ||
		space.String() != "2x2" || g[0] != math.Log(0.25) ||
		!math.IsInf(g[1], -1) {
		t.Fatal(space, g, err)
	}
	for text, want := range map[string]string{
		"file:" + path:         "has 2 arrays; name one of them behind #, as in FILE.npz#g: g, p",
		"file:" + path + "#":   "the key behind # is empty",
		"file:" + path + "#q":  `has no array "q"; it has g, p`,
		"prob:" + path + "#g":  "index [0 2]: -2; a probability is a finite number, 0 or more",
		"file:" + path + ".gz": "no such file",
	} {
		longtest.Refuses(forms.Targets().Parse(text))(t, want)
	}
}

// TestProbabilities: log f of a file of probabilities is their logarithm, and its constant does not
// matter.
func TestProbabilities(t *testing.T) {
	toy, err := forms.Targets().Parse("prob:" + fileOf(t, "p.csv", []byte("0.5,0\n1e-300,2\n")))
	if err != nil || fmt.Sprint(toy.G) !=
		fmt.Sprint([]float64{math.Log(0.5), math.Inf(-1), math.Log(1e-300), math.Log(2)}) || toy.Doubt != "" {
		t.Fatal(toy, err)
	}
	for text, want := range map[string]string{
		"1,-0.5\n":  "line 1, column 2: -0.5; a probability is a finite number, 0 or more",
		"1,nan\n":   "column 2: nan; a probability",
		"+inf,1\n":  "column 1: +inf; a probability",
		"-inf,1\n":  "column 1: -inf; a probability is a finite number, 0 or more; logarithms are for file:PATH",
		"0,0\n":     "every cell is 0; the target has no mass",
		"1,\n":      "the cell is empty; give a number, or 0 for a zero of f",
		"1e999,1\n": "range",
		"2\n5\n6\n": "the first line is 2, and 2 rows stand below it; delete the line if it counts them, " +
			"or write it as 2.0",
	} {
		longtest.Refuses(forms.Targets().Parse("prob:"+fileOf(t, "p.csv", []byte(text))))(t, want)
	}
}

// TestDoubt: only a file of log f that looks like probabilities is doubted.
func TestDoubt(t *testing.T) {
	for text, doubted := range map[string]bool{
		"0.25,0.25\n0.5,0\n":                true,
		"0.333333 0.333333 .3333":           false,
		"0.3333333\n0.3333333\n0.3333333\n": true,
		"1\n":                               false, // the one state of a space
		"-0.5,1.5\n":                        false,
		"0.5,0.6\n":                         false,
		"0.5,-inf,.5":                       false, // zeros of f are not written so in probabilities
	} {
		toy, err := forms.Targets().Parse("file:" + fileOf(t, "g.csv", []byte(text)))
		if err != nil || (toy.Doubt != "") != doubted {
			t.Errorf("%q: %v, %v", text, toy, err)
		}
	}
}

// TestPathsWithoutForm: a path without the name of a form is answered with what was meant.
func TestPathsWithoutForm(t *testing.T) {
	for text, want := range map[string]string{
		"target.npy":            "did you mean file:target.npy?",
		`C:\data\g.csv`:         `did you mean file:C:\data\g.csv or prob:C:\data\g.csv?`,
		"dir/model.toml":        "did you mean model:dir/model.toml or hmm:dir/model.toml?",
		"../a.npz#g":            "did you mean file:../a.npz#g?",
		"randm:1.5:0":           "did you mean random?",
		"model:/nowhere.toml":   "no such file",
		`prob:C:\nowhere\p.npy`: "no",
	} {
		longtest.Refuses(forms.Targets().Parse(text))(t, want)
	}
}
