package sandwich_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"breadboard/experiments/evidence"
	"breadboard/experiments/sandwich"
	"breadboard/experiments/study/check"
	"breadboard/grid/longtest"
)

// TestCheckPasses: the samplers have the exact laws. That a test of right code fails has the probability 1e-6, and the seed is fixed.
func TestCheckPasses(t *testing.T) {
	longtest.NotShort(t)
	pass := func(estimators []string, toys ...string) {
		findings := longtest.Must(sandwich.Check(context.Background(), sandwich.CheckOptions{Toys: toys, Estimators: estimators, Runs: 512, Seed: 1, Alpha: check.DefaultAlpha}))(t)
		for _, f := range findings {
			if f.Verdict != check.Pass {
				t.Errorf("%s %s %s: %s is %g: %s", f.Toy.Name, f.Estimator, f.Settings, f.Name, f.Value, f.Where)
			}
		}
	}
	if longtest.Enabled() {
		pass(sandwich.CheckEstimators(), sandwich.DefaultCheckToys()...)
		return
	}
	pass([]string{"lw", "ais", "rais", "smc", "shme"}, "bin4", "clu8") // hme is in TestBugsAreFound
}

// TestCheckIsTheSameForAnyWorkers: the findings do not depend on who makes them, and all estimators are counted.
func TestCheckIsTheSameForAnyWorkers(t *testing.T) {
	longtest.NotShort(t)
	var first []evidence.Finding
	for _, workers := range []int{1, 3} {
		counted := make(chan int, 100)
		o := sandwich.CheckOptions{Toys: []string{"bin4"}, Estimators: []string{"shme", "lw", "smc"}, Runs: 512, Seed: 2, Alpha: check.DefaultAlpha, Workers: workers, Progress: func(n int) { counted <- n }}
		findings := longtest.Must(sandwich.Check(context.Background(), o))(t)
		if first == nil {
			first = findings
		}
		if len(counted) != o.Claims() || o.Claims() != 3 || len(findings) != len(first) {
			t.Errorf("%d estimators counted of %d, %d findings", len(counted), o.Claims(), len(findings))
		}
		for i, f := range findings {
			if math.Float64bits(f.Value) != math.Float64bits(first[i].Value) || f.Name != first[i].Name || f.Estimator != first[i].Estimator {
				t.Errorf("%d workers: %s %s is %v, and %v with one", workers, f.Estimator, f.Name, f.Value, first[i].Value)
			}
		}
	}
}

// TestOptionsAreRefused: each option that makes no sense, with words that say which.
func TestOptionsAreRefused(t *testing.T) {
	for want, o := range map[string]sandwich.CheckOptions{
		"no toy is named":           {},
		"did you mean clu6?":        {Toys: []string{"clu7"}},
		"has no model at full siz":  {Toys: []string{"hyper"}},
		"choose a clustering":       {Toys: []string{"easy"}},
		"unknown estimator \"bic\"": {Toys: []string{"clu6"}, Estimators: []string{"bic"}},
		"chains 255;":               {Toys: []string{"clu6"}, Runs: 255, Alpha: 0.1},
		"alpha 1;":                  {Toys: []string{"clu6"}, Runs: 256, Alpha: 1},
	} {
		if err := o.Validate(context.Background()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
