package simulated_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/simulate"
	"breadboard/experiments/checks/planted"
	"breadboard/experiments/checks/simulated"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
	"breadboard/reports/check"
)

type finding = simulated.Finding

// simulatedMutant returns a mutant that a check examines with the seed 1.
func simulatedMutant(name string, harmless bool,
	examine func(ctx context.Context, o simulated.Options) ([]finding, error)) casetest.Mutant[finding] {
	return casetest.Mutant[finding]{Name: name, Harmless: harmless, Examine: func(ctx context.Context) ([]finding, error) {
		return examine(ctx, simulated.Options{Alpha: check.DefaultAlpha, Seed: 1})
	}}
}

// caseOf returns the case of a toy with T distributions.
func caseOf(t *testing.T, toy string, T int) subject.Case {
	return casetest.MustCases(t, casetest.Selection([]int{T}, toy))[0]
}

// judged fails where a check misjudges a mutant.
func judged(t *testing.T, list []casetest.Mutant[finding]) {
	t.Helper()
	for _, m := range list {
		casetest.Planted(t, m.Name, m.Harmless, longtest.Must(m.Examine(t.Context()))(t))
	}
}

// TestPlanted: bugs in the stages of chains, in the kernel, in the random numbers and in what is
// reported are found with ordinary numbers of chains, and right chains are not taken for wrong, but
// with a probability of 1e-6 each.
func TestPlanted(t *testing.T) {
	longtest.Only(t)
	c := caseOf(t, "random:2:1:3x3", 4)
	a := c.Annealing()
	space := c.Toy.Lattice()
	var list []casetest.Mutant[finding]
	add := func(name string, harmless bool, kernel chains.Kernel, change func(*planted.Annealer),
		spoil func(b *simulate.Batch)) {
		list = append(list, simulatedMutant(
			name,
			harmless,
			func(ctx context.Context, o simulated.Options) ([]finding, error) {
				batches := [2]*simulate.Batch{}
				for d := range batches {
					r := planted.New(a, kernel, chains.Direction(d))
					if change != nil {
						change(r)
					}
					c := chains.NewSampler(simulate.ChainStream(o.Seed, name, chains.Direction(d), 0))
					b := &simulate.Batch{}
					for range 1 << 13 {
						first, last, logw := chains.Run[int](r, c)
						if d == int(chains.Reverse) {
							first, last = last, first
						}
						b.First, b.Last, b.LogW = append(b.First, int32(first)), append(b.Last, int32(last)),
							append(b.LogW, logw)
					}
					if spoil != nil {
						spoil(b)
					}
					batches[d] = b
				}
				return simulated.CheckAnnealing(ctx, c, batches[0], batches[1], o)
			},
		))
	}
	right := a.Kernel()
	add("none", true, right, nil, nil)
	add("in the opposite order", true, right, nil, func(b *simulate.Batch) {
		slices.Reverse(b.First)
		slices.Reverse(b.Last)
		slices.Reverse(b.LogW)
	})
	add("log weights of the next chain", false, right, nil,
		func(b *simulate.Batch) { b.LogW = append(b.LogW[1:], b.LogW[0]) })
	add("last increment dropped", false, right, planted.LastIncrementOut, nil)
	add("Barker instead of Metropolis", false, kernels.Barker{Space: space}, nil, nil)
	for name, bug := range map[string]func(*planted.Annealer){
		"kernel uses beta_{t-1}": planted.KernelEarly, "last move left out": planted.LastMoveOut,
		"weight at the other side of the move": planted.OtherSide,
		"start excludes the last state": func(r *planted.Annealer) {
			if r.Direction() == chains.Forward {
				r.Begin = func(c chains.Chooser) int { return c.Uniform(a.States() - 1) }
			}
		},
	} {
		add(name, false, right, bug, nil)
	}
	for _, k := range planted.Proposing(space) {
		add(k.Of, false, k.Kernel, nil, nil)
	}
	for name, spoil := range map[string]func(b *simulate.Batch){
		"last states of the next chain": func(b *simulate.Batch) { b.Last = append(b.Last[1:], b.Last[0]) },
		"ends exchanged":                func(b *simulate.Batch) { b.First, b.Last = b.Last, b.First },
		"log weights one part in twenty too large": func(b *simulate.Batch) {
			for i := range b.LogW {
				b.LogW[i] *= 1.05
			}
		},
		"log weights truncated to 0.01": func(b *simulate.Batch) {
			for i, v := range b.LogW {
				b.LogW[i] = math.Trunc(v*100) / 100
			}
		},
		"the second half repeats the first": func(b *simulate.Batch) {
			n := len(b.LogW) / 2
			copy(b.First[n:], b.First[:n])
			copy(b.Last[n:], b.Last[:n])
			copy(b.LogW[n:], b.LogW[:n])
		},
	} {
		add(name, false, right, nil, spoil)
	}
	judged(t, list)
}

// TestOpen: chains that are too few to find a known mistake are no pass, those that show one at
// five standard errors say how many find it.
func TestOpen(t *testing.T) {
	c := caseOf(t, "random:2:1:3x3", 4)
	o := simulated.Options{Alpha: check.DefaultAlpha, Seed: 1}
	for n, want := range map[int]check.Counts{2: {Open: 30}, 512: {Pass: 28, Open: 2}, 1 << 13: {Pass: 30}} {
		if n > 2 && !longtest.Enabled() {
			continue
		}
		batches := [2]*simulate.Batch{}
		for d := range batches {
			batches[d] = longtest.Must(simulate.Rows(c.Annealing(), chains.Direction(d),
				simulate.ChainStream(1, "", chains.Direction(d), 0), n, nil))(t)
		}
		list := longtest.Must(simulated.CheckAnnealing(t.Context(), c, batches[0], batches[1], o))(t)
		if got := check.Count(list); got != want {
			t.Errorf("%d chains: %v, want %v", n, got, want)
		}
		for _, f := range list {
			if f.Verdict == check.Open && !(f.Decides > float64(n) && f.Decides < 1e8) {
				t.Errorf("%d chains, %s: decided by %v", n, f.Name, f.Decides)
			}
		}
	}
}
