package number

import (
	"math"
	"math/cmplx"
	"testing"
)

// TestGamma compares with the standard library on the real axis, with |Gamma(1/2 + iy)| by Abramowitz and Stegun 6.1.30,
// and with the recurrence.
func TestGamma(t *testing.T) {
	for x := -1.9; x < 20; x += 0.7 {
		if got, want := Gamma(complex(x, 0)), math.Gamma(x); math.Abs(real(got)-want) > 1e-13*math.Abs(want) {
			t.Errorf("Gamma(%v) = %v, want %v", x, got, want)
		}
	}
	for y := 0.1; y < 30; y += 0.9 {
		if got, want := cmplx.Abs(Gamma(complex(0.5, y))), math.Sqrt(math.Pi/math.Cosh(math.Pi*y)); math.Abs(got-want) > 1e-13*want {
			t.Errorf("|Gamma(1/2 + %vi)| = %v, want %v", y, got, want)
		}
		z := complex(-1.5, y)
		if got, want := Gamma(z)*z, Gamma(z+1); cmplx.Abs(got-want) > 1e-13*cmplx.Abs(want) {
			t.Errorf("z Gamma(z) = %v, want %v at %v", got, want, z)
		}
	}
}

// TestLogFactorial compares with the sum of the logarithms of all factors.
func TestLogFactorial(t *testing.T) {
	sum := 0.0
	for n := range 170 {
		sum += math.Log(max(1, float64(n)))
		if got := LogFactorial(float64(n)); math.Abs(got-sum) > 1e-13*max(1, sum) {
			t.Errorf("log %d! = %v, want %v", n, got, sum)
		}
	}
}
