package main

import (
	"math"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// TestRepresentCommand: the defaults are the schedule and the kernel of the study, and every representation is a target of other commands
// too.
func TestRepresentCommand(t *testing.T) {
	longtest.NotShort(t)
	dir := t.TempDir()
	stdout, stderr := ok(t, "represent", "--toy", "gridclu", "-T", "10,20", "--format", "json", "--out", dir)
	rows := parseRows(t, stdout)
	if len(rows) != 6 || !strings.Contains(stderr, "_gridclu.svg") {
		t.Fatalf("%d rows\n%s", len(rows), stderr)
	}
	for i, toy := range []string{"gridclu:z", "gridclu:theta", "gridclu"} {
		r := rows[2*i]
		if r["toy"] != "gridclu" || r["schedule"] != "sigmoid:4" || r["kernel"] != "heatbath-scan" || r["initial"] != "prior" || r["T"].(float64) != 10 {
			t.Errorf("%v", r)
		}
		alone := rowsOf(t, "tightness", "--toy", toy, "-T", "10", "--schedule", "sigmoid:4", "--kernel", "heatbath-scan")[0]
		for _, name := range []string{"J", "B", "log_z_ratio"} {
			if a, b := r[name].(float64), alone[name].(float64); math.Abs(a-b) > 1e-15 {
				t.Errorf("%s of %s is %v, alone %v", name, toy, a, b)
			}
		}
	}
	help, _ := ok(t, "represent", "--help")
	help = strings.Join(strings.Fields(help), " ") // lines are broken between words
	for _, want := range []string{"(default [low,gridclu])", `(default "sigmoid:4")`, `(default "heatbath-scan")`, "(default 10,100,1000)"} {
		if !strings.Contains(help, want) {
			t.Errorf("help does not say %s", want)
		}
	}
}
