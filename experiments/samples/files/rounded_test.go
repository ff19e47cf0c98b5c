package files

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"breadboard/experiments/samples"
)

// TestRoundedDoubles: float64 of a binary file that were rounded to decimals are known by it, and others are not.
func TestRoundedDoubles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		decimals := rapid.IntRange(1, 12).Draw(t, "decimals")
		unit := math.Pow10(decimals)
		var b firstDoubles
		for _, v := range rapid.SliceOfN(rapid.Float64Range(-50, 50), 50, 300).Draw(t, "values") {
			b.add(math.Round(v*unit) / unit)
		}
		b.add(math.Inf(-1))
		b.add((unit*3 + 7) / unit) // a value with all of the decimals
		p := b.precision()
		switch {
		case decimals < leastDecimals && p != samples.Precision{}:
			t.Fatalf("%d decimals are taken for rounding: %+v", decimals, p)
		case decimals >= leastDecimals && b.seen < judged && p.Decimals != decimals:
			t.Fatalf("%d decimals are %+v", decimals, p)
		}
	})
	var b firstDoubles
	for i := range 1000 {
		b.add(math.Sqrt(float64(i)))
	}
	if p := b.precision(); p != (samples.Precision{}) || b.seen != judged {
		t.Errorf("square roots are %+v, judged by %d", p, b.seen)
	}
}
