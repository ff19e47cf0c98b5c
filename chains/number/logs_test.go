package number_test

import (
	"math"
	"testing"

	"breadboard/chains/number"
)

// TestLogOfSubnormals: the values are those of a program in 40 decimal digits.
func TestLogOfSubnormals(t *testing.T) {
	for _, c := range []struct{ x, log, log10 float64 }{
		{5e-324, -744.4400719213812, -323.3062153431158},
		{1e-320, -736.8272408909739, -320.0000048349480},
		{1e-310, -713.8013788281542, -310},
		{2.2e-308, -708.4077512818017, -307.6575773191778},
		{0x1p-1022, -708.3964185322641, -307.6526555685888},
	} {
		for _, got := range [][2]float64{{number.Log(c.x), c.log}, {number.Log10(c.x), c.log10}} {
			if off := math.Abs(got[0]/got[1] - 1); off > 4e-16 {
				t.Errorf("the logarithm of %v is %v for %v", c.x, got[0], got[1])
			}
		}
	}
}

func TestLogAtTheEnds(t *testing.T) {
	inf := math.Inf(1)
	nan := math.NaN()
	for _, c := range []struct {
		x, want float64
	}{{0, -inf}, {math.Copysign(0, -1), -inf}, {inf, inf}, {-5e-324, nan}, {nan, nan}, {1, 0}} {
		for _, got := range []float64{number.Log(c.x), number.Log10(c.x)} {
			if got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
				t.Errorf("the logarithm of %v is %v", c.x, got)
			}
		}
	}
}

// TestLogRatio: the values are those of a program in 40 decimal digits, and if the quotient is in
// range they are its logarithm.
func TestLogRatio(t *testing.T) {
	for _, c := range []struct{ a, b, want float64 }{
		{1, 5e-324, 744.4400719213812},
		{0.25, 1e-320, 735.4409465298540},
		{5e-324, 1, -744.4400719213812},
		{1e-200, 1e200, -921.0340371976183},
		{1e200, 1e-200, 921.0340371976183},
		{3e-310, 1e-310, 1.0986122886681098},
		{0.3, 0.7, math.Log(0.3 / 0.7)},
		{0, 1, math.Inf(-1)},
		{1, 0, math.Inf(1)},
	} {
		if got := number.LogRatio(c.a, c.b); got != c.want && !(math.Abs(got/c.want-1) <= 4e-16) {
			t.Errorf("the logarithm of %v/%v is %v, want %v", c.a, c.b, got, c.want)
		}
	}
	if v := number.LogRatio(0, 0); !math.IsNaN(v) {
		t.Errorf("that of 0/0 is %v", v)
	}
}
