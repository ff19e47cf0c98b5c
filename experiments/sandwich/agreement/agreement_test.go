package agreement_test

import (
	"context"
	"testing"

	"breadboard/experiments/crosscheck"
	"breadboard/experiments/evidence"
	"breadboard/experiments/sandwich/agreement"
)

// TestCheckPasses: the samplers have the exact laws. That a test of right code fails has the probability 1e-6, and the seed is fixed.
func TestCheckPasses(t *testing.T) {
	findings, err := agreement.Check(context.Background(), agreement.Options{Toys: agreement.DefaultToys(), Runs: 2048, Seed: 1, Alpha: crosscheck.DefaultAlpha})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range findings {
		t.Log(f.Toy.Name, f.Estimator, f.Settings, f.Name, f.Value, f.Tolerance, f.Verdict, f.Where)
		if f.Verdict != evidence.Pass {
			t.Errorf("%s %s %s: %s is %g: %s", f.Toy.Name, f.Estimator, f.Settings, f.Name, f.Value, f.Where)
		}
	}
}
