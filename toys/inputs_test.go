package toys_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains/numpy"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

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

// TestBlanks: a text whose numbers are separated by blanks and tabs is the same target as one with commas.
func TestBlanks(t *testing.T) {
	space, g, err := toys.ParseCSV([]byte("\ufeff  1\t-2.5   -inf \r\n\n0 1e3\t-Infinity\r\n"))
	if err != nil || space.String() != "2x3" || fmt.Sprint(g) != "[1 -2.5 -Inf 0 1000 -Inf]" {
		t.Fatal(space, g, err)
	}
	rapid.Check(t, func(t *rapid.T) {
		rows, cols := rapid.IntRange(1, 4).Draw(t, "rows"), rapid.IntRange(2, 4).Draw(t, "cols")
		cell := rapid.OneOf(rapid.Float64Range(-1e12, 1e12), rapid.SampledFrom([]float64{0, 1e-12, -700, 1e12}))
		var commas, blanks strings.Builder
		for range rows {
			for c := range cols {
				v := fmt.Sprint(cell.Draw(t, "v"))
				if c > 0 {
					commas.WriteByte(',')
					blanks.WriteString(rapid.SampledFrom([]string{" ", "\t", "   ", " \t"}).Draw(t, "gap"))
				}
				commas.WriteString(v)
				blanks.WriteString(v)
			}
			commas.WriteByte('\n')
			blanks.WriteString(rapid.SampledFrom([]string{"\n", "\r\n", " \n"}).Draw(t, "end"))
		}
		wantSpace, want, err := toys.ParseCSV([]byte(commas.String()))
		if err != nil {
			t.Fatal(err)
		}
		space, g, err := toys.ParseCSV([]byte(blanks.String()))
		if err != nil || space.String() != wantSpace.String() || fmt.Sprint(g) != fmt.Sprint(want) {
			t.Fatalf("%q is %v on %v (%v), and with commas %v", blanks.String(), g, space, err, want)
		}
	})
}

// TestArchives: one array of a .npz is a target, selected by its key.
func TestArchives(t *testing.T) {
	path := fileOf(t, "a.npz", archive(t))
	toy, err := toys.Parse("file:" + path + "#g")
	if err != nil || toy.Space.String() != "2x3" || toy.Name != "file:"+path+"#g" || fmt.Sprint(toy.G) != "[0 1 -2 -Inf 4 5]" {
		t.Fatal(toy, err)
	}
	if files := toys.FilesOf(toy.Name); len(files) != 1 || files[0] != path {
		t.Errorf("the files of %s are %q", toy.Name, files)
	}
	p, err := toys.Parse("prob:" + path + "#p")
	if err != nil || p.Space.String() != "2x2" || p.G[0] != math.Log(0.25) || !math.IsInf(p.G[1], -1) {
		t.Fatal(p, err)
	}
	for text, want := range map[string]string{
		"file:" + path:         "has 2 arrays; name one of them behind #, as in FILE.npz#g: g, p",
		"file:" + path + "#":   "the key behind # is empty",
		"file:" + path + "#q":  `has no array "q"; it has g, p`,
		"prob:" + path + "#g":  "index [0 2]: -2; a probability is a finite number, 0 or more",
		"file:" + path + ".gz": "no such file",
	} {
		if _, err := toys.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", text, err, want)
		}
	}
}

// TestProbabilities: log f of a file of probabilities is their logarithm, and its constant does not matter.
func TestProbabilities(t *testing.T) {
	toy, err := toys.Parse("prob:" + fileOf(t, "p.csv", []byte("0.5,0\n1e-300,2\n")))
	if err != nil || fmt.Sprint(toy.G) != fmt.Sprint([]float64{math.Log(0.5), math.Inf(-1), math.Log(1e-300), math.Log(2)}) || toy.Doubt != "" {
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
	} {
		if _, err := toys.Parse("prob:" + fileOf(t, "p.csv", []byte(text))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", text, err, want)
		}
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
		toy, err := toys.Parse("file:" + fileOf(t, "g.csv", []byte(text)))
		if err != nil || (toy.Doubt != "") != doubted {
			t.Errorf("%q: %v, %v", text, toy, err)
		}
	}
}

// TestPathsWithoutForm: a path without the name of a form is answered with what was meant.
func TestPathsWithoutForm(t *testing.T) {
	for text, want := range map[string]string{
		"target.npy":            "did you mean file:target.npy?",
		`C:\data\g.csv`:         `did you mean file:C:\data\g.csv?`,
		"dir/model.toml":        "did you mean model:dir/model.toml?",
		"../a.npz#g":            "did you mean file:../a.npz#g?",
		"randm:1.5:0":           "did you mean random?",
		"model:/nowhere.toml":   "no such file",
		`prob:C:\nowhere\p.npy`: "no",
	} {
		if _, err := toys.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", text, err, want)
		}
	}
}
