package diagnose

import (
	"slices"

	"breadboard/chains/diagnostics"
	"breadboard/exact/averages"
)

// real returns the RESS of the means, the variances and the distributions of chains of draws of a function: K R over the sum of their
// squared errors (Eq. 4), in units of the target. It is infinite where no chain is off.
func real(draws diagnostics.Draws, f *averages.Function) (mean, variance, distribution float64) {
	var squares [3]float64
	for _, chain := range draws {
		a, b, c := squaredErrors(chain, f)
		squares[0], squares[1], squares[2] = squares[0]+a, squares[1]+b, squares[2]+c
	}
	k := float64(len(draws))
	return k / squares[0], k * f.IndependentVariance(int64(len(draws[0]))) / squares[1], k * f.IndependentCvM() / squares[2]
}

// squaredErrors returns the squared errors of the mean and of the variance (divisor N - 1) of a chain in units of the target, and its
// Cramer-von Mises distance, as averages.Errors defines them.
func squaredErrors(chain []float64, f *averages.Function) (mean, variance, distribution float64) {
	n := float64(len(chain))
	counts, total, around := make([]float64, len(f.Levels)+1), 0.0, 0.0
	for _, v := range chain {
		level, _ := slices.BinarySearch(f.Levels, v)
		counts[level]++
		total += (v - f.Mean) / f.SD
	}
	mean = total / n
	for _, v := range chain {
		d := (v-f.Mean)/f.SD - mean
		around += d * d
	}
	variance = around/(n-1) - 1
	at, below := 0.0, 0.0
	for level, mass := range f.Masses {
		at, below = at+counts[level]/n, below+mass
		distribution += mass * (at - below) * (at - below)
	}
	return mean * mean, variance * variance, distribution
}
