package main

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
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
