package simulate_test

import (
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/chains/simulate"
	"breadboard/toys"
)

func easy(tb testing.TB, T int) *chains.Annealing {
	tb.Helper()
	toy := toys.Easy()
	path := must(paths.NewGeometric(nil, toy.G))
	a := must(chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: toy.Space}, T))
	return a
}

// BenchmarkSimulate compares the ways to run chains on one core; the figure is chain-steps a second.
func BenchmarkSimulate(b *testing.B) {
	rate := func(b *testing.B, chainSteps float64) {
		b.ReportMetric(chainSteps*float64(b.N)/b.Elapsed().Seconds(), "chain-steps/s")
	}
	a := easy(b, 1000)
	b.Run("rows", func(b *testing.B) {
		for b.Loop() {
			if _, err := simulate.Rows(a, chains.Forward, simulate.NewStream(1, "bench", 0), 25_000, nil); err != nil {
				b.Fatal(err)
			}
		}
		rate(b, 25_000*999)
	})
	b.Run("move", func(b *testing.B) {
		for b.Loop() {
			if _, err := simulate.Run(a, chains.Forward, chains.NewSampler(simulate.NewStream(1, "bench", 0)), 1000, nil); err != nil {
				b.Fatal(err)
			}
		}
		rate(b, 1000*999)
	})
}
