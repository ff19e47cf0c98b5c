package draws_test

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains/selector"
	"breadboard/experiments/draws"
	_ "breadboard/grid/longtest" // the flag -long, and fixed seeds
)

// TestParseNumber holds the fast parser to strconv, bit for bit, on numbers of every form and
// magnitude.
func TestParseNumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.OneOf(
			rapid.Float64(),
			rapid.Map(rapid.Uint64(), math.Float64frombits),
			rapid.Float64Range(-1e3, 1e3),
			rapid.SampledFrom([]float64{
				0, math.Copysign(0, -1), 1e22, 1e23, 1e-22, 1e-23, 1 << 53, 1<<53 + 2, 5e-324}),
		).Draw(t, "v")
		if v-v != 0 {
			t.Skip("not finite")
		}
		precision := rapid.IntRange(-1, 25).Draw(t, "precision")
		text := strconv.FormatFloat(v, rapid.SampledFrom([]byte("eEfgG")).Draw(t, "format"), precision, 64)
		if rapid.Bool().Draw(t, "plus") && text[0] != '-' {
			text = "+" + text
		}
		want, err := strconv.ParseFloat(text, 64)
		got, _, ok := draws.ParseNumber([]byte(text))
		if ok != (err == nil) || ok && math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("%s: %v, not %v", text, got, want)
		}
	})
}

// TestDigits counts by hand.
func TestDigits(t *testing.T) {
	for text, want := range map[string]draws.Precision{
		"12": {}, "1.50": {Decimals: 2, Significant: 3}, "0.0012": {Decimals: 4, Significant: 2},
		"-.5":    {Decimals: 1, Significant: 1},
		"1.5e-3": {Decimals: 4, Significant: 2}, "100.00": {Decimals: 2, Significant: 5},
		"0.000": {Decimals: 3}, "-123456": {Significant: 6},
	} {
		if got := precisionOf([]string{text}); got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
}

// FuzzParseNumber: the fast parser takes exactly what selector.ParseNumber takes.
func FuzzParseNumber(f *testing.F) {
	for _, s := range []string{
		"1", "-1.5e-3", "+.5", "5.", ".", "1e", "1e+", "1_0", "0x1p3", "inf", "nan", "1e400", "1e-400",
		"123456789012345678901234567890", "1,5", "", "--1", "1e99999999999999999999"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want, err := selector.ParseNumber(s)
		got, _, ok := draws.ParseNumber([]byte(s))
		if ok != (err == nil) || ok && got != want {
			t.Errorf("%q: %v %v, and selector says %v, %v", s, got, ok, want, err)
		}
	})
}

// precisionOf returns the precision of numbers, as they are written.
func precisionOf(numbers []string) (p draws.Precision) {
	for _, n := range numbers {
		p.CountDigits([]byte(n))
	}
	return p
}

// TestRoundingIsCovered: whatever way a program rounds its numbers, none of them is further from
// what it was than Rounding says. The reference is the rounding itself.
func TestRoundingIsCovered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scale := rapid.SampledFrom([]float64{1e-12, 1e-3, 1, 1e3, 1e12}).Draw(t, "scale")
		values := rapid.SliceOfN(rapid.OneOf(rapid.Float64Range(-100, 100),
			rapid.Map(rapid.Float64Range(-100, 100), func(v float64) float64 { return v * scale }),
			rapid.Just(0.0)), 1, 30).Draw(t, "values")
		format := rapid.SampledFrom([]string{"%.1f", "%.3f", "%.6f", "%.14f", "%.2g", "%g", "%.6g", "%.4e",
			"%.17g", "round"}).Draw(t, "format")
		written := make([]string, len(values))
		for i, v := range values {
			switch format {
			case "round": // to six decimals, of which zeros at the end are then left out
				written[i] = strings.TrimRight(fmt.Sprintf("%.6f", v), "0")
				if strings.HasSuffix(written[i], ".") {
					written[i] += "0"
				}
			default:
				written[i] = fmt.Sprintf(format, v)
			}
		}
		if !slices.ContainsFunc(written,
			func(s string) bool { return strings.ContainsAny(s, ".e") || len(strings.Trim(s, "-0")) >= 6 }) {
			t.Skip("small whole numbers are taken for exact if there are no others")
		}
		p := precisionOf(written)
		for i, v := range values {
			got, _, ok := draws.ParseNumber([]byte(written[i]))
			// Reading a decimal number is itself off by half a unit of float64's last place.
			if d := math.Abs(got - v); !ok || d > p.Rounding(got)*(1+1e-9)+math.Abs(v)*0x1p-52 {
				t.Fatalf("%v was written as %v by %s, and %+v allows for %v", v, got, format, p, p.Rounding(got))
			}
		}
	})
}

// TestRoundingByHand: half a unit of the last digit, and no more than that where float64 is given
// in full.
func TestRoundingByHand(t *testing.T) {
	for _, c := range []struct {
		text string
		v    float64
		want float64
	}{
		// %.6f
		{"-1.234567 0.000012 120.500000", 0, 0.5e-6}, {"-1.234567 0.000012 120.500000", -120.5, 0.5e-6},
		{"-1.23457 123.457", 123.457, 0.5e-3}, {"-1.23457 123.457 1234567.0", 1.23457, 0.5e-5}, // %g
		{"1.23457e+06 1.5", 1.23457e6, 5},
		// a power of ten, whose logarithm is rounded
		{"1e-122 1.5e-122", 1e-122, 0.5e-123}, {"1e-122 1.5e-122", -1e-122, 0.5e-123},
		// 18 significant digits, and six decimals none the less
		{"123456789012.123456 0.500000", 0.5, 0.5e-6},
		{"3 -7 12", 3, 0}, // whole numbers are exact
		{"3 -inf inf", 3, 0},
		{"-1.5 -inf", math.Inf(-1), 0},
	} {
		if got := precisionOf(strings.Fields(c.text)).Rounding(c.v); math.Abs(got-c.want) > 1e-9*c.want {
			t.Errorf("%s: %v of %v, not %v", c.text, got, c.v, c.want)
		}
	}
	full := draws.Precision{Decimals: 17, Significant: 17}
	if r := full.Rounding(123.456); r > 1e-16 {
		t.Errorf("a float64 in full is allowed to be off by %v", r)
	}
	if r := (draws.Precision{}).Rounding(123.456); r != 0 {
		t.Errorf("a float64 is allowed to be off by %v", r)
	}
}

// TestRoundingOfFloat32: no number is further from its float32 than Rounding says, also if seven
// digits are too many, as from 0.000977 to 0.001.
func TestRoundingOfFloat32(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.OneOf(rapid.Float64Range(-100, 100), rapid.Float64Range(9.77e-4, 1e-3),
			rapid.Float64Range(-1e-38, 1e-38),
			rapid.Map(rapid.Float32(), func(v float32) float64 { return float64(v) * (1 + 0x1p-25) })).
			Draw(t, "v")
		p := draws.Precision{Significant: 7, Bits: 24}
		rounded := float64(float32(v))
		if math.IsInf(rounded, 0) {
			t.Skip("too large")
		}
		if d := math.Abs(rounded - v); d > p.Rounding(rounded) {
			t.Fatalf("%v is %v as float32, and %v is allowed for", v, rounded, p.Rounding(rounded))
		}
	})
	v := 0.0009775 // the bound is nearly attained
	if exact, p := math.Abs(float64(float32(v))-v),
		(draws.Precision{Significant: 7, Bits: 24}); p.Rounding(v) > 6e-11 || exact > p.Rounding(v) {
		t.Errorf("%v: off by %v, %v allowed for", v, exact, p.Rounding(v))
	}
}
