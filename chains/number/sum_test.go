package number

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

func TestSumKeepsWhatAdditionLoses(t *testing.T) {
	var s Sum
	for _, v := range []float64{1, 1e100, 1, -1e100} {
		s.Add(v)
	}
	if got := s.Value(); got != 2 {
		t.Errorf("1 + 1e100 + 1 - 1e100 = %v", got)
	}
}

// TestBlockSumOfManyEqualNumbers adds a million tenths. Each addition in a block is off by at most half a unit in the last
// place, 2^-53 of the total. Plain addition of all is off by more than the bound that follows, because its roundings have
// the same sign for long.
func TestBlockSumOfManyEqualNumbers(t *testing.T) {
	var s BlockSum
	n, plain := 1<<20, 0.0
	for range n {
		s.Add(0.1)
		plain += 0.1
	}
	want, bound := 0.1*float64(n), (blockSize+1)*0x1p-53
	if got := s.Value(); math.Abs(got/want-1) > bound {
		t.Errorf("%d times 0.1 is %v, off by %.2g of it", n, got, got/want-1)
	}
	if math.Abs(plain/want-1) <= bound {
		t.Errorf("plain addition is off by %.2g of the total: the test shows nothing", plain/want-1)
	}
}

// TestBlockSumIsPlainForFew compares a BlockSum of up to a block of numbers with plain addition, to the last bit.
func TestBlockSumIsPlainForFew(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	for n := range blockSize + 1 {
		var s BlockSum
		plain := 0.0
		for range n {
			v := draw.NormFloat64()
			s.Add(v)
			plain += v
		}
		if s.Value() != plain {
			t.Fatalf("%d numbers: %v, plain %v", n, s.Value(), plain)
		}
	}
}

// TestBlockSumOfInfinity checks that infinite terms make an infinite sum, in the block under way and in one that is done.
func TestBlockSumOfInfinity(t *testing.T) {
	for _, after := range []int{0, 2 * blockSize} {
		var s BlockSum
		s.Add(math.Inf(1))
		for range after {
			s.Add(1)
		}
		if !math.IsInf(s.Value(), 1) {
			t.Errorf("with %d ones after it: %v", after, s.Value())
		}
	}
}

// TestTotal: the total of a list is that of its numbers added one by one, with what plain addition loses.
func TestTotal(t *testing.T) {
	for want, v := range map[float64][]float64{0: nil, 2: {1, 1e100, 1, -1e100}, math.Inf(1): {1, math.Inf(1)}} {
		if got := Total(v); got != want {
			t.Errorf("the total of %v is %v, want %v", v, got, want)
		}
	}
}

// TestGCD: the greatest common divisor by trying all.
func TestGCD(t *testing.T) {
	for a := range 30 {
		for b := range 30 {
			want := max(a, b)
			for want > 0 && (a%want != 0 || b%want != 0) {
				want--
			}
			if got := GCD(a, -b); got != want {
				t.Errorf("GCD(%d, %d) = %d, want %d", a, -b, got, want)
			}
		}
	}
}

// TestExactSum holds the sum and what is left over to exact arithmetic, in which both together are the sum.
func TestExactSum(t *testing.T) {
	draw := rand.New(rand.NewPCG(3, 4))
	exact := func(x, y float64) *big.Float {
		wide := func(v float64) *big.Float { return new(big.Float).SetPrec(2000).SetFloat64(v) }
		return wide(0).Add(wide(x), wide(y))
	}
	for range 1000 {
		x, y := math.Ldexp(draw.NormFloat64(), draw.IntN(200)), math.Ldexp(draw.NormFloat64(), draw.IntN(200))
		sum, rest := ExactSum(x, y)
		if sum != x+y || exact(sum, rest).Cmp(exact(x, y)) != 0 {
			t.Fatalf("%v + %v is %v and %v", x, y, sum, rest)
		}
	}
}

// TestTotalAndDot: both keep what addition loses.
func TestTotalAndDot(t *testing.T) {
	v := []float64{1, 1e100, 1, -1e100}
	if got := Total(v); got != 2 {
		t.Errorf("the total of %v is %v", v, got)
	}
	if got := Dot(v, []float64{2, 1, 3, 1}); got != 5 {
		t.Errorf("the sum of products is %v", got)
	}
}
