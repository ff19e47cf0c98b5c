package records

import (
	"math"
	"testing"

	"breadboard/experiments/verdicts"
)

// TestShiftFound: numbers that are off by so much have an e-value at the threshold where their sum
// is as far below its mean as in one of a hundred samples, and less where they are off by a little
// less; upwards and downwards. The numbers are normal, of which the means of powers are known.
func TestShiftFound(t *testing.T) {
	const mean, deviation, quantile, logThreshold = -3, 0.4, 2.3263478740408408, 16
	var k []float64
	for _, l := range verdicts.Powers() {
		k = append(k, l*mean+l*l*deviation*deviation/2)
	}
	for _, n := range []int{20, 1000, 100_000} {
		off := shiftFound(verdicts.Powers(), k, n, logThreshold)
		for _, sign := range []float64{1, -1} {
			logE := func(off float64) float64 {
				sum := float64(n)*(mean+sign*off) - sign*quantile*deviation*math.Sqrt(float64(n))
				return verdicts.WeightsLogE(sum, n, verdicts.Powers(), k)
			}
			if at, below := logE(off), logE(0.9*off); at < logThreshold-1e-6 || below > logThreshold {
				t.Errorf("%d numbers that are off by %v have a log e-value of %v, and %v where they are off by 0.9 of it", n, sign*off, at, below)
			}
		}
	}
}
