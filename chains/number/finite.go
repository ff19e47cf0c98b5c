package number

import (
	"math"
)

// Finite returns |v|, and zero for an infinite v. It serves as the size of a term in a tolerance for rounding: an
// infinite number has no rounding.
func Finite(v float64) float64 {
	if math.IsInf(v, 0) {
		return 0
	}
	return math.Abs(v)
}

// GCD returns the greatest common divisor of two integers, zero or more; it is zero where both are.
func GCD[I int | int64](a, b I) I {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}
