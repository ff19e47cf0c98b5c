package number

import (
	"math"
)

// Wide is a float64 with more room in its exponent: the value m 2^(512 e). Zero is m = 0, e = 0, otherwise
// 2^-256 <= |m| < 2^256. Ratios of probabilities under targets with a log range in the thousands need it.
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

// ln2 in two parts; a whole multiple up to 2^20 of the first is exact.
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

func rescaled(m float64, e int) Wide {
	if m == 0 {
		return Wide{}
	}
	if math.IsInf(m, 0) || math.IsNaN(m) {
		return Wide{math.NaN(), e} // not a finite number to begin with
	}
	for math.Abs(m) >= wideUpper {
		m, e = m*wideDown, e+1
	}
	for math.Abs(m) < wideLower {
		m, e = m*wideUp, e-1
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

func (a Wide) Mul(b Wide) Wide { return Scaled(a.M*b.M, a.E+b.E) }

func (a Wide) Div(b Wide) Wide { return Scaled(a.M/b.M, a.E-b.E) }

func (a Wide) Add(b Wide) Wide {
	if a.E == b.E {
		return Scaled(a.M+b.M, a.E)
	}
	return a.addUnequal(b)
}

func (a Wide) Sub(b Wide) Wide { return a.Add(Wide{-b.M, b.E}) }

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

// Log returns the natural logarithm of a value >= 0.
func (a Wide) Log() float64 {
	if a.E == 0 {
		return math.Log(a.M)
	}
	return math.Log(a.M) + float64(a.E)*wideBits*math.Ln2
}

// Float returns the nearest float64: zero or infinite where there is none.
func (a Wide) Float() float64 {
	if a.E == 0 {
		return a.M
	}
	return math.Ldexp(a.M, wideBits*max(-4, min(4, a.E)))
}
