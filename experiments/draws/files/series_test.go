package files

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TestSeries: the same numbers in every form.
func TestSeries(t *testing.T) {
	two := [][]float64{{1, 2.5, -3}, {4, 5e-3, 6}}
	one := [][]float64{{1, 2, 3}}
	for _, c := range []struct {
		name, content string
		want          [][]float64
	}{
		{"a.csv", "1,4\n2.5,5e-3\n-3,6\n", two},
		{"a.csv", "\ufeffchain 1,chain 2\r\n1,4\r\n2.5,.005\r\n-3,6", two},
		{"a.csv", "# made by my program\n1;4\n2.5;0.005\n-3;6\n", two},
		{"a.txt", "1.0e+00 4\n2.5  5e-3\n -3\t6\n", two},
		{"a.tsv", "a\tb\n1\t4\n2.5\t5e-3\n-3\t6\n\n", two},
		{"a.csv", "1\n2\n3\n", one},
		{"a.npy", npyFile("'<f8'", "False", "(2, 3)", doubles(1, 2.5, -3, 4, 5e-3, 6)...), two},
		{"a.npy", npyFile("'<f8'", "True", "(2, 3)", doubles(1, 4, 2.5, 5e-3, -3, 6)...), two},
		{"a.npy", npyFile("'|u1'", "False", "(3,)", 1, 2, 3), one},
		{"a.npy", npyFile("'>i2'", "False", "(1, 3)", 0, 1, 0, 2, 0, 3), one},
	} {
		got, err := Series(context.Background(), write(t, c.name, c.content), 6, "")
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q: %v (%v), want %v", c.content, got, err, c.want)
		}
	}
}

// TestBadSeries: what is wrong, where, and what to write.
func TestBadSeries(t *testing.T) {
	for _, c := range []struct{ name, content, want string }{
		{"a.csv", "", ": found no data: it is empty; write at least one row of values"},
		{"a.csv", "# nothing\n\n", ": found no rows; write at least one row of values"},
		{"a.csv", "1,2\n3\n", ", line 2 (row 1): found 1 cell; write 2 in every row, one for each column"},
		{"a.csv", "1,2\n3,4,5\n", ", line 2 (row 1): found 3 cells; write 2 in every row, one for each column"},
		{"a.csv", "1,2\n3,nan\n", ", line 2 (row 1), column 2: found nan; write a finite number"},
		{"a.csv", "1;2\n3,5;4\n", `, line 2 (row 1), column 1: found "3,5"; write decimals with a point, and thousands without a comma`},
		{"a.csv", "1\n\n2\n", ", line 2 (row 1): found an empty line between rows; leave it out"},
		{"a.csv", "1\n# more\n2\n", `, line 2 (row 1): found a comment between rows, "# more"; delete it, or put it above the rows`},
		{"a.csv", "1,2\n3,4\n5,6\n7,8\n9,1\n2,3\n", ", line 6 (row 5): found more than 10 numbers; write fewer, such as every second one, or each chain by itself"},
		{"a.csv", "PK\x03\x04 ", ": found a zip archive, such as .npz or .xlsx; write the columns to .csv, .npy or .jsonl"},
		{"a.npy", "", ": found nothing: it is empty; write it with numpy.save"},
		{"a.npy", npyFile("'<f8'", "False", "()", doubles(1)...), ": found an array of shape (); write one of shape (chains, draws), or (draws,) for one chain"},
		{"a.npy", npyFile("'<f8'", "False", "(1, 1, 1)", doubles(1)...),
			": found an array of shape (1, 1, 1); write one of shape (chains, draws), or (draws,) for one chain"},
		{"a.npy", npyFile("'<f8'", "False", "(2, 0)"),
			": found an array of shape (2, 0), which has no numbers; write one of shape (chains, draws), or (draws,) for one chain"},
		{"a.npy", npyFile("'<f8'", "False", "(2, 2)", doubles(1, 2, 3)...),
			": found 24 bytes of numbers, but the header announces 32; write the file again with numpy.save"},
		{"a.npy", npyFile("'<f8'", "False", "(1099511627776, 1099511627776)", doubles(1)...),
			": found more than 10 numbers; write fewer, such as every second one, or each chain by itself"},
		{"a.npy", npyFile("'<f8'", "False", "(2, 2)", doubles(1, 2, math.NaN(), 3)...), ": found NaN at value 0 of row 1, both counted from 0; write finite numbers"},
		{"a.npy", npyFile("[('x', '<f8')]", "False", "(1,)", doubles(1)...),
			": found a structured array; write one of shape (chains, draws), or (draws,) for one chain"},
		{"a.npy", npyFile("'|O'", "False", "(1,)", 1),
			": found Python objects, dtype |O; write float64, float32 or whole numbers of 8 to 64 bits, as astype(float) and astype(int) make them"},
	} {
		path := write(t, c.name, c.content)
		_, err := Series(context.Background(), path, 10, "")
		if typed := new(Error); !errors.As(err, &typed) || strings.TrimPrefix(err.Error(), path) != c.want {
			t.Errorf("%s %q:\n got %v\nwant %s", c.name, c.content, err, c.want)
		}
	}
	if _, err := Series(context.Background(), filepath.Join(t.TempDir(), "none.csv"), 10, ""); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for name, content := range map[string]string{"a.csv": "1\n2\n", "a.npy": npyFile("'|u1'", "False", "(3,)", 1, 2, 3)} {
		if _, err := Series(ctx, write(t, name, content), 10, ""); !errors.Is(err, context.Canceled) {
			t.Errorf("%s goes on after its context: %v", name, err)
		}
	}
}

// FuzzSeries: whatever a file holds, its series are finite numbers, as many in each, or there is an
// *Error with what to write.
func FuzzSeries(f *testing.F) {
	f.Add("1,4\n2.5,5e-3\n", false)
	f.Add("a b\n1 \"2\"\n", false)
	f.Add(npyFile("'<f8'", "True", "(2, 1)", doubles(1, 4)...), true)
	f.Add(npyFile("'>u2'", "False", "(1,)", 1, 4), true)
	f.Fuzz(func(t *testing.T, content string, array bool) {
		var series [][]float64
		var err error
		if array {
			series, err = seriesOfArray(context.Background(), "a", bytes.NewReader([]byte(content)), 100, "")
		} else {
			series, err = seriesOfText(context.Background(), "a", &lines{in: strings.NewReader(content)}, 100)
		}
		if err != nil {
			if typed := new(Error); !errors.As(err, &typed) || typed.Found == "" || typed.Want == "" {
				t.Fatalf("%v, which is no *Error", err)
			}
			return
		}
		for _, x := range series {
			if len(x) != len(series[0]) || len(x) == 0 {
				t.Fatalf("series of %d and of %d numbers", len(series[0]), len(x))
			}
			for _, v := range x {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Fatal(v)
				}
			}
		}
	})
}
