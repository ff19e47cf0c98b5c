package number

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// value returns a wide number as a big.Float.
func (a Wide) value() *big.Float {
	return new(big.Float).SetPrec(200).SetMantExp(new(big.Float).SetPrec(200).SetFloat64(a.M), wideBits*a.E)
}

func drawWide(t *rapid.T, name string) Wide {
	m := rapid.Float64Range(-0x1p255, 0x1p255).Draw(t, name)
	w := Scaled(m*math.Pow(2, rapid.Float64Range(-500, 0).Draw(t, name+" scale")), rapid.IntRange(-3, 3).Draw(t, name+" e"))
	return w
}

// TestWideArithmetic compares with math/big to a relative error of 3e-16.
func TestWideArithmetic(t *testing.T) {
	near := func(t *rapid.T, what string, got Wide, want *big.Float) {
		if a := math.Abs(got.M); a != 0 && (a < wideLower || a >= wideUpper) {
			t.Fatalf("%s: %v is not in normal form", what, got)
		}
		if want.Sign() == 0 || got.M == 0 {
			if want.Sign() != 0 || got.M != 0 {
				t.Fatalf("%s: %v, want %v", what, got, want)
			}
			return
		}
		d := new(big.Float).SetPrec(200).Sub(got.value(), want)
		if e, _ := d.Quo(d, want).Float64(); math.Abs(e) > 3e-16 {
			t.Fatalf("%s: %v, want %v: error %.2g", what, got, want, e)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawWide(t, "a"), drawWide(t, "b")
		near(t, "a*b", a.Mul(b), new(big.Float).SetPrec(200).Mul(a.value(), b.value()))
		if b.M != 0 {
			near(t, "a/b", a.Div(b), new(big.Float).SetPrec(200).Quo(a.value(), b.value()))
		}
		sum := new(big.Float).SetPrec(4000).Add(a.value(), b.value())
		near(t, "a+b", a.Add(b), sum)
	})
}

func TestWideExpAndLog(t *testing.T) {
	for _, v := range []float64{0, 1, -1, 169, 171, -171, 700, -745, 2000, -2000, 1e5, -1e5} {
		if got := WideExp(v).Log(); math.Abs(got-v) > 1e-15*max(1, math.Abs(v)) {
			t.Errorf("log(exp(%v)) = %v", v, got)
		}
	}
	// exp(2000) = (exp(500))^4, each factor within range.
	e := WideExp(500)
	if got, want := WideExp(2000).Div(e.Mul(e).Mul(e).Mul(e)).Float(), 1.0; math.Abs(got-want) > 1e-13 {
		t.Errorf("exp(2000) / exp(500)^4 = %v", got)
	}
	if got := WideExp(math.Inf(-1)); got.M != 0 {
		t.Errorf("exp(-Inf) = %v", got)
	}
	for v, want := range map[float64]float64{-800: 0, 800: math.Inf(1), 3: math.Exp(3), -700: math.Exp(-700), 700: math.Exp(700)} {
		if got := WideExp(v).Float(); math.Abs(got-want) > 1e-13*want {
			t.Errorf("float(exp(%v)) = %v, want %v", v, got, want)
		}
	}
}
