package aide_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"breadboard/experiments"
	"breadboard/experiments/aide"
	"breadboard/experiments/study/check"
	"breadboard/grid/longtest"
)

// smallCases returns the default cases of the check.
func smallCases(t *testing.T, kernel string) []experiments.Case {
	t.Helper()
	cases := longtest.Must(experiments.Selection{
		Toys: aide.CheckToys(), Distributions: []int{aide.CheckDistributions}, Path: "geometric", Schedule: "linear", Kernel: kernel,
	}.Cases(context.Background()))(t)
	return cases
}

// TestCheckPasses every algorithm, with kernels that are reversible and that are not.
func TestCheckPasses(t *testing.T) {
	longtest.NotShort(t)
	for _, selector := range []string{"exact", "ais", "smc:1", "smc:2", "smc:2:systematic", "smc:2:stratified:0.9", "smc:2:residual:0.5", "smc:2:multinomial:0", "mh:1", "mh:3", "sir:1", "sir:3"} {
		choice := longtest.Must(aide.Parse(selector))(t)
		for _, kernel := range []string{"metropolis", "suwa-todo"} {
			findings, err := aide.Check(context.Background(), choice, smallCases(t, kernel), nil)
			if err != nil {
				t.Fatal(selector, err)
			}
			for _, f := range findings {
				if f.Verdict == check.Fault {
					t.Errorf("%s, %s, %s: %s is %g: %s", selector, kernel, &f.Case, f.Name, f.Value, f.Where)
				}
			}
			if len(findings) < 2*16 {
				t.Errorf("%s, %s: %d findings", selector, kernel, len(findings))
			}
		}
	}
}

// TestCheckOfExtinctRuns: AIDE's mean is infinite where a run may be extinct, and what would be compared with it is open, not left out.
func TestCheckOfExtinctRuns(t *testing.T) {
	name := filepath.Join(t.TempDir(), "p.csv")
	longtest.NoError(t, os.WriteFile(name, []byte("0.5,0,0.5\n"), 0o644))
	cases := longtest.Must(experiments.Selection{
		Toys: []string{"prob:" + name}, Distributions: []int{2}, Path: "geometric", Schedule: "linear", Kernel: "metropolis",
	}.Cases(t.Context()))(t)
	choice := longtest.Must(aide.Parse("sir:2"))(t)
	findings := longtest.Must(aide.Check(t.Context(), choice, cases, nil))(t)
	open := 0
	for _, f := range findings {
		if f.Verdict == check.Open {
			open++
		}
	}
	if open != 5 || len(findings) != 16 {
		t.Errorf("%d of %d findings are open", open, len(findings))
	}
}

// TestMutantsAreJudged: each planted bug is caught, and what has none is not.
func TestMutantsAreJudged(t *testing.T) {
	longtest.NotShort(t)
	results := longtest.Must(aide.RunMutants(context.Background(), nil))(t)
	caught := 0
	for _, m := range results {
		if !m.Right() {
			t.Errorf("%q, %s: caught %v", m.Mutant, m.Setting, m.Caught)
		}
		if m.Caught {
			caught++
			if m.Worst.Value < 1e-4 {
				t.Errorf("%q shows only by %v in %s", m.Mutant, m.Worst.Value, m.Worst.Name)
			}
		}
		t.Logf("%s | %s | %s %.3g", m.Mutant, m.Setting, m.Worst.Name, m.Worst.Value)
	}
	if caught != 12 {
		t.Errorf("%d bugs are caught", caught)
	}
}

// TestCheckOfTooManyParticles says what it would take.
func TestCheckOfTooManyParticles(t *testing.T) {
	choice, err := aide.Parse("smc:40")
	if err != nil {
		t.Fatal(err)
	}
	_, err = aide.Check(context.Background(), choice, smallCases(t, "metropolis"), nil)
	if err == nil || !strings.Contains(err.Error(), "ways to come out") {
		t.Errorf("error %v", err)
	}
}

// TestCheckOfHugeNumbers: more than can be counted is refused before anything is begun.
func TestCheckOfHugeNumbers(t *testing.T) {
	for _, selector := range []string{"sir:1000000000", "mh:1000000000", "smc:1000000000"} {
		choice := longtest.Must(aide.Parse(selector))(t)
		if _, err := aide.Check(context.Background(), choice, smallCases(t, "metropolis"), nil); err == nil || !strings.Contains(err.Error(), "at most 1000") {
			t.Errorf("%s: %v", selector, err)
		}
	}
}

// TestColumns: a finding says of which case and algorithm it is, and a mutant that was not caught has no finding.
func TestColumns(t *testing.T) {
	f := aide.Finding{Case: smallCases(t, "metropolis")[0], Algorithm: "sir:2", Finding: check.Undecided("mean_xi", "why")}
	var cells []any
	for _, column := range aide.FindingColumns() {
		if cell := column.Of(&f); column.Name == "toy" || column.Name == "algorithm" || column.Name == "finding" || column.Name == "value" {
			cells = append(cells, cell)
		}
	}
	for _, caught := range []bool{true, false} {
		for _, column := range aide.MutantColumns() {
			cells = append(cells, column.Of(&aide.Judgement{Mutant: "a bug", Setting: "here", Caught: caught, Worst: check.Held("mean_xi", 2, 1, "wrong")}))
		}
	}
	if want := []any{"random:1:0:2", "sir:2", "mean_xi", nil, "a bug", "here", false, true, "mean_xi", 2., "a bug", "here", false, false, "", 0.}; !slices.Equal(cells, want) {
		t.Errorf("%v, want %v", cells, want)
	}
}
