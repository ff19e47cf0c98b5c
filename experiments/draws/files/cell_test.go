package files

import (
	"bytes"
	"context"
	"encoding/csv"
	"math"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/experiments/draws"
	"breadboard/grid/longtest"
)

// TestInfinities in their spellings, and what is none.
func TestInfinities(t *testing.T) {
	for text, sign := range map[string]int{"inf": 1, "+Inf": 1, "INFINITY": 1, "-inf": -1, "-Infinity": -1, "infinit": 0, "+-inf": 0, "": 0, "-": 0, "in": 0} {
		if v, ok := parseInfinity([]byte(text)); ok != (sign != 0) || ok && !math.IsInf(v, sign) {
			t.Errorf("%q: %v, %v", text, v, ok)
		}
	}
}

// TestParts splits the numbers of a cell.
func TestParts(t *testing.T) {
	for cell, want := range map[string]string{
		"3 4": "3|4", "3\t  4": "3|4", "3;4": "3|4", "(3, 4)": "3|4", "[3,4]": "3|4", " ( 3 ) ": "3", "(3,)": "3", "3;;4": "3||4", ",3": "|3", "()": "",
		"(3": "(3", "": "", "3;": "3|",
	} {
		var got []string
		for p := range parts([]byte(cell)) {
			got = append(got, string(p))
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
			b.add(math.Round(v*unit) / unit)
		}
		b.add(math.Inf(-1))
		b.add((unit*3 + 7) / unit) // a value with all of the decimals
		p := b.precision()
		switch {
		case decimals < leastDecimals && p != draws.Precision{}:
			t.Fatalf("%d decimals are taken for rounding: %+v", decimals, p)
		case decimals >= leastDecimals && b.seen < judged && p.Decimals != decimals:
			t.Fatalf("%d decimals are %+v", decimals, p)
		}
	})
	var b firstDoubles
	for i := range 1000 {
		b.add(math.Sqrt(float64(i)))
	}
	if p := b.precision(); p != (draws.Precision{}) || b.seen != judged {
		t.Errorf("square roots are %+v, judged by %d", p, b.seen)
	}
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
		c := &csvRows{separator: separator}
		got, bad := c.cells(bytes.TrimRight(line.Bytes(), "\n"))
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
		{blanks, "1 2", []string{"1", "2"}}, {blanks, "  1 \t 2  ", []string{"1", "2"}}, {blanks, `"1 2" 3`, []string{"1 2", "3"}},
		{blanks, `3 "1 2" `, []string{"3", "1 2"}},
		{',', " 1 , 2 ", []string{"1", "2"}}, {',', `"a""b" ,2,`, []string{`a"b`, "2", ""}}, {'\t', "\t1\t 2", []string{"", "1", "2"}},
		{',', ",,", []string{"", "", ""}},
		{',', `"a""","""b"`, []string{`a"`, `"b`}}, {',', `1,"a"""`, []string{"1", `a"`}}, {',', `""`, []string{""}},
		{noSeparator, "(3, 4)", []string{"(3, 4)"}}, {noSeparator, `"3, 4"`, []string{"3, 4"}},
	} {
		if got, bad := (&csvRows{separator: c.separator}).cells([]byte(c.line)); bad != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q: %q, %v", c.line, got, bad)
		}
	}
}

// TestSeparators: each is found in the header, blanks last, and what stands in quotation marks is
// not looked at.
func TestSeparators(t *testing.T) {
	for line, want := range map[string]byte{"a,b": ',', "a, b": ',', "a;b": ';', "a\tb": '\t', "a b": blanks, `"a,b" c`: blanks, "log_w": ',',
		"  a  ": ',', "a\t b": '\t'} {
		if got := separatorOf([]byte(line)); got != want {
			t.Errorf("%q: %q", line, got)
		}
	}
}

// TestHeaders: if the names of the columns come from.
func TestHeaders(t *testing.T) {
	for _, c := range []struct{ content, columns, ignored string }{
		{"log_w,x_last\n-1,3\n", "", ""},
		{"\ufeff# made by me\n\nlog_w , x_last\n-1,3\n", "", ""},
		{"# log_w x_last\n-1 3\n", "", ""},                       // numpy.savetxt
		{"# log_w,x_last\n-1,3\n", "", ""},                       // numpy.savetxt with a delimiter
		{"# log_w x_last\n-1,3\n", "", ""},                       // its header and its delimiter need not agree
		{"# seed 1\n# log_w, x_last\n-1.000000e+00,3\n", "", ""}, // the last comment is the header
		{"\"\",\"log_w\",\"x_last\"\n\"1\",-1,3\n", "", `|`},     // R's write.csv numbers the rows
		{",log_w,x_last\n0,-1,3\n", "", `|`},                     // so does pandas
		{"\tlog_w\tx_last\n0\t-1\t3\n", "", `|`},                 // with tabs
		{"-1,3\n", "log_w x_last", ""},                           // no header
		{"log_w,x_last\n-1,3\n", "log_w x_last", ""},             // the header and what is given besides agree
		{"log_w;x_last;text\n-1;3;\"a;\"\"b\"\n", "", "text|"},   // a column of text
		{"log_w,x_last_0,x_last_1\n-1,0,3.0\n", "", ""},          // coordinates
		{"log_w,x_last\n-1,\"(0, 3)\"\n", "", ""},                // coordinates in one cell
		{"log_w\tx_last\n-1\t(0, 3)\n", "", ""},                  // and without quotation marks
		{"# by me\n-1 3\n", "log_w x_last", ""},                  // a comment that is no header
		{"log_w,x_3\n-1,3\n", "", ""},                            // x_T is x_last
		{"log_w,x_3_0,x_3_1\n-1,0,3\n", "", ""},                  // by its coordinates
		{"log_w,note,x_last,note\n-1,a,3,b\n", "", "note|"},      // what is not used may be there twice
		{"\r\n\r\nlog_w,x_last\r\n-1,3\r\n \r\n\t\r\n", "", ""},  // blank lines around the rows
	} {
		o := Options{Space: grid7()}
		if c.columns != "" {
			o.Columns = strings.Fields(c.columns)
		}
		r, err := NewStream(context.Background(), "a", strings.NewReader(c.content), o)
		if err != nil {
			t.Errorf("%q: %v", c.content, err)
			continue
		}
		b := collect(failing{t, c.content}, r, 10)
		if !reflect.DeepEqual(b, &draws.Batch{Rows: 1, LogW: []float64{-1}, XLast: []int32{3}}) {
			t.Errorf("%q: %+v", c.content, b)
		}
		ignored := ""
		for _, n := range r.Ignored() {
			ignored += n + "|"
		}
		if ignored != c.ignored {
			t.Errorf("%q ignores %q", c.content, ignored)
		}
	}
}

// failing says what was read when a test fails.
type failing struct {
	*testing.T
	content string
}

// Fatalf fails the test.
func (f failing) Fatalf(format string, args ...any) {
	f.Logf("%q", f.content)
	f.T.Fatalf(format, args...)
}

// TestBothEndsAlone: x_1 and x_T without the rest of the path are x_first and x_last.
func TestBothEndsAlone(t *testing.T) {
	r := longtest.Must(NewStream(context.Background(), "a", strings.NewReader("x_3,x_1\n7,5\n"), Options{Space: grid7()}))(t)
	if b := collect(t, r, 10); !reflect.DeepEqual(b, &draws.Batch{Rows: 1, XFirst: []int32{5}, XLast: []int32{7}}) {
		t.Errorf("%+v", b)
	}
}

// FuzzReaders: no bytes make a reader of a format fail otherwise than by an *Error, nor yield a
// state that there is not.
func FuzzReaders(f *testing.F) {
	for format, contents := range [][]string{
		{"log_w,x_first\n1,2\n", "# log_w x_last\n1 2\n-inf 3\n", "\"\",\"log_w\"\n\"1\",2\n", "x_last_0;x_last_1\n1;2\n", "x_1\tx_2\tx_3\n1\t2\t3",
			"path,log_w\n1 2 3,1\n", "beta,from,to\n.5,1,(3;4)\n", "1,2\n"},
		{`{"log_w": -1.5, "x_first": 3, "x_last": [1, 2]}` + "\n" + `{"x_last": "(3, 4)", "x_first": 3.0, "log_w": "-Inf", "a": {"b": []}}`,
			`{"path": [1, [2, 3], "4 5"]}`, `{"beta": 0.5, "from": 1, "to": 2}` + "\n\n", `{"log_w": -Infinity}`, "\ufeff" + `{"x_first_0": 1, "x_first_1": 2}`},
		{
			npyFile("[('log_w', '<f8'), ('x_last', '<i4', (2,))]", "False", "(2,)", make([]byte, 32)...), npyFile("'<f8'", "True", "(1, 2)", make([]byte, 16)...),
			npyFile(`[(('a', 'path'), '>u2', (3, 2)), ("it's", '<M8[ns]')]`, "False", "(1,)", make([]byte, 20)...),
		},
	} {
		for _, content := range contents {
			f.Add(format, content)
		}
	}
	f.Fuzz(func(t *testing.T, format int, content string) {
		for _, columns := range [][]string{nil, {"log_w", "x_last"}} {
			o := Options{Space: grid7(), Columns: columns}
			var rows decoder
			var l *layout
			var err error
			switch in := strings.NewReader(content); format {
			case 0:
				rows, l, err = openCSV(context.Background(), "a", &lines{in: in}, o)
			case 1:
				rows, l, err = openJSON(context.Background(), "a", &lines{in: in}, o)
			default:
				rows, l, err = openNPY("a", in, o)
			}
			checkFuzzed(t, rows, l, err, o)
		}
	})
}

// TestCellsBetweenEmptyLines: empty lines may stand above the header and at the end, and nowhere
// else.
func TestCellsBetweenEmptyLines(t *testing.T) {
	ctx := context.Background()
	c := longtest.Must(StreamCells(ctx, "a", strings.NewReader("\na\n1\n\n2\n")))(t)
	longtest.Must(c.Next(ctx))(t)
	longtest.Refuses(c.Next(ctx))(t, "a, line 4 (row 1): found an empty line between rows; leave it out")
}
