package main

import (
	"math"
	"testing"

	"breadboard/grid/longtest"
)

// TestSamplersLawsCommand: without a function one command shows success, coverage and R-hat.
func TestSamplersLawsCommand(t *testing.T) {
	t.Parallel()
	args, success := []string{"samplers", "laws", "--toy", "barrier", "--kernel", "heatbath", "-N", "100", "--chains", "8"}, 0.8861227584846865
	if !longtest.Enabled() {
		args, success = []string{"samplers", "laws", "--toy", "random:0:0:2", "--kernel", "metropolis", "--start", "target", "-N", "20"}, 0.9014921058176516
	}
	rows := rowsOf(t, args...)
	if p := rows[0]["p_success"].(float64); math.Abs(p-success) > 1e-11 {
		t.Errorf("success %v, want %v", p, success)
	}
	last := rows[len(rows)-1]
	if r := last["p_rhat_below_1_01"].(float64); !(r > 0 && r < 1) || longtest.Enabled() && (last["function"] != "mode" || rows[0]["p_constant"] != "NaN") {
		t.Errorf("%v", rows)
	}
}

// TestSamplersLawsFiles: the table and its figures are written.
func TestSamplersLawsFiles(t *testing.T) {
	t.Parallel()
	longtest.NotShort(t)
	dir := t.TempDir()
	ok(t, "samplers", "laws", "--toy", "barrier:3x3", "-N", "3,6", "--chains", "2", "--out", dir)
	hasParts(t, dir, ".csv", "mean.svg", "rhat.png", "assurance.pdf")
}
