package evidence

import (
	"context"
	"strings"
	"testing"

	"breadboard/experiments/study/check"
	"breadboard/grid/longtest"
)

// TestMutantsAreJudged: each planted bug is caught by the runs, and what has none is not. The seed is fixed; without a bug a mutant is
// caught with probability 1e-6 in all.
func TestMutantsAreJudged(t *testing.T) {
	longtest.NotShort(t)
	results := longtest.Must(runMutants(context.Background(), MutantOptions{Seed: 1, Alpha: check.DefaultAlpha}, longtest.Times(firstLook, mutantRuns)))(t)
	caught := map[string]bool{}
	for _, m := range results {
		if !m.Right() {
			t.Errorf("%q of %s on %s: caught %v", m.Mutant, m.Setting, m.Worst.Toy.Name, m.Caught)
		}
		if m.Caught {
			caught[m.Setting] = true
		}
		t.Logf("%s | %s | %s: %s", m.Mutant, m.Setting, m.Worst.Name, m.Worst.Where)
	}
	for _, name := range Standard() {
		if strings.Contains(name, "vb:") {
			continue // it is variational Bayes with a constant added
		}
		found := false
		for of := range caught {
			found = found || of == name || strings.HasPrefix(of, name+":")
		}
		if !found {
			t.Errorf("no bug of %s is caught", name)
		}
	}
}
