package crosscheck

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/simulate"
	"breadboard/exact/weights"
	"breadboard/experiments"
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
		a := longtest.Sure(chains.NewAnnealing(moving.Path(), moving.Schedule(), kernels.Stay{}, T))
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
		m := longtest.Sure(weights.CumulantsOf(context.Background(), a, chains.Reverse))
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

// slowKernel is a kernel of which nothing but its moves is known, as of one in another program. It counts them.
type slowKernel struct {
	inner chains.Kernel
	asked *atomic.Int64
}

func (k slowKernel) String() string { return "slow" }

func (k slowKernel) Move(c chains.Chooser, logf []float64, x int) int {
	k.asked.Add(1)
	return k.inner.Move(c, logf, x)
}

// slowCase returns a case of the toy easy whose kernel has no rows, with a kernel for each T, and what counts its moves.
func slowCase(t *testing.T, T int) (experiments.Case, *atomic.Int64) {
	t.Helper()
	cases, err := experiments.Selection{Toys: []string{"easy"}, Distributions: []int{T}, Path: "geometric", Schedule: "linear", Kernel: "metropolis"}.Cases(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	asked := &atomic.Int64{}
	a := cases[0].Annealing()
	if cases[0].Algorithm, err = a.WithTransitions(chains.Always(slowKernel{a.Kernel(), asked})); err != nil {
		t.Fatal(err)
	}
	return cases[0], asked
}

// TestKernelsAreAskedOnce: a kernel in another program is asked for its rows, whatever the number of chains, and the tests pass; it says how
// far it is. The harness asks four times for a row of Metropolis with four neighbours, and as often again where it looks for choices.
func TestKernelsAreAskedOnce(t *testing.T) {
	longtest.NotShort(t)
	c, moves := slowCase(t, 4)
	var said []int
	o := Options{Alpha: check.DefaultAlpha, Chains: 1 << 12, Seed: 1, Asked: func(rows, of int) {
		if of != 3*49 {
			t.Errorf("%d rows in all", of)
		}
		said = append(said, rows)
	}}
	found, err := Run(t.Context(), []experiments.Case{c}, nil, o)
	if err != nil || found.Fault() {
		t.Fatal(err, found)
	}
	if most := int64(3 * 49 * 16); moves.Load() > most {
		t.Errorf("the kernel moved %d times; its rows take %d at most", moves.Load(), most)
	}
	if len(said) != 3 || said[2] != 3*49 {
		t.Errorf("said %v", said)
	}
}

// TestOnlyUnknownKernelsAreAsked: kernels of the library are left as they are, and what ends the context ends the questions.
func TestOnlyUnknownKernelsAreAsked(t *testing.T) {
	c, moves := slowCase(t, 3)
	plain := c
	var err error
	if plain.Algorithm, err = c.Annealing().WithTransitions(chains.Always(c.Annealing().Kernel().(slowKernel).inner)); err != nil {
		t.Fatal(err)
	}
	got, err := withTables(t.Context(), []experiments.Case{plain}, nil)
	if err != nil || got[0].Algorithm != plain.Algorithm {
		t.Errorf("%v, %v", got, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := withTables(ctx, []experiments.Case{c}, nil); err == nil || moves.Load() > 16 {
		t.Errorf("%v after %d moves", err, moves.Load())
	}
}
