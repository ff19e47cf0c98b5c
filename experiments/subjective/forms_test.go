package subjective_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/selector/selectortest"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/subjective"
)

func TestReferenceForms(t *testing.T) {
	file := filepath.Join(t.TempDir(), "r.csv")
	if err := os.WriteFile(file, []byte("0,1,2\n1,0,-1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	cases, err := casetest.Selection([]int{3}, "random:2:7:2x3").Cases(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	a := cases[0].Annealing()
	selectortest.Run(t, selectortest.Check[*chains.Annealing, []float64]{
		Set: subjective.ReferenceForms(), Env: a, Examples: map[string]string{"file": "file:" + file}, Same: slices.Equal[[]float64],
	})
	// A reference without arguments that has some is no reference at all.
	if _, err := subjective.ParseReference("mode:1", a); err == nil || !strings.Contains(err.Error(), `unknown reference "mode:1"; did you mean mode?`) {
		t.Errorf("mode:1: %v", err)
	}
}
