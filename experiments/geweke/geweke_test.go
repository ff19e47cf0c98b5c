package geweke_test

import (
	"context"
	"testing"

	"breadboard/experiments/crosscheck"
	"breadboard/experiments/geweke"
)

func options(toys ...string) geweke.Options {
	return geweke.Options{Toys: toys, Kernel: "heatbath-scan", Rounds: 10, Draws: 1024, Seed: 1, Alpha: crosscheck.DefaultAlpha}
}

func TestX(t *testing.T) {
	for _, toy := range []string{"clu4", "clu6", "clu8", "bin4"} {
		rows, err := geweke.Run(context.Background(), options(toy))
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			for _, f := range r.Findings {
				t.Logf("%s %+v", toy, f)
			}
		}
	}
}

func TestMutantsX(t *testing.T) {
	o := options()
	o.Draws = 4096
	results, err := geweke.RunMutants(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range results {
		if !m.Right() {
			t.Errorf("%q on %s: caught %v", m.Mutant, m.Toy, m.Caught)
		}
		t.Logf("%+v", m)
	}
}
