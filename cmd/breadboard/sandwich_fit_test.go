package main

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"breadboard/experiments/sandwich/compare"
	"breadboard/grid/longtest"
	"breadboard/toys/models"
)

// faithful is the path of the 272 eruptions of Old Faithful, their durations and the waiting times until the next one in minutes, as R has
// them in its data set of that name (Azzalini and Bowman 1990; Härdle 1991).
const faithful = "testdata/faithful.csv"

// TestFaithful: the file has the means, standard deviations and the correlation that R prints of its own.
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

// TestSandwichFit: all curves are there, figures are written, and the file is named in the record.
func TestSandwichFit(t *testing.T) {
	longtest.NotShort(t)
	args := strings.Fields("sandwich fit --data " + faithful + " --model clustering:2 --scale standardize -T 3,6 -S 0,5 --moves 5 --chains 4 --datasets 2 --seed 3")
	rows := rowsOf(t, args...)
	if len(rows) != 2*(1+2+2) {
		t.Errorf("%d rows", len(rows))
	}
	dir := t.TempDir()
	_, stderr := ok(t, append(args, "--out", dir)...)
	for _, want := range []string{"forward curves on real and simulated data", "reverse curves", "on simulated data B ="} {
		if !strings.Contains(stderr, want) {
			t.Errorf("no %q in %s", want, stderr)
		}
	}
	if files, err := filepath.Glob(filepath.Join(dir, "sandwich_fit_*.png")); err != nil || len(files) != 1 {
		t.Errorf("figures %v: %v", files, err)
	}
	if record, err := os.ReadFile(filepath.Join(dir, "run.json")); err != nil || !strings.Contains(string(record), `"path": "`+faithful) {
		t.Errorf("the record is %s, %v", record, err)
	}
}

// TestSandwichFitWarns: data that are not centred raise a doubt under low rank, in the words of the command, and the run goes on.
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

// TestSandwichFitBadInput: what is wrong is one line, and exits with 2, or with 3 where a file cannot be read.
func TestSandwichFitBadInput(t *testing.T) {
	longtest.NotShort(t)
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
		{exitBadInput, "the file is empty", "--data " + file("empty.csv", "")},
		{exitBadInput, "line 3 has 2 columns", "--data " + file("ragged.csv", "1,2,3\n4,5,6\n7,8\n")},
		{exitBadInput, `line 2, column 3: "x" is no number`, "--data " + file("text.csv", "1,2,3\n4,5,x\n")},
		{exitBadInput, `line 3, column 2 ("b"): NaN is a missing value`, "--data " + file("nan.csv", "a,b\n1,2\n3,NaN\n")},
		{exitBadInput, "line 1, column 2: the empty cell is a missing value", "--data " + file("gap.csv", "1,,3\n4,5,6\n")},
		{exitBadInput, "Inf is infinite", "--data " + file("inf.csv", "1,Inf\n")},
		{exitBadInput, "components for 3 rows", "--model lowrank:3 --data " + good},
		{exitBadInput, "is no whole number from 1", "--model clustering:0 --data " + good},
		{exitBadInput, `unknown model "kmeens"`, "--model kmeens --data " + good},
		{exitBadInput, `unknown scale "log"`, "--scale log --data " + good},
		{exitBadInput, "no whole number from 2", "-T 1 --data " + good},
		{exitBadInput, "--chains 1; give", "--chains 1 --data " + good},
		{exitBadInput, "--starts 3 with --chains 20", "--starts 3 --data " + good},
		{exitBadInput, "--moves 0; give", "--moves 0 --data " + good},
		{exitBadInput, "is constant, and cannot be divided", "--scale standardize --data " + file("flat.csv", "1,2,3\n4,2,6\n")},
	} {
		code, stdout, stderr := command(t, append([]string{"sandwich", "fit"}, strings.Fields(c.args)...)...)
		if code != c.code || stdout != "" || !strings.Contains(stderr, c.want) || strings.Count(strings.TrimSpace(stderr), "\n") > 0 {
			t.Errorf("%s: exit code %d, want %d and one line with %q: %s%s", c.args, code, c.code, c.want, stdout, stderr)
		}
	}
}
