package main

import (
	"path/filepath"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// TestScheduleOptimize: the value is what tightness computes from the written file, to the last
// bit.
func TestScheduleOptimize(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	for objective, field := range map[string]string{"B": "B", "kl_q_p": "kl_q_p"} {
		dir := t.TempDir()
		stdout, stderr := ok(t, "schedule", "optimize", "--toy", "barrier", "-T", "10", "--objective", objective, "--format", "json", "--figures", "svg",
			"--out", dir)
		best := parseRows(t, stdout)[0]
		if best["converged"] != true || !(best["ratio"].(float64) > 1) || !strings.Contains(stderr, "wrote") {
			t.Errorf("%s: %v, %q", objective, best, stderr)
		}
		if best["file"] != filepath.Join(dir, "schedule.csv") {
			t.Errorf("%s: the file is %v", objective, best["file"])
		}
		again, _ := ok(t, "tightness", "--toy", "barrier", "--schedule", "file:"+best["file"].(string), "--format", "json")
		if got := parseRows(t, again)[0][field]; got != best["value"] {
			t.Errorf("%s: %v, from the written schedule %v", objective, best["value"], got)
		}
	}
}

func TestScheduleOptimizeSeveral(t *testing.T) {
	longtest.Only(t)
	dir := t.TempDir()
	ok(t, "schedule", "optimize", "--toy", "easy,random:1:0:3x3", "-T", "3,4", "--out", dir, "--figures", "svg")
	if got := parts(t,
		dir); got != ".csv .json .txt easy_T3.svg easy_T3_data.csv easy_T4.svg easy_T4_data.csv random-1-0-3x3_T3.svg random-1-0-3x3_T3_data.csv random-1-0-3x3_T4.svg random-1-0-3x3_T4_data.csv schedule_easy_T3.csv schedule_easy_T4.csv schedule_random-1-0-3x3_T3.csv schedule_random-1-0-3x3_T4.csv" {
		t.Errorf("wrote %s", got)
	}
}

func TestScheduleOptimizeThatDoesNotConverge(t *testing.T) {
	code, stdout, stderr := command(t, "schedule", "optimize", "--toy", "hard", "-T", "20", "--iterations", "2", "--format", "json")
	if code != exitFault || !strings.Contains(stderr, "did not converge") || parseRows(t, stdout)[0]["converged"] != false {
		t.Errorf("exit code %d, %q, %q", code, stdout, stderr)
	}
}

// TestClassesAreNamed: ais says where its exact answers come from classes that were not asked for.
func TestClassesAreNamed(t *testing.T) {
	for toy, want := range map[string]bool{"ising:3x4:0.6:torus": true, "ising:3x3:0.6:torus": false} {
		_, stderr := ok(t, "ais", "--toy", toy, "-T", "4", "--chains", "10")
		if strings.Contains(stderr, "the exact answers were computed on 88 classes of the 4096 states") != want {
			t.Errorf("%s: %q", toy, stderr)
		}
	}
}
