package diagnostics

import (
	"math"
	"slices"
)

// Median returns the median of numbers in any order, and NaN of none. Where their number is even it is the mean of the two in the middle.
// Time is O(N log N).
func Median(v []float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	v = slices.Sorted(slices.Values(v))
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}

// Quantile returns the quantile of a probability from 0 to 1, of numbers in ascending order, of which there is at least one: the smallest at 0,
// the largest at 1, and in between on the straight lines from one to the next. At a half it is the median.
func Quantile(sorted []float64, p float64) float64 {
	at := p * float64(len(sorted)-1)
	low := int(math.Floor(at))
	if low >= len(sorted)-1 {
		return sorted[len(sorted)-1]
	}
	a, b := sorted[low], sorted[low+1]
	if rest := at - float64(low); rest > 0 && a != b {
		return a + rest*(b-a)
	}
	return a
}

// mean returns the mean of draws. It subtracts the first of them before it sums, so that a large constant costs no digits.
func mean(x []float64) float64 {
	total := 0.0
	for _, v := range x {
		total += v - x[0]
	}
	return x[0] + total/float64(len(x))
}

// variance returns the variance of draws with divisor N - 1.
func variance(x []float64) float64 {
	total := 0.0
	for _, v := range centred(x) {
		total += v * v
	}
	return total / float64(len(x)-1)
}

// centred returns the draws without their mean. Equal draws become zeros.
func centred(x []float64) []float64 {
	out := make([]float64, len(x))
	total := 0.0
	for i, v := range x {
		out[i] = v - x[0]
		total += out[i]
	}
	m := total / float64(len(x))
	for i := range out {
		out[i] -= m
	}
	return out
}

// means returns the mean of each chain.
func (d Draws) means() []float64 {
	m := make([]float64, len(d))
	for k, chain := range d {
		m[k] = mean(chain)
	}
	return m
}
