package exact_test

import (
	"testing"

	"breadboard/exact/internal/exacttest"
)

// BenchmarkSolve reports the time of a step by each method.
func BenchmarkSolve(b *testing.B) {
	for _, c := range []struct {
		toy, kernel string
		T           int
	}{
		{"barrier", "metropolis", 20_000}, {"barrier", "moore", 20_000}, {"barrier", "barker", 20_000},
		{"barrier", "heatbath-scan", 20_000},
		{"barrier", "jump:0.05", 20_000}, {"random:1:1:256x256", "metropolis", 300},
		{"ising:4x4:0.44:torus", "flip", 200},
	} {
		b.Run(c.toy+","+c.kernel, func(b *testing.B) {
			a := exacttest.Annealing(b, c.toy, "linear", c.kernel, c.T)
			for b.Loop() {
				exacttest.Solve(b, a)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*(c.T-1)), "ns/step")
		})
	}
}
