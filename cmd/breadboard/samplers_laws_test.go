package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// TestSamplersLawsCommand: without a function one command shows success, coverage and R-hat.
func TestSamplersLawsCommand(t *testing.T) {
	t.Parallel()
	args, success := []string{"samplers", "laws", "--toy", "barrier", "--kernel", "heatbath", "-N", "100", "--chains", "8"}, 0.8861227584846865
	if longtest.Short() {
		args, success = []string{"samplers", "laws", "--toy", "random:0:0:2", "--kernel", "metropolis", "--start", "target", "-N", "20"}, 0.9014921058176516
	}
	rows := rowsOf(t, args...)
	if p := rows[0]["p_success"].(float64); math.Abs(p-success) > 1e-11 {
		t.Errorf("success %v, want %v", p, success)
	}
	last := rows[len(rows)-1]
	if r := last["p_rhat_below_1_01"].(float64); !(r > 0 && r < 1) || !longtest.Short() && (last["function"] != "mode" || rows[0]["p_constant"] != "NaN") {
		t.Errorf("%v", rows)
	}
}

// TestSamplersLawsFiles: the table and its figures are written, and two runs give the same bytes whatever the number of workers.
func TestSamplersLawsFiles(t *testing.T) {
	t.Parallel()
	longtest.NotShort(t)
	var first []byte
	for _, workers := range []string{"1", "3"} {
		dir := t.TempDir()
		ok(t, "samplers", "laws", "--toy", "barrier:3x3", "-N", "3,6", "--chains", "2", "--workers", workers, "--format", "csv", "--out", dir)
		hasParts(t, dir, "mean.svg", "rhat.png", "assurance.pdf")
		data, err := os.ReadFile(partFile(t, dir, ".csv"))
		if err != nil || first != nil && string(data) != string(first) {
			t.Errorf("%v\n%s\n%s", err, first, data)
		}
		first = data
	}
}

// TestSamplersLawsRefuses: bad input is one line and exit code 2, and nothing is written.
func TestSamplersLawsRefuses(t *testing.T) {
	t.Parallel()
	longtest.NotShort(t)
	refused(t, []string{"samplers", "laws", "--toy", "barrier", "--kernel", "metropolis"}, map[string][]string{
		"0 is no whole number from 1":                   {"-N", "0"},
		"1e13 is no whole number":                       {"-N", "1e13"},
		"at most 6.71e+07 are kept; take fewer samples": {"-N", "1e9"},
		"--chains 0; give a number of chains":           {"--chains", "0"},
		"give --chains 2 or more":                       {"--chains", "1", "--function", "mode"},
		"give -N 2 or more":                             {"-N", "1"},
		"take fewer samples or fewer chains":            {"--toy", "random:0:0:2", "--chains", "1000", "-N", "1000"},
		"known for integers":                            {"--toy", "random:1:3:3x3", "--function", "g"},
		"names no dominant mode":                        {"--toy", "easy", "--function", "mode"},
		"give its coordinates one by one":               {"--function", "all"},
		`function "y": it is unknown`:                   {"--function", "y"},
		"the function is constant, 1":                   {"--function", "x0<=99"},
		"the states are numbered from 0 to 48":          {"--start", "point:99"},
		"no such file":                                  {"--start", "file:nowhere.csv"},
		"--toy and --corpus are both given, and only one of them may be; leave one out": {"--corpus", "small"},
		"--workers -1; give a number": {"--workers", "-1"},
	})
}

// refused runs a command with further arguments, the last of which hold where a flag is given twice, and wants each message.
func refused(t *testing.T, prefix []string, cases map[string][]string) {
	t.Helper()
	for want, args := range cases {
		dir := filepath.Join(t.TempDir(), "out")
		all := prefix
		if args[0] == "--toy" { // a list: it would be added to
			all = prefix[:2]
		}
		all = append(append([]string{}, all...), append(args, "--out", dir)...)
		code, stdout, stderr := command(t, all...)
		if code != exitBadInput || stdout != "" || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, want) {
			t.Errorf("%v: exit code %d, %q%q, want %s", args, code, stdout, stderr, want)
		}
	}
}
