package reproduce

import (
	"math"
	"slices"
)

// lessEach returns the numbers of a list less those of another.
func lessEach(list, other []float64) []float64 {
	return zip(list, other, func(v, w float64) float64 { return v - w })
}

// sumOf returns the sum of numbers.
func sumOf(list []float64) float64 {
	total := 0.0
	for _, v := range list {
		total += v
	}
	return total
}

// leastOf returns the smallest number, and NaN if there are none.
func leastOf(list []float64) float64 {
	if len(list) == 0 {
		return math.NaN()
	}
	return slices.Min(list)
}

// mostOf returns the largest number, and NaN if there are none.
func mostOf(list []float64) float64 { return -leastOf(negative(list)) }

// negative returns numbers with the other sign.
func negative(list []float64) []float64 { return lessEach(make([]float64, len(list)), list) }

// end returns the last number of a list, and NaN of an empty one.
func end(list []float64) float64 {
	if len(list) == 0 {
		return math.NaN()
	}
	return list[len(list)-1]
}
