package planted

import "math"

// Floating returns the number nearest to v, ties to even, in a binary floating-point format whose significand has so many bits
// and whose smallest normal number is 2^-least. Smaller numbers lose digits, as in IEEE 754, and numbers that round to 2^(least+2)
// or more become infinite. float16 has 11 bits and least 14, bfloat16 has 8 and 126, and float32 has 24 and 126.
func Floating(v float64, bits, least int) float64 {
	if v == 0 || math.IsInf(v, 0) || math.IsNaN(v) {
		return v
	}
	_, exponent := math.Frexp(v) // |v| is below 2^exponent and at least half of that
	unit := math.Ldexp(1, max(exponent, 1-least)-bits)
	rounded := math.RoundToEven(v/unit) * unit
	if math.Abs(rounded) >= math.Ldexp(1, least+2) {
		return math.Inf(int(math.Copysign(1, v)))
	}
	return rounded
}
