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

// TestFirstAnswerOfPrograms: what the rows of a program say comes before the annealing where that takes long, with how long.
func TestFirstAnswerOfPrograms(t *testing.T) {
	for _, c := range []struct {
		took  time.Duration
		wrong bool
		wants string
	}{
		{200 * time.Millisecond, false, "toy easy: the program's rows at 5 betas are examined, and have no fault. To ask it for those of 99 stages, for J and B of an annealing, takes about 4s more"},
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

// TestGewekeCommand: right models pass and are drawn, and the same seed gives the same for any place of a file.
func TestGewekeCommand(t *testing.T) {
	t.Parallel()
	longtest.NotShort(t)
	dir := t.TempDir()
	stdout, stderr := ok(t, "geweke", "--toy", "clu4", "--draws", "256", "--rounds", "2", "--format", "json", "--out", dir)
	rows := parseRows(t, stdout)
	if len(rows) != 9 || !strings.Contains(stderr, "_clu4.svg, .png") {
		t.Fatalf("%d rows\n%s", len(rows), stderr)
	}
	for _, r := range rows {
		if r["verdict"] != "pass" || r["chains"].(float64) != 256 {
			t.Errorf("%v", r)
		}
	}
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

// TestGewekeModels: models of any size are tested, alone and beside a toy, with rows for their reversal and with figures.
func TestGewekeModels(t *testing.T) {
	t.Parallel()
	longtest.NotShort(t)
	dir := t.TempDir()
	stdout, stderr := ok(t, "geweke", "--model", "clustering:2,lowrank:inferred:1", "--data-rows", "4", "--data-columns", "3", "--draws", "256", "--rounds", "2", "--format", "json", "--out", dir)
	rows := parseRows(t, stdout)
	if len(rows) != 8+12 || !strings.Contains(stderr, "lowrank-inferred-1.svg") {
		t.Fatalf("%d rows\n%s", len(rows), stderr)
	}
	reversals := 0
	for _, r := range rows {
		if r["verdict"] != "pass" || r["kernel"] != "scan" {
			t.Errorf("%v", r)
		}
		if strings.HasPrefix(r["finding"].(string), "reversal") {
			reversals++
		}
	}
	if reversals != 3 {
		t.Errorf("%d rows of reversals", reversals)
	}
	if !longtest.Enabled() {
		return
	}
	both, _ := ok(t, "geweke", "--toy", "clu4", "--model", "binary:2", "--data-rows", "3", "--data-columns", "2", "--draws", "256", "--rounds", "1", "--format", "json")
	if n := len(parseRows(t, both)); n != 9+8 {
		t.Errorf("%d rows of a toy and a model", n)
	}
}

// TestLargeSpacesAreRefused: with a kernel that reaches every state in a move, commands that need its rows refuse 65,536 states before they
// take memory, and say what the rows would take, what the limit is and what helps.
func TestLargeSpacesAreRefused(t *testing.T) {
	longtest.NotShort(t)
	const on = " --toy ising:4x4:0.4 --kernel heatbath-scan"
	for i, line := range []string{
		"samplers errors" + on, "samplers times" + on, "samplers laws" + on, "samplers diagnose" + on, "samplers calibrate" + on, "samplers rank" + on,
		"samplers order" + on, "kernel check heatbath-scan --toy ising:4x4:0.4",
	} {
		if i%3 > 0 && !longtest.Enabled() {
			continue
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		code, stdout, stderr := command(t, strings.Fields(line)...)
		runtime.ReadMemStats(&after)
		if code != exitBadInput || stdout != "" || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, "would take") || !strings.Contains(stderr, "the limit is") || !strings.Contains(stderr, "take a smaller space") {
			t.Errorf("%s: exit code %d: %s%s", line, code, stdout, stderr)
		}
		if took := float64(after.TotalAlloc-before.TotalAlloc) / 1e6; took > 1000 { // the least that was taken before is 2,000
			t.Errorf("%s took %.0f MB before it refused", line, took)
		}
	}
}
