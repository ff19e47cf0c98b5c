package main

import (
	"os"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// TestSamplersCalibrateCommand: rows for machines, files and figures, and toys in the place of the corpus.
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
	}
}
