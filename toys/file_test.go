package toys_test

import (
	"encoding/binary"
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
		"":                "empty",
		"\n\n":            "empty",
		"1,2\n3\n":        "line 2 has 1 columns, the first row has 2",
		"1,2\n3,4,5\n":    "line 2 has 3 columns",
		"1,2\n3,x\n":      "line 2, column 2",
		"1,\n":            "line 1, column 2: the cell is empty",
		"nan,1\n":         "line 1, column 1: nan",
		"1,+Inf\n":        "line 1, column 2: +Inf",
		"1,inf\n":         "log f must be finite",
		"1,5;2,5\n":       "semicolon",
		"\"1,5\",2\n":     "comma",
		"1 2,3\n":         "line 1, column 1: \"1 2\" has a blank in it; separate all numbers by commas, or all of them by blanks",
		"1 2\n3\n":        "line 2 has 1 columns, the first row has 2",
		"1 2\n\n3 x\n":    "line 3, column 2: \"x\" is no number",
		"1;2\n":           "semicolon",
		"1 2\r3 4\r":      "line 1 has a carriage return in it",
		"\xff\xfe1\x00":   "UTF-16",
		" \n\t\n":         "empty",
		"1_000,2\n":       "no number",
		"0x10,2\n":        "no number",
		"-inf,-inf\n":     "no mass",
		"1,2\n\"3,4\n":    "line",
		"1e999,1\n":       "range",
		"# header\n1,2\n": "line 1",
	} {
		if _, _, err := toys.ParseCSV([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", text, err, want)
		}
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
	minusOne := int64(-1)
	integers := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, 7), uint64(minusOne))
	for _, c := range []struct {
		name, size string
		data       []byte
		want       []float64
	}{
		{"C order", "2x3", npy("<f8", "False", "(2, 3)", six), []float64{1, 2, 3, 4, 5, 6}},
		{"Fortran order", "2x3", npy("<f8", "True", "(2, 3)", six), []float64{1, 3, 5, 2, 4, 6}},
		{"a line", "6", npy("<f8", "False", "(6,)", six), []float64{1, 2, 3, 4, 5, 6}},
		{"three dimensions", "1x2x3", npy("<f8", "False", "(1, 2, 3)", six), []float64{1, 2, 3, 4, 5, 6}},
		{"integers", "2", npy("<i8", "False", "(2,)", integers), []float64{7, -1}},
	} {
		space, g, err := toys.ParseNPY(c.data)
		if err != nil || space.String() != c.size || fmt.Sprint(g) != fmt.Sprint(c.want) {
			t.Errorf("%s: %v %v %v, want %s %v", c.name, space, g, err, c.size, c.want)
		}
	}
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"empty":     {nil, "EOF"},
		"text":      {[]byte("1,2\n3,4\n"), "not a valid"},
		"truncated": {npy("<f8", "False", "(2, 3)", six[:40]), "6 numbers in 48 bytes, and the file has 40"},
		"huge":      {npy("<f8", "False", "(4000, 4000)", six), "and the file has 48"},
		"absurd":    {npy("<f8", "False", "(1000000, 1000000)", six), "limit"},
		"negative":  {npy("<f8", "False", "(-2, -3)", six), "side -2"},
		"scalar":    {npy("<f8", "False", "()", six), "no dimensions"},
		"complex":   {npy("<c16", "False", "(3,)", six), "float64"},
		"garbage":   {[]byte("\x93NUMPY\x01\x00\x04\x00{{{{"), "malformed"},
		"long":      {[]byte("\x93NUMPY\x02\x00\xff\xff\xff\xff{'descr'"), "longer than the file"},
		"nan":       {npy("<f8", "False", "(2,)", float64s(1, math.NaN())), "index [1]: NaN"},
		"no mass":   {npy("<f8", "False", "(1,)", float64s(math.Inf(-1))), "no mass"},
	} {
		if _, _, err := toys.ParseNPY(c.data); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", name, err, c.want)
		}
	}
}

func TestReadNamesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "g.csv")
	longtest.NoError(t, os.WriteFile(path, []byte("1,2\n3,oops\n"), 0o644))
	if _, err := toys.Parse("file:" + path); err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "line 2, column 2") {
		t.Errorf("error %v", err)
	}
	if _, err := toys.Read(t.TempDir()); err == nil {
		t.Error("a directory is read")
	}
}

// TestParseBytes: the bytes of a file are the target that Read makes of the file, and what is wrong has the same reason.
func TestParseBytes(t *testing.T) {
	for name, data := range map[string][]byte{
		"a.csv": []byte("\ufeff1, -2.5,-inf\r\n0,1e3,-Infinity\n"), "b.txt": []byte("1 2\n3\t4\n"), "noending": []byte("5\n"), "C.NPY": npy("<f8", "True", "(2, 3)", float64s(1, 2, 3, 4, 5, 6)),
		"line.npy": npy("<f8", "False", "(2,)", float64s(1, 2)), "empty.csv": nil, "ragged.csv": []byte("1,2\n3\n"), "text.csv": []byte("1,2\n3,x\n"), "nan.csv": []byte("1\nnan\n"),
		"csv.npy": []byte("1,2\n"), "npy.csv": npy("<f8", "False", "(1,)", float64s(1)), "cut.npy": npy("<f8", "False", "(2, 3)", float64s(1, 2)), "nan.npy": npy("<f8", "False", "(2,)", float64s(1, math.NaN())),
		"two.npz": archive(t), "not.npz": []byte("1,2\n"), "picture.png": []byte("\x89PNG\r\n\x1a\n\x00\x00"),
	} {
		read, wrong := toys.Read(fileOf(t, name, data))
		space, g, err := toys.LogF().Parse(name, data)
		if wrong != nil {
			if err == nil || !strings.HasSuffix(wrong.Error(), ": "+err.Error()) {
				t.Errorf("%s: error %v, and of the file %v", name, err, wrong)
			}
			continue
		}
		if err != nil || space.String() != read.Space.String() || fmt.Sprint(g) != fmt.Sprint(read.G) {
			t.Errorf("%s: %v %v, %v, and of the file %v %v", name, space, g, err, read.Space, read.G)
		}
	}
	if space, g, err := toys.LogF().Parse("two.npz#g", archive(t)); err != nil || space.String() != "2x3" || g[4] != 4 {
		t.Errorf("%v %v, %v", space, g, err)
	}
	if _, g, err := toys.Probabilities().Parse("p.csv", []byte("1,0\n")); err != nil || fmt.Sprint(g) != "[0 -Inf]" {
		t.Errorf("probabilities: %v, %v", g, err)
	}
}

// ExampleNumbers_Parse makes a selector of a file that was dropped on a page.
func ExampleNumbers_Parse() {
	space, g, err := toys.LogF().Parse("dropped.csv", []byte("0,1.50\n-inf,2\n"))
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
	_, _, err = toys.LogF().Parse("dropped.csv", []byte("0,1\n2,tree\n"))
	fmt.Println(err)
	// Output:
	// cells:0:1.5/-Inf:2
	// line 2, column 2: "tree" is no number
}

func FuzzParseCSV(f *testing.F) {
	for _, s := range []string{"1,2\n3,4\n", "-inf,0\n", "1,5;2\n", "\"", "\ufeff1"} {
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

// TestOneRowIsOneAxis: a CSV of one row is the target of a .npy of one dimension, by every kernel, and serves as a start on a plane of one row.
func TestOneRowIsOneAxis(t *testing.T) {
	dir := t.TempDir()
	row, column := filepath.Join(dir, "row.csv"), filepath.Join(dir, "column.csv")
	for path, text := range map[string]string{row: "0,1.5,-inf,-2\n", column: "0\n1.5\n-inf\n-2\n"} {
		longtest.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	toy := longtest.Must(toys.Read(row))(t)
	if fmt.Sprint(toy.Space) != "4" {
		t.Errorf("one row is on %v", toy.Space)
	}
	if plane, err := toys.Read(column); err != nil || fmt.Sprint(plane.Space) != "4x1" {
		t.Errorf("one column: %v, %v", plane, err)
	}
	for space, fits := range map[string]bool{"4": true, "1x4": true, "4x1": false, "2x2": false, "1x5": false} {
		on := longtest.Must(toys.Parse("random:1:0:" + space))(t)
		if logf, err := toys.ReadOn(row, on); (err == nil) != fits || fits && !slices.Equal(logf, toy.G) {
			t.Errorf("one row on %s: %v, %v", space, logf, err)
		}
	}
}
