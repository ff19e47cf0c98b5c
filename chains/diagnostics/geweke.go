package diagnostics

import (
	"fmt"
	"math"
)

// MinGeweke is the least number of draws for Geweke's test, whose first window is a tenth of them.
const MinGeweke = 10 * MinDraws

// Windows returns how many of the first and how many of the last draws Geweke's test compares: floor(N/10) and floor(N/2).
func Windows(draws int) (first, last int) { return draws / 10, draws / 2 }

// Geweke returns the z score of the difference between the mean of the first tenth and the mean of the last half of one chain. The squared
// standard error of each is the variance of its draws (divisor one less than their number) over their effective sample size. It is NaN
// where both windows are constant and equal, and infinite where they are constant and differ. It fails for fewer than MinGeweke draws.
// Time is O(N log N).
//
// Source: Geweke 1992, with the effective sample size in place of a spectral density at zero; Turner and Neal 2017, section 5.
func Geweke(x []float64) (float64, error) {
	d := Draws{x}
	if err := d.Check(); err != nil {
		return 0, err
	}
	if len(x) < MinGeweke {
		return 0, fmt.Errorf("the chain has %d draws; Geweke's test needs %d, so that its first tenth has %d", len(x), MinGeweke, MinDraws)
	}
	x = d.centred()[0]
	a, b := Windows(len(x))
	first, last := x[:a], x[len(x)-b:]
	square := squaredError(first) + squaredError(last)
	difference := mean(first) - mean(last)
	return difference / math.Sqrt(square), nil
}

// squaredError returns the squared standard error of the mean of centred draws.
func squaredError(x []float64) float64 { return variance(x) / Draws{x}.ess() }
