package files

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/experiments/draws"
	"breadboard/grid/longtest"
)

// FuzzScanner holds the scanner to encoding/json: what it takes is JSON, but for the names that
// Python has for numbers, and all JSON is taken.
func FuzzScanner(f *testing.F) {
	for _, s := range []string{`{"a": [1, -2.5e+3, 0.1], "b\n\u00e9": {}}`, `[]`, `"\""`, `01`, `1.`, `.5`, `+1`, `NaN`, `[-Infinity, Infinity]`,
		`{"a" 1}`, `{,}`, `[1,]`, "\"\t\"", `nul`, `1e`, `-`, `"\x"`, strings.Repeat("[", 200)} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		s := &scanner{b: content}
		ok := s.skip(0) == nil && s.peek() == 0 && s.at == len(content)
		if want := json.Valid(content); ok != want {
			python := bytes.Contains(content, []byte("NaN")) || bytes.Contains(content, []byte("Infinity"))
			deep := bytes.Count(content, []byte("["))+bytes.Count(content, []byte("{")) > maxJSON
			if ok && !python || !ok && !deep {
				t.Errorf("%q: %v, and encoding/json says %v", content, ok, want)
			}
		}
	})
}

// TestDeepJSON: values nested deeper than any program writes them are refused, and not followed
// until memory ends.
func TestDeepJSON(t *testing.T) {
	for _, brackets := range [][2]string{{"[", "]"}, {`{"a":`, "}"}} {
		for depth, ok := range map[int]bool{maxJSON: true, maxJSON + 1: false, 1_000_000: false} {
			content := strings.Repeat(brackets[0], depth) + "1" + strings.Repeat(brackets[1], depth)
			if err := (&scanner{b: []byte(content)}).skip(0); ok != (err == nil) {
				t.Errorf("%s %d deep: %v", brackets[0], depth, err)
			}
		}
	}
}

// TestLaterNames: names that only later objects have are listed when they have been read.
func TestLaterNames(t *testing.T) {
	s := longtest.Must(NewStream(context.Background(), "stdin",
		strings.NewReader(`{"log_w": 1, "a": 2}`+"\n"+`{"b": [3], "log_w": 1}`+"\n"+`{"b": 3, "log_w": 1}`), Options{Space: grid7()}))(t)
	if names := strings.Join(s.Ignored(), " "); names != "a" {
		t.Errorf("%q after the first object", names)
	}
	collect(t, s, 10)
	if names := strings.Join(s.Ignored(), " "); names != "a b" {
		t.Errorf("%q after all", names)
	}
}

// TestNumPyFiles reads what NumPy itself has written (testdata/fixtures.py, NumPy 1.24.2).
func TestNumPyFiles(t *testing.T) {
	want := &draws.Batch{Rows: 8, Path: make([][]int32, 3)}
	for i := range int32(8) {
		want.LogW = append(want.LogW, float64(i)/4-2)
		want.XFirst, want.XLast = append(want.XFirst, 5*i%49), append(want.XLast, 11*i%49)
		want.Path[1] = append(want.Path[1], (5*i%49+11*i%49)%49)
	}
	want.LogW[3] = math.Inf(-1)
	want.Path[0], want.Path[2] = want.XFirst, want.XLast
	const all = "log_w x_first x_last"
	single := draws.Precision{Significant: 7, Bits: 24}
	for _, c := range []struct {
		file, columns, ignored string
		precision              draws.Precision
	}{
		{"packed.npy", "", "", draws.Precision{}}, {"aligned.npy", "", "note", single}, {"titled.npy", "", "", draws.Precision{}},
		{"version3.npy", "", "", draws.Precision{}},
		{"c.npy", all, "", draws.Precision{}}, {"fortran.npy", all, "", draws.Precision{}}, {"big_endian.npy", all, "", draws.Precision{}},
		{"float32.npy", all, "", single},
		{"c.npy", "log_w start note", "start note", draws.Precision{}}, {"fortran.npy", "index x_first x_last", "index", draws.Precision{}},
		{"column.npy", "log_w", "", draws.Precision{}}, {"states.npy", "x_last", "", draws.Precision{}},
		{"savetxt.txt", "", "", draws.Precision{Decimals: 19, Significant: 19}},
	} {
		for _, rows := range []int{1, 3, 8, 100} {
			o := Options{Space: grid7()}
			if c.columns != "" {
				o.Columns = strings.Fields(c.columns)
			}
			r, err := Open(context.Background(), filepath.Join("testdata", c.file), o)
			if err != nil {
				t.Errorf("%s: %v", c.file, err)
				continue
			}
			got, expected := collect(t, r, rows), *want
			if r.Close() != nil {
				t.Errorf("%s does not close", c.file)
			}
			columns := r.Columns()
			if !columns.Path {
				expected.Path = nil
			}
			if !columns.LogW {
				expected.LogW = nil
			}
			if !columns.XFirst {
				expected.XFirst = nil
			}
			if !columns.XLast {
				expected.XLast = nil
			}
			if !reflect.DeepEqual(got, &expected) {
				t.Errorf("%s, %d rows at once: %+v", c.file, rows, got)
			}
			if r.Precision() != c.precision {
				t.Errorf("%s: %+v", c.file, r.Precision())
			}
			ignored := strings.Join(r.Ignored(), " ")
			if ignored = strings.TrimSpace(ignored); ignored != c.ignored {
				t.Errorf("%s ignores %q", c.file, ignored)
			}
		}
	}
}

// TestEveryCutOfNPY: a file that ends anywhere before its end is an error, as is one with a byte
// more.
func TestEveryCutOfNPY(t *testing.T) {
	whole := npyFile("[('log_w', '<f8'), ('x_last', '<i4')]", "False", "(2,)", bytes.Repeat([]byte{0}, 24)...)
	for n := range len(whole) + 2 {
		content := (whole + "x")[:n]
		_, _, err := openNPY("a.npy", bytes.NewReader([]byte(content)), Options{Space: grid7()})
		if ok := n == len(whole); ok != (err == nil) {
			t.Errorf("%d of %d bytes: %v", n, len(whole), err)
		}
	}
}

// TestNPYStatesAreWholeInAllTypes: a state is accepted exactly where it is a whole number of the
// space, in each type.
func TestNPYStatesAreWholeInAllTypes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.OneOf(rapid.Float64(), rapid.Map(rapid.IntRange(-3, 60), func(i int) float64 { return float64(i) }), rapid.Float64Range(-3, 60)).Draw(t, "v")
		content := npyFile("'<f8'", "False", "(1,)", doubles(v)...)
		rows, l, err := openNPY("a.npy", bytes.NewReader([]byte(content)), Options{Space: grid7(), Columns: []string{"x_last"}})
		if err != nil {
			t.Fatal(err)
		}
		table := newTable(l, grid7())
		_, err = rows.decode(context.Background(), table, table.room(1))
		if legal := v == math.Trunc(v) && v >= 0 && v < 49; legal != (err == nil) || legal && float64(table.states[0][0]) != v {
			t.Fatalf("%v: %v", v, err)
		}
	})
}
