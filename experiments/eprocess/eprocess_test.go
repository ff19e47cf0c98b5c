package eprocess

import (
	"math"
	"testing"

	"breadboard/exact/weights"
)

// TestCountsEValueHasMeanOne sums the e-value over every outcome of a few draws, with its probability: it is a
// likelihood ratio, so that the sum is one exactly.
func TestCountsEValueHasMeanOne(t *testing.T) {
	p := []float64{0.7, 0.299, 0.001}
	for n := range 7 {
		total := 0.0
		for a := 0; a <= n; a++ {
			for b := 0; a+b <= n; b++ {
				counts := []int{a, b, n - a - b}
				logP := 0.0
				ways := 1.0
				left := n
				for i, c := range counts {
					logP += float64(c) * math.Log(p[i])
					for k := range c {
						ways *= float64(left-k) / float64(k+1)
					}
					left -= c
				}
				total += ways * math.Exp(logP+CountsLogE(counts, p))
			}
		}
		if math.Abs(total-1) > 1e-12 {
			t.Errorf("%d draws: the e-value has mean %v", n, total)
		}
	}
}

// TestImpossibleCell: what cannot be is a fault at once.
func TestImpossibleCell(t *testing.T) {
	if e := CountsLogE([]int{10, 1}, []float64{1, 0}); !math.IsInf(e, 1) {
		t.Errorf("a cell of probability zero gives log e = %v", e)
	}
	if e := WeightsLogE(math.NaN(), 1, []float64{1}, []float64{0}); !math.IsInf(e, 1) {
		t.Errorf("a log weight that is no number gives log e = %v", e)
	}
}

// TestLevelsEValue sums the e-value over every outcome of a few draws, for true probabilities within the bounds: it
// has mean at most one, and exactly one where the bounds are tight.
func TestLevelsEValue(t *testing.T) {
	for _, p := range []weights.Bracket{{Low: 0.3, Value: 0.3, High: 0.3}, {Low: 0.2, Value: 0.25, High: 0.4}, {Low: 0, Value: 0.5, High: 1}} {
		for _, truth := range []float64{p.Low, p.Value, p.High} {
			for n := range 8 {
				total, ways := 0.0, 1.0
				for k := 0; k <= n; k++ {
					e := math.Exp(LevelsLogE([]int{k}, n, []Level{{0, p}}))
					total += ways * math.Pow(truth, float64(k)) * math.Pow(1-truth, float64(n-k)) * e
					ways *= float64(n-k) / float64(k+1)
				}
				if total > 1+1e-12 || p.Low == p.High && total < 1-1e-12 {
					t.Errorf("%v, truly %v, %d draws: the e-value has mean %v", p, truth, n, total)
				}
			}
		}
	}
}
