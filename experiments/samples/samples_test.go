package samples

import (
	"math"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains/selector"
)

// TestParseNumber holds the fast parser to strconv, bit for bit, on numbers of every form and magnitude.
func TestParseNumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.OneOf(rapid.Float64(), rapid.Map(rapid.Uint64(), math.Float64frombits), rapid.Float64Range(-1e3, 1e3), rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1e22, 1e23, 1e-22, 1e-23, 1 << 53, 1<<53 + 2, 5e-324})).Draw(t, "v")
		if v-v != 0 {
			t.Skip("not finite")
		}
		precision := rapid.IntRange(-1, 25).Draw(t, "precision")
		text := strconv.FormatFloat(v, rapid.SampledFrom([]byte("eEfgG")).Draw(t, "format"), precision, 64)
		if rapid.Bool().Draw(t, "plus") && text[0] != '-' {
			text = "+" + text
		}
		want, err := strconv.ParseFloat(text, 64)
		got, _, ok := ParseNumber([]byte(text))
		if ok != (err == nil) || ok && math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("%s: %v, not %v", text, got, want)
		}
	})
}

// TestDigits counts by hand.
func TestDigits(t *testing.T) {
	for text, want := range map[string]Digits{
		"0": {0, 0, true}, "12": {2, 0, true}, "-120": {3, 0, true}, "1.50": {3, 2, false}, "0.0012": {2, 4, false}, "-.5": {1, 1, false}, "5.": {1, 0, false},
		"1.5e3": {2, -2, false}, "1.5e-3": {2, 4, false}, "2e5": {1, -5, false}, "0.000": {0, 3, false}, "100.00": {5, 2, false},
	} {
		if _, got, ok := ParseNumber([]byte(text)); !ok || got != want {
			t.Errorf("%s: %+v", text, got)
		}
	}
}

// FuzzParseNumber: the fast parser takes exactly what selector.ParseNumber takes.
func FuzzParseNumber(f *testing.F) {
	for _, s := range []string{"1", "-1.5e-3", "+.5", "5.", ".", "1e", "1e+", "1_0", "0x1p3", "inf", "nan", "1e400", "1e-400", "123456789012345678901234567890", "1,5", "", "--1", "1e99999999999999999999"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want, err := selector.ParseNumber(s)
		got, _, ok := ParseNumber([]byte(s))
		if ok != (err == nil) || ok && got != want {
			t.Errorf("%q: %v %v, and selector says %v, %v", s, got, ok, want, err)
		}
	})
}
