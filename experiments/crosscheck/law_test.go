package crosscheck

import (
	"context"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/simulate"
	"breadboard/exact/weights"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/study/check"
	"breadboard/grid/longtest"
)

// TestLawOfLogW: simulations of every toy have the exact law of log w, on a lattice and by inversion. With alpha 1e-6
// a case, one of the six would fail by chance once in some 10^5 choices of the seed.
func TestLawOfLogW(t *testing.T) {
	longtest.NotShort(t)
	for _, toy := range []string{"easy", "hard", "barrier"} {
		for _, T := range []int{12, 100} {
			if !longtest.Enabled() && (T > 12 || toy == "hard") {
				continue
			}
			a := annealing(t, toy, T)
			l := laws(t, a)
			results := run(t, l, Simulations(a)[1], BatteryOptions{Alpha: check.DefaultAlpha, Seed: 5, Draws: 1 << 15})
			seen := 0
			for _, r := range results {
				if r.Fault {
					t.Errorf("%s, T = %d: %v", toy, T, r)
				}
				if strings.HasSuffix(r.Test, "law of log w") {
					seen++
				}
			}
			if seen != 2 {
				t.Errorf("%s, T = %d: the law is tested in %d directions", toy, T, seen)
			}
		}
	}
}

// TestLawWithAtoms: chains that never move have as many log weights as there are states, and levels stand beside them.
func TestLawWithAtoms(t *testing.T) {
	longtest.NotShort(t)
	for _, T := range []int{50, 333} {
		if T > 50 && !longtest.Enabled() {
			continue
		}
		moving := annealing(t, "easy", T)
		a := casetest.Must(chains.NewAnnealing(moving.Path(), moving.Schedule(), kernels.Stay{}, T))
		l := laws(t, a)
		for seed := range uint64(longtest.Times(1, 3)) {
			for _, r := range run(t, l, Simulations(a)[1], BatteryOptions{Alpha: check.DefaultAlpha, Seed: seed, Draws: 1 << 14}) {
				if r.Fault {
					t.Errorf("T = %d, seed %d: %v", T, seed, r)
				}
			}
		}
	}
}

// TestLawSeesWhatTheMeanDoesNot: log weights spread by a third about their mean have the right mean.
func TestLawSeesWhatTheMeanDoesNot(t *testing.T) {
	longtest.NotShort(t)
	for _, toy := range []string{"easy", "barrier", "hard"} {
		if toy == "hard" && !longtest.Enabled() {
			continue
		}
		a := annealing(t, toy, 12)
		l := laws(t, a)
		m := casetest.Must(weights.CumulantsOf(context.Background(), a, chains.Reverse))
		l.probes, l.given = nil, nil // they would see it first
		right := Simulations(a)[1]
		s := Simulation{Name: "spread", Chains: func(ctx context.Context, a *chains.Annealing, d chains.Direction, block Block, k int) (*simulate.Batch, error) {
			b, err := right.Chains(ctx, a, d, block, k)
			if err == nil && d == chains.Reverse {
				for i := range b.LogW {
					b.LogW[i] += (b.LogW[i] - m.Mean) / 3
				}
			}
			return b, err
		}}
		found := faults(run(t, l, s, BatteryOptions{Alpha: check.DefaultAlpha, Seed: 1, Draws: 1 << 17}))
		if len(found) == 0 || found[0].Test != "reverse law of log w" {
			t.Errorf("%s: found %v", toy, found)
		}
	}
}
