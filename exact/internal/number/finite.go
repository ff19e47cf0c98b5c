package number

import (
	"math"
)

// Finite returns the size of a number, and nothing for an infinite one, which has no rounding.
func Finite(v float64) float64 {
	if math.IsInf(v, 0) {
		return 0
	}
	return math.Abs(v)
}
