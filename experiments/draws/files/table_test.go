package files

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains/numpy"
	"breadboard/experiments/draws"
	"breadboard/grid/longtest"
)

// TestInfinities in their spellings, and what is none.
func TestInfinities(t *testing.T) {
	for text, sign := range map[string]int{"inf": 1, "+Inf": 1, "INFINITY": 1, "-inf": -1, "-Infinity": -1,
		"infinit": 0, "+-inf": 0, "": 0, "-": 0, "in": 0} {
		if v, ok := parseInfinity([]byte(text)); ok != (sign != 0) || ok && !math.IsInf(v, sign) {
			t.Errorf("%q: %v, %v", text, v, ok)
		}
	}
}

// TestParts splits the numbers of a cell.
func TestParts(t *testing.T) {
	for cell, want := range map[string]string{
		"3 4": "3|4", "3\t  4": "3|4", "3;4": "3|4", "(3, 4)": "3|4", "[3,4]": "3|4", " ( 3 ) ": "3",
		"(3,)": "3", "3;;4": "3||4", ",3": "|3", "()": "",
		"(3": "(3", "": "", "3;": "3|",
	} {
		var got []string
		for _, part := range (Cell{text: []byte(cell)}).appendParts(nil) {
			got = append(got, string(part.text))
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q: %q", cell, got)
		}
	}
}

// TestRoundedDoubles: float64 of a binary file that were rounded to decimals are known by it, and
// others are not.
func TestRoundedDoubles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		decimals := rapid.IntRange(1, 12).Draw(t, "decimals")
		unit := math.Pow10(decimals)
		var b firstDoubles
		for _, v := range rapid.SliceOfN(rapid.Float64Range(-50, 50), 50, 300).Draw(t, "values") {
			b.addNumber(math.Round(v*unit) / unit)
		}
		b.addNumber(math.Inf(-1))
		b.addNumber((unit*3 + 7) / unit) // a value with all of the decimals
		p := b.precision()
		switch {
		case decimals < leastDecimals && p != draws.Precision{}:
			t.Fatalf("%d decimals are taken for rounding: %+v", decimals, p)
		case decimals >= leastDecimals && b.seen < judged && p.Decimals != decimals:
			t.Fatalf("%d decimals are %+v", decimals, p)
		}
	})
}

// split returns the cells of a line.
func split(separator byte, line string) (cells []string, bad *fault) {
	room, bad := (&textRows{separator: separator}).splitCells([]byte(line), nil)
	for _, cell := range room {
		cells = append(cells, string(cell.text))
	}
	return cells, bad
}

// TestCellsAgainstCSV holds the splitting of lines to encoding/csv, on cells with quotation marks
// and separators in them.
func TestCellsAgainstCSV(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		separator := rapid.SampledFrom([]byte{',', ';', '\t'}).Draw(t, "separator")
		cells := rapid.SliceOfN(rapid.StringMatching(`[ -~\t]{0,6}`), 1, 6).Draw(t, "cells")
		for i := range cells {
			cells[i] = strings.Trim(cells[i], " \t") // blanks around a cell are left out
		}
		var line bytes.Buffer
		w := csv.NewWriter(&line)
		w.Comma = rune(separator)
		longtest.NoError(t, w.Write(cells))
		w.Flush()
		got, bad := split(separator, strings.TrimRight(line.String(), "\n"))
		if bad != nil || !reflect.DeepEqual(got, cells) {
			t.Fatalf("%q: %q, %v", line.String(), got, bad)
		}
	})
}

// TestCells splits by hand what encoding/csv does not know: blanks, and blanks around cells.
func TestCells(t *testing.T) {
	for _, c := range []struct {
		separator byte
		line      string
		want      []string
	}{
		{blanks, "1 2", []string{"1", "2"}}, {blanks, "  1 \t 2  ", []string{"1", "2"}},
		{blanks, `"1 2" 3`, []string{"1 2", "3"}},
		{blanks, `3 "1 2" `, []string{"3", "1 2"}},
		{',', " 1 , 2 ", []string{"1", "2"}}, {',', `"a""b" ,2,`, []string{`a"b`, "2", ""}},
		{'\t', "\t1\t 2", []string{"", "1", "2"}},
		{',', ",,", []string{"", "", ""}},
		{',', `"a""","""b"`, []string{`a"`, `"b`}}, {',', `1,"a"""`, []string{"1", `a"`}},
		{',', `""`, []string{""}},
		{noSeparator, "(3, 4)", []string{"(3, 4)"}}, {noSeparator, `"3, 4"`, []string{"3, 4"}},
	} {
		if got, bad := split(c.separator, c.line); bad != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q: %q, %v", c.line, got, bad)
		}
	}
}

// TestSeparators: each is found in the first line, blanks last; what stands in quotation marks and
// in brackets is not looked at.
func TestSeparators(t *testing.T) {
	for line, want := range map[string]byte{
		"a,b": ',', "a, b": ',', "a;b": ';', "a\tb": '\t', "a b": blanks, `"a,b" c`: blanks, "log_w": ',',
		"  a  ": ',', "a\t b": '\t', "mu beta[1,1]": blanks, "(0, 1)": ','} {
		if got := separatorOf([]byte(line)); got != want {
			t.Errorf("%q: %q", line, got)
		}
	}
}

// TestForms: the forms in which a row -1,3 of log_w and x_last may be written.
func TestForms(t *testing.T) {
	want := &draws.Batch{Rows: 1, LogW: []float64{-1}, XLast: []int32{3}}
	for _, c := range []struct{ content, roles string }{
		{"log_w,x_last\n-1,3\n", ""},
		{"\ufeff# made by me\n\nlog_w , x_last\n-1,3\n", ""},
		{"log_w;x_last\n# a comment\n-1;3\n", ""},
		{"\"\",\"log_w\",\"x_last\"\n\"1\",-1,3\n", ""}, // R's write.csv numbers the rows
		{",log_w,x_last\n0,-1,3\n", ""},                 // so does pandas
		{"chain,draw,log_w,x_last\n1,1,-1,3\n", ""},
		{"log_w;x_last;text\n-1;3;\"a;\"\"b\"\n", "text=none"},
		{"lw,x_last_0,x_last_1\n-1,0,3.0\n", "lw=log_w"},
		{"log_w\tx_last\n-1\t(0, 3)\n", ""},
		{"\r\n\r\nlog_w,x_last\r\n-1,3\r\n \r\n\t\r\n", ""},
		{`{"log_w": -1, "x_last": [0, 3]}`, ""},
		{"[\n  {\"log_w\": -1.0, \"x_last\": \"0;3\"}\n]\n", ""},
	} {
		o := Options{Space: grid7(), Roles: Roles{}}
		if name, role, err := ParseRole(c.roles); err == nil {
			o.Roles[name] = role
		}
		r, err := NewStream(context.Background(), "a", strings.NewReader(c.content), o)
		if err != nil {
			t.Errorf("%q: %v", c.content, err)
			continue
		}
		if b := collect(t, r, 10); !reflect.DeepEqual(b, want) {
			t.Errorf("%q: %+v", c.content, b)
		}
	}
}

// TestArrayFiles: the files that NumPy has written (testdata/fixtures.py) have the same rows, with
// the precision of their numbers.
func TestArrayFiles(t *testing.T) {
	var archive bytes.Buffer
	path := []int{5, 11, 2, 6, 7, 8}
	longtest.NoError(t, numpy.WriteArchive(&archive, []numpy.Member{
		{Name: "log_w", Data: numpy.Floats([]float64{-2, -1.75}, 2)},
		{Name: "path", Data: numpy.Integers(path, 2, 3)},
		{Name: "x_first", Data: numpy.Integers([]int{0, 5, 0, 6}, 2, 2)},
		{Name: "names", Data: numpy.Texts([]string{"a"}, 1)}}))
	for _, c := range []struct{ path, roles, want string }{
		{"testdata/packed.npy", "", "[-2 -1.75] [0 5] [0 11] {0 0 0}"},
		{"testdata/aligned.npy", "note=none", "[-2 -1.75] [0 5] [0 11] {0 7 24}"},
		{"testdata/titled.npy", "", "[-2 -1.75] [0 5] [0 11] {0 0 0}"},
		{write(t, "a.npz", archive.String()), "names=none", "[-2 -1.75] [5 6] [2 8] {0 0 0}"},
	} {
		o := Options{Space: grid7(), Roles: Roles{}}
		if name, role, err := ParseRole(c.roles); err == nil {
			o.Roles[name] = role
		}
		r, err := Open(context.Background(), c.path, o)
		if err != nil {
			t.Errorf("%s: %v", c.path, err)
			continue
		}
		b := longtest.Must(r.Next(context.Background(), 2))(t)
		if got := fmt.Sprint(b.LogW, b.XFirst, b.XLast, " ", r.Precision()); got != c.want {
			t.Errorf("%s: %s, want %s", c.path, got, c.want)
		}
	}
}

// TestAlone: a column of estimates needs no name.
func TestAlone(t *testing.T) {
	for name, content := range map[string]string{"a.txt": "1\n2\n", "a.csv": "log_z\n1\n2\n",
		"a.npy": npyFile("'<f8'", "False", "(2,)", doubles(1, 2)...)} {
		r := longtest.Must(
			Open(context.Background(), write(t, name, content), Options{Space: grid7(), Alone: "log_z"}),
		)(t)
		if b := collect(t, r, 10); !reflect.DeepEqual(b.LogZ, []float64{1, 2}) {
			t.Errorf("%s: %+v", name, b)
		}
	}
}

// TestReadDraws: the same draws, 1 and 2 of mu in one chain and 3 and 4 in another, in every form.
func TestReadDraws(t *testing.T) {
	stan := func(a, b string) string {
		return stanHead + "lp__,mu\n9,9\n9,9\n# Adaptation terminated\n1," + a + "\n1," +
			b + "\n# Elapsed Time: 1\n"
	}
	array := numpy.Floats([]float64{1, 2, 3, 4}, 2, 2)
	other := numpy.Floats([]float64{1, 3, 2, 4}, 2, 2)
	for _, c := range []struct {
		files  []string // names and contents
		role   string
		shape  Shape
		warmup string
		want   string
	}{
		{[]string{"a.csv", "mu\n1\n2\n", "b.csv", "mu\n3\n4\n"}, "", "", "", "[[1 2] [3 4]]"},
		{[]string{"a.csv", ".chain,.iteration,.draw,mu\n1,1,1,1\n2,1,3,3\n1,2,2,2\n2,2,4,4\n"}, "", "",
			"", "[[1 2] [3 4]]"},
		{[]string{"a.csv", "walker,step,mu\n1,2,2\n2,9,4\n1,1,1\n2,8,3\n"}, "", "", "", "[[1 2] [3 4]]"},
		{[]string{"a.csv", "Walker,mu\n1,1\n2,3\n2,4\n1,2\n"}, "", "", "", "[[1 2] [3 4]]"},
		{[]string{"a.csv", "group,mu\n1,1\n1,2\n2,3\n2,4\n"}, "group=chain", "", "", "[[1 2] [3 4]]"},
		{[]string{"a.csv", "chain,draw,variable,value\n1,1,mu,1\n1,2,mu,2\n2,1,mu,3\n2,2,mu,4\n"}, "", "",
			"", "[[1 2] [3 4]]"},
		{[]string{"a.csv", "chain,warmup,mu\n1,1,9\n1,0,1\n1,0,2\n2,TRUE,7\n2,0,3\n2,0,4\n"}, "", "", "",
			"[[1 2] [3 4]]"},
		{[]string{"a.csv", "mu\n7\n1\n2\n", "b.csv", "mu\n8\n3\n4\n"}, "", "", "1", "[[1 2] [3 4]]"},
		{[]string{"a.csv", "mu\n7\n1\n2\n", "b.csv", "mu\n8\n3\n4\n"}, "", "", "34%", "[[1 2] [3 4]]"},
		{[]string{"a.csv", "mu\n1\n2\n5\n", "b.csv", "mu\n3\n4\n"}, "", "", "", "[[1 2] [3 4]]"},
		{[]string{"a.csv", stan("1", "2"), "b.csv", stan("3", "4")}, "lp__=none", "", "", "[[1 2] [3 4]]"},
		{[]string{"mu.npy", string(array)}, "", "", "", "[[1 2] [3 4]]"},
		{[]string{"mu.npy", string(other)}, "", DrawsFirst, "", "[[1 2] [3 4]]"},
		{[]string{"mu.npy", string(numpy.Floats([]float64{1, 2}, 2))}, "", "", "", "[[1 2]]"},
		{[]string{"a.jsonl", `{"chain": 1, "mu": 1}` + "\n" + `{"chain": 1, "mu": 2}` +
			"\n" + `{"chain": 2, "mu": 3}` + "\n" + `{"chain": 2, "mu": 4}`}, "", "", "",
			"[[1 2] [3 4]]"},
	} {
		dir := t.TempDir()
		var paths []string
		for i := 0; i < len(c.files); i += 2 {
			paths = append(paths, filepath.Join(dir, c.files[i]))
			longtest.NoError(t, os.WriteFile(paths[i/2], []byte(c.files[i+1]), 0o600))
		}
		o := DrawsOptions{TableOptions: TableOptions{Roles: Roles{}, Shape: c.shape}, Most: 100}
		if name, role, err := ParseRole(c.role); err == nil {
			o.Roles[name] = role
		}
		if c.warmup != "" {
			o.Warmup = longtest.Must(ParseWarmup(c.warmup))(t)
		}
		d, err := ReadDraws(t.Context(), paths, o)
		if err != nil {
			t.Errorf("%q: %v", c.files, err)
			continue
		}
		if got := fmt.Sprint(d.Values[0]); got != c.want || strings.Join(d.Names, " ") != "mu" {
			t.Errorf("%q: %s is %s", c.files, d.Names, got)
		}
	}
}

// TestNotFinite: missing and infinite draws are among the values, with the place of the first.
func TestNotFinite(t *testing.T) {
	path := write(t, "a.csv", "a,b,weight\n1,NA,1\n2,inf,.5\n3,4,0\n")
	d := longtest.Must(ReadDraws(t.Context(), []string{path}, DrawsOptions{Most: 100}))(t)
	if d.NotFinite[0] != "" || d.NotFinite[1] != path+", line 2 (row 1), column b: NA, and 1 more" ||
		!math.IsNaN(d.Values[1][0][0]) ||
		fmt.Sprint(d.Weights) != "[[1 0.5 0]]" {
		t.Errorf("%+v", d)
	}
}

// TestStan: an aborted run of CmdStan is cut at its last whole row, and the names of its
// variables are those of Stan's own tables.
func TestStan(t *testing.T) {
	path := write(t, "a.csv",
		strings.Replace(stanHead, "save_warmup = 1", "save_warmup = 0", 1)+"lp__,theta.1,chain\n1,2,7\n1,3")
	d := longtest.Must(ReadDraws(t.Context(), []string{path}, DrawsOptions{Most: 100}))(t)
	if fmt.Sprint(d.Names, d.Values) != "[lp__ theta[1] chain] [[[1]] [[2]] [[7]]]" || len(d.Notes) != 2 ||
		!strings.Contains(d.Notes[0], "incomplete") {
		t.Errorf("%+v", d)
	}
}

// FuzzReaders: no bytes make a reader fail otherwise than by an *Error, nor yield a state that
// there is not, nor chains of different lengths.
func FuzzReaders(f *testing.F) {
	for format, contents := range [][]string{
		{"log_w,x_first\n1,2\n", "\"\",\"log_w\"\n\"1\",2\n", "x_last_0;x_last_1\n1;2\n",
			"x_1\tx_2\tx_3\n1\t2\t3", "path,log_w\n1 2 3,1\n",
			"beta,from,to\n.5,1,(3;4)\n", "1\n", "# stan_version_major\nlp__ a\n1 2\n# x\n3 4",
			"chain,draw,variable,value\n1,1,mu,1\n", "weight,warmup,a\n1,0,2\n",
			stanHead + "lp__,a\n1,2\n1,2\n# Adaptation terminated\n1,2\n"},
		{`{"log_w": -1.5, "x_first": 3, "x_last": [1, 2]}` + "\n" +
			`{"x_last": "(3, 4)", "x_first": 3.0, "log_w": "-Inf"}`,
			`[{"path": [1, [2, 3], "4 5"]}]`, `{"beta": 0.5, "from": 1, "to": 2}` + "\n\n",
			"\ufeff" + `{"x_first_0": 1, "x_first_1": null}`},
		{
			npyFile("[('log_w', '<f8'), ('x_last', '<i4', (2,))]", "False", "(2,)", make([]byte, 32)...),
			npyFile("'<f8'", "True", "(1, 2)", make([]byte, 16)...),
			npyFile(`[(('a', 'path'), '>u2', (3, 2)), ("it's", '<M8[ns]')]`, "False", "(1,)",
				make([]byte, 20)...),
		},
	} {
		for _, content := range contents {
			f.Add(format, content)
		}
	}
	f.Fuzz(func(t *testing.T, format int, content string) {
		name := "a.csv"
		switch format {
		case 1:
			name = "a.json"
		case 2:
			name = "a.npy"
		}
		o := Options{Space: grid7(), Alone: "log_z"}
		in := o.ofTable()
		in.Content = []byte(content)
		if len(content) == 0 {
			return
		}
		table, err := OpenTable(context.Background(), name, in)
		checkFuzzed(t, table, err, o)
		d, err := ReadDraws(context.Background(), []string{name},
			DrawsOptions{TableOptions: TableOptions{Content: in.Content}, Most: 100})
		if err != nil {
			if typed := new(Error); !errors.As(err, &typed) || typed.Found == "" || typed.Want == nil {
				t.Fatalf("%v, which is no *Error", err)
			}
			return
		}
		for i := range d.Names {
			for _, x := range d.Values[i] {
				if len(x) != len(d.Values[0][0]) || len(x) == 0 {
					t.Fatalf("chains of %d and of %d draws", len(x), len(d.Values[0][0]))
				}
			}
		}
	})
}

// TestEnds: the end of a table is io.EOF, again and again.
func TestEnds(t *testing.T) {
	table := longtest.Must(OpenTable(t.Context(), write(t, "a.csv", "a\n1\n"), TableOptions{}))(t)
	longtest.Must(table.Next(t.Context()))(t)
	for range 2 {
		if _, err := table.Next(t.Context()); err != io.EOF {
			t.Error(err)
		}
	}
}

// TestShapedCounters: the sides of arrays are their chains and draws, so that a variable that
// counts upwards is one.
func TestShapedCounters(t *testing.T) {
	counted := make([]float64, 16)
	for i := range counted {
		counted[i] = float64(i)
	}
	var archive bytes.Buffer
	longtest.NoError(t, numpy.WriteArchive(&archive, []numpy.Member{
		{Name: "a", Data: numpy.Floats(counted, 2, 8)}, {Name: "b", Data: numpy.Floats(counted, 2, 8)}}))
	path := write(t, "a.npz", archive.String())
	d := longtest.Must(ReadDraws(context.Background(), []string{path}, DrawsOptions{Most: 100}))(t)
	if len(d.Names) != 2 {
		t.Errorf("%d variables, want 2", len(d.Names))
	}
}
