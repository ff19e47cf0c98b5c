package number

import (
	"math"
)

// Bounds returns the least and the greatest of the values that are not -Inf; +Inf and -Inf where there are none.
func Bounds(v []float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, x := range v {
		if !math.IsInf(x, -1) {
			low, high = min(low, x), max(high, x)
		}
	}
	return low, high
}
