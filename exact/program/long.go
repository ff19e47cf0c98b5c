package program

import "math"

// long is a number of some 32 digits: the sum of two, of which the second is what rounding has left over of the first.
// Totals are carried in it, so that increments of 10^12 cost what lies beside them no digits. Where the first is infinite
// the second is zero.
type long struct{ high, low float64 }

// plus returns the sum with a number.
func (a long) plus(x float64) long {
	high, rest := exactSum(a.high, x)
	high, rest = exactSum(high, a.low+rest)
	return long{high, rest}
}

// plusProduct returns the sum with x times y.
func (a long) plusProduct(x, y float64) long {
	product, rest := exactProduct(x, y)
	return a.plus(product).plus(rest)
}

// minus returns the difference of two finite numbers, rounded.
func (a long) minus(b long) float64 { return (a.high - b.high) + (a.low - b.low) }

// exactSum returns the rounded sum of two numbers, and what rounding has left over; nothing where the sum is infinite
// (Knuth, The Art of Computer Programming 2, section 4.2.2, theorem B).
func exactSum(x, y float64) (sum, rest float64) {
	sum = x + y
	if math.IsInf(sum, 0) {
		return sum, 0
	}
	added := sum - x
	return sum, (x - (sum - added)) + (y - added)
}

// exactProduct returns the rounded product of two numbers, and what rounding has left over; nothing where the product is
// infinite.
func exactProduct(x, y float64) (product, rest float64) {
	product = x * y
	if math.IsInf(product, 0) {
		return product, 0
	}
	return product, math.FMA(x, y, -product)
}
