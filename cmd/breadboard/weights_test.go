package main

import (
	"os"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

func hasFields(t *testing.T, row map[string]any, fields string) {
	t.Helper()
	for _, f := range strings.Fields(fields) {
		if _, ok := row[f]; !ok {
			t.Errorf("no field %s", f)
		}
	}
}

func TestWeightsRows(t *testing.T) {
	longtest.NotShort(t)
	rows := rowsOf(t, "weights", "--toy", "barrier", "-T", "100")
	hasFields(t, rows[0], "toy T mean_forward sd_forward mean_reverse sd_reverse p_bhat_below_J p_bhat_below_0 ess_fraction method error_bound")
	if rows[0]["method"] != "lattice" {
		t.Errorf("method %v", rows[0]["method"])
	}
	rows = rowsOf(t, "weights", "--toy", "barrier", "-T", "100", "--samples", "1,1e2")
	hasFields(t, rows[0], "toy T K forward_bound reverse_bound mixed_bound log_z_ratio")
	if len(rows) != 2 || rows[1]["K"] != 100.0 {
		t.Errorf("rows %v", rows)
	}
	rows = rowsOf(t, "weights", "--toy", "barrier", "-T", "20", "--tails", "1,2.5")
	hasFields(t, rows[1], "toy T b bound p_forward_above p_reverse_below error_bound")
	rows = rowsOf(t, "weights", "--toy", "barrier", "-T", "20", "--quantiles", "0.5")
	hasFields(t, rows[0], "toy T q forward reverse")
}

// TestWeightsOfZeros: a target with a zero has weights of zero, and says how many.
func TestWeightsOfZeros(t *testing.T) {
	target := file(t, "1,2\n-inf,0.3\n")
	stdout, stderr := ok(t, "weights", "--toy", "file:"+target, "-T", "3", "--frequencies", "1000", "--format", "json")
	for _, want := range []string{`"mean_forward": "-Inf"`, `"sd_forward": "NaN"`, `"p_zero_weight": 0.25`} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no %s in %s", want, stdout)
		}
	}
	if !strings.Contains(stderr, "zero with probability 0.25") {
		t.Errorf("stderr %s", stderr)
	}
	rows := rowsOf(t, "weights", "--toy", "file:"+target, "-T", "3", "--samples", "5")
	if rows[0]["forward_bound"] != "-Inf" {
		t.Errorf("forward bound %v", rows[0]["forward_bound"])
	}
	if v, ok := rows[0]["reverse_bound"].(float64); !ok || v < rows[0]["log_z_ratio"].(float64)-0.3 {
		t.Errorf("reverse bound %v", rows[0]["reverse_bound"])
	}
}

func TestWeightsFiles(t *testing.T) {
	longtest.NotShort(t)
	dir := t.TempDir()
	ok(t, "weights", "--toy", "barrier", "-T", "20", "--out", dir)
	hasParts(t, dir, ".txt", "law_barrier_T20.png")
	ok(t, "weights", "--toy", "barrier", "-T", "20", "--samples", "1,10", "--out", dir)
	hasParts(t, dir, ".txt", "samples_barrier_T20.svg")
}

// TestSamplesOfWideTargets: what is not known has an empty row and a note, beside what is known, and is no fault.
func TestSamplesOfWideTargets(t *testing.T) {
	t.Parallel()
	longtest.NotShort(t)
	dir := t.TempDir()
	shown, stderr := ok(t, "weights", "--toy", "random:1000:1:3", "-T", "10", "--samples", "1,5", "--out", dir)
	text := longtest.Must(os.ReadFile(partFile(t, dir, ".json")))(t)
	rows := parseRows(t, string(text))
	if len(rows) != 2 {
		t.Fatalf("rows %v", rows)
	}
	means := rowsOf(t, "tightness", "--toy", "random:1000:1:3", "-T", "10")[0]
	if one := rows[0]; one["forward_bound"] != means["mean_log_w_forward"] || one["reverse_bound"] != means["mean_log_w_reverse"] || one["mixed_bound"] != means["mean_log_w_reverse"] || one["note"] != "" {
		t.Errorf("one sample: %v, the means are %v and %v", one, means["mean_log_w_forward"], means["mean_log_w_reverse"])
	}
	if five := rows[1]; five["forward_bound"] != "NaN" || five["mixed_bound"] != "NaN" || !strings.Contains(five["note"].(string), "not known") || !(five["error_bound"].(float64) > 1e-6) {
		t.Errorf("five samples: %v", five)
	}
	if !strings.Contains(stderr, "K = 5 are not known") {
		t.Errorf("no note: %s", stderr)
	}
	if strings.Contains(shown, "NaN") {
		t.Errorf("people are shown NaN:\n%s", shown)
	}
}
