package subjective_test

import (
	"testing"

	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/subjective"
)

// TestReferencesByNumber: the first and the last state are some, and those beside them none.
func TestReferencesByNumber(t *testing.T) {
	a := casetest.MustCases(t, casetest.Selection([]int{2}, "easy"))[0].Annealing()
	for selector, at := range map[string]int{"point:0": 0, "point:48": 48, "point:-1": -1, "point:49": -1, "point:x": -1} {
		r, err := subjective.ParseReference(selector, a)
		if (err == nil) != (at >= 0) || at >= 0 && r[at] != 1 {
			t.Errorf("%s: %v, %v", selector, r, err)
		}
	}
}
