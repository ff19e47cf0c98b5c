package chains_test

import (
	"testing"

	"breadboard/chains"
	"breadboard/grid"
)

// TestStagesAreCountedOnce: a watch is told once of each stage, in both directions and by all ways to simulate, however
// often it is looked at.
func TestStagesAreCountedOnce(t *testing.T) {
	space := grid.MustNew(5, 5)
	path, err := chains.NewGeometric(nil, waves(25))
	if err != nil {
		t.Fatal(err)
	}
	const T = 7
	a, err := chains.NewAnnealing(path, chains.Linear{}, chains.Repeat(300, chains.Metropolis{Space: space}), T)
	if err != nil {
		t.Fatal(err)
	}
	looks, stages := 0, 0
	watch := &chains.Watch{Look: func() error { looks++; return nil }, Stage: func() { stages++ }}
	for name, run := range map[string]func(chains.Direction) error{
		"moves": func(d chains.Direction) error {
			_, err := chains.Simulate(a, d, chains.NewSampler(chains.NewStream(1, "", 0)), 300, watch)
			return err
		},
		"rows": func(d chains.Direction) error {
			_, err := chains.SimulateRows(a, d, chains.NewStream(1, "", 0), 300, watch)
			return err
		},
		"counts": func(d chains.Direction) error {
			_, err := chains.SimulateCounts(a, d, chains.NewStream(1, "", 0), 300, watch)
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
