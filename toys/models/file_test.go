package models_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/toys/models"
)

const (
	cluFile = "kind = \"clustering\"\ndata = \"points.csv\"\npi = [0.5, 0.5]\ncentre_variance = 0.05\n" +
		"noise_variance = 1\n"
	cluData = "0.4\n-0.7\n0.9\n-0.2\n"
	binFile = "kind = \"binary\"\ndata = \"points.csv\"\npi = [0.5, 0.3]\nfeature_variance = 2.0\n" +
		"noise_variance = 0.5\n"
	binData = "1.3, -0.8, 0.4\n0.2, 1.1, -1.6\n1.4, 0.5, -1.0\n\n-0.3, 0.1, 0.6\n"
)

// readModel reads a model from a file, with data in a file points.csv beside it.
func readModel(t *testing.T, file, data string) (models.Model, error) {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "model.toml")
	longtest.NoError(t, os.WriteFile(path, []byte(file), 0o644))
	longtest.NoError(t, os.WriteFile(filepath.Join(dir, "points.csv"), []byte(data), 0o644))
	m, _, err := models.ReadModel(path)
	return m, err
}

func TestReadModelOf(t *testing.T) {
	for _, c := range []struct {
		file, data string
		want       models.Model
	}{{cluFile, cluData, models.Clu4()}, {binFile, binData, models.Bin4()},
		{"\ufeff" + binFile, "\ufeff" + binData, models.Bin4()}} {
		m, err := readModel(t, c.file, c.data)
		if err != nil || !reflect.DeepEqual(m, c.want) {
			t.Errorf("%v, %v, want %v", m, err, c.want)
		}
	}
}

func TestReadModelRefuses(t *testing.T) {
	type bad struct{ old, new, want string }
	check := func(file, data string, cases []bad, change func(c bad) (string, string)) {
		t.Helper()
		for _, c := range cases {
			f, d := change(c)
			if f == file && d == data {
				t.Fatalf("%q is not there", c.old)
			}
			m, err := readModel(t, f, d)
			if err == nil || m != nil || !strings.Contains(err.Error(), c.want) ||
				strings.Contains(err.Error(), "\n") {
				t.Errorf("%s\n%s\n%v, %v, want %s", f, d, m, err, c.want)
			}
		}
	}
	inFile := func(file, data string) func(bad) (string, string) {
		return func(c bad) (string, string) { return strings.Replace(file, c.old, c.new, 1), data }
	}
	check(cluFile, cluData, []bad{
		{`"clustering"`, `"clustring"`, `unknown kind "clustring"; did you mean clustering?`},
		{`"clustering"`, `3`, "kind is not text; write it in quotes"},
		{`kind = "clustering"`, "", `there is no kind; give it, kind = "clustering" or kind = "binary"`},
		{`data = "points.csv"`, "", `there is no data; give it, as in data = "points.csv"`},
		{`"points.csv"`, `["points.csv"]`, "data is not text"},
		{`points.csv`, `other.csv`, "other.csv: no such file"},
		{"pi = [0.5, 0.5]", "", "there is no pi; give it, as in pi = [0.5, 0.5]"},
		{"pi = ", "pie = ", `unknown key "pie"; did you mean pi?`},
		{"pi = ", "Pi = ", `unknown key "Pi"; did you mean pi?`},
		{"centre_variance", "centre_varience", `did you mean centre_variance?`},
		{"centre_variance", "feature_variance",
			"the key feature_variance is for the kind binary; for clustering it is centre_variance"},
		{"centre_variance = 0.05", "", "there is no centre_variance; give it, as in centre_variance = 1.0"},
		{"noise_variance = 1", "", "there is no noise_variance"},
		{"0.05", "0", "centre_variance is 0; a variance is positive and finite"},
		{"0.05", "-1.5", "centre_variance is -1.5; a variance is positive and finite"},
		{"0.05", "inf", "centre_variance is +Inf; a variance is positive and finite"},
		{"0.05", "nan", "centre_variance is NaN; a variance is positive and finite"},
		{"0.05", "1e101", "centre_variance is 1e+101; it is from 1e-100 to 1e+100"},
		{"0.05", "1e-101", "centre_variance is 1e-101; it is from 1e-100 to 1e+100"},
		{"0.05", `"0.05"`, "centre_variance is not a number"},
		{"[0.5, 0.5]", "0.5", "pi is not a list"},
		{"[0.5, 0.5]", "[]", "pi is empty"},
		{"[0.5, 0.5]", "[1.0]", "pi: entry 1 is 1; each probability is above 0 and below 1"},
		{"[0.5, 0.5]", "[0.5, 0.5, 0]", "pi: entry 3 is 0"},
		{"[0.5, 0.5]", "[1.5, -0.5]", "pi: entry 1 is 1.5"},
		{"[0.5, 0.5]", "[0.5, nan]", "pi: entry 2 is NaN"},
		{"[0.5, 0.5]", "[0.5, true]", "pi: entry 2 is not a number"},
		{"[0.5, 0.5]", "[0.5, 0.499]", "pi sums to 0.999; make it sum to one, as it is never rescaled"},
		{"[0.5, 0.5]", "[0.5, 0.500000002]", "pi sums to 1.000000002"},
		{"noise_variance = 1", "noise_variance = 1\nnoise_variance = 2", "line 6"},
		{"noise_variance = 1", "noise_variance = 1\n[more]\nx = 1", `unknown key "more"`},
		{"pi = [0.5", "pi = [0.5\n\n]]", "line "},
	}, inFile(cluFile, cluData))
	axes := fmt.Sprintf(", which are at most %d axes of side 2; give fewer rows of data or fewer ", grid.MaxBits)
	check(binFile, binData, []bad{
		{"feature_variance", "centre_variance",
			"the key centre_variance is for the kind clustering; for binary it is feature_variance"},
		{"[0.5, 0.3]", "[0.5, 1]", "pi: entry 2 is 1; each probability is above 0 and below 1"},
		{"[0.5, 0.3]", "[0.5, 0.3, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1]", axes + "attributes"},
	}, inFile(binFile, binData))
	check(cluFile, cluData, []bad{
		{"-0.7", "nan", `data points.csv: line 2, column 1: "nan" is not a number`},
		{"-0.7", "-Inf", `data points.csv: line 2, column 1: "-Inf" is not a number`},
		{"-0.7", "-0.7,1",
			"data points.csv: line 2 has 2 columns, the first row has 1; give every row as many"},
		{"-0.7", "-0,7", "data points.csv: line 2 has 2 columns"},
		{"-0.7", "1e101", "data points.csv: line 2, column 1: 1e101"},
		{"-0.7", `" "`, "data points.csv: line 2, column 1: the cell is empty"},
		{"0.4", "x", `data points.csv: line 1, column 1: "x" is not a number`},
		{"-0.7", `"1`, "data points.csv: "},
		{cluData, "\n\n", "data points.csv: the file is empty"},
		{"0.4", strings.Repeat("1\n", 29) + "1", axes + "clusters"},
		{cluData, strings.Repeat("1,1,1\n", 24),
			"the likelihoods of 16777216 states with 24 rows of 3 columns take 1.208e+09 terms, and the limit " +
				"is 1073741824; give fewer rows of data or fewer columns"},
	}, func(c bad) (string, string) { return cluFile, strings.Replace(cluData, c.old, c.new, 1) })
}

// TestReadModel: files of models, and where their data may stand.
func TestReadModel(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	write := func(name, text string) string {
		path := filepath.Join(home, name)
		longtest.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		longtest.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	for _, name := range []string{"points.csv", "below/points.csv", "../points.csv"} {
		write(name, cluData)
	}
	path := write("clu4.toml", cluFile)
	m, description, err := models.ReadModel(path)
	if err != nil || !reflect.DeepEqual(m, models.Clu4()) ||
		description != "4 rows of 1 column in 2 clusters, read from clu4.toml" {
		t.Errorf("%v, %q, %v", m, description, err)
	}
	if data, err := models.DataFile(path); err != nil || data != filepath.Join(home, "points.csv") {
		t.Errorf("the data stand in %q, %v", data, err)
	}
	if m, _, err := models.ReadModel(
		write("elsewhere.toml", strings.Replace(cluFile, "points.csv", "below/points.csv", 1)),
	); err != nil ||
		!reflect.DeepEqual(m, models.Clu4()) {
		t.Errorf("%v, %v", m, err)
	}
	longtest.NoError(t, os.Symlink("../points.csv", filepath.Join(home, "link.csv")))
	for name, want := range map[string]string{
		"../points.csv": "does not stand in the folder of",
		filepath.ToSlash(filepath.Join(home, "../points.csv")): "does not stand in the folder of",
		"none.csv": "no such file", "link.csv": "links followed",
	} {
		out := write("out.toml", strings.Replace(cluFile, "points.csv", name, 1))
		longtest.Refused(t, third(models.ReadModel(out)), "model "+out+": data: ")
		longtest.Refused(t, third(models.ReadModel(out)), want)
	}
	write("points.csv", "1\n2,3\n")
	longtest.Refused(t, third(models.ReadModel(path)),
		"model "+path+": data points.csv: line 2 has 2 columns, the first row has 1; give every row as many")
	write("points.csv", strings.Repeat(" ", 4<<20+1))
	longtest.Refused(t, third(models.ReadModel(path)), "are read of such a file")
	huge := write("huge.toml", strings.Repeat(" ", 64<<10+1))
	longtest.Refused(t, third(models.ReadModel(huge)), "are read of such a file")
	longtest.Refused(t, second(models.DataFile(huge)), "are read of such a file")
	longtest.Refused(t, third(models.ReadModel("")), "no path")
}

func third[S, T any](_ S, _ T, err error) error { return err }

// FuzzReadModel: what is parsed is a model with a prior that sums to one and log likelihoods that
// are numbers, and errors are one line.
func FuzzReadModel(f *testing.F) {
	f.Add(cluFile, cluData)
	f.Add(binFile, binData)
	f.Add(strings.Replace(binFile, "2.0", "1e100", 1), "1e100,-1e100\n1e-300,0\n")
	f.Add("kind = 1\n[pi]\n", "1,\n")
	f.Fuzz(func(t *testing.T, file, data string) {
		m, err := readModel(t, file, data)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("%q", err)
			}
			return
		}
		if m.Space().States() > 1<<10 || len(data) > 1<<10 {
			return // it only takes time
		}
		sum := 0.0
		for _, p := range m.LogPrior() {
			sum += math.Exp(p)
		}
		if math.Abs(sum-1) > 1e-7 { // of up to 24 data, each with probabilities that sum to one within 1e-9
			t.Errorf("the prior sums to %v", sum)
		}
		for x, l := range m.LogLikelihood(1) {
			if math.IsInf(l, 0) || math.IsNaN(l) {
				t.Errorf("state %d has the log likelihood %v", x, l)
			}
		}
	})
}

// FuzzParseTable: a table has as many columns in every row, and its numbers are finite.
func FuzzParseTable(f *testing.F) {
	f.Add("1,2\n3,4\n")
	f.Add("1\n\n\"2\"\n")
	f.Fuzz(func(t *testing.T, text string) {
		table, err := models.ParseTable([]byte(text))
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("%q", err)
			}
			return
		}
		checkTable(t, table, math.MaxInt, 1e100)
	})
}

// checkTable fails if rows have not as many columns, or too many, or numbers too far from zero.
func checkTable(t *testing.T, rows [][]float64, columns int, most float64) {
	t.Helper()
	for _, row := range rows {
		if len(row) != len(rows[0]) || len(row) == 0 || len(row) > columns {
			t.Fatalf("rows of %d and %d columns", len(rows[0]), len(row))
		}
		for _, y := range row {
			if !(math.Abs(y) <= most) {
				t.Errorf("%v", y)
			}
		}
	}
}

// tableLimits are those of a small table.
func tableLimits() models.TableLimits {
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
		got, err := models.ParseNamedTable([]byte(c.text), tableLimits())
		if err != nil || !reflect.DeepEqual(*got, c.want) {
			t.Errorf("%q is %v, %v; want %v", c.text, got, err, c.want)
		}
	}
}

// TestNamedTableRefuses: what is wrong is refused with its place, and a missing value is never
// guessed.
func TestNamedTableRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":      "the file is empty",
		"\n \n": `line 2, column 1: the empty cell is a missing value`,
		"a,b\n": "there are headings and no rows",
		"a,b\n1,\n": `line 2, column 2 ("b"): the empty cell is a missing value; leave the ` +
			`row or the column out, or fill it in`,
		"1,2\n3,NA\n":     "line 2, column 2: NA is a missing value",
		"1,2\nnan,4\n":    "line 2, column 1: nan is a missing value",
		"NA,NA\n1,2\n":    "line 1, column 1: NA is a missing value",
		"a,NA\n1,2\n":     `line 1, column 1: "a" is not a number`,
		"1,?\n":           "line 1, column 2: ? is a missing value",
		"1,2\n3,-Inf\n":   "line 2, column 2: -Inf is infinite",
		"1,1e999\n":       "outside the range",
		"1,2e15\n":        "line 1, column 2: 2e15; data are at most 1e+15 from zero",
		"a,b\n1,x\n":      `line 2, column 2 ("b"): "x" is not a number`,
		"1;2\n":           "in columns that are separated by commas",
		"1,2\n3\n":        "line 2 has 1 column, the first row has 2; give",
		"a,b\n1,2,3\n":    "line 2 has 3 columns, and there are 2 headings",
		"1,2,3,4\n":       "line 1 has 4 columns; there may be at most 3",
		"1\n2\n3\n4\n5\n": "line 5: there may be at most 4 rows",
		"y\n1\n\n2\n":     "line 3, column 1 is empty, and rows follow it",
		"\"\",\"y\"\n\"1\",2\n": "line 1, column 1: a heading without a name; if the column numbers the " +
			"rows, leave it out",
		"1,\"2\n": "line 1",
	} {
		got, err := models.ParseNamedTable([]byte(text), tableLimits())
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, %v; want an error with %q", text, got, err, want)
		}
	}
}

// FuzzParseNamedTable: a table has as many columns in every row and in its headings, and its
// numbers are finite and within the limits.
func FuzzParseNamedTable(f *testing.F) {
	for _, text := range []string{
		"1,2\n3,4\n", "a,b\n1,2\n", "\"a\nb\"\n1\n\n2", "NA\n", "1e999,?\n", "a\n\"1\n\"\n2\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		l := tableLimits()
		table, err := models.ParseNamedTable([]byte(text), l)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("%q", err)
			}
			return
		}
		if len(table.Rows) == 0 || len(table.Rows) > l.Rows ||
			table.Names != nil && len(table.Names) != len(table.Rows[0]) {
			t.Fatalf("%d rows, names %q", len(table.Rows), table.Names)
		}
		checkTable(t, table.Rows, l.Columns, l.Number)
	})
}
