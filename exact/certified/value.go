package certified

import (
	"math"
	"math/big"
)

// MaxDigits is the most digits that Digits reports: a float64 never has more.
const MaxDigits = 17

// Value is a number and a bound on its error.
type Value struct {
	Number *big.Float
	Error  float64 // the true value is within Number - Error and Number + Error
}

// Overlaps reports whether two values may be of one number.
func (v Value) Overlaps(w Value) bool {
	return v.distance(w.Number) <= v.Error+w.Error
}

// Digits returns how many decimal digits of x are right, -log10 of its relative error at most, from 0 to MaxDigits.
// Of a value that may be zero only x = 0 has right digits.
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

func (v Value) distance(x *big.Float) float64 {
	d := new(big.Float).SetPrec(2*v.Number.Prec()).Sub(v.Number, x)
	f, _ := d.Abs(d).Float64()
	return f
}

// Text returns the number with as many digits as its error leaves, 60 at most.
func (v Value) Text() string {
	size, _ := new(big.Float).Abs(v.Number).Float64()
	if size <= v.Error {
		return "0"
	}
	return v.Number.Text('g', int(min(60, max(1, math.Floor(math.Log10(size/v.Error))))))
}
