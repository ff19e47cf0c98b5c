package samples

import "math"

// Precision says with how many digits a source gives its log weights. Values in text are often rounded, and to a fixed
// number of decimals or of significant digits. The zero Precision is that of float64.
type Precision struct {
	Decimals    int // the most digits after the decimal point among the first rows; 0 is unknown or none
	Significant int // the most significant digits among the first rows; 0 is unknown, and 17 are a float64
}

// doubleDigits is the number of significant digits from which on a float64 is given exactly or nearly so.
const doubleDigits = 15

// Rounding returns how far a value may be from the number that was rounded to it: half a unit of its last digit, and
// zero where the source gives float64 in full.
func (p Precision) Rounding(v float64) float64 {
	if p.Significant == 0 || p.Significant >= doubleDigits || v == 0 && p.Decimals == 0 {
		return 0
	}
	r := 0.5 * math.Pow10(-p.Decimals)
	if p.Decimals == 0 {
		r = 0
	}
	if v != 0 && !math.IsInf(v, 0) {
		r = max(r, 0.5*math.Pow10(int(math.Floor(math.Log10(math.Abs(v))))+1-p.Significant))
	}
	return r
}
