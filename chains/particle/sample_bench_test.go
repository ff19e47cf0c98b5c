package particle_test

import (
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/particle"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/chains/simulate"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

// BenchmarkSample compares systems of ten particles, resampled at every stage, with the chains of simulate.Rows on the same annealing. The
// metric of-rows is the particle-steps a second of the systems over the chain-steps a second of the chains; it is to be at least 0.1.
func BenchmarkSample(b *testing.B) {
	const T, P, k, steps = 1000, 10, 1600, 999
	toy := toys.Easy()
	path := longtest.Sure(paths.NewGeometric(nil, toy.G))
	a := longtest.Sure(chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: toy.Space}, T))
	flow := longtest.Sure(particle.NewAnnealed(a))
	rows := 0.0
	b.Run("rows", func(b *testing.B) {
		for b.Loop() {
			longtest.Must(simulate.Rows(a, chains.Forward, simulate.NewStream(1, "bench", 0), k*P, nil))(b)
		}
		rows = k * P * steps * float64(b.N) / b.Elapsed().Seconds()
		b.ReportMetric(rows, "chain-steps/s")
	})
	rate := func(b *testing.B) {
		r := k * P * steps * float64(b.N) / b.Elapsed().Seconds()
		b.ReportMetric(r, "chain-steps/s")
		b.ReportMetric(r/rows, "of-rows")
	}
	for _, scheme := range []particle.Scheme{particle.Multinomial{}, particle.Stratified{}, particle.Systematic{}, particle.Residual{}} {
		for _, threshold := range []float64{1, 0.5} {
			s := longtest.Sure(particle.NewSMC(flow, P, scheme, threshold))
			name := scheme.String()
			if threshold != 1 {
				name += " when due"
			}
			b.Run(name, func(b *testing.B) {
				for b.Loop() {
					longtest.Must(particle.Sample(s, simulate.NewStream(1, "bench", 0), k, nil))(b)
				}
				rate(b)
			})
			b.Run(name+" conditional", func(b *testing.B) {
				for b.Loop() {
					longtest.Must(particle.SampleTarget(s, simulate.NewStream(1, "bench", 0), k, nil))(b)
				}
				rate(b)
			})
		}
	}
}
