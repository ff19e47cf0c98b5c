package evidence_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"breadboard/experiments"
	"breadboard/experiments/crosscheck"
	"breadboard/experiments/evidence"
)

// checkCases returns the cases of a check.
func checkCases(t *testing.T, kernel string, toys ...string) []experiments.Case {
	t.Helper()
	cases, err := evidence.Cases(context.Background(), experiments.Selection{Toys: toys, Path: "geometric", Schedule: evidence.DefaultSchedule, Kernel: kernel})
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

// TestCheckPasses: all estimators have their laws, with a kernel that is reversible and with ones that are not. That a test of right code
// fails has probability 1e-6 for each kernel.
func TestCheckPasses(t *testing.T) {
	for _, kernel := range []string{"", "metropolis", "suwa-todo"} {
		o := evidence.CheckOptions{Estimators: []string{evidence.All, "smc:prior:1", "shme:prior:1", "ns:2:strict", "ns:2:together", "ns:2:together:unbiased", "ns:3:label:unbiased"}, Work: []float64{12}, Runs: 2048, Seed: 1, Alpha: crosscheck.DefaultAlpha}
		if testing.Short() {
			o.Runs = 256
		}
		cases := checkCases(t, kernel, evidence.CheckToys()...)
		if err := o.Validate(context.Background(), cases); err != nil && !strings.Contains(err.Error(), "sm") && !strings.Contains(err.Error(), "shme") {
			t.Fatal(err)
		}
		findings, err := evidence.Check(context.Background(), cases, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range findings {
			if f.Verdict != evidence.Pass {
				t.Logf("%s %s %s %s: %s is %g: %s: %s", f.Toy.Name, kernel, f.Estimator, f.Settings, f.Name, f.Value, f.Verdict, f.Where)
			}
			if f.Verdict == evidence.Fault {
				t.Errorf("%s %s %s %s: %s is %g: %s", f.Toy.Name, kernel, f.Estimator, f.Settings, f.Name, f.Value, f.Where)
			}
		}
		t.Log(len(findings))
	}
}

// TestMutantsAreJudged: each planted bug is caught by the runs, and what has none is not.
func TestMutantsAreJudged(t *testing.T) {
	results, err := evidence.RunMutants(context.Background(), evidence.CheckOptions{Seed: 1, Alpha: crosscheck.DefaultAlpha})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range results {
		if !m.Right() {
			t.Errorf("%q of %s on %s: caught %v", m.Mutant, m.Estimator, m.Toy, m.Caught)
		}
		t.Logf("%s | %s | %s %s", m.Mutant, m.Estimator, m.Finding, m.Where)
	}
	_ = math.Pi
}
