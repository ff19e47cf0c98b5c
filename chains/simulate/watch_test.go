package simulate_test

import (
	"math"
	"slices"
	"testing"

	"breadboard/chains"
	"breadboard/chains/internal/chainstest"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/chains/simulate"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// TestStagesAreCountedOnce: a watch is told once of each stage, in both directions and by all ways to simulate, however
// often it is looked at.
func TestStagesAreCountedOnce(t *testing.T) {
	longtest.NotShort(t)
	space := grid.MustNew(5, 5)
	path := longtest.Sure(paths.NewGeometric(nil, chainstest.Waves(25)))
	const T = 7
	a := longtest.Sure(chains.NewAnnealing(path, schedules.Linear{}, kernels.Repeat(300, kernels.Metropolis{Space: space}), T))
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
			longtest.NoError(t, run(d))
			if stages != T-1 || looks < 2*T {
				t.Errorf("%s, %s: told of %d stages in %d looks; there are %d", name, d, stages, looks, T-1)
			}
		}
	}
}

// TestStatesAreSeen: a watch sees the states of the chains at every stage, in the order of the chains and the ends among them, and the
// chains are those that nobody sees. The states make the log weights.
func TestStatesAreSeen(t *testing.T) {
	space := grid.MustNew(5, 5)
	path := longtest.Sure(paths.NewGeometric(nil, chainstest.Waves(25)))
	const T, k = 7, 300
	a := longtest.Sure(chains.NewAnnealing(path, schedules.Power{P: 2}, kernels.Metropolis{Space: space}, T))
	for name, run := range map[string]func(chains.Direction, *simulate.Watch) (*simulate.Batch, error){
		"moves": func(d chains.Direction, w *simulate.Watch) (*simulate.Batch, error) {
			return simulate.Run(a, d, chains.NewSampler(simulate.NewStream(1, "", 0)), k, w)
		},
		"rows": func(d chains.Direction, w *simulate.Watch) (*simulate.Batch, error) {
			return simulate.Rows(a, d, simulate.NewStream(1, "", 0), k, w)
		},
	} {
		for _, d := range []chains.Direction{chains.Forward, chains.Reverse} {
			var order []int
			seen := map[int][]int32{}
			b := longtest.Must(run(d, &simulate.Watch{See: func(t int, states []int32) {
				order = append(order, t)
				seen[t] = slices.Clone(states)
			}}))(t)
			blind, err := run(d, nil)
			if err != nil || !slices.Equal(b.LogW, blind.LogW) || !slices.Equal(b.Last, blind.Last) {
				t.Errorf("%s, %s: the chains are others where they are seen", name, d)
			}
			want := []int{1, 2, 3, 4, 5, 6, 7}
			if d == chains.Reverse {
				slices.Reverse(want)
			}
			if !slices.Equal(order, want) || !slices.Equal(seen[1], b.First) || !slices.Equal(seen[T], b.Last) {
				t.Errorf("%s, %s: stages %v, ends %v and %v", name, d, order, seen[1][:5], seen[T][:5])
			}
			for i, logw := range b.LogW {
				ratio, sum := make([]float64, 25), 0.0
				for s := 2; s <= T; s++ {
					a.LogRatio(ratio, s)
					sum += ratio[seen[s-1][i]]
				}
				if math.Abs(sum-logw) > 1e-12*(1+math.Abs(sum)) {
					t.Fatalf("%s, %s: chain %d has log weight %v, and its states %v", name, d, i, logw, sum)
				}
			}
		}
	}
}
