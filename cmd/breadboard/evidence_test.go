package main

import (
	"math"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// TestEvidenceColumns: the rows have the fields that are promised, in their order, and values of independent programs.
func TestEvidenceColumns(t *testing.T) {
	args := []string{"evidence", "--toy", "clu4", "--estimator", "vb,cms", "--estimator", "ns:2:label:paper", "--work", "40"}
	stdout, _ := ok(t, append(args, "--format", "csv", "--chains", "100")...)
	header, _, _ := strings.Cut(stdout, "\n")
	const want = "toy,estimator,settings,combined,work,needs_exact_draw,bound,log_z_ratio,mean,bias,sd,rmse,log_mean_z,mean_over_z,p_above_1,method," +
		"estimate_mean,standard_error,z,error,note,path,initial,schedule,kernel"
	if header != want {
		t.Errorf("columns %s", header)
	}
	rows := rowsOf(t, append(args, "--trials", "1,25")...)
	if len(rows) != 6 {
		t.Fatalf("%d rows", len(rows))
	}
	if got := rows[0]["mean"].(float64); math.Abs(got - -4.51924613080483) > 1e-12 {
		t.Errorf("mean %v of vb", got)
	}
	if rows[1]["combined"] != "25 maximum" || rows[3]["combined"] != "25 arithmetic" || rows[5]["combined"] != "25 logs" || rows[0]["combined"] != "" {
		t.Errorf("combined %v, %v, %v", rows[1]["combined"], rows[3]["combined"], rows[5]["combined"])
	}
	if rows[4]["estimator"] != "ns:2" || rows[2]["settings"] != "K=5" || rows[2]["kernel"] != "heatbath-scan" || rows[2]["schedule"] != "sigmoid:4" || rows[2]["initial"] != "prior" {
		t.Errorf("%v\n%v", rows[4], rows[2])
	}
}

// TestEvidenceGraph: where the toy is no grid the kernel is metropolis.
func TestEvidenceGraph(t *testing.T) {
	rows := rowsOf(t, "evidence", "--toy", "graph:permutations:3:random:1:0", "--estimator", "lw", "--work", "10")
	if rows[0]["kernel"] != "metropolis" {
		t.Errorf("kernel %v", rows[0]["kernel"])
	}
}

// TestEvidenceOmissions: all leaves out what a toy cannot take, and says so once.
func TestEvidenceOmissions(t *testing.T) {
	_, stderr := ok(t, "evidence", "--toy", "random:1:0:2x2", "--work", "4,8")
	if strings.Count(stderr, "left out smc, shme") != 1 || strings.Count(stderr, "left out mf:sym, vb, vb:sym, bic") != 1 {
		t.Error(stderr)
	}
}

// TestEvidenceFigures: errors and laws are drawn, and nested sampling where it is among the estimators.
func TestEvidenceFigures(t *testing.T) {
	t.Parallel()
	longtest.NotShort(t)
	dir := t.TempDir()
	ok(t, "evidence", "--toy", "random:1:0:2x2", "--estimator", "ais,mf", "--work", "5,9", "--out", dir)
	hasParts(t, dir, ".txt", "errors.svg", "laws.png")
	if names := parts(t, dir); strings.Contains(names, "nested") {
		t.Errorf("wrote %s", names)
	}
	ok(t, "evidence", "--toy", "random:1:0:2x2", "--estimator", "ns:2", "--out", dir)
	hasParts(t, dir, "nested.svg")
}

// TestEvidenceList: the list has every form, with what it is and where it comes from.
func TestEvidenceList(t *testing.T) {
	stdout, _ := ok(t, "evidence", "list")
	golden(t, "estimators.txt", stdout)
	for _, r := range rowsOf(t, "evidence", "list") {
		if r["estimator"] == "" || r["description"] == "" || r["source"] == "" {
			t.Errorf("%v", r)
		}
	}
}

// TestEvidenceCheck: the findings pass, and planted bugs are caught.
func TestEvidenceCheck(t *testing.T) {
	t.Parallel()
	longtest.NotShort(t)
	for _, args := range []string{"--toy random:1:0:2x2", "cms:first chib --toy clu4 --kernel suwa-todo"} {
		for _, row := range rowsOf(t, append([]string{"evidence", "check"}, strings.Fields(args)...)...) {
			if v := row["verdict"]; v != "pass" && v != "open" {
				t.Errorf("%s: %v", args, row)
			}
		}
	}
}
