package exact

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// value returns a wide number as a big one.
func (a wide) value() *big.Float {
	return new(big.Float).SetPrec(200).SetMantExp(new(big.Float).SetPrec(200).SetFloat64(a.m), wideBits*a.e)
}

func drawWide(t *rapid.T, name string) wide {
	m := rapid.Float64Range(-0x1p255, 0x1p255).Draw(t, name)
	w := scaled(m*math.Pow(2, rapid.Float64Range(-500, 0).Draw(t, name+" scale")), rapid.IntRange(-3, 3).Draw(t, name+" e"))
	return w
}

// TestWideArithmetic compares with math/big, to two units in the last place.
func TestWideArithmetic(t *testing.T) {
	near := func(t *rapid.T, what string, got wide, want *big.Float) {
		if a := math.Abs(got.m); a != 0 && (a < wideLower || a >= wideUpper) {
			t.Fatalf("%s: %v is not in normal form", what, got)
		}
		if want.Sign() == 0 || got.m == 0 {
			if want.Sign() != 0 || got.m != 0 {
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
		near(t, "a*b", a.mul(b), new(big.Float).SetPrec(200).Mul(a.value(), b.value()))
		if b.m != 0 {
			near(t, "a/b", a.div(b), new(big.Float).SetPrec(200).Quo(a.value(), b.value()))
		}
		sum := new(big.Float).SetPrec(4000).Add(a.value(), b.value())
		near(t, "a+b", a.add(b), sum)
	})
}

func TestWideExpAndLog(t *testing.T) {
	for _, v := range []float64{0, 1, -1, 169, 171, -171, 700, -745, 2000, -2000, 1e5, -1e5} {
		if got := wideExp(v).log(); math.Abs(got-v) > 1e-15*max(1, math.Abs(v)) {
			t.Errorf("log(exp(%v)) = %v", v, got)
		}
	}
	// exp(2000) = (exp(500))^4, each factor within range.
	e := wideExp(500)
	if got, want := wideExp(2000).div(e.mul(e).mul(e).mul(e)).float(), 1.0; math.Abs(got-want) > 1e-13 {
		t.Errorf("exp(2000) / exp(500)^4 = %v", got)
	}
	if got := wideExp(math.Inf(-1)); got.m != 0 {
		t.Errorf("exp(-Inf) = %v", got)
	}
	for v, want := range map[float64]float64{-800: 0, 800: math.Inf(1), 3: math.Exp(3), -700: math.Exp(-700), 700: math.Exp(700)} {
		if got := wideExp(v).float(); math.Abs(got-want) > 1e-13*want {
			t.Errorf("float(exp(%v)) = %v, want %v", v, got, want)
		}
	}
}

// TestExcesses compares the three functions of small arguments with their power series in 200 bits.
func TestExcesses(t *testing.T) {
	big200 := func(v float64) *big.Float { return new(big.Float).SetPrec(200).SetFloat64(v) }
	series := func(u float64, divisor func(k int) float64) float64 {
		total, power := big200(0), big200(1)
		for k := 1; k < 400; k++ {
			power.Mul(power, big200(u))
			if k >= 2 {
				term := new(big.Float).SetPrec(200).Quo(power, big200(divisor(k)))
				total.Add(total, term)
			}
		}
		v, _ := total.Float64()
		return v
	}
	factorial := 1.0
	factorials := map[int]float64{}
	for k := 1; k < 400; k++ {
		factorial *= float64(k)
		factorials[k] = min(factorial, math.MaxFloat64)
	}
	for _, u := range []float64{1e-12, -1e-12, 1e-5, -3e-4, 0.01, -0.05, 0.1249, -0.1249, 0.126, -0.126, 0.3, -0.5, 0.5} {
		_, above, below := expm1Excess(u)
		for name, pair := range map[string][2]float64{
			"above":         {above, excess(u)},
			"below":         {below, excess(-u)},
			"excess":        {excess(u), series(u, func(k int) float64 { return factorials[k] })},
			"forwardExcess": {forwardExcess(u), series(-u, func(k int) float64 { return float64(k * (k - 1)) })},
			"reverseExcess": {reverseExcess(u), series(-u, func(k int) float64 { return float64(k) })},
		} {
			if e := math.Abs(pair[0]-pair[1]) / pair[1]; e > 1e-14 {
				t.Errorf("%s(%v) = %v, want %v: error %.2g", name, u, pair[0], pair[1], e)
			}
		}
	}
}

func TestSumKeepsWhatAdditionLoses(t *testing.T) {
	var s sum
	for _, v := range []float64{1, 1e100, 1, -1e100} {
		s.add(v)
	}
	if got := s.value(); got != 2 {
		t.Errorf("1 + 1e100 + 1 - 1e100 = %v", got)
	}
}
