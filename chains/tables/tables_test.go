package tables_test

import (
	"slices"
	"strings"
	"testing"

	"breadboard/chains/tables"

	"pgregory.net/rapid"

	"breadboard/grid/longtest"
)

// TestTables: tables as pandas, R, NumPy, Excel and people write them.
func TestTables(t *testing.T) {
	for text, want := range map[string]string{
		"0.75,0.25\n0.5,0.5\n":                                    "|0.75,0.25|0.5,0.5",
		"0.75 0.25\r\n0.5\t0.5  \r\n":                             "|0.75,0.25|0.5,0.5",
		"\ufeff,dry,wet\ndry,0.75,0.25\nwet,0.5,0.5\n":            "dry,wet|dry:0.75,0.25|wet:0.5,0.5",
		"\"\",\"dry\",\"wet\"\n\"dry\",0.75,0.25\n\"wet\",.5,.5":  "dry,wet|dry:0.75,0.25|wet:.5,.5",
		"\"dry\" \"wet\"\n\"dry\" 0.75 0.25\n\"wet\" 0.5 0.5\n":   "dry,wet|dry:0.75,0.25|wet:0.5,0.5",
		"0,1\n0.75,0.25\n0.5,0.5\n":                               "0,1|0.75,0.25|0.5,0.5",
		"0,1\n0.75,0.25\n":                                        "|0,1|0.75,0.25",
		"# made by hand\nalpha;beta;lp\n1;2;-3\n% end\n// done\n": "alpha,beta,lp|1,2,-3",
		"a\n\n0.11D+01\n":                                         "a|0.11D+01",
		"0.1d0,1\n2,3\n":                                          "|0.1d0,1|2,3",
		"-inf,0\n0,NaN\n":                                         "|-inf,0|0,NaN",
		"1\t\t2\n1\t2\t3\n":                                       "|1,,2|1,2,3",
	} {
		table, err := tables.Parse([]byte(text), 100, tables.BySight)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		got := strings.Join(table.Names, ",")
		for i, row := range table.Rows {
			got += "|"
			if table.Index != nil {
				got += table.Index[i] + ":"
			}
			got += strings.Join(row, ",")
		}
		if got != want {
			t.Errorf("%q is read as %s, want %s", text, got, want)
		}
	}
}

// TestTablesRefused: each error names the line.
func TestTablesRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":                                "empty",
		"# only\n":                        "empty",
		"1,2\n3\n":                        "line 2 has 1 column, the first row has 2",
		"a,b\n1,2\n\n3\n":                 "line 4 has 1 column, the first line names 2",
		"a,b\n1,2\na,b\n":                 "line 3 has the header again",
		"a,a\n1,2\n":                      `two columns are named "a"`,
		"a,b\n\"1,2\n":                    "line 2",
		"\xff\xfea\x00":                   "UTF-16",
		strings.Repeat("1,1,1,1,1\n", 21): "line 21: there are more than 100 cells",
		"a,b\r1,2\r":                      "carriage return",
		strings.Repeat("1,", 101) + "1\n": "102 columns",
	} {
		longtest.Refuses(tables.Parse([]byte(text), 100, tables.BySight))(t, want, text)
	}
}

// TestRoles: a name has one role, whatever its case and its marks.
func TestRoles(t *testing.T) {
	for name, want := range map[string]tables.Role{
		".chain": tables.Chain, "Chain": tables.Chain, "chain__": tables.Chain, "Iter": tables.Iteration,
		"state": tables.State, ".draw": tables.Draw, "": tables.Omitted, "warmup": tables.Warmup,
		"w": tables.Variable, "Weights": tables.Weight, "lp__": tables.LogDensity, "LnL": tables.LogDensity, "alpha": tables.Variable,
		"Parameter": tables.Name, "value": tables.Value,
	} {
		if got := tables.RoleOf(name); got != want {
			t.Errorf("%q is %s, want %s", name, got, want)
		}
	}
	var seen []string
	for _, call := range tables.Calls() {
		for _, name := range call.Names {
			if slices.Contains(seen, name) || tables.RoleOf(name) != call.Role {
				t.Errorf("%q stands twice, or is not a %s", name, call.Role)
			}
			seen = append(seen, name)
		}
	}
}

// TestFortran: double precision of Fortran is read, and nothing else is changed.
func TestFortran(t *testing.T) {
	for cell, want := range map[string]string{"0.11D+01": "0.11e+01", "1d0": "1e0", "-3.D-2": "-3.e-2",
		"D": "D", "dad": "dad", "1d": "1d", "2d3x": "2d3x"} {
		if got := tables.Fortran(cell); got != want {
			t.Errorf("%s became %s", cell, got)
		}
	}
}

// TestTablesWritten: a table that is written in any dialect is read as it was.
func TestTablesWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cell := rapid.StringMatching(`-?[1-9][0-9]{0,3}\.[0-9]{1,4}`)
		width := rapid.IntRange(2, 5).Draw(t, "width")
		rows := rapid.SliceOfN(rapid.SliceOfN(cell, width, width), 2, 6).Draw(t, "rows")
		separator := rapid.SampledFrom([]string{",", ";", "\t", " ", " \t ", ", "}).Draw(t, "separator")
		end := rapid.SampledFrom([]string{"\n", "\r\n", "  \n", "\n\n", "\n# remark\n"}).Draw(t, "end")
		text := rapid.SampledFrom([]string{"", "\ufeff", "\n", "% remark\n"}).Draw(t, "top")
		for _, row := range rows {
			text += strings.Join(row, separator) + end
		}
		table, err := tables.Parse([]byte(text), 1000, tables.BySight)
		if err != nil || !slices.EqualFunc(table.Rows, rows, slices.Equal) {
			t.Fatalf("%q: %v, %v", text, table, err)
		}
	})
}

func FuzzTables(f *testing.F) {
	for _, text := range []string{"a,b\n1,2\n", ",a\nx,1\n", "0,1\n.5,.5\n", "1 2\n", "\"a\n", "a;b\n1,5;2\n",
		`[{"a":1,"_row":"x"},{"a":2}]`,
		`[[1,NaN],[null,"x"]]`, ",1,0\n0,1,2", " 0 1\n0 1 2"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if table, err := tables.Parse(data, 1000, tables.BySight); err == nil && len(table.Rows) > 0 {
			for i, row := range table.Rows {
				if len(row) != table.Width() || table.Line(i) < 1 {
					t.Fatalf("%q: row %d has %d cells of %d", data, i, len(row), table.Width())
				}
			}
		}
	})
}
