package simulate_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/chainstest"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/chains/simulate"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// drawAnnealing draws an annealing on 2x3 states: any temperature, zeros at either end, and large
// constants.
func drawAnnealing(t *rapid.T) *chains.Annealing {
	l := grid.MustNew(2, 3)
	end := func(what string) []float64 {
		size := rapid.SampledFrom([]float64{0, 1e-12, 1, 30}).Draw(t, what+" size")
		constant := rapid.SampledFrom([]float64{0, 0, 1e12, -1e12}).Draw(t, what+" constant")
		v := rapid.SliceOfN(rapid.Float64Range(-1, 1), 6, 6).Draw(t, what)
		for x := range v {
			v[x] = size*v[x] + constant
			if rapid.IntRange(0, 2).Draw(t, "zero") == 0 {
				v[x] = math.Inf(-1)
			}
		}
		return v
	}
	initial := end("initial")
	if rapid.Bool().Draw(t, "uniform start") {
		initial = nil
	}
	path, err := paths.NewGeometric(initial, end("target"))
	if err != nil {
		t.Skip(err)
	}
	a := longtest.Sure(chains.NewAnnealing(
		path,
		schedules.Linear{},
		kernels.Metropolis{Space: l},
		rapid.IntRange(2, 7).Draw(t, "T"),
	))
	return a
}

// slowIncrement is the increment of the log weight of stage t at x, from its definition: zero if
// the chain cannot be.
func slowIncrement(a *chains.Annealing, d chains.Direction, t, x int) float64 {
	before := make([]float64, a.States())
	here := make([]float64, a.States())
	a.LogF(before, t-1)
	a.LogF(here, t)
	from := before[x]
	if d == chains.Reverse {
		from = here[x]
	}
	if math.IsInf(from, -1) {
		return 0
	}
	return here[x] - before[x]
}

// TestProcessFollowsItsDefinition takes every step of the process of an annealing and compares its
// increment with the definition. Constants of 1e12 leave the definition four digits, so that the
// tolerance is relative to log f.
func TestProcessFollowsItsDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := drawAnnealing(t)
		T := a.Distributions()
		d := rapid.SampledFrom([]chains.Direction{chains.Forward, chains.Reverse}).Draw(t, "direction")
		p := longtest.Sure(simulate.NewAIS(a, d))
		size := 1.0
		for i := 1; i <= T; i++ {
			f := make([]float64, a.States())
			a.LogF(f, i)
			for _, v := range f {
				if !math.IsInf(v, 0) {
					size = max(size, math.Abs(v))
				}
			}
		}
		c := chains.NewSampler(simulate.NewStream(rapid.Uint64().Draw(t, "seed"), "", 0))
		x := p.Start(c)
		got := 0.0
		want := 0.0
		for step := 1; step <= p.Steps(); step++ {
			y, increment := p.Step(c, step, x)
			got += increment
			switch {
			case step == T:
				if y != x {
					t.Fatalf("the last step moves from %d to %d", x, y)
				}
			case d == chains.Forward:
				want += slowIncrement(a, d, step+1, x)
			default:
				want += slowIncrement(a, d, T+1-step, y)
			}
			x = y
		}
		if got != want && !(math.Abs(got-want) <= 1e-14*size*float64(T)) {
			t.Fatalf("%v: log weight %v, want %v", d, got, want)
		}
	})
}

// TestOneChainIsOneRunOfTheProcess: one chain of simulate.Run is what chains.Run makes of the
// process with the same random numbers.
func TestOneChainIsOneRunOfTheProcess(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := drawAnnealing(t)
		seed := rapid.Uint64().Draw(t, "seed")
		for _, d := range []chains.Direction{chains.Forward, chains.Reverse} {
			p := longtest.Sure(simulate.NewAIS(a, d))
			first, last, logw := chains.Run(p, chains.NewSampler(simulate.NewStream(seed, "", 0)))
			b := longtest.Must(simulate.Run(a, d, chains.NewSampler(simulate.NewStream(seed, "", 0)), 1, nil))(t)
			if d == chains.Reverse {
				first, last = last, first
			}
			if int(b.First[0]) != first || int(b.Last[0]) != last || b.LogW[0] != logw {
				t.Fatalf("%v: ends %d and %d, log weight %v; simulate.Run has %d, %d, %v", d, first, last,
					logw, b.First[0], b.Last[0], b.LogW[0])
			}
		}
	})
}

// TestProcessNeedsReversals: the first stage in reverse at which the reversal is not known is
// named.
func TestProcessNeedsReversals(t *testing.T) {
	for unknown := 2; unknown <= 5; unknown++ {
		stages := slices.Repeat([]chains.Kernel{kernels.Stay{}}, 4)
		stages[unknown-2] = moveFunc(func(_ chains.Chooser, _ []float64, x int) int { return x })
		uniform := chainstest.Small(t, func(*grid.Lattice) chains.Kernel { return kernels.Stay{} }, 5)
		a := longtest.Sure(
			chains.NewAnnealingBy(uniform.Path(), uniform.Schedule(), chains.ByStage("stays", stages), 5),
		)
		longtest.Must(simulate.NewAIS(a, chains.Forward))(t)
		longtest.Refuses(simulate.NewAIS(a, chains.Reverse))(t, fmt.Sprintf("stage t = %d of 5: kernel ", unknown))
	}
}
