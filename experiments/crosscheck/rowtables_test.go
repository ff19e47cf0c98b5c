package crosscheck

import (
	"context"
	"sync/atomic"
	"testing"

	"breadboard/chains"
	"breadboard/experiments"
	"breadboard/experiments/study/check"
	"breadboard/grid/longtest"
)

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
