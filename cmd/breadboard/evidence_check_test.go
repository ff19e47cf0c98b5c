package main

import (
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// TestEvidenceCheck: the findings pass, planted bugs are caught, and bad input is one line with exit code 2.
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
	for args, want := range map[string]string{
		"lx":                 "did you mean lw?",
		"smc --toy easy":     "needs data",
		"lw --chains 3":      "--chains 3",
		"lw --alpha 2":       "alpha 2",
		"lw --work 0":        "--work 0",
		"lw --toy clu4,none": "none",
	} {
		code, stdout, stderr := command(t, append([]string{"evidence", "check"}, strings.Fields(args)...)...)
		if code != exitBadInput || stdout != "" || !strings.Contains(stderr, want) || strings.Count(strings.TrimSpace(stderr), "\n") > 0 {
			t.Errorf("%s: exit code %d, %s", args, code, stderr)
		}
	}
	if !longtest.Enabled() {
		return
	}
	stdout, stderr := ok(t, "evidence", "check", "lw", "--toy", "random:1:0:2x2", "--mutants")
	for _, want := range []string{"weight after move", "reverse scan not reversed", "volume shrinks by log K", "T for its reversal"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no %q in\n%s", want, stdout)
		}
	}
	if !strings.Contains(stderr, "all 29 planted bugs were caught, and nothing without a bug") {
		t.Errorf("notes %s", stderr)
	}
}
