package reproduce

import (
	"math"
	"slices"
)

// printedMatches counts the nine printed J and B that come out where T = 100 and 1000 are taken for others; an empty name leaves them out.
func printedMatches(p *Part, hundred, thousand string) int {
	matches := 0
	for _, v := range []struct{ column, toy, at, printed string }{
		{"J", "easy", hundred, "0.13"}, {"J", "hard", hundred, "4.73"}, {"J", "barrier", hundred, "1.65"},
		{"J", "easy", thousand, "0.00518"}, {"B", "easy", thousand, "0.0705"},
		{"J", "hard", thousand, "1.840"}, {"B", "hard", thousand, "2.309"},
		{"J", "barrier", thousand, "1.085"}, {"B", "barrier", thousand, "1.184"},
	} {
		if v.at == "" {
			continue
		}
		for _, number := range p.hidden(v.column, "toy="+v.toy, "T="+v.at) {
			if rounds(number, v.printed) {
				matches++
			}
		}
	}
	return matches
}

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

// leastOf returns the smallest number, and NaN where there are none.
func leastOf(list []float64) float64 {
	if len(list) == 0 {
		return math.NaN()
	}
	return slices.Min(list)
}

// mostOf returns the largest number, and NaN where there are none.
func mostOf(list []float64) float64 { return -leastOf(negative(list)) }

// negative returns numbers with the other sign.
func negative(list []float64) []float64 { return lessEach(make([]float64, len(list)), list) }

// meanAndSD returns the mean of numbers and their standard deviation.
func meanAndSD(list []float64) (mean, sd float64) {
	n := float64(len(list))
	mean = sumOf(list) / n
	squares := 0.0
	for _, v := range list {
		squares += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(squares / (n - 1))
}
