package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// TestSamplersDiagnoseCommand: the numbers of the row, for any number of workers, and the figure.
func TestSamplersDiagnoseCommand(t *testing.T) {
	longtest.NotShort(t)
	dir := t.TempDir()
	args := []string{"samplers", "diagnose", "--toy", "barrier", "--kernel", "metropolis", "--function", "mode", "-N", "100", "--chains", "4", "--format", "json"}
	stdout, stderr := ok(t, append(args, "--out", dir)...)
	if !strings.Contains(stderr, "_barrier_mode.svg") {
		t.Error(stderr)
	}
	rows := parseRows(t, stdout)
	if len(rows) != 1 {
		t.Fatalf("%d rows", len(rows))
	}
	for name, want := range map[string]float64{"rhat_of_means": 11.247627669729594, "ess_of_means_single": 28.898093247230744, "ress_mean": 0.19781608083955024} {
		if got := rows[0][name].(float64); math.Abs(got/want-1) > 1e-11 {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	if again, _ := ok(t, append(args, "--workers", "3")...); again != stdout {
		t.Error("the rows depend on the number of workers")
	}
	if other, _ := ok(t, append(args, "--seed", "2")...); other == stdout {
		t.Error("the rows do not depend on the seed")
	}
}

// TestSamplersDiagnoseDraws: draws from a file have diagnostics and no truth.
func TestSamplersDiagnoseDraws(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fit.csv")
	// The draws are those of TestReferenceDraws in chains/diagnostics that are of a single chain.
	digits := "3222211122122222222222221123333222222222222222222222211011001233322111001011222233343332234444432222"
	if err := os.WriteFile(path, []byte("x\n"+strings.Join(strings.Split(digits, ""), "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	stdout, stderr := ok(t, "samplers", "diagnose", "--draws", path, "--draws", path, "--format", "json")
	rows := parseRows(t, stdout)
	if len(rows) != 2 || !strings.Contains(stderr, "one chain has no R-hat but that of its halves") {
		t.Fatalf("%d rows, %s", len(rows), stderr)
	}
	r := rows[0]
	if r["ress_mean"] != nil || r["toy"] != nil || r["essd"] != nil || r["N"] != 100.0 || r["chains"] != 1.0 || r["draws"] != path {
		t.Errorf("%v", r)
	}
	if got := r["ess_basic"].(float64); math.Abs(got/17.048033623187962-1) > 1e-11 {
		t.Errorf("ESS %v", got)
	}
}

// TestSamplersDiagnoseRefuses: bad input is one line and exit code 2, and nothing is written.
func TestSamplersDiagnoseRefuses(t *testing.T) {
	longtest.NotShort(t)
	folder := t.TempDir()
	file := func(name, content string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct {
		want string
		args []string
	}{
		{"nan.csv, line 2 (row 1), column 2: found nan; write a finite number", []string{"--draws", file("nan.csv", "1,2\n1,nan\n")}},
		{"ragged.csv, line 2 (row 1): found 1 cell; write 2 in every row", []string{"--draws", file("ragged.csv", "1,2\n1\n")}},
		{"short.csv: chain 0 has 3 draws; give at least 4 in each chain", []string{"--draws", file("short.csv", "1,2\n1,3\n1,2\n")}},
		{"constant.csv: all 8 draws have the value 7, of which nothing can be diagnosed", []string{"--draws", file("constant.csv", "7,7\n7,7\n7,7\n7,7\n")}},
		{"found a name that ends in .dat; write text to .csv, .tsv or .txt, with a column for each chain", []string{"--draws", file("a.dat", "1\n2\n3\n4\n")}},
		{"found no .npy file", []string{"--draws", file("a.npy", "1\n2\n3\n4\n")}},
		{"--draws names no file", []string{"--draws="}},
		{"no such file", []string{"--draws", filepath.Join(folder, "none.npy")}},
		{"--draws and --toy are both given, and only one of them may be; leave one out", []string{"--draws", "a.csv", "--toy", "easy"}},
		{"--draws and --chains are both given, and only one of them may be; leave one out", []string{"--draws", "a.csv", "--chains", "4"}},
		{"-N 3; diagnostics need at least 4 samples in each chain", []string{"-N", "100,3"}},
		{"-N 1000000000 with --chains 8; that is more than 16777216 draws", []string{"-N", "1e9"}},
		{"--chains 1; R-hat compares chains: give at least 2", []string{"--chains", "1"}},
		{"--function all is a vector", []string{"--function", "x0,all"}},
		{"it is unknown; choices: x0", []string{"--function", "y"}},
		{"the toy easy names no dominant mode", []string{"--toy", "easy", "--function", "mode"}},
		{"--workers -1", []string{"--workers", "-1"}},
		{"point:49", []string{"--toy", "easy", "--start", "point:49"}},
	} {
		dir := filepath.Join(t.TempDir(), "out")
		code, stdout, stderr := command(t, append([]string{"samplers", "diagnose", "--out", dir}, c.args...)...)
		if code != exitBadInput || stdout != "" || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, c.want) {
			t.Errorf("%v: exit code %d, %q%q, want %s", c.args, code, stdout, stderr, c.want)
		}
		if _, err := os.Stat(dir); !os.IsNotExist(err) {
			t.Errorf("%v: something was written (%v)", c.args, err)
		}
	}
}
