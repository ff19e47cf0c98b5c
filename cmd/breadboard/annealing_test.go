package main

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// TestScheduleOptimize: the value is what tightness computes from the written file, to the last bit.
func TestScheduleOptimize(t *testing.T) {
	t.Parallel()
	longtest.NotShort(t)
	for objective, field := range map[string]string{"B": "B", "kl_q_p": "kl_q_p"} {
		dir := t.TempDir()
		stdout, stderr := ok(t, "schedule", "optimize", "--toy", "barrier", "-T", "10", "--objective", objective, "--format", "json", "--figures", "svg", "--out", dir)
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
	ok(t, "schedule", "optimize", "--toy", "easy,random:1:0:3x3", "-T", "3,4", "--out", dir, "--figures", "svg")
	if got := parts(t, dir); got != ".csv .json .txt easy_T3.svg easy_T3_data.csv easy_T4.svg easy_T4_data.csv random-1-0-3x3_T3.svg random-1-0-3x3_T3_data.csv random-1-0-3x3_T4.svg random-1-0-3x3_T4_data.csv schedule_easy_T3.csv schedule_easy_T4.csv schedule_random-1-0-3x3_T3.csv schedule_random-1-0-3x3_T4.csv" {
		t.Errorf("wrote %s", got)
	}
}

func TestScheduleOptimizeThatDoesNotConverge(t *testing.T) {
	code, stdout, stderr := command(t, "schedule", "optimize", "--toy", "hard", "-T", "20", "--iterations", "2", "--format", "json")
	if code != exitFault || !strings.Contains(stderr, "did not converge") || parseRows(t, stdout)[0]["converged"] != false {
		t.Errorf("exit code %d, %q, %q", code, stdout, stderr)
	}
}

func TestTightnessUntil(t *testing.T) {
	longtest.NotShort(t)
	for _, c := range []struct {
		code int
		says string
		args []string
	}{
		{exitDone, "toy easy: T = 646 is where J = 0.0099779 meets 0.01; at T = 645 it is 0.0100006", []string{"--until", "J=0.01", "--toy", "easy"}},
		{exitDone, "J need not fall with T", []string{"--until", "J=1", "--toy", "easy,x=random:1:0:2x2"}},
		{exitFault, "J is still", []string{"--until", "J=0.01", "--toy", "easy", "--most-T", "50"}},
		{exitBadInput, "-T and --until", []string{"--until", "J=0.01", "--toy", "easy", "-T", "50"}},
		{exitBadInput, "says itself how many distributions there are, so that --until can look for no T", []string{"--until", "J=0.01", "--schedule", "cess:0.9"}},
		{exitBadInput, "do not go together", []string{"--until", "J=0.01", "--certify"}},
		{exitBadInput, "bound the search", []string{"--most-T", "50"}},
		{exitBadInput, "is no limit", []string{"--until", "Q=0.01"}},
		{exitBadInput, "stands for two targets", []string{"--until", "J=1", "--toy", "x=easy,x=hard"}},
	} {
		var out, messages bytes.Buffer
		if code := run(context.Background(), append([]string{"tightness"}, c.args...), &out, &messages); code != c.code || !strings.Contains(messages.String(), c.says) {
			t.Errorf("%v: exit code %d, %s", c.args, code, &messages)
		}
	}
}
