package eprocess

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"breadboard/exact/weights"
)

// TestExcessRising compares with the sum of the logarithms of all factors, over many magnitudes.
func TestExcessRising(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := math.Pow(10, rapid.Float64Range(-307, 12).Draw(t, "log a"))
		if rapid.Bool().Draw(t, "moderate") {
			a = math.Pow(10, rapid.Float64Range(-3, 9).Draw(t, "log a"))
		}
		n := rapid.SampledFrom([]int{0, 1, 2, 7, 8, 9, 10, 11, 12, 30, 1000, 20_000}).Draw(t, "n")
		want, lost := 0.0, 0.0
		for i := 1; i < n; i++ {
			term := math.Log1p(float64(i) / a)
			if math.IsInf(term, 1) {
				term = math.Log(float64(i)) - math.Log(a)
			}
			term += lost
			next := want + term
			want, lost = next, term-(next-want)
		}
		if got := excessRising(a, float64(n)); !(math.Abs(got-want) <= 2e-14*want) {
			t.Fatalf("a = %v, n = %d: %v, by its factors %v", a, n, got, want)
		}
	})
}

// sizeOfTerms returns the sum of the absolute values of all terms that make up the log e-value of one concentration, averaged over the
// concentrations as the e-value averages over them.
func sizeOfTerms(counts []int, p []float64) float64 {
	mean, all := 0.0, CountsLogE(counts, p)
	for _, kappa := range Concentrations() {
		total, value, size := 0.0, 0.0, 0.0
		for i, c := range counts {
			v := excessRising(kappa*p[i], float64(c))
			total, value, size = total+float64(c), value+v, size+v
		}
		v := excessRising(kappa, total)
		mean += math.Exp(value-v-all) / ConcentrationCount * (size + v)
	}
	return mean
}

// TestCountsKeepTheirDigits: probabilities that are off in the last digits change an e-value of 100,000 draws by no more. The
// largest concentration is 3e7, where logarithms of Gamma are in the hundreds of millions.
func TestCountsKeepTheirDigits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 50).Draw(t, "cells")
		counts, p := make([]int, n), make([]float64, n)
		total := 0.0
		for i := range p {
			counts[i] = rapid.IntRange(0, 200_000/n).Draw(t, "count")
			p[i] = rapid.Float64Range(0.1, 1).Draw(t, "p")
			total += p[i]
		}
		off := make([]float64, n)
		draws := 0.0
		for i := range p {
			p[i] /= total
			off[i] = p[i] * (1 + 4e-16*float64(rapid.IntRange(-1, 1).Draw(t, "off")))
			draws += float64(counts[i])
		}
		// The e-value itself changes by the likelihood ratio of both laws, a factor of up to 1 + 5e-16 a draw. It is also rounded:
		// it is a difference of larger numbers, each of which is known to some units in its last place.
		rounding := max(1e-13*math.Abs(CountsLogE(counts, p)), 4*0x1p-53*sizeOfTerms(counts, p))
		if a, b := CountsLogE(counts, p), CountsLogE(counts, off); !(math.Abs(a-b) <= 1e-15*draws+rounding) {
			t.Fatalf("%v and %v", a, b)
		}
	})
	a, b := weights.Bracket{Low: 0.3, Value: 0.3, High: 0.3}, weights.Bracket{Low: 0.3, Value: 0.3 + 1e-16, High: 0.3 + 1e-16}
	if x, y := levelLogE(5000, 16384, a), levelLogE(5000, 16384, b); !(math.Abs(x-y) <= 2e-11) {
		t.Errorf("a level: %v and %v", x, y)
	}
}
