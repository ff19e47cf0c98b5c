package chains_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
)

// TestLogSums: sums and means of logarithms are those of the numbers, and a constant in the logarithms costs no digits but its own.
func TestLogSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		logs := rapid.SliceOfN(rapid.Float64Range(-20, 20), 1, 9).Draw(t, "logs")
		constant := rapid.SampledFrom([]float64{0, -700, 1e4}).Draw(t, "constant")
		sum, shifted := 0.0, make([]float64, len(logs))
		for i, l := range logs {
			sum += math.Exp(l)
			shifted[i] = l + constant
		}
		near := func(what string, got, want float64) {
			if !(math.Abs(got-constant-want) <= 1e-13*max(20, math.Abs(constant))) {
				t.Fatalf("%s of %v + %v is %v, want %v", what, logs, constant, got, constant+want)
			}
		}
		near("what is divided by", chains.Normalize(shifted), math.Log(sum))
		for i, l := range logs {
			if want := math.Exp(l) / sum; !(math.Abs(shifted[i]-want) <= 1e-13*max(1, math.Abs(constant)/10)*want) {
				t.Fatalf("probability %d of %v + %v is %v, want %v", i, logs, constant, shifted[i], want)
			}
		}
	})
}
