package files

import (
	"math"
	"strconv"

	"breadboard/experiments/samples"
)

// singlePrecision returns the precision of float32.
func singlePrecision() samples.Precision { return samples.Precision{Significant: 7, Bits: 24} }

// judged is the number of float64 of a binary file by whose digits it is judged whether they were rounded.
const judged = 256

// leastDecimals is the number of decimals from which on float64 that all have no more were rounded to them. Those with fewer
// may have them by their nature, or were rounded by mistake.
const leastDecimals = 4

// firstDoubles are what the first float64 of a column of a binary file say about how they are given.
type firstDoubles struct {
	seen   int
	digits samples.Precision // of their shortest decimal forms
}

// add notes another number.
func (b *firstDoubles) add(v float64) {
	if b.seen == judged || v != v || math.IsInf(v, 0) {
		return
	}
	b.seen++
	b.digits.Read(strconv.AppendFloat(nil, v, 'g', -1, 64))
}

// precision returns that of float64 unless all numbers seem to have been rounded to some decimals, as np.round does.
func (b *firstDoubles) precision() samples.Precision {
	if b.digits.Decimals < leastDecimals || b.digits.Significant >= samples.DoubleDigits {
		return samples.Precision{}
	}
	return b.digits
}
