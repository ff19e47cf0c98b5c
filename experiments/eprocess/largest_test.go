package eprocess

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/experiments/internal/casetest"
	"breadboard/grid"
)

func largest(t interface {
	Helper()
	Fatal(...any)
}, path chains.Path, err error, T int) float64 {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	a := casetest.Must(chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: grid.MustNew(path.States())}, T))
	got := casetest.Must(LargestWeight(context.Background(), a))
	return got
}

// TestLargestWeightByHand: on a geometric path from the uniform distribution it is the largest log f, constants included.
func TestLargestWeightByHand(t *testing.T) {
	for _, g := range [][]float64{{2, 0, -3, 1}, {1e12, 1e12 + 3, 1e12 - 5, 1e12}, {1e-12, 0, -1e-12, 0}, {math.Inf(-1), 4, -1e5, 0}, {0, 0, 0, 0}} {
		path, err := paths.NewGeometric(nil, g)
		want := slices.Max(g)
		if got := largest(t, path, err, 50); math.Abs(got-want) > 1e-15*math.Max(1, math.Abs(want)) {
			t.Errorf("%v: %v, want %v", g, got, want)
		}
	}
}

// TestLargestWeightOfAllPaths: no sequence of states has a larger product of increments, and one attains it. All sequences
// of x_1..x_4 on three states are walked through.
func TestLargestWeightOfAllPaths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := rapid.OneOf(rapid.Float64Range(-4, 4), rapid.SampledFrom([]float64{math.Inf(-1), 0, 1e3}))
		initial, target := []float64{0}, []float64{0} // the first state is possible at both ends
		for range 2 {
			initial = append(initial, log.Draw(t, "initial"))
			target = append(target, log.Draw(t, "target"))
		}
		var path chains.Path
		var err error
		if rapid.Bool().Draw(t, "arithmetic") {
			path, err = paths.NewArithmetic(initial, target)
		} else {
			path, err = paths.NewGeometric(initial, target)
		}
		const T = 5
		got := largest(t, path, err, T)
		var logf [T][]float64
		for s := range T {
			logf[s] = make([]float64, 3)
			path.LogF(logf[s], chains.Place{Beta: schedules.Linear{}.Beta(s+1, T), Rest: schedules.Linear{}.Rest(s+1, T)})
		}
		want := math.Inf(-1)
		for code := range 81 {
			total := 0.0
			for s, rest := 1, code; s < T; s, rest = s+1, rest/3 {
				if x := rest % 3; math.IsInf(logf[s-1][x], -1) {
					total = math.Inf(-1) // no chain is there
				} else {
					total += logf[s][x] - logf[s-1][x]
				}
			}
			want = max(want, total)
		}
		if math.Abs(got-want) > 1e-11 { // values of up to 1e3 are subtracted here, and not there
			t.Errorf("%v, want %v", got, want)
		}
	})
}

// TestNoLargestWeight: where no chain has a weight, and where the context ends, the error says so.
func TestNoLargestWeight(t *testing.T) {
	zero := math.Inf(-1)
	path := casetest.Must(paths.NewArithmetic([]float64{0, zero}, []float64{zero, 0}))
	a := casetest.Must(chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: grid.MustNew(2)}, 2))
	if v, err := LargestWeight(context.Background(), a); err == nil {
		t.Errorf("%v, where every weight is zero", v)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := LargestWeight(ctx, a); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
