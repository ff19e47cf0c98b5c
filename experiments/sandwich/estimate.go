package sandwich

import "math"

// nothing returns an estimate of which nothing is known.
func nothing() Estimate {
	nan := math.NaN()
	return Estimate{nan, nan, nan, nan, nan, nan, nan, nan, nan}
}
