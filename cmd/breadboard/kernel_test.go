package main

import (
	"bytes"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"breadboard/grid/longtest"
)

// TestFirstAnswerOfPrograms: what the rows of a program say comes before the annealing where that
// takes long, with how long.
func TestFirstAnswerOfPrograms(t *testing.T) {
	for _, c := range []struct {
		took  time.Duration
		wrong bool
		wants string
	}{
		{200 * time.Millisecond, false,
			"toy easy: the program's rows at 5 betas are examined, and have no fault. To ask it for those of 99 stages, for J and B of an annealing, takes about 4s more"},
		{200 * time.Millisecond, true, "have a fault, which is shown at the end"},
		{20 * time.Millisecond, false, ""},
	} {
		var errs bytes.Buffer
		clock := time.Unix(0, 0)
		a := &app{stderr: &errs, now: func() time.Time { return clock }}
		examined := a.examining()("easy")
		clock = clock.Add(c.took)
		examined(c.wrong, 5, 99)
		if got := errs.String(); !strings.Contains(got, c.wants) || (c.wants == "") != (got == "") {
			t.Errorf("after %v: %q, want %q", c.took, got, c.wants)
		}
	}
}

// TestGewekeCommand: the same seed gives the same rows for any place of a file.
func TestGewekeCommand(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	dir := t.TempDir()
	first := ""
	for _, name := range []string{"a", "b"} {
		for file, text := range map[string]string{
			name + ".toml": "kind = \"clustering\"\ndata = \"" + name + ".csv\"\npi = [0.7, 0.3]\ncentre_variance = 4\nnoise_variance = 0.5\n",
			name + ".csv":  "1.5\n-0.3\n2\n",
		} {
			writeFile(t, filepath.Join(dir, file), text)
		}
		stdout, _ := ok(t, "geweke", "--toy", "model:"+filepath.Join(dir, name+".toml"), "--draws", "256", "--rounds", "2", "--format", "json")
		if stdout = strings.ReplaceAll(stdout, name+".toml", ""); first == "" {
			first = stdout
		}
		if stdout != first {
			t.Errorf("under another name the model gives\n%s\nand not\n%s", stdout, first)
		}
	}
}

// TestLargeSpacesAreRefused: with a kernel that reaches every state in a move, commands that need
// its rows refuse 65,536 states before they take memory, and say what the rows would take, what the
// limit is and what helps.
func TestLargeSpacesAreRefused(t *testing.T) {
	longtest.Only(t)
	const on = " --toy ising:4x4:0.4 --kernel heatbath-scan"
	for i, line := range []string{
		"samplers errors" + on, "samplers times" + on, "samplers laws" + on, "samplers diagnose" + on, "samplers calibrate" + on, "samplers rank" + on,
		"kernel check heatbath-scan --toy ising:4x4:0.4",
	} {
		if i%3 > 0 && !longtest.More() {
			continue
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		code, stdout, stderr := command(t, strings.Fields(line)...)
		runtime.ReadMemStats(&after)
		if code != exitBadInput || stdout != "" || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, "would take") ||
			!strings.Contains(stderr, "the limit is") || !strings.Contains(stderr, "take a smaller space") {
			t.Errorf("%s: exit code %d: %s%s", line, code, stdout, stderr)
		}
		if took := float64(after.TotalAlloc-before.TotalAlloc) / 1e6; took > 1000 { // the least that was taken before is 2,000
			t.Errorf("%s took %.0f MB before it refused", line, took)
		}
	}
}

// TestReducible: a kernel that leaves the target invariant and does not join all states has three
// answers and no pass, and fails with --strict.
func TestReducible(t *testing.T) {
	args := []string{"kernel", "check", "matrix:testdata/kernel_classes.csv", "--toy", "file:testdata/kernel_classes_target.npy"}
	for code, strict := range [][]string{exitDone: nil, exitFault: {"--strict"}} {
		got, stdout, stderr := command(t, append(args, strict...)...)
		if got != code || strings.HasPrefix(stdout, "pass") {
			t.Errorf("%q: exit code %d: %s", strict, got, stdout)
		}
		for _, says := range []string{
			"does it leave the target invariant? yes\n",
			"does it join all states? no: 8 classes of states that do not reach each other; the likeliest has 0.154887 of the probability\n",
			"do its chains sample the target? no: a chain never leaves the class of its first state\n",
		} {
			if !strings.Contains(stdout, says) {
				t.Errorf("%q: it does not say %q: %s", strict, says, stdout)
			}
		}
		if strings.Contains(stderr, "is right") {
			t.Errorf("%q: %s", strict, stderr)
		}
	}
}
