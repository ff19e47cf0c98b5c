package averages_test

import (
	"testing"

	"breadboard/exact/averages"
	"breadboard/grid/longtest"
)

// The distributions of 8 chains of 100 samples on a toy of 49 states.

func benchmarkedSum(b *testing.B, function string) *averages.SumLaw {
	c, f, start := setting(b, "barrier", "heatbath", "uniform", function)
	return longtest.Must(c.SumLaw(b.Context(), f, start, 100))(b)
}

func BenchmarkSumLaw(b *testing.B) {
	c, f, start := setting(b, "barrier", "heatbath", "uniform", "x0")
	for b.Loop() {
		longtest.Must(c.SumLaw(b.Context(), f, start, 100))(b)
	}
}

// BenchmarkSuccess is of the exact probability and its bracket; the latter alone is a limit of 0.02
// away, where only it is computed.
func BenchmarkSuccess(b *testing.B) {
	for _, v := range []struct {
		name string
		ress float64
	}{{"exact", 12}, {"bracket", 0.02}} {
		b.Run(v.name, func(b *testing.B) {
			l := benchmarkedSum(b, "x0")
			for b.Loop() {
				longtest.Must(l.Success(b.Context(), 8, v.ress))(b)
			}
		})
	}
}

func BenchmarkRESS(b *testing.B) {
	l := benchmarkedSum(b, "x0")
	for b.Loop() {
		longtest.Must(l.RESS(b.Context(), 8))(b)
	}
}

func BenchmarkRHat(b *testing.B) {
	l := benchmarkedSum(b, "mode")
	for b.Loop() {
		longtest.Must(l.RHat(b.Context(), 8))(b)
	}
}

func BenchmarkKS(b *testing.B) {
	c, f, start := setting(b, "barrier", "heatbath", "uniform", "mode")
	for b.Loop() {
		longtest.Must(c.KS(b.Context(), f, start, 1000, nil))(b)
	}
}

func BenchmarkIndependentKS(b *testing.B) {
	_, f, _ := setting(b, "barrier", "heatbath", "uniform", "x0")
	for b.Loop() {
		longtest.Must(f.IndependentKS(b.Context(), 1000, nil))(b)
	}
}
