package simulate_test

import (
	"testing"

	"breadboard/chains"
	"breadboard/chains/internal/chainstest"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/chains/simulate"
	"breadboard/grid"
)

// TestStagesAreCountedOnce: a watch is told once of each stage, in both directions and by all ways to simulate, however
// often it is looked at.
func TestStagesAreCountedOnce(t *testing.T) {
	space := grid.MustNew(5, 5)
	path, err := paths.NewGeometric(nil, chainstest.Waves(25))
	if err != nil {
		t.Fatal(err)
	}
	const T = 7
	a, err := chains.NewAnnealing(path, schedules.Linear{}, kernels.Repeat(300, kernels.Metropolis{Space: space}), T)
	if err != nil {
		t.Fatal(err)
	}
	looks, stages := 0, 0
	watch := &simulate.Watch{Look: func() error { looks++; return nil }, Stage: func() { stages++ }}
	for name, run := range map[string]func(chains.Direction) error{
		"moves": func(d chains.Direction) error {
			_, err := simulate.Run(a, d, chains.NewSampler(simulate.NewStream(1, "", 0)), 300, watch)
			return err
		},
		"rows": func(d chains.Direction) error {
			_, err := simulate.Rows(a, d, simulate.NewStream(1, "", 0), 300, watch)
			return err
		},
		"counts": func(d chains.Direction) error {
			_, err := simulate.Counts(a, d, simulate.NewStream(1, "", 0), 300, watch)
			return err
		},
	} {
		for _, d := range []chains.Direction{chains.Forward, chains.Reverse} {
			looks, stages = 0, 0
			if err := run(d); err != nil {
				t.Fatal(err)
			}
			if stages != T-1 || looks < 2*T {
				t.Errorf("%s, %s: told of %d stages in %d looks; there are %d", name, d, stages, looks, T-1)
			}
		}
	}
}
