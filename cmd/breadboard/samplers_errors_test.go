package main

import (
	"encoding/csv"
	"path/filepath"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// TestSamplersNotMistakes: what has no number is left empty and said, and the others stand.
func TestSamplersNotMistakes(t *testing.T) {
	matrix := filepath.Join(t.TempDir(), "k.csv")
	writeFile(t, matrix, "0.5000000000000000,0.5000000000000000\n0.5000000000000000,0.5000000000000000\n")
	stdout, stderr := ok(t, "samplers", "errors", "--toy", "random:0:0:2", "--kernel", "matrix:"+matrix, "--start", "target", "-N", "10", "--format", "csv")
	lines := longtest.Must(csv.NewReader(strings.NewReader(stdout)).ReadAll())(t)
	for i, name := range lines[0] {
		if (name == "work" || name == "work_per_ress") && lines[1][i] != "" {
			t.Errorf("%s is %s for a kernel that does not say", name, lines[1][i])
		}
	}
	if !strings.Contains(stderr, "its number of evaluations of log f per move is unknown") {
		t.Error(stderr)
	}
}
