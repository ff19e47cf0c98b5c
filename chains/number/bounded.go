package number

import "math"

// Bounded is a number with a bound on its error by rounding: the true number is within Error of
// Value. Error is zero for a number with the full accuracy of its computation, and +Inf if nothing
// is known. Value is NaN if there is no such number.
type Bounded struct{ Value, Error float64 }

// Exactly returns a number with error zero.
func Exactly(v float64) Bounded { return Bounded{Value: v} }

// Within returns a number with a bound on its relative error. If the bound is infinite or NaN, the
// absolute error is infinite, even if the number is zero.
func Within(v, relative float64) Bounded {
	switch {
	case math.IsInf(relative, 1) || math.IsNaN(relative):
		return Bounded{v, math.Inf(1)}
	case v == 0 || relative == 0:
		return Bounded{Value: v}
	}
	return Bounded{v, math.Abs(v) * relative}
}

// UpTo returns a number with a bound on its absolute error. It ignores the bound if the number is
// infinite or NaN.
func UpTo(v, err float64) Bounded {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return Exactly(v)
	}
	return Bounded{v, err}
}

// Divergence returns a rounded divergence: a sum of terms of second order in logarithms near zero,
// each of which has an error up to err.
//
// A term d^2 with an error e in d is off by |(d + e)^2 - d^2| <= |e| (2 |d| + |e|).
func Divergence(v, err float64) Bounded {
	return UpTo(v, err*(err+2*math.Sqrt(math.Abs(v)))+0x1p-50*math.Abs(v))
}

// Root returns the square root of a nonnegative number with an error up to err.
//
// |sqrt(s + e) - sqrt(s)| is at most sqrt(|e|), and at most |e|/sqrt(s).
func Root(square, err float64) Bounded {
	root := math.Sqrt(max(0, square))
	return UpTo(root, min(math.Sqrt(err), err/root))
}

// mostDigits is the number of decimal digits that Digits reports at most.
const mostDigits = 15

// leastRelative is the smallest relative error that leaves no digit.
const leastRelative = 0.1

// Lost returns the bound on the relative error: zero for an exact number, even an infinite one, and
// +Inf if the value is zero and not exact.
func (b Bounded) Lost() float64 {
	switch {
	case b.Error == 0:
		return 0
	case b.Value == 0 || math.IsInf(b.Error, 1) || math.IsNaN(b.Error):
		return math.Inf(1)
	}
	return b.Error / math.Abs(b.Value)
}

// Known reports whether the number exists and at least one of its digits is right.
func (b Bounded) Known() bool { return !math.IsNaN(b.Value) && b.Lost() < leastRelative }

// Digits returns the number of correct decimal digits, from 0 to 15.
func (b Bounded) Digits() int {
	switch lost := b.Lost(); {
	case !b.Known():
		return 0
	case lost == 0:
		return mostDigits
	default:
		return max(1, min(mostDigits, int(math.Floor(-Log10(lost)))))
	}
}

// rounded adds the rounding of one operation to a result that has an error already. An exact result
// stays exact: the accuracy of exact numbers allows for single roundings.
func rounded(v, e float64) Bounded {
	if e == 0 {
		return Bounded{Value: v}
	}
	return Bounded{v, e + math.Abs(v)*0x1p-53}
}

// sized returns the error of a sum or difference. The terms of a difference have been rounded at
// least once each, so that a result that is much smaller than they are has lost digits even if both
// are exact.
func sized(b, c Bounded, v float64) float64 {
	e := b.Error + c.Error
	if size := max(math.Abs(b.Value), math.Abs(c.Value)); math.Abs(v) < size && !math.IsInf(size, 0) {
		e += size * 0x1p-52
	}
	return e
}

// missing reports whether one of two numbers does not exist. No function of both exists then.
func missing(b, c Bounded) bool {
	return math.IsNaN(b.Value) && b.Error == 0 || math.IsNaN(c.Value) && c.Error == 0
}

// infinite reports whether a number is known to be infinite.
func (b Bounded) infinite() bool { return math.IsInf(b.Value, 0) && b.Error == 0 }

// Plus returns b + c, which is exact if one of them is known to be infinite and the other finite.
func (b Bounded) Plus(c Bounded) Bounded {
	if missing(b, c) {
		return Exactly(math.NaN())
	}
	v := b.Value + c.Value
	if b.infinite() != c.infinite() && !math.IsNaN(v) {
		return Exactly(v)
	}
	return rounded(v, sized(b, c, v))
}

// Minus returns b - c. The error includes a rounding of each term.
func (b Bounded) Minus(c Bounded) Bounded { return b.Plus(Bounded{-c.Value, c.Error}) }

// Times returns b c.
func (b Bounded) Times(c Bounded) Bounded {
	if missing(b, c) {
		return Exactly(math.NaN())
	}
	return rounded(b.Value*c.Value, errorOf(b.Value, c.Error)+errorOf(c.Value, b.Error)+b.Error*c.Error)
}

// errorOf returns |v| e, and zero for an exact factor, also beside an infinite number.
func errorOf(v, e float64) float64 {
	if e == 0 {
		return 0
	}
	return math.Abs(v) * e
}

// Over returns b / c, with an infinite error if c may be zero.
func (b Bounded) Over(c Bounded) Bounded {
	if missing(b, c) {
		return Exactly(math.NaN())
	}
	v := b.Value / c.Value
	if c.Error == 0 {
		return rounded(v, errorOf(1/c.Value, b.Error))
	}
	least := math.Abs(c.Value) - c.Error
	if !(least > 0) {
		return Bounded{v, math.Inf(1)}
	}
	return rounded(v, (b.Error+math.Abs(v)*c.Error)/least)
}

// Probability returns a probability, whose true value is in [0, 1]. A value outside by at most its
// error becomes the nearer end. A value farther outside is a mistake of the computation, and
// becomes NaN with an infinite error.
func Probability(b Bounded) Bounded {
	nearest := max(0, min(1, b.Value))
	switch off := math.Abs(b.Value - nearest); {
	case off == 0:
		return b
	case off <= b.Error:
		return Bounded{nearest, b.Error}
	}
	return Bounded{math.NaN(), math.Inf(1)}
}

// Float returns the value, and NaN if none of its digits is known.
func (b Bounded) Float() float64 {
	if b.Known() {
		return b.Value
	}
	return math.NaN()
}

// Image returns f of a number, for a monotonic f. The error is the largest difference to f at the
// ends of the number's interval. It is NaN if the number is not Known.
func Image(b Bounded, f func(float64) float64) Bounded {
	if !b.Known() {
		return Bounded{math.NaN(), b.Error}
	}
	v := f(b.Value)
	if b.Error == 0 {
		return Exactly(v)
	}
	return Bounded{v, max(math.Abs(f(b.Value-b.Error)-v), math.Abs(f(b.Value+b.Error)-v))}
}
