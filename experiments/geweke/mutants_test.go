package geweke

import (
	"context"
	"slices"
	"testing"

	"breadboard/experiments/study"
	"breadboard/experiments/study/check"
	"breadboard/grid/longtest"
)

// TestMutantsAreJudged: every planted bug is caught, and no change that does no harm. The latter fails with a probability of 1e-6 at most;
// the bugs are caught with this seed. Without -long it leaves out what takes many chains, and looks once at what does no harm.
func TestMutantsAreJudged(t *testing.T) {
	longtest.NotShort(t)
	list, want := mutants(), 24
	if len(list) != 39 {
		t.Errorf("%d mutants", len(list))
	}
	if !longtest.Enabled() {
		list, want = slices.DeleteFunc(list, takesLong), 18
		for i := range list {
			if list[i].harmless {
				list[i].draws = firstLook
			}
		}
	}
	results := longtest.Must(runMutants(context.Background(), list, 1, check.DefaultAlpha, study.How{}))(t)
	caught := 0
	for _, m := range results {
		if !m.Right() {
			t.Errorf("%q with %s: caught %v", m.Mutant, m.Setting, m.Caught)
		}
		if m.Caught {
			caught++
		}
		t.Logf("%s | %s | %d chains | %s: %s", m.Mutant, m.Setting, m.Worst.Chains, m.Worst.Name, m.Worst.Where)
	}
	if caught != want || len(results) != len(list) {
		t.Errorf("%d of %d mutants are caught", caught, len(results))
	}
}

// takesLong reports whether a mutant takes thousands of chains, or is a right model of any size, which TestModels tests too.
func takesLong(m mutant) bool {
	switch m.name {
	case "noise drawn 5% too large", "p(z|y) with twice the variance of the centres", "z drawn axis by axis, each given the old others":
		return true
	case "none":
		return m.draws < harmlessDraws
	case "drawn given values that are not drawn anew":
		return m.model == "binary:3 of 8 by 6"
	}
	return false
}

// TestColumns: findings say of which model and kernel they are, and mutants with how many chains they were caught.
func TestColumns(t *testing.T) {
	f := Finding{"clu4", "stay", check.Finding{Name: "mean_y", Value: 2, Tolerance: 1, Verdict: check.Fault, Where: "here"}, 512}
	var cells []any
	for _, column := range FindingColumns() {
		cells = append(cells, column.Of(&f))
	}
	if want := []any{"clu4", "stay", 512, "mean_y", 2., 1., "fault", "here"}; !slices.Equal(cells, want) {
		t.Errorf("%v, want %v", cells, want)
	}
	cells = nil
	for _, column := range MutantColumns() {
		cells = append(cells, column.Of(&Judgement{Mutant: "a bug", Setting: "clu4", Caught: true, Worst: f}))
	}
	if want := []any{"a bug", "clu4", false, true, 512, "mean_y", "here"}; !slices.Equal(cells, want) {
		t.Errorf("%v, want %v", cells, want)
	}
}
