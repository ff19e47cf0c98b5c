package ais_test

import (
	"math"
	"testing"

	"breadboard/experiments/ais"
)

// TestPlugInByHand holds the plug-in estimate to sums written out here: half a draw is added to every state, those that no
// draw has met with them, and a state of probability zero has no term.
func TestPlugInByHand(t *testing.T) {
	term := func(q, p float64) float64 { return (q - p) * (math.Log(q) - math.Log(p)) }
	for _, c := range []struct {
		counts []int
		p      []float64
		want   float64
	}{
		{[]int{3, 0, 1}, []float64{0.5, 0.25, 0.25}, term(3.5/5.5, 0.5) + term(0.5/5.5, 0.25) + term(1.5/5.5, 0.25)},
		{[]int{0, 7}, []float64{0.9, 0.1}, term(0.5/8, 0.9) + term(7.5/8, 0.1)},
		{[]int{1, 1, 0}, []float64{0.5, 0.5, 0}, 2 * term(1.5/3.5, 0.5)},
		{[]int{2, 2}, []float64{0.5, 0.5}, 0},
		{[]int{0, 0, 0, 0}, []float64{0.25, 0.25, 0.25, 0.25}, 0},
	} {
		if got := ais.PlugInJ(c.counts, c.p); !(math.Abs(got-c.want) <= 1e-15*(1+c.want)) {
			t.Errorf("counts %v of %v: %v, by hand %v", c.counts, c.p, got, c.want)
		}
	}
}

// TestPlugInIsTooLarge: where the output is the target the plug-in estimate is too large, by (n-1)/k to first order, the
// mean of a chi-squared of n - 1 degrees over k. This sum over all histograms of 400 draws of three states is within
// a few per cent of it, and could not be were its sign wrong, or the half draws taken away.
func TestPlugInIsTooLarge(t *testing.T) {
	const k = 400
	p := []float64{0.2, 0.3, 0.5}
	mean := 0.0
	whole, _ := math.Lgamma(k + 1)
	for i := 0; i <= k; i++ {
		for j := 0; j <= k-i; j++ {
			counts := []int{i, j, k - i - j}
			logP := whole
			for x, c := range counts {
				log, _ := math.Lgamma(float64(c) + 1)
				logP += float64(c)*math.Log(p[x]) - log
			}
			mean += math.Exp(logP) * ais.PlugInJ(counts, p)
		}
	}
	if got := mean * k / 2; !(math.Abs(got-1) < 0.02) {
		t.Errorf("the mean is %v times (n-1)/k", got)
	}
}
