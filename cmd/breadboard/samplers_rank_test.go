package main

import (
	"math"
	"os"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// TestSamplersRankCommand: machines get the leaderboard, the whole table goes to a file, and figures with it.
func TestSamplersRankCommand(t *testing.T) {
	t.Parallel()
	longtest.NotShort(t)
	dir := t.TempDir()
	stdout, _ := ok(t, "samplers", "rank", "--toy", "easy,barrier", "--kernel", "metropolis,heatbath", "--function", "all", "--budget", "595", "--format", "csv", "--out", dir)
	whole, err := os.ReadFile(partFile(t, dir, "rows.csv"))
	if err != nil || strings.Count(string(whole), "\n") != 5 || strings.Count(stdout, "\n") != 3 {
		t.Fatalf("%v\n%s\n%s", err, stdout, whole)
	}
	hasParts(t, dir, "boxes.svg", "map.pdf")
}

// TestSamplersRankOfOne: for one kernel on one target the leaderboard has its exact scores, at the number of samples that the budget pays
// for, and with shares of warm-up that are given.
func TestSamplersRankOfOne(t *testing.T) {
	row := rowsOf(t, "samplers", "rank", "--toy", "barrier", "--kernel", "metropolis", "--function", "x0", "--budget", "1e4", "--drop", "0")[0]
	if got := row["ness_mean"].(float64) * 1e4; math.Abs(got-0.290285883040) > 1e-11 {
		t.Errorf("RESS %v", got)
	}
	if row["drop_gain_median"].(float64) != 1 || row["wins"].(float64) != 1 || row["p_success"].(float64) > 1e-4 {
		t.Errorf("%v", row)
	}
}
