package number

import (
	"math"
)

// Wide is a number with the precision of a float64 and a larger exponent: the value M 2^(512 E).
// Zero has M = 0 and E = 0; otherwise 2^-256 <= |M| < 2^256. Ratios of probabilities under targets
// with a log range in the thousands need it.
type Wide struct {
	M float64
	E int
}

const (
	wideBits  = 512
	wideUp    = 0x1p512
	wideDown  = 0x1p-512
	wideUpper = 0x1p256
	wideLower = 0x1p-256
)

// ln2High and ln2Low add up to the natural logarithm of 2. A product of ln2High with a whole number
// up to 2^20 is exact.
const (
	ln2High = 6.93147180369123816490e-01
	ln2Low  = 1.90821492927058770002e-10
)

// Scaled returns m 2^(512 e) for any finite m.
func Scaled(m float64, e int) Wide {
	if a := math.Abs(m); a < wideUpper && a >= wideLower {
		return Wide{m, e}
	}
	return rescaled(m, e)
}

// rescaled returns m 2^(512 e) in normal form, for m of any size; it is NaN if m is not finite.
func rescaled(m float64, e int) Wide {
	if m == 0 {
		return Wide{}
	}
	if math.IsInf(m, 0) || math.IsNaN(m) {
		return Wide{math.NaN(), e} // m was not finite
	}
	for math.Abs(m) >= wideUpper {
		m *= wideDown
		e += 1
	}
	for math.Abs(m) < wideLower {
		m *= wideUp
		e -= 1
	}
	return Wide{m, e}
}

// WideExp returns exp(v) for any v < 1e8; -Inf gives zero.
func WideExp(v float64) Wide {
	if v > -170 && v < 170 {
		return Wide{math.Exp(v), 0}
	}
	if math.IsInf(v, -1) {
		return Wide{}
	}
	e := math.Round(v / (wideBits * math.Ln2))
	return Scaled(math.Exp((v-e*wideBits*ln2High)-e*wideBits*ln2Low), int(e))
}

// Mul returns the product a b.
func (a Wide) Mul(b Wide) Wide { return Scaled(a.M*b.M, a.E+b.E) }

// Div returns the quotient a/b, NaN for b = 0.
func (a Wide) Div(b Wide) Wide { return Scaled(a.M/b.M, a.E-b.E) }

// Add returns the sum a + b.
func (a Wide) Add(b Wide) Wide {
	if a.E == b.E {
		return Scaled(a.M+b.M, a.E)
	}
	return a.addUnequal(b)
}

// Sub returns the difference a - b.
func (a Wide) Sub(b Wide) Wide { return a.Add(Wide{-b.M, b.E}) }

// addUnequal returns a + b for different E. If these differ by more than one, the smaller number is
// far below the rounding of the larger one.
func (a Wide) addUnequal(b Wide) Wide {
	switch {
	case a.M == 0:
		return b
	case b.M == 0:
		return a
	case a.E == b.E+1:
		return Scaled(a.M+b.M*wideDown, a.E)
	case b.E == a.E+1:
		return Scaled(b.M+a.M*wideDown, b.E)
	case a.E > b.E:
		return a
	}
	return b
}

// Log returns the natural logarithm of a >= 0, -Inf for zero.
func (a Wide) Log() float64 {
	if a.E == 0 {
		return Log(a.M)
	}
	return Log(a.M) + float64(a.E)*wideBits*math.Ln2
}

// Float returns the nearest float64, which is zero or infinite if a is out of the range of float64.
func (a Wide) Float() float64 {
	if a.E == 0 {
		return a.M
	}
	return math.Ldexp(a.M, wideBits*max(-4, min(4, a.E)))
}

// WideTotal returns the sum of n numbers, added like BlockSum. Numbers below 2^-512 of the largest
// do not count.
func WideTotal(of func(i int) Wide, n int) Wide {
	top := math.MinInt
	for i := range n {
		if v := of(i); v.M != 0 {
			top = max(top, v.E)
		}
	}
	var sum BlockSum
	for i := range n {
		if v := of(i); v.M != 0 && v.E >= top-1 {
			sum.Add(math.Ldexp(v.M, wideBits*(v.E-top)))
		}
	}
	if v := sum.Value(); v != 0 {
		return Scaled(v, top)
	}
	return Wide{}
}
