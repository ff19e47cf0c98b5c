package main

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// TestSamplersDiagnoseCommand: the numbers of the row, and the figure.
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
	if other, _ := ok(t, append(args, "--seed", "2")...); other == stdout {
		t.Error("the rows do not depend on the seed")
	}
}

// TestSamplersDiagnoseDraws: draws from a file have diagnostics and no truth.
func TestSamplersDiagnoseDraws(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fit.csv")
	// The draws are those of TestReferenceDraws in chains/diagnostics that are of a single chain.
	digits := "3222211122122222222222221123333222222222222222222222211011001233322111001011222233343332234444432222"
	writeFile(t, path, "x\n"+strings.Join(strings.Split(digits, ""), "\n")+"\n")
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
