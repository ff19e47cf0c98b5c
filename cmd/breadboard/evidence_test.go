package main

import (
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

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
