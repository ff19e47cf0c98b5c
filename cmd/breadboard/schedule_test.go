package main

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// TestScheduleOptimize: the value is what tightness computes from the written file, to the last bit.
func TestScheduleOptimize(t *testing.T) {
	t.Parallel()
	longtest.NotShort(t)
	for objective, field := range map[string]string{"B": "B", "J": "J", "kl_q_p": "kl_q_p", "kl_p_q": "kl_p_q"} {
		dir := t.TempDir()
		stdout, stderr := ok(t, "schedule", "optimize", "--toy", "barrier", "-T", "30", "--objective", objective, "--format", "json", "--out", dir)
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
	longtest.NotShort(t)
	dir := t.TempDir()
	ok(t, "schedule", "optimize", "--toy", "easy,random:1:0:3x3", "-T", "3,4", "--out", dir)
	if got := parts(t, dir); got != ".csv .json .txt schedule_easy_T3.csv schedule_easy_T4.csv schedule_random-1-0-3x3_T3.csv schedule_random-1-0-3x3_T4.csv" {
		t.Errorf("wrote %s", got)
	}
}

func TestScheduleOptimizeThatDoesNotConverge(t *testing.T) {
	code, stdout, stderr := command(t, "schedule", "optimize", "--toy", "hard", "-T", "20", "--iterations", "2", "--format", "json")
	if code != exitFault || !strings.Contains(stderr, "did not converge") || parseRows(t, stdout)[0]["converged"] != false {
		t.Errorf("exit code %d, %q, %q", code, stdout, stderr)
	}
}

func TestScheduleCompare(t *testing.T) {
	t.Parallel()
	longtest.NotShort(t)
	dir := t.TempDir()
	compare := func(lengths string, more ...string) string {
		args := []string{"schedule", "compare", "--toy", "barrier", "-T", lengths, "--schedule", "linear,friction,geometric,optimal:B,optimal:J", "--format", "json"}
		stdout, _ := ok(t, append(args, more...)...)
		return stdout
	}
	rows := parseRows(t, compare("10,100", "--out", dir))
	if len(rows) != 10 {
		t.Fatalf("%d rows, want 2 T x 5 schedules", len(rows))
	}
	for _, r := range rows {
		for _, field := range []string{"B_over_optimum", "J_over_optimum"} {
			if v := r[field].(float64); v < 1-1e-9 {
				t.Errorf("%v, T = %v: %s is %v", r["schedule"], r["T"], field, v)
			}
		}
	}
	if b := rows[5]["B"].(float64); rows[5]["schedule"] != "linear" || math.Abs(b-1.81043) > 1e-5 {
		t.Errorf("linear at T = 100: %v", rows[5])
	}
	if v := rows[6]["asymptotic_TB"].(float64); math.Abs(v-69972.671) > 5e-4 || rows[7]["asymptotic_TB"] != "+Inf" {
		t.Errorf("limits %v, %v", v, rows[7]["asymptotic_TB"])
	}
	hasParts(t, dir, "betas.svg", "convergence.pdf", "contributions.png", ".json", ".csv")
}

// TestScheduleCompareGoesOn: a family that is not defined, or a target with nothing to gain, is a row with its note.
func TestScheduleCompareGoesOn(t *testing.T) {
	longtest.NotShort(t)
	flat := file(t, "0,0\n0,0\n")
	stdout, stderr := ok(t, "schedule", "compare", "--toy", "easy,file:"+flat, "-T", "5", "--schedule", "linear,fisher,optimal:B,optimal:J", "--format", "json")
	rows := parseRows(t, stdout)
	if len(rows) != 8 || !strings.Contains(rows[5]["note"].(string), "do not differ") || !strings.Contains(rows[6]["note"].(string), "no schedule is better") {
		t.Errorf("%v, %s", rows, stderr)
	}
	if code, _, stderr := command(t, "schedule", "optimize", "--toy", "file:"+flat, "-T", "5"); code != exitBadInput || strings.Count(stderr, flat) != 1 {
		t.Errorf("exit code %d, %q", code, stderr)
	}
}
