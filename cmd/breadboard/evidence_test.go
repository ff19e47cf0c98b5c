package main

import (
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// TestEvidenceGraph: if the toy is no grid the kernel is metropolis.
func TestEvidenceGraph(t *testing.T) {
	rows := rowsOf(t, "evidence", "--toy", "graph:permutations:3:random:1:0", "--estimator", "lw", "--work", "10")
	if rows[0]["kernel"] != "metropolis" {
		t.Errorf("kernel %v", rows[0]["kernel"])
	}
}

// TestEvidenceOmissions: all leaves out what a toy cannot take, and says so once.
func TestEvidenceOmissions(t *testing.T) {
	_, stderr := ok(t, "evidence", "--toy", "random:1:0:2x2", "--work", "4,8")
	if strings.Count(stderr, "omitted smc, shme") != 1 || strings.Count(stderr, "omitted mf:sym, vb, vb:sym, bic") != 1 {
		t.Error(stderr)
	}
}

// TestEvidenceCheck: the findings pass, and planted bugs are caught.
func TestEvidenceCheck(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	for _, args := range []string{"--toy random:1:0:2x2", "cms:first chib --toy clu4 --kernel suwa-todo"} {
		for _, row := range rowsOf(t, append([]string{"evidence", "check"}, strings.Fields(args)...)...) {
			if v := row["verdict"]; v != "pass" && v != "open" {
				t.Errorf("%s: %v", args, row)
			}
		}
	}
}
