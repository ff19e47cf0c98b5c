package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// TestSamplersCalibrateCommand: rows for machines, files and figures, and toys in the place of the corpus; the number of workers does not
// matter.
func TestSamplersCalibrateCommand(t *testing.T) {
	t.Parallel()
	longtest.NotShort(t)
	dir := t.TempDir()
	args := []string{"samplers", "calibrate", "--toy", "easy,barrier", "-N", "50,100", "--chains", "3", "--format", "json"}
	stdout, stderr := ok(t, append(args, "--out", dir)...)
	rows := parseRows(t, stdout)
	if len(rows) != 14 || !strings.Contains(stderr, "_N-50-100.svg, .png") {
		t.Fatalf("%d rows\n%s", len(rows), stderr)
	}
	// Two toys, two kernels, two functions and two N.
	for _, r := range rows {
		if r["good"].(float64)+r["failing"].(float64) != 16 {
			t.Errorf("%v", r)
		}
	}
	points, err := os.ReadFile(partFile(t, dir, "points.json"))
	if err != nil || len(parseRows(t, string(points))) != 16 {
		t.Errorf("points (%v)\n%s", err, points)
	}
	if again, _ := ok(t, append(args, "--workers", "3")...); again != stdout {
		t.Errorf("with three workers it is\n%s\nwant\n%s", again, stdout)
	}
}

// TestSamplersMetaCommand: a row a method with the columns of Table 2, for both labels.
func TestSamplersMetaCommand(t *testing.T) {
	longtest.NotShort(t)
	for _, label := range []string{"exact", "essd"} {
		args := []string{"samplers", "meta", "--toy", "random:1:1:3x3,random:2:2:3x3,random:2:3:3x3,random:3:4:3x3,random:1:5:4", "-N", "100", "--repeats", "2", "--label", label, "--format", "json"}
		stdout, stderr := ok(t, args...)
		rows := parseRows(t, stdout)
		if len(rows) != 7 || !strings.Contains(stderr, "10 points of 5 targets") {
			t.Fatalf("%d rows\n%s", len(rows), stderr)
		}
		for i, name := range []string{"GP", "GP-D", "GP-ESS", "GP-G", "GP-GR", "iid", "linear"} {
			if rows[i]["method"] != name || rows[i]["label"] != label || !(rows[i]["mse"].(float64) > 0) {
				t.Errorf("%v", rows[i])
			}
		}
		if again, _ := ok(t, append(args, "--workers", "3")...); again != stdout {
			t.Errorf("with three workers it is\n%s\nwant\n%s", again, stdout)
		}
	}
}

// TestSamplersCalibrateRefuses: bad input of calibrate and of meta is one line that says what to do, and exit code 2, and nothing is
// written.
func TestSamplersCalibrateRefuses(t *testing.T) {
	t.Parallel()
	longtest.NotShort(t)
	long := "1" + strings.Repeat("0", 6)
	for _, c := range []struct {
		want string
		args []string
	}{
		{"-N 39; diagnostics of chains here take 40 to 100000 samples", []string{"calibrate", "-N", "39"}},
		{"-N " + long + "; diagnostics of chains here take 40 to 100000 samples", []string{"calibrate", "-N", long}},
		{"give at most 2048 samples", []string{"calibrate", "--toy", "ising:4x4:0.4", "-N", "5000"}},
		{"0 is no whole number from 1", []string{"calibrate", "-N", "0"}},
		{"--chains 1; R-hat compares chains", []string{"calibrate", "--chains", "1"}},
		{"--chains 5000; R-hat compares chains", []string{"calibrate", "--chains", "5000"}},
		{"that is more than 16777216 draws", []string{"calibrate", "--toy", "easy", "-N", "1e5", "--chains", "1000"}},
		{"--function all is a vector", []string{"calibrate", "--function", "all"}},
		{"easy has the axes x0 to x1", []string{"calibrate", "--toy", "easy", "--function", "x9"}},
		{"names no dominant mode", []string{"calibrate", "--toy", "easy", "--function", "mode"}},
		{"is constant", []string{"calibrate", "--toy", "easy", "--function", "x0<=9"}},
		{"it has no mass where the target has some", []string{"calibrate", "--toy", "file:TABLE", "--start", "point:0"}},
		{"point:99", []string{"calibrate", "--toy", "easy", "--start", "point:99"}},
		{"did you mean small?", []string{"calibrate", "--corpus", "smal"}},
		{"--toy and --corpus are both given", []string{"calibrate", "--corpus", "small", "--toy", "easy"}},
		{"--workers -1", []string{"calibrate", "--workers", "-1"}},
		{"did you mean heatbath", []string{"calibrate", "--kernel", "heatbth"}},
		{"--label", []string{"meta", "--label", "ress"}},
		{"--repeats 0; give a number of splits", []string{"meta", "--repeats", "0"}},
		{"--repeats 20000; give a number of splits", []string{"meta", "--repeats", "20000"}},
		{"2 targets (easy, barrier); a fifth of them is held out, so give at least 5", []string{"meta", "--toy", "easy,barrier"}},
		{"--chains 0; the label essd is of simulated chains", []string{"meta", "--corpus", "small", "--label", "essd", "--chains", "0"}},
		{"-N 39", []string{"meta", "--corpus", "small", "-N", "39"}},
		{"is on a graph", []string{"meta", "--function", "g", "--kernel", "metropolis", "--toy", "graph:permutations:4:random:2:0,easy,barrier,hard,random:1:1:3x3"}},
	} {
		dir := t.TempDir()
		table, out := filepath.Join(dir, "table.csv"), filepath.Join(dir, "out")
		if err := os.WriteFile(table, []byte("-inf,0,1\n0,1,2\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		args := []string{"samplers", c.args[0], "--out", out}
		for _, a := range c.args[1:] {
			args = append(args, strings.ReplaceAll(a, "TABLE", table))
		}
		code, stdout, stderr := command(t, args...)
		if code != exitBadInput || stdout != "" || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, c.want) {
			t.Errorf("%v: exit code %d, %q%q, want %s", c.args, code, stdout, stderr, c.want)
		}
		if _, err := os.Stat(out); !os.IsNotExist(err) {
			t.Errorf("%v: something was written (%v)", c.args, err)
		}
	}
}
