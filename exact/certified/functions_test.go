package certified

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// decimal reads a decimal number in many bits.
func decimal(t testing.TB, s string) *big.Float {
	t.Helper()
	v, _, err := big.ParseFloat(s, 10, 1024, big.ToNearestEven)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// units returns |got - want| in units of 2^-bits times the scale.
func units(got, want *big.Float, bits uint, scale float64) float64 {
	d := new(big.Float).SetPrec(2048).Sub(got, want)
	return math.Abs(float(d.SetMantExp(d, int(bits)))) / scale
}

// TestConstants holds the functions to published digits (OEIS A001113, A002162, A002392, A073230).
func TestConstants(t *testing.T) {
	for _, bits := range []uint{64, 256, 320} {
		a := newArithmetic(bits)
		for _, c := range []struct {
			name string
			got  *big.Float
			want string
		}{
			{"e", a.exp(a.one),
				"2.71828182845904523536028747135266249775724709369995957496696762772407663035354759457138217852516642742746639193200305992181741359662904"},
			{"log 2", a.log(a.fromFloat(2)),
				"0.69314718055994530941723212145817656807550013436025525412068000949339362196969471560586332699641868754200148102057068573368552023575813"},
			{"log 10", a.log(a.fromFloat(10)),
				"2.30258509299404568401799145468436420760110148862877297603332790096757260967735248023599720508959829834196778404228624863340952546508280"},
		} {
			if off := units(c.got, decimal(t, c.want), bits, float(c.got)); off > 1 {
				t.Errorf("%s in %d bits is %s, %v units off", c.name, bits, c.got.Text('g', 90), off)
			}
		}
	}
}

// TestFunctionErrors compares every function with itself in 300 more bits, on arguments of every
// size. The errors must be within what the derivation of the bound in the package documentation
// assumes.
func TestFunctionErrors(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bits := uint(rapid.IntRange(60, 400).Draw(t, "bits"))
		a, b := newArithmetic(bits), newArithmetic(bits+300)
		x := rapid.Float64Range(-1, 1).Draw(t, "x") * math.Pow(10, rapid.Float64Range(-30, 4.3).Draw(t, "size"))
		want := b.expm1(b.fromFloat(x))
		if off := units(a.expm1(a.fromFloat(x)), want, bits, 1); off > 2*math.Abs(float(want)) && x != 0 && math.Abs(x) < 700 {
			t.Fatalf("expm1(%v) in %d bits is %v units off", x, bits, off/math.Abs(float(want)))
		}
		got, more := a.exp(a.fromFloat(x)), b.exp(b.fromFloat(x))
		ratio := new(big.Float).SetPrec(2048).Quo(got, more)
		if off := units(ratio, b.one, bits, 1); off > 2 {
			t.Fatalf("exp(%v) in %d bits is %v units off", x, bits, off)
		}
		y := math.Abs(x) + 1e-300
		l := b.log(b.fromFloat(y))
		if off := units(a.log(a.fromFloat(y)), l, bits, 1+math.Abs(float(l))); off > 2 {
			t.Fatalf("log(%v) in %d bits is %v units off", y, bits, off)
		}
		if off := units(b.log(more), b.fromFloat(x), bits+300, 1+math.Abs(x)); off > 6 {
			t.Fatalf("log(exp(%v)) in %d bits is %v units off", x, bits+300, off)
		}
	})
}
