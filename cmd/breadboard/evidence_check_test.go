package main

import (
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

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
