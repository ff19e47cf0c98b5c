package main

import "math"

// barker returns the probability f(y)/(f(x) + f(y)), given log f(y) - log f(x). Both branches avoid
// an overflow.
func barker(difference float64) float64 {
	if difference >= 0 {
		return 1 / (1 + math.Exp(-difference))
	}
	e := math.Exp(difference)
	return e / (1 + e)
}
