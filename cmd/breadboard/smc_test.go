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

// TestBadSMC: wrong flags are one line that says what to write instead.
func TestBadSMC(t *testing.T) {
	for flags, want := range map[string]string{
		"--particles 0":                      "0 is no whole number from 1 to 1e9",
		"--particles 1,x":                    `"x" is no number`,
		"--particles 2e9":                    "from 1 to 1e9",
		"--threshold 1.5":                    "--threshold 1.5; give a number from 0, which never resamples, to 1, which resamples at every stage",
		"--threshold -0.1":                   "--threshold -0.1; give",
		"--threshold NaN":                    "--threshold",
		"--resample multinomial,sistematic":  `unknown resampling scheme "sistematic"; did you mean systematic? choices: multinomial, stratified, systematic, residual`,
		"--resample never":                   `unknown resampling scheme "never"`,
		"--resample residual:2":              "residual",
		"--chains 1":                         "1 is no whole number from 2",
		"--workers -1":                       "--workers -1; give a number from 1 on",
		"--particles 1000000000 --chains 10": "give smaller --chains or --particles",
		"--toy nowhere":                      "unknown",
	} {
		code, stdout, stderr := command(t, append([]string{"smc"}, strings.Fields(flags)...)...)
		if code != exitBadInput || stdout != "" || !strings.Contains(stderr, want) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("smc %s: exit code %d, %q, %q", flags, code, stdout, stderr)
		}
	}
}
