package certified

import (
	"math"
	"math/big"
)

// MaxDigits is the largest number of digits that Digits reports: a float64 never has more.
const MaxDigits = 17

// Value is a number and a bound on its error.
type Value struct {
	Number *big.Float
	Error  float64 // the true value lies between Number - Error and Number + Error
}

// Overlaps reports whether two values may be values of the same number: their error bounds overlap.
func (v Value) Overlaps(w Value) bool { return v.distance(w.Number) <= v.Error+w.Error }

// Digits returns how many decimal digits of x are certainly right as an approximation of the value: -log10 of the
// largest relative error that is possible, from 0 to MaxDigits. Where the value may be zero, x = 0 has MaxDigits right
// digits and any other x has none.
func (v Value) Digits(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	size, _ := new(big.Float).Abs(v.Number).Float64()
	if size <= v.Error {
		if x == 0 {
			return MaxDigits
		}
		return 0
	}
	off := (v.distance(big.NewFloat(x)) + v.Error) / (size - v.Error)
	return min(MaxDigits, max(0, -math.Log10(off)))
}

// distance returns |Number - x|.
func (v Value) distance(x *big.Float) float64 {
	d := new(big.Float).SetPrec(2*v.Number.Prec()).Sub(v.Number, x)
	f, _ := d.Abs(d).Float64()
	return f
}

// Text returns the number with as many digits as its error bound leaves, 60 at most, and "0" where the value may be
// zero.
func (v Value) Text() string {
	size, _ := new(big.Float).Abs(v.Number).Float64()
	if size <= v.Error {
		return "0"
	}
	return v.Number.Text('g', int(min(60, max(1, math.Floor(math.Log10(size/v.Error))))))
}
