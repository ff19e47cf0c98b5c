package diagnostics

import (
	"math"

	"breadboard/chains/errs"
)

// LooseRHat and StrictRHat are the usual limits for R-hat of converged chains: customary since
// Gelman and Rubin 1992, and from Vehtari et al. 2021.
const LooseRHat, StrictRHat = 1.1, 1.01

// RHat returns Gelman and Rubin's potential scale reduction of whole chains: the square root of (N
// - 1)/N + B/W, with B the variance of the means of the chains and W the mean of the variances of
// each. It is NaN if all draws are equal, and +Inf if each chain is constant but they are not all
// the same. It fails for a single chain.
//
// Source: Gelman and Rubin 1992, without their correction for degrees of freedom, as in Stan.
func RHat(d Draws) (float64, error) {
	if err := d.several(); err != nil {
		return 0, err
	}
	return d.centred().rhat(), nil
}

// RHatSplit returns R-hat of split chains, so that a single chain has one too.
func RHatSplit(d Draws) (float64, error) {
	if err := d.Validate(); err != nil {
		return 0, err
	}
	return d.centred().splitHalves().rhat(), nil
}

// rhat returns R-hat of centred draws.
func (d Draws) rhat() float64 {
	within := 0.0
	for _, chain := range d {
		within += variance(chain) / float64(len(d))
	}
	n := float64(len(d[0]))
	return math.Sqrt((n-1)/n + variance(d.means())/within)
}

// MinGeweke is the least number of draws for Geweke's test, whose first window is a tenth of them.
const MinGeweke = 10 * MinDraws

// Windows returns how many of the first and how many of the last draws Geweke's test compares:
// floor(N/10) and floor(N/2).
func Windows(draws int) (first, last int) { return draws / 10, draws / 2 }

// Geweke returns the z score of the difference between the mean of the first tenth and the mean of
// the last half of one chain. The squared standard error of each is the variance of its draws
// (divisor one less than their number) over their effective sample size. It is NaN if both windows
// are constant and equal, and infinite if they are constant and differ. It fails for fewer than
// MinGeweke draws. Time is O(N log N).
//
// Source: Geweke 1992, with the effective sample size instead of a spectral density at zero; Turner
// and Neal 2017, section 5.
func Geweke(x []float64) (float64, error) {
	d := Draws{x}
	if err := d.Validate(); err != nil {
		return 0, err
	}
	if len(x) < MinGeweke {
		return 0, errs.New("the chain has %d draws; Geweke's test needs %d, so that its first tenth has %d",
			len(x), MinGeweke, MinDraws)
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
