package samples

import (
	"bytes"
	"math"
	"strconv"
)

// Precision says with how many digits a source gives its log weights, increments or estimates. Values in text are often
// rounded, to a fixed number of decimals or of significant digits, and which of the two it is cannot be told from the text.
// The zero Precision is that of float64.
type Precision struct {
	Decimals    int // the most digits after the decimal point among the rows read so far; 0 is unknown or none
	Significant int // the most significant digits among the rows read so far; 0 is unknown, and 17 are a float64
	Bits        int // the bits of the mantissa of a binary file that has fewer than float64, 24 for float32; 0 otherwise
}

// DoubleDigits is the number of significant digits from which on a float64 is given exactly or nearly so.
const DoubleDigits = 15

// leastRounded is the number of digits from which on a whole number may have been rounded to be one, as 123456.7 is by %g.
const leastRounded = 6

// Read notes the digits of another number, as it is written. It passes over what is no number.
func (p *Precision) Read(number []byte) {
	if _, d, ok := ParseNumber(number); ok {
		p.Add(d)
	}
}

// Add notes the digits of another number. A whole number of few digits says nothing: where all are such they are exact, and
// where others are not, those say how they are rounded.
func (p *Precision) Add(d Digits) {
	if d.whole && d.significant < leastRounded {
		return
	}
	p.Decimals = max(p.Decimals, d.decimals)
	p.Significant = max(p.Significant, d.significant)
}

// Rounding returns how far a value may be from the number that was rounded to it: half a unit of its last digit, and
// zero where the source gives float64 in full. Of the two ways to round it allows for the coarser one. A source that rounds to
// decimals can have more than 15 significant digits where a value is large, and its small values are rounded none the less.
func (p Precision) Rounding(v float64) float64 {
	if math.IsInf(v, 0) {
		return 0
	}
	r := 0.0
	if p.Bits > 0 {
		const smallest = 0x1p-150 // half of the smallest float32, below which its digits get fewer
		r = max(smallest, math.Ldexp(math.Abs(v), -p.Bits))
	}
	if p.Decimals > 0 {
		r = max(r, 0.5*math.Pow10(-p.Decimals))
	}
	if p.Significant > 0 && p.Significant < DoubleDigits && v != 0 {
		r = max(r, 0.5*math.Pow10(decade(v)+1-p.Significant))
	}
	return r
}

// decade returns the exponent of the first significant decimal digit of a finite number that is not zero: 2 for 123. It is read
// off the number as it is written, because the logarithm of 1e-122 may come out just below -122.
func decade(v float64) int {
	var digits [32]byte
	text := strconv.AppendFloat(digits[:0], v, 'e', -1, 64)
	exponent, err := strconv.Atoi(string(text[bytes.IndexByte(text, 'e')+1:]))
	if err != nil {
		panic(err) // FormatFloat writes a whole number there
	}
	return exponent
}
