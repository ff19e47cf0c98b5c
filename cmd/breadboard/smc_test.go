package main

import (
	"path/filepath"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// TestSMC: the columns stand in their order, every row has its setting, and numbers without an exact route are NaN with a
// note; with chains there are estimates for them.
func TestSMC(t *testing.T) {
	stdout, _ := ok(t, "smc", "--toy", "barrier:5x5", "-T", "4", "--particles", "1,20", "--resample", "multinomial,systematic", "--threshold", "1,0.5", "--format", "csv")
	header, _, _ := strings.Cut(stdout, "\n")
	const want = "toy,T,path,initial,schedule,kernel,particles,resample,threshold,J,kl_q_p,kl_p_q,mean_log_z_forward,mean_log_z_conditional,B,log_z_ratio,relative_variance,limit_P_relative_variance,limit_P2_J,extinct,method,note"
	if header != want {
		t.Errorf("columns\n%s\nwant\n%s", header, want)
	}
	rows := rowsOf(t, "smc", "--toy", "barrier:5x5", "-T", "4", "--particles", "1,20", "--threshold", "1,0.5", "--chains", "300")
	if len(rows) != 4 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, r := range rows {
		if r["particles"].(float64) == 1 {
			if r["method"] != "annealing" || r["note"] != "" || r["J"].(float64) <= 0 || r["relative_variance"].(float64) <= 0 {
				t.Errorf("%v", r)
			}
			continue
		}
		if r["method"] != "none" || r["J"] != "NaN" || r["mean_log_z_forward"] != "NaN" || r["note"] == "" || r["log_z_ratio"].(float64) <= 0 {
			t.Errorf("%v", r)
		}
		if _, known := r["relative_variance"].(float64); known != (r["threshold"].(float64) == 1) {
			t.Errorf("relative variance %v with threshold %v", r["relative_variance"], r["threshold"])
		}
		if e := r["estimate_mean_log_z_forward"].(float64); e > r["log_z_ratio"].(float64)+1 || r["standard_error_mean_log_z_forward"].(float64) <= 0 {
			t.Errorf("%v", r)
		}
	}
}

// TestSMCFiles: the report has a table and a figure for each annealing.
func TestSMCFiles(t *testing.T) {
	t.Parallel()
	longtest.NotShort(t)
	dir := t.TempDir()
	ok(t, "smc", "--toy", "barrier:3x3", "-T", "3,4", "--particles", "1,2", "--out", dir)
	hasParts(t, dir, ".txt", "barrier-3x3_T3.svg", "barrier-3x3_T4.png")
	if _, stderr := ok(t, "smc", "--toy", "barrier:3x3", "-T", "3", "--particles", "1", "--out", filepath.Join(dir, "one")); !strings.Contains(stderr, "at least two numbers of particles for which J is known, as in --particles 1,2") {
		t.Error(stderr)
	}
}
