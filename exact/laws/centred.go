package laws

import (
	"math"
	"slices"
)

// nearlyFlat is the range of logarithms, in nats, up to which their mean is taken from the differences of the terms. Beyond it the terms
// differ by so much that a sum of all of them keeps the digits of their differences.
const nearlyFlat = 0.5

// centreOf returns the largest of some logarithms, and whether all of them are so near to it that differences from it keep more digits
// than a sum of the terms would. None of them is then -Inf.
func centreOf(logs []float64) (centre float64, flat bool) {
	low, high := slices.Min(logs), slices.Max(logs)
	return high, high-low <= nearlyFlat
}

// logRatio returns log a/b of positive numbers. Where they are near each other their difference is exact, and the logarithm keeps the digits
// that it has.
func logRatio(a, b float64) float64 {
	if d := (a - b) / b; math.Abs(d) < 0.5 {
		return math.Log1p(d)
	}
	return math.Log(a) - math.Log(b)
}
