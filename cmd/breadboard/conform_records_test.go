package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// smcExample is the example in plain Python.
func smcExample(t *testing.T) string {
	t.Helper()
	text := longtest.Must(os.ReadFile("../../experiments/checks/conform/examples/smc.py"))(t)
	return string(text)
}

// mySMC returns the program that documents call my_smc.py: the example with a bug, by which the
// last slot repeats the first.
func mySMC(t *testing.T) string {
	t.Helper()
	const right, wrong = "task.resample)(slot)\n", "task.resample)(slot)\n            parents[-1] = parents[0]\n"
	text := smcExample(t)
	if !strings.Contains(text, right) {
		t.Fatalf("the example has changed: there is no line %q", right)
	}
	return strings.Replace(text, right, wrong, 1)
}

// rowsWith returns n runs in CSV that have all the same output.
func rowsWith(n int, output string) string { return "output\n" + strings.Repeat(output+"\n", n) }

// undecidedRows returns the rows of a check that can judge nothing, which has the exit code of a
// fault.
func undecidedRows(t *testing.T, args ...string) []map[string]any {
	t.Helper()
	code, stdout, stderr := command(t, append(args, "--format", "json")...)
	if code != exitFault || !strings.Contains(stderr, "no test could judge what was sent") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	rows := parseRows(t, stdout)
	for _, row := range rows {
		if row["verdict"] != "undecided" || row["undecided"] == "" {
			t.Errorf("row %v", row)
		}
	}
	return rows
}

// partlyDecided: if one test passes and the other is undecided, the exit code is 0, and 1 with
// --strict. Both are counted, the report says what would have been found and what no test looks
// for, and JUnit has one of them as skipped.
func partlyDecided(t *testing.T, dir string) {
	t.Helper()
	rows := "output\n" + strings.Repeat(strings.Repeat("0\n", 15)+"1\n", 50) // nearly as many as are expected
	junit := filepath.Join(t.TempDir(), "junit.xml")
	args := []string{"conform", "particles", "check", dir, "--conditional", in(t, "some.csv", rows), "--junit", junit}
	for want, strict := range [][]string{exitDone: nil, exitFault: {"--strict"}} {
		code, _, stderr := command(t, append(args, strict...)...)
		stderr += string(longtest.Must(os.ReadFile(junit))(t))
		for _, says := range []string{
			"0 of the 21 known ways to get it wrong would have been found with a probability of about 99%",
			"a fault that is on no list would have been found as surely if it changes every probability of a distribution by a small part, and the distribution by this much KL in nats or more: 0.045 of output; one that changes less may have passed",
			"without the columns of log_z, last and ancestor a pass cannot see a mistake that changes nothing else",
			"no test looks for runs that depend on each other", "a number within 1e-06 of an exact one",
			"2 tests: 1 pass, 0 fault, 1 undecided; a false alarm had probability at most 1e-06",
			`skipped="1"`, `<skipped message="these columns cannot distinguish any known mistake from the specification">`,
		} {
			if code != want || !strings.Contains(stderr, says) {
				t.Errorf("%q: exit code %d, and it does not say %q: %s", strict, code, says, stderr)
			}
		}
		if told := strings.Contains(stderr, "1 of 2 tests could not judge what was sent, and --strict asks that all do"); told != (strict != nil) {
			t.Errorf("%q: %s", strict, stderr)
		}
	}
}

// TestConformParticles: the folder has what it says, runs that are impossible or unlikely are a
// fault, and mistakes are reported.
func TestConformParticles(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "crowd")
	stdout, stderr := ok(t, "conform", "particles", "spec", "--toy", "random:2:0:2", "--out", dir)
	if !strings.Contains(stdout, "the last slot repeats the first") {
		t.Errorf("it does not say how many runs a bug needs: %s", stdout)
	}
	for _, name := range []string{"README.md", "task.json", "needs.txt"} {
		if !strings.Contains(stderr, "wrote "+filepath.Join(dir, name)) {
			t.Errorf("it does not say that it wrote %s: %s", name, stderr)
		}
	}
	few, fewer := in(t, "few.csv", rowsWith(3, "0")), in(t, "fewer.csv", rowsWith(2, "0"))
	for _, row := range undecidedRows(t, "conform", "particles", "check", dir, "--runs", few, "--runs", fewer, "--runs", in(t, "one.csv", rowsWith(1, "0"))) {
		if row["runs"] != 6.0 {
			t.Errorf("three files: %v", row)
		}
	}
	rows := undecidedRows(t, "conform", "particles", "check", dir, "--runs", few, "--conditional", few)
	if len(rows) != 4 || rows[0]["test"] != "runs: output" || rows[3]["test"] != "conditional runs: known ways to get it wrong" {
		t.Errorf("rows %v", rows)
	}
	for _, row := range rows {
		if row["runs"] != 3.0 {
			t.Errorf("row %v", row)
		}
	}
	partlyDecided(t, dir)
	for _, c := range []struct {
		code int
		args []string
		says string
	}{
		{exitFault, []string{"check", dir, "--runs", in(t, "all.csv", rowsWith(500, "0"))}, "does not follow the exact distributions"},
		{exitFault, []string{"check", dir, "--conditional", in(t, "z.csv", "log_z\n12.5\n")}, "none of the known ways to get it wrong explains what was sent"},
		{exitBadInput, []string{"check", dir}, "give --runs or --conditional with a file, or --stdin"},
		{exitBadInput, []string{"check", dir, "--runs", few, "--stdin", "runs"}, "give one of them"},
		{exitBadInput, []string{"check", dir, "--stdin", "rums"}, "runs"},
		{exitBadInput, []string{"check", dir, "--runs", few, "--alpha", "2"}, "alpha 2"},
		{exitBadInput, []string{"check", dir, "--runs", in(t, "bad.csv", "output\n7\n")}, "line 2 (row 0), column output"},
		{exitBadInput, []string{"check", dir, "--runs", in(t, "none.csv", "output\n")}, "there are no runs in it"},
		{exitBadInput, []string{"check", dir, "--runs", few, "--runs", few}, "are the same file; give it once"},
		{exitBadInput, []string{"check", dir, "--runs", few, "--runs", in(t, "none.csv", "output\n")}, "none.csv: there are no runs in it"},
		{exitBadInput, []string{"check", dir, "--runs", few, "--runs", in(t, "z.csv", "log_z\n12.5\n")}, "have different columns"},
		{exitBadInput, []string{"check", dir, "--runs", few, "--runs", in(t, "bad.csv", "output\n0\n7\n")}, "bad.csv, line 3 (row 1), column output"},
		{exitBadInput, []string{"check", filepath.Dir(dir), "--runs", few}, "task.json"},
		{exitBadInput, []string{"spec"}, "--out task"},
		{exitBadInput, []string{"spec", "--particles", "7", "--out", dir}, "7 particles"},
		{exitBadInput, []string{"spec", "--resample", "systemic", "--out", dir}, "systematic"},
		{exitBadInput, []string{"spec", "--toy", "easy", "--particles", "3", "--out", dir}, "possible: 2 states"},
		{exitBadInput, []string{"spec", "--toy", "easy,hard", "--out", dir}, "2 annealings"},
		{exitBadInput, []string{"spec", "--hmm", "wear", "--toy", "easy", "--out", dir}, "--toy and --hmm: the one is of an annealing"},
		{exitBadInput, []string{"spec", "--hmm", "waer", "--out", dir}, "those that need no file are weather and wear"},
		{exitBadInput, []string{"spec", "--hmm", "wear", "--observations", "6", "--out", dir}, "--observations 6; wear has 5"},
		{exitBadInput, []string{"spec", "--hmm", "wear", "--observations", "1", "--out", dir}, "1 observations; the distribution can be enumerated for 2 to 9"},
	} {
		says(t, c.code, c.says, append([]string{"conform", "particles"}, c.args...)...)
	}
}

// TestConformCounted: particles that are followed by counts have runs alone, and log Zhat may stand
// alone.
func TestConformCounted(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "filter")
	stdout, _ := ok(t, "conform", "particles", "spec", "--hmm", "wear", "--particles", "5", "--resample", "residual", "--unordered", "--out", dir)
	if !strings.Contains(stdout, "initial distribution ignored") || strings.Contains(stdout, "conditional") {
		t.Error(stdout)
	}
	readme := string(longtest.Must(os.ReadFile(filepath.Join(dir, "README.md")))(t))
	for text, there := range map[string]bool{"--runs runs.csv\n": true, "conditional": false, "state_3_4\n": true, "never resampled": false} {
		if strings.Contains(readme, text) != there {
			t.Errorf("%q is in the README: %v", text, !there)
		}
	}
	z := in(t, "z.csv", "log_z\n"+strings.Repeat("-1\n", 400))
	says(t, exitFault, "does not follow the exact distributions", "conform", "particles", "check", dir, "--runs", z)
	says(t, exitBadInput, "--conditional: the distribution of so large a task is known of its runs alone", "conform", "particles", "check", dir,
		"--conditional", z)
	says(t, exitBadInput, "--conditional: the distribution of so large a task is known of its runs alone", "conform", "particles", "check", dir,
		"--stdin", "conditional")
	states := "log_z,output"
	for stage := 1; stage <= 3; stage++ {
		for i := range 5 {
			states += fmt.Sprintf(",state_%d_%d", stage, i)
		}
	}
	states = in(t, "states.csv", states+"\n-4.7105,0"+strings.Repeat(",0", 15)+"\n")
	says(t, exitBadInput, "log_z of run 1, -4.7105, has too few digits to distinguish it from", "conform", "particles", "check", dir, "--runs", states)
}

// TestConformParticlesPiped: a program in Python is read until its bug is certain and named, and
// ends without a complaint when its reader stops.
func TestConformParticlesPiped(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	python := pythonFor("")
	if python == "" {
		t.Skip("no Python")
	}
	dir := filepath.Join(t.TempDir(), "crowd")
	ok(t, "conform", "particles", "spec", "--toy", "random:2:0:2", "--out", dir)
	program := child(t, "conform", "particles", "check", dir, "--stdin", "runs")
	sent := exec.Command(python, in(t, "my_smc.py", mySMC(t)), "--task", dir, "--runs", "100000000")
	read := longtest.Must(sent.StdoutPipe())(t)
	var said, complained strings.Builder
	program.Stdin, program.Stderr, sent.Stderr = read, &said, &complained
	longtest.NoError(t, sent.Start())
	_ = program.Run()
	read.Close()
	if err := sent.Wait(); err != nil || complained.String() != "" {
		t.Errorf("the program ends with %v: %s", err, complained.String())
	}
	if code := program.ProcessState.ExitCode(); code != exitFault || !strings.Contains(said.String(), `"the last slot repeats the first" explains what was sent`) {
		t.Errorf("exit code %d: %s", code, said.String())
	}
}

// myTempering returns the program that documents call my_tempering.py: the example with a bug, by
// which swaps go by the states before exploring.
func myTempering(t *testing.T) string {
	t.Helper()
	text := string(longtest.Must(os.ReadFile("../../experiments/checks/conform/examples/tempering.py"))(t))
	for right, wrong := range map[string]string{
		"        pt.explore(x)\n":                    "        energies = x.copy()\n        pt.explore(x)\n",
		"a = pt.acceptance(i, x[:, i], x[:, i + 1])": "a = pt.acceptance(i, energies[:, i], energies[:, i + 1])",
		"            for content in x, down:\n":      "            for content in x, down, energies:\n",
	} {
		if !strings.Contains(text, right) {
			t.Fatalf("the example has changed: there is no line %q", right)
		}
		text = strings.Replace(text, right, wrong, 1)
	}
	return text
}

// TestConformTempering: the folder has what it says, runs that are impossible or unlikely are a
// fault, and mistakes are reported.
func TestConformTempering(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "ladder")
	stdout, stderr := ok(t, "conform", "tempering", "spec", "--toy", "random:2:0:2", "--scans", "2", "--long-scans", "3", "--out", dir)
	if !strings.Contains(stdout, "swap ratio inverted") {
		t.Errorf("it does not say how many runs a bug needs: %s", stdout)
	}
	for _, name := range []string{"README.md", "task.json", "needs.txt"} {
		if !strings.Contains(stderr, "wrote "+filepath.Join(dir, name)) {
			t.Errorf("it does not say that it wrote %s: %s", name, stderr)
		}
	}
	swaps := func(n int, row string) string {
		return in(t, "swaps.csv", "swap_1_0,swap_1_1,swap_2_0,swap_2_1\n"+strings.Repeat(row+"\n", n))
	}
	few := swaps(2, "1,-1,-1,1")
	rows := undecidedRows(t, "conform", "tempering", "check", dir, "--runs", few, "--trips", in(t, "trips.csv", "trips\n0\n0\n"))
	if len(rows) != 6 || rows[0]["test"] != "runs: swaps of scan 1" || rows[4]["test"] != "trips: round trips" {
		t.Errorf("rows %v", rows)
	}
	for _, row := range rows {
		if row["runs"] != 2.0 {
			t.Errorf("row %v", row)
		}
	}
	for _, c := range []struct {
		code int
		args []string
		says string
	}{
		{exitFault, []string{"check", dir, "--runs", swaps(20, "1,-1,1,-1")}, `"odd pairs from rung 0" or, with the same distribution, "always the even pairs"`},
		{exitFault, []string{"check", dir, "--trips", in(t, "rate.csv", "trips,rate\n1,1\n0,0\n1,1\n1,1\n1,1\n")}, `"round trips not divided by scans"`},
		{exitFault, []string{"check", dir, "--runs", in(t, "z.csv", "log_z\n12.5\n")}, "none of the known ways to get it wrong explains what was sent"},
		{exitBadInput, []string{"check", dir}, "give --runs or --trips with a file, or --stdin"},
		{exitBadInput, []string{"check", dir, "--trips", few}, "is missing; write all columns of its kind or none"},
		{exitBadInput, []string{"check", dir, "--runs", swaps(1, "1,-1,2,-1")}, "write a whole number from -1 to 1"},
		{exitBadInput, []string{"spec", "--scheme", "dio", "--out", dir}, "deo"},
		{exitBadInput, []string{"spec", "--scans", "4", "--out", dir}, "4 scans"},
		{exitBadInput, []string{"spec", "--toy", "easy", "--out", dir}, "49 states"},
		{exitBadInput, []string{"spec", "--toy", "random:2:0:2x2", "--ladder", "0,0.2,0.5,1", "--out", dir}, "too long"},
		{exitBadInput, []string{"spec", "--alpha", "2", "--out", dir}, "alpha 2"},
	} {
		says(t, c.code, c.says, append([]string{"conform", "tempering"}, c.args...)...)
	}
}
