package main

import (
	"encoding/csv"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/stat"

	"breadboard/experiments/marginal/sandwich/compare"
	"breadboard/grid/longtest"
	"breadboard/toys/models"
)

// tinySandwich is a sandwich that takes no time.
const tinySandwich = "sandwich --model clustering:2,lowrank:1,binary:2 --data-rows 5 --data-columns 3 -T 3,30 --scans 0,2 --chains 3 --datasets 2 --seed 5"

// timelessCSV returns a table in CSV without its columns of seconds, of which no two runs have the
// same, and with nine digits.
func timelessCSV(t *testing.T, text string) string {
	t.Helper()
	records := longtest.Must(csv.NewReader(strings.NewReader(text)).ReadAll())(t)
	var out strings.Builder
	w := csv.NewWriter(&out)
	for _, record := range records {
		var kept []string
		for i, cell := range record {
			if strings.HasSuffix(records[0][i], "seconds") {
				continue
			}
			if v, err := strconv.ParseFloat(cell, 64); err == nil {
				cell = fmt.Sprintf("%.9g", v)
			}
			kept = append(kept, cell)
		}
		longtest.NoError(t, w.Write(kept))
	}
	w.Flush()
	return out.String()
}

// TestSandwichGolden: the numbers of a fixed seed, for any number of workers.
func TestSandwichGolden(t *testing.T) {
	for _, workers := range []string{"1", "3"} {
		stdout, stderr := ok(t, append(strings.Fields(tinySandwich), "--format", "csv", "--workers", workers)...)
		golden(t, "sandwich.csv", timelessCSV(t, stdout))
		golden(t, "sandwich.stderr", stderr)
	}
	help, _ := ok(t, "sandwich", "--help")
	golden(t, "sandwich-help.txt", help)
}

// TestSandwichExactStarts: as many data sets with one chain each, and each has an exact draw of its
// own.
func TestSandwichExactStarts(t *testing.T) {
	args := strings.Fields("sandwich --model binary:2 --data-rows 5 --data-columns 3 -T 5 --scans 0 --exact-starts 4")
	rows := timelessRows(t, args...)
	if len(rows) != 2*(4+1) {
		t.Fatalf("%d rows", len(rows))
	}
	uppers := map[any]bool{}
	for _, r := range rows {
		if r["chains"] != 1.0 {
			t.Errorf("%v", r)
		}
		if r["algorithm"] == "ais" && r["data"] != nil {
			uppers[r["upper"]] = true
		}
	}
	if len(uppers) != 4 {
		t.Errorf("%d different uppers", len(uppers))
	}
	same := timelessRows(t, strings.Fields("sandwich --model binary:2 --data-rows 5 --data-columns 3 -T 5 --scans 0 --chains 1 --datasets 4")...)
	if !reflect.DeepEqual(rows, same) {
		t.Errorf("%v\nand with --chains and --datasets\n%v", rows, same)
	}
	refused(t, []string{"sandwich"}, map[string][]string{
		"--chains says something else":   {"--exact-starts", "4", "--chains", "2"},
		"--datasets says something else": {"--exact-starts", "4", "--datasets", "2"},
		"--exact-starts 0;":              {"--exact-starts", "0"},
	})
}

// TestSandwichSavesData: what --save-data has saved gives --data the same rows, as does one of its
// tables without a draw in reverse; and a folder is all that --data takes.
func TestSandwichSavesData(t *testing.T) {
	longtest.Only(t)
	dir := filepath.Join(t.TempDir(), "new", "saved")
	drawn := timelessRows(t, append(strings.Fields(tinySandwich), "--save-data", dir)...)
	settings := strings.Fields("sandwich -T 3,30 --scans 0,2 --chains 3")
	if read := timelessRows(t, append(settings, "--data", dir)...); !reflect.DeepEqual(read, drawn) {
		t.Errorf("%v\nand drawn\n%v", read, drawn)
	}
	if other := timelessRows(t, append(settings, "--data", dir, "--seed", "6")...); reflect.DeepEqual(other, drawn) {
		t.Error("another seed gives the same chains")
	}
	out, table := t.TempDir(), filepath.Join(dir, "clustering-2_1_y.csv")
	stdout, stderr := ok(t, append(settings, "--data", table, "--model", "clustering:2", "--seed", "5", "--out", out)...)
	for _, want := range []string{"these data have no exact draw from the posterior", "upper, B and log p(y) are not available"} {
		if !strings.Contains(stderr, want) {
			t.Errorf("no %q in %s", want, stderr)
		}
	}
	if strings.Contains(stdout, "upper (nats)") || strings.Contains(list(t, out), ".png") {
		t.Errorf("what is not known is shown: %s\n%s", stdout, list(t, out))
	}
	if record, err := os.ReadFile(filepath.Join(out, "run.json")); err != nil || !strings.Contains(string(record), table) {
		t.Errorf("%v: the record does not name %s", err, table)
	}
	never := filepath.Join(t.TempDir(), "never")
	refused(t, []string{"sandwich"}, map[string][]string{
		"leave --model out":                               {"--data", dir, "--model", "clustering:2"},
		"a table does not say of which model":             {"--data", table},
		"--data and --data-rows are both":                 {"--data", dir, "--data-rows", "5"},
		"--data and --datasets are both":                  {"--data", dir, "--datasets", "1"},
		"--data and --exact-starts are both":              {"--data", dir, "--exact-starts", "1"},
		"--data and --save-data are both":                 {"--data", dir, "--save-data", never},
		"no such file":                                    {"--data", never, "--model", "clustering"},
		filepath.Join("data.json") + ": no such":          {"--data", t.TempDir()},
		"line 2, column 2":                                {"--data", file(t, "1,2\n1,x\n"), "--model", "clustering"},
		"clustering and clustering:10 are the same model": {"--model", "clustering,clustering:10", "--save-data", never},
		"--chains 0;":                                     {"--chains", "0", "--save-data", never},
		"--workers -1;":                                   {"--workers", "-1", "--save-data", never},
	})
	if _, err := os.Stat(never); err == nil {
		t.Error("what is refused has saved data")
	}
	says(t, exitIO, "--save-data: ", append(strings.Fields(tinySandwich), "--save-data", file(t, "a file"))...)
}

// TestNoFlagHidesThoseOfTables: a flag of a command does not take the name of one that says how
// tables look, which would then mean two things.
func TestNoFlagHidesThoseOfTables(t *testing.T) {
	each((&app{}).rootCommand(), func(c *cobra.Command) {
		for _, name := range []string{"columns", "digits", "latex"} {
			if c.HasParent() && c.LocalNonPersistentFlags().Lookup(name) != nil {
				t.Errorf("--%s of %q hides that of tables", name, c.CommandPath())
			}
		}
	})
}

// TestSandwichCompareGolden: the numbers of a fixed seed.
func TestSandwichCompareGolden(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	dir := t.TempDir()
	stdout, _ := ok(t, append(strings.Fields(tinyCompare), "--format", "csv", "--out", dir)...)
	golden(t, "sandwich-compare.csv", timelessCSV(t, stdout))
	files, err := filepath.Glob(filepath.Join(dir, "*_rows.csv"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v %v", files, err)
	}
	text := longtest.Must(os.ReadFile(files[0]))(t)
	golden(t, "sandwich-compare-rows.csv", timelessCSV(t, string(text)))
}

// faithful is the path of the 272 eruptions of Old Faithful, their durations and the waiting times
// until the next one in minutes, as R has them in its data set of that name (Azzalini and Bowman
// 1990; Härdle 1991).
const faithful = "testdata/faithful.csv"

// TestFaithful: the file has the means, standard deviations and the correlation that R prints of
// its own.
func TestFaithful(t *testing.T) {
	text := longtest.Must(os.ReadFile(faithful))(t)
	table, err := models.ParseNamedTable(text, compare.FittedLimits())
	if err != nil || len(table.Rows) != 272 || !reflect.DeepEqual(table.Names, []string{"eruptions", "waiting"}) {
		t.Fatalf("%v, %v", table, err)
	}
	var x, y []float64
	for _, row := range table.Rows {
		x, y = append(x, row[0]), append(y, row[1])
	}
	for _, c := range []struct{ got, want, digits float64 }{
		{stat.Mean(x, nil), 3.487783, 1e-6}, {stat.StdDev(x, nil), 1.141371, 1e-6},
		{stat.Mean(y, nil), 70.89706, 1e-5}, {stat.StdDev(y, nil), 13.59497, 1e-5}, {stat.Correlation(x, y, nil), 0.9008112, 1e-7},
	} {
		if math.Abs(c.got-c.want) > c.digits/2*1.001 {
			t.Errorf("%v, and R prints %v", c.got, c.want)
		}
	}
}

// TestSandwichFitWarns: data that are not centred raise a doubt under low rank, in the words of the
// command, and the run goes on.
func TestSandwichFitWarns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "off.csv")
	writeFile(t, path, "a,b,c\n9,10,7\n10,11,7\n9.5,10,7\n10,9,7\n")
	_, stderr := ok(t, strings.Fields("sandwich fit --data "+path+" --model lowrank:1 -T 2 -S 1 --moves 1 --chains 2 --datasets 1")...)
	for _, want := range []string{`column "c" is constant`, "the mean is far from zero in 2 of 3 columns", "as with --scale centre"} {
		if !strings.Contains(stderr, want) {
			t.Errorf("no %q in %s", want, stderr)
		}
	}
}

// TestSandwichFitBadInput: what is wrong is one line, and exits with 2, or with 3 if a file cannot
// be read.
func TestSandwichFitBadInput(t *testing.T) {
	longtest.Only(t)
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		writeFile(t, path, text)
		return path
	}
	good := file("good.csv", "1,2,3\n4,5,6\n7,8,10\n")
	for _, c := range []struct {
		code int
		want string
		args string
	}{
		{exitBadInput, "give a file with --data", ""},
		{exitIO, "no such file", "--data " + filepath.Join(dir, "none.csv")},
		{exitIO, "--data", "--data " + dir},
		{exitBadInput, `line 3, column 2 ("b"): NaN is a missing value`, "--data " + file("nan.csv", "a,b\n1,2\n3,NaN\n")},
		{exitBadInput, `unknown model "kmeens"`, "--model kmeens --data " + good},
		{exitBadInput, "--chains 1; give", "--chains 1 --data " + good},
		{exitBadInput, "--starts 3 with --chains 20", "--starts 3 --data " + good},
		{exitBadInput, "--moves 0; give", "--moves 0 --data " + good},
		{exitBadInput, "is constant, so that it cannot be divided", "--scale standardize --data " + file("flat.csv", "1,2,3\n4,2,6\n")},
	} {
		code, stdout, stderr := command(t, append([]string{"sandwich", "fit"}, strings.Fields(c.args)...)...)
		if code != c.code || stdout != "" || !strings.Contains(stderr, c.want) || strings.Count(strings.TrimSpace(stderr), "\n") > 0 {
			t.Errorf("%s: exit code %d, want %d and one line with %q: %s%s", c.args, code, c.code, c.want, stdout, stderr)
		}
	}
}

// timelessRows returns the rows of a command without the seconds, of which no two runs have the
// same.
func timelessRows(t *testing.T, args ...string) []map[string]any {
	t.Helper()
	return withoutSeconds(rowsOf(t, args...))
}

// withoutSeconds returns rows from which the columns of seconds are taken out.
func withoutSeconds(rows []map[string]any) []map[string]any {
	for _, r := range rows {
		maps.DeleteFunc(r, func(name string, _ any) bool { return strings.HasSuffix(name, "seconds") })
	}
	return rows
}
