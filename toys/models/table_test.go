package models_test

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"breadboard/toys/models"
)

// limits are those of a small table.
func limits() models.TableLimits {
	return models.TableLimits{Bytes: 1 << 10, Rows: 4, Columns: 3, Number: 1e15}
}

func TestParseNamedTable(t *testing.T) {
	for _, c := range []struct {
		text string
		want models.Table
	}{
		{"1,2\n3,4\n", models.Table{Rows: [][]float64{{1, 2}, {3, 4}}}},
		{"\ufeffa,\"b c\"\r\n1, 2\r\n", models.Table{Names: []string{"a", "b c"}, Rows: [][]float64{{1, 2}}}},
		{"a,b\n\n1,2\n\n3,4\n", models.Table{Names: []string{"a", "b"}, Rows: [][]float64{{1, 2}, {3, 4}}}},
		{"\"y\"\n-1e15\n1e-300\n", models.Table{Names: []string{"y"}, Rows: [][]float64{{-1e15}, {1e-300}}}},
	} {
		got, err := models.ParseNamedTable([]byte(c.text), limits())
		if err != nil || !reflect.DeepEqual(*got, c.want) {
			t.Errorf("%q is %v, %v; want %v", c.text, got, err, c.want)
		}
	}
}

// TestBadTables: what is wrong is refused with its place, and a missing value is never guessed.
func TestBadTables(t *testing.T) {
	for text, want := range map[string]string{
		"":                      "the file is empty",
		"\n \n":                 `line 2, column 1: the empty cell is a missing value`,
		"a,b\n":                 "there are headings and no rows",
		"a,b\n1,\n":             `line 2, column 2 ("b"): the empty cell is a missing value; leave the row or the column out, or fill it in`,
		"1,2\n3,NA\n":           "line 2, column 2: NA is a missing value",
		"1,2\nnan,4\n":          "line 2, column 1: nan is a missing value",
		"NA,NA\n1,2\n":          "line 1, column 1: NA is a missing value",
		"a,NA\n1,2\n":           `line 1, column 1: "a" is no number`,
		"1,?\n":                 "line 1, column 2: ? is a missing value",
		"1,2\n3,-Inf\n":         "line 2, column 2: -Inf is infinite",
		"1,1e999\n":             "outside the range",
		"1,2e15\n":              "line 1, column 2: 2e15; data are at most 1e+15 from zero",
		"a,b\n1,x\n":            `line 2, column 2 ("b"): "x" is no number`,
		"1;2\n":                 "in columns that are separated by commas",
		"1,2\n3\n":              "line 2 has 1 column, the first row has 2; give",
		"a,b\n1,2,3\n":          "line 2 has 3 columns, and there are 2 headings",
		"1,2,3,4\n":             "line 1 has 4 columns; there may be at most 3",
		"1\n2\n3\n4\n5\n":       "line 5: there may be at most 4 rows",
		"y\n1\n\n2\n":           "line 3, column 1 is empty, and rows follow it",
		"\"\",\"y\"\n\"1\",2\n": "line 1, column 1: a heading without a name; if the column numbers the rows, leave it out",
		"1,\"2\n":               "line 1",
	} {
		got, err := models.ParseNamedTable([]byte(text), limits())
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, %v; want an error with %q", text, got, err, want)
		}
	}
}

// FuzzParseNamedTable: a table has as many columns in every row and in its headings, and its numbers are finite and within the limits.
func FuzzParseNamedTable(f *testing.F) {
	for _, text := range []string{"1,2\n3,4\n", "a,b\n1,2\n", "\"a\nb\"\n1\n\n2", "NA\n", "1e999,?\n", "a\n\"1\n\"\n2\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		l := limits()
		table, err := models.ParseNamedTable([]byte(text), l)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("%q", err)
			}
			return
		}
		if len(table.Rows) == 0 || len(table.Rows) > l.Rows || table.Names != nil && len(table.Names) != len(table.Rows[0]) {
			t.Fatalf("%d rows, names %q", len(table.Rows), table.Names)
		}
		for _, row := range table.Rows {
			if len(row) != len(table.Rows[0]) || len(row) == 0 || len(row) > l.Columns {
				t.Fatalf("rows of %d and %d columns", len(table.Rows[0]), len(row))
			}
			for _, y := range row {
				if !(math.Abs(y) <= l.Number) {
					t.Errorf("%v", y)
				}
			}
		}
	})
}
