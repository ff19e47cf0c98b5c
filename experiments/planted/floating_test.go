package planted

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestFloating: with the numbers of float32 it is the conversion of the language, from subnormal numbers to what overflows, and
// numbers of float16 and bfloat16 are those that IEEE 754 and NumPy give.
func TestFloating(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := math.Float64frombits(rapid.Uint64().Draw(t, "bits"))
		if rapid.Bool().Draw(t, "small") { // half of all bits have a magnitude that float32 has too
			v = math.Ldexp(rapid.Float64Range(-2, 2).Draw(t, "v"), rapid.IntRange(-160, 130).Draw(t, "exponent"))
		}
		if got, want := Floating(v, 24, 126), float64(float32(v)); got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Fatalf("%v becomes %v, want %v", v, got, want)
		}
	})
	for _, c := range []struct{ v, half, brain float64 }{
		{1.2345, 1.234375, 1.234375},
		{-3.14159, -3.140625, -3.140625},
		{1.00390625, 1.00390625, 1}, // a tie of bfloat16
		{2049, 2048, 2048},          // a tie of float16
		{2051, 2052, 2048},
		{65519, 65504, 65536},
		{65520, math.Inf(1), 65536},
		{-70000, math.Inf(-1), -70144},
		{6.1e-8, math.Ldexp(1, -24), 0.00000006100162863731384},
		{1e-8, 0, 1.0011717677116394e-08},
	} {
		if got := Floating(c.v, 11, 14); got != c.half {
			t.Errorf("%v in float16 is %v, want %v", c.v, got, c.half)
		}
		if got := Floating(c.v, 8, 126); got != c.brain {
			t.Errorf("%v in bfloat16 is %v, want %v", c.v, got, c.brain)
		}
	}
}
