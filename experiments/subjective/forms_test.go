package subjective_test

import (
	"slices"
	"strings"
	"testing"

	"breadboard/chains/selector/selectortest"
	"breadboard/experiments"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/subjective"
)

func TestReferenceForms(t *testing.T) {
	file := casetest.File(t, "r.csv", "0,1,2\n1,0,-1\n")
	cases := casetest.MustCases(t, casetest.Selection([]int{3}, "random:2:7:2x3"))
	selectortest.Run(t, selectortest.Check[*experiments.Case, []float64]{
		Set: subjective.ReferenceForms(), Env: &cases[0], Examples: map[string]string{"file": "file:" + file}, Same: slices.Equal[[]float64],
	})
	// A reference without arguments that has some is no reference at all.
	if _, err := subjective.ParseReference("mode:1", &cases[0]); err == nil || !strings.Contains(err.Error(), `unknown reference "mode:1"; did you mean mode?`) {
		t.Errorf("mode:1: %v", err)
	}
}
