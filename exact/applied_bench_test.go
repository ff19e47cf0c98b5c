package exact_test

import (
	"testing"

	"breadboard/exact"
	"breadboard/exact/internal/exacttest"
)

// BenchmarkKernels times a step of each kind of kernel on BARRIER, by the method that Solve chooses and by the general one.
func BenchmarkKernels(b *testing.B) {
	for _, kernel := range []string{"metropolis", "barker", "moore", "flip", "heatbath", "heatbath-scan", "suwa-todo", "jump:0.05", "independence", "repeat:3:metropolis"} {
		for _, method := range []struct {
			name string
			exact.Options
			T int
		}{{"chosen", exact.Options{}, 20_000}, {"general", exact.Options{General: true}, 1000}} {
			a := exacttest.Annealing(b, "barrier", "linear", kernel, method.T)
			b.Run(kernel+"/"+method.name, func(b *testing.B) {
				for b.Loop() {
					exacttest.SolveWith(b, a, method.Options)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(method.T-1), "ns/step")
			})
		}
	}
}
