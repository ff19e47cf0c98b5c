package exacttest

import (
	"math"
)

// Same reports whether two numbers agree to a tolerance that is relative to scale, infinities included.
func Same(a, b, tolerance, scale float64) bool {
	return a == b || math.Abs(a-b) <= tolerance*scale
}
