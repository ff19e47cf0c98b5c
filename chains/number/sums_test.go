package number_test

import (
	"math"
	"math/big"
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains/number"
)

// TestBlockSumOfManyEqualNumbers adds a million tenths. Each addition in a block of 1024 is off by
// at most half a unit in the last place, 2^-53 of the total. Plain addition of all is off by more
// than the bound that follows, because its roundings have the same sign for long. The logarithm of
// a sum is made in the same blocks.
func TestBlockSumOfManyEqualNumbers(t *testing.T) {
	var s, exps number.BlockSum
	n := 1 << 20
	plain := 0.0
	logs := append([]float64{0}, slices.Repeat([]float64{math.Log(0.1)}, n)...)
	for range n {
		s.Add(0.1)
		plain += 0.1
	}
	for _, l := range logs {
		exps.Add(math.Exp(l))
	}
	want := 0.1 * float64(n)
	bound := 1025 * 0x1p-53
	if got := s.Value(); math.Abs(got/want-1) > bound || math.Abs(plain/want-1) <= bound {
		t.Errorf("%d times 0.1 is %v, off by %.2g of it, and by plain addition by %.2g", n, got, got/want-1,
			plain/want-1)
	}
	if got, want := number.LogSumExp(logs), math.Log(exps.Value()); got != want {
		t.Errorf("the logarithm of the sum is %v, and that of a BlockSum %v", got, want)
	}
}

// TestTotal: the total of a list keeps what plain addition loses, and so does a sum of products.
func TestTotal(t *testing.T) {
	for want, v := range map[float64][]float64{0: nil, 2: {1, 1e100, 1, -1e100},
		math.Inf(1): slices.Insert(slices.Repeat([]float64{1}, 2048), 1, math.Inf(1))} {
		var blocks number.BlockSum
		for _, x := range v {
			blocks.Add(x)
		}
		if got := number.Total(v); got != want || math.IsInf(want, 1) && blocks.Value() != want {
			t.Errorf("the total of %v is %v, want %v", v, got, want)
		}
	}
	if got := number.Dot([]float64{1, 1e100, 1, -1e100}, []float64{2, 1, 3, 1}); got != 5 {
		t.Errorf("the sum of products is %v", got)
	}
}

// TestExactSum holds the sum and what is left over to exact arithmetic, in which both together are
// the sum.
func TestExactSum(t *testing.T) {
	draw := rand.New(rand.NewPCG(3, 4))
	exact := func(x, y float64) *big.Float {
		wide := func(v float64) *big.Float { return new(big.Float).SetPrec(2000).SetFloat64(v) }
		return wide(0).Add(wide(x), wide(y))
	}
	for range 1000 {
		x, y := math.Ldexp(draw.NormFloat64(), draw.IntN(200)), math.Ldexp(draw.NormFloat64(), draw.IntN(200))
		sum, rest := number.ExactSum(x, y)
		if sum != x+y || exact(sum, rest).Cmp(exact(x, y)) != 0 {
			t.Fatalf("%v + %v is %v and %v", x, y, sum, rest)
		}
	}
}

// TestGamma compares with the standard library on the real axis, with |Gamma(1/2 + iy)| by
// Abramowitz and Stegun 6.1.30, and with the recurrence.
func TestGamma(t *testing.T) {
	for x := -1.9; x < 20; x += 0.7 {
		if got, want := number.Gamma(complex(x, 0)),
			math.Gamma(x); math.Abs(real(got)-want) > 1e-13*math.Abs(want) {
			t.Errorf("Gamma(%v) = %v, want %v", x, got, want)
		}
	}
	for y := 0.1; y < 30; y += 0.9 {
		if got, want := cmplx.Abs(number.Gamma(complex(0.5, y))),
			math.Sqrt(math.Pi/math.Cosh(math.Pi*y)); math.Abs(got-want) > 1e-13*want {
			t.Errorf("|Gamma(1/2 + %vi)| = %v, want %v", y, got, want)
		}
		z := complex(-1.5, y)
		if got, want := number.Gamma(z)*z, number.Gamma(z+1); cmplx.Abs(got-want) > 1e-13*cmplx.Abs(want) {
			t.Errorf("z Gamma(z) = %v, want %v at %v", got, want, z)
		}
	}
}

// TestLogFactorial compares with the sum of the logarithms of all factors.
func TestLogFactorial(t *testing.T) {
	sum := 0.0
	for n := range 170 {
		sum += math.Log(max(1, float64(n)))
		if got := number.LogFactorial(float64(n)); math.Abs(got-sum) > 1e-13*max(1, sum) {
			t.Errorf("log %d! = %v, want %v", n, got, sum)
		}
	}
}

// TestLogSums: sums and means of logarithms are those of the numbers, and a constant in the
// logarithms costs no digits but its own.
func TestLogSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		logs := rapid.SliceOfN(rapid.Float64Range(-20, 20), 1, 9).Draw(t, "logs")
		constant := rapid.SampledFrom([]float64{0, -700, 1e4}).Draw(t, "constant")
		sum := 0.0
		shifted := make([]float64, len(logs))
		for i, l := range logs {
			sum += math.Exp(l)
			shifted[i] = l + constant
		}
		near := func(what string, got, want float64) {
			if !(math.Abs(got-constant-want) <= 1e-13*max(20, math.Abs(constant))) {
				t.Fatalf("%s of %v + %v is %v, want %v", what, logs, constant, got, constant+want)
			}
		}
		near("the sum", number.LogSumExp(shifted), math.Log(sum))
		var all number.LogSum
		for _, v := range append(shifted, math.Inf(-1)) {
			all.Add(v)
		}
		near("the sum, term by term,", all.Log(), math.Log(sum))
		near("the sum of two", number.LogPlus(shifted[0], shifted[len(logs)-1]),
			math.Log(math.Exp(logs[0])+math.Exp(logs[len(logs)-1])))
		near("the mean", number.LogMean(shifted), math.Log(sum/float64(len(logs))))
	})
}

// TestLogSumsAtTheEnds: no numbers and zeros sum to zero, and an infinite one to infinity.
func TestLogSumsAtTheEnds(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		logs []float64
		want float64
	}{{nil, -inf}, {[]float64{-inf, -inf}, -inf}, {[]float64{-inf, inf, 3, inf}, inf}} {
		sum := -inf
		for _, v := range c.logs {
			sum = number.LogPlus(sum, v)
		}
		for i, got := range []float64{number.LogSumExp(c.logs), sum, number.LogMean(c.logs)} {
			if got != c.want {
				t.Errorf("way %d: the sum or mean of %v is %v, want %v", i, c.logs, got, c.want)
			}
		}
	}
}

// TestLogTotal: a sum of equal terms keeps its digits, which plain addition of a thousand loses.
func TestLogTotal(t *testing.T) {
	logs := []float64{0}
	for range 1000 {
		logs = append(logs, math.Log(0.1))
	}
	if got, want := number.LogTotal(logs), math.Log(101); math.Abs(got-want) > 1e-15 {
		t.Errorf("the logarithm of the total is off by %v", got-want)
	}
	if lost := number.LogSumExp(logs) - math.Log(101); math.Abs(lost) < 1e-15 {
		t.Errorf("plain addition loses %v alone, so that this tests nothing", lost)
	}
	for want, logs := range map[float64][]float64{
		math.Inf(-1): {math.Inf(-1)}, math.Inf(1): {0, math.Inf(1)}} {
		if got := number.LogTotal(logs); got != want {
			t.Errorf("of %v it is %v", logs, got)
		}
	}
}

// wideFloat returns a wide number as a big.Float.
func wideFloat(a number.Wide) *big.Float {
	return new(big.Float).SetPrec(200).SetMantExp(new(big.Float).SetPrec(200).SetFloat64(a.M), 512*a.E)
}

func drawWide(t *rapid.T, name string) number.Wide {
	m := rapid.Float64Range(-0x1p255, 0x1p255).Draw(t, name)
	w := number.Scaled(m*math.Pow(2, rapid.Float64Range(-500, 0).Draw(t, name+" scale")),
		rapid.IntRange(-3, 3).Draw(t, name+" e"))
	return w
}

// TestWideArithmetic compares with math/big to a relative error of 3e-16.
func TestWideArithmetic(t *testing.T) {
	near := func(t *rapid.T, what string, got number.Wide, want *big.Float) {
		if a := math.Abs(got.M); a != 0 && (a < 0x1p-256 || a >= 0x1p256) {
			t.Fatalf("%s: %v is not in normal form", what, got)
		}
		if want.Sign() == 0 || got.M == 0 {
			if want.Sign() != 0 || got.M != 0 {
				t.Fatalf("%s: %v, want %v", what, got, want)
			}
			return
		}
		d := new(big.Float).SetPrec(200).Sub(wideFloat(got), want)
		if e, _ := d.Quo(d, want).Float64(); math.Abs(e) > 3e-16 {
			t.Fatalf("%s: %v, want %v: error %.2g", what, got, want, e)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawWide(t, "a"), drawWide(t, "b")
		near(t, "a*b", a.Mul(b), new(big.Float).SetPrec(200).Mul(wideFloat(a), wideFloat(b)))
		if b.M != 0 {
			near(t, "a/b", a.Div(b), new(big.Float).SetPrec(200).Quo(wideFloat(a), wideFloat(b)))
		}
		sum := new(big.Float).SetPrec(4000).Add(wideFloat(a), wideFloat(b))
		near(t, "a+b", a.Add(b), sum)
	})
}

func TestWideExpAndLog(t *testing.T) {
	for _, v := range []float64{0, 1, -1, 169, 171, -171, 700, -745, 2000, -2000, 1e5, -1e5, math.Inf(-1)} {
		if got := number.WideExp(v).Log(); got != v && math.Abs(got-v) > 1e-15*max(1, math.Abs(v)) {
			t.Errorf("log(exp(%v)) = %v", v, got)
		}
	}
	// exp(2000) = (exp(500))^4, each factor within range.
	e := number.WideExp(500)
	if got := number.WideExp(2000).Div(e.Mul(e).Mul(e).Mul(e)).Float(); math.Abs(got-1) > 1e-13 {
		t.Errorf("exp(2000) / exp(500)^4 = %v", got)
	}
	for v, want := range map[float64]float64{
		-800: 0, 800: math.Inf(1), 3: math.Exp(3), -700: math.Exp(-700), 700: math.Exp(700)} {
		if got := number.WideExp(v).Float(); math.Abs(got-want) > 1e-13*want {
			t.Errorf("float(exp(%v)) = %v, want %v", v, got, want)
		}
	}
}

// TestBounds: a list without numbers has bounds that hold nothing, and beside NaN both are NaN.
func TestBounds(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range [][2][]float64{{nil, {inf, -inf}}, {{-inf, -inf}, {inf, -inf}},
		{{2, -inf, -math.MaxFloat64}, {-math.MaxFloat64, 2}}} {
		if low, high := number.Bounds(c[0]); low != c[1][0] || high != c[1][1] {
			t.Errorf("the bounds of %v are %v and %v", c[0], low, high)
		}
	}
	if low, high := number.Bounds([]float64{1, math.NaN(), 2}); low == low || high == high {
		t.Errorf("the bounds beside NaN are %v and %v", low, high)
	}
}
