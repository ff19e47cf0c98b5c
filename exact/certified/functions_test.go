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
