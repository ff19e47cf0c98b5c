package exact

import "math"

// wide is a float64 with more room in its exponent: the value m 2^(512 e). Zero is m = 0, e = 0, otherwise
// 2^-256 <= |m| < 2^256. Ratios of probabilities under targets with a log range in the thousands need it.
type wide struct {
	m float64
	e int
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

// scaled returns m 2^(512 e) for any finite m.
func scaled(m float64, e int) wide {
	if a := math.Abs(m); a < wideUpper && a >= wideLower {
		return wide{m, e}
	}
	return rescaled(m, e)
}

func rescaled(m float64, e int) wide {
	if m == 0 {
		return wide{}
	}
	if math.IsInf(m, 0) || math.IsNaN(m) {
		return wide{math.NaN(), e} // not a finite number to begin with
	}
	for math.Abs(m) >= wideUpper {
		m, e = m*wideDown, e+1
	}
	for math.Abs(m) < wideLower {
		m, e = m*wideUp, e-1
	}
	return wide{m, e}
}

// wideExp returns exp(v) for any v < 1e8; -Inf gives zero.
func wideExp(v float64) wide {
	if v > -170 && v < 170 {
		return wide{math.Exp(v), 0}
	}
	if math.IsInf(v, -1) {
		return wide{}
	}
	e := math.Round(v / (wideBits * math.Ln2))
	return scaled(math.Exp((v-e*wideBits*ln2High)-e*wideBits*ln2Low), int(e))
}

func (a wide) mul(b wide) wide { return scaled(a.m*b.m, a.e+b.e) }

func (a wide) div(b wide) wide { return scaled(a.m/b.m, a.e-b.e) }

func (a wide) add(b wide) wide {
	if a.e == b.e {
		return scaled(a.m+b.m, a.e)
	}
	return a.addUnequal(b)
}

func (a wide) sub(b wide) wide { return a.add(wide{-b.m, b.e}) }

func (a wide) addUnequal(b wide) wide {
	switch {
	case a.m == 0:
		return b
	case b.m == 0:
		return a
	case a.e == b.e+1:
		return scaled(a.m+b.m*wideDown, a.e)
	case b.e == a.e+1:
		return scaled(b.m+a.m*wideDown, b.e)
	case a.e > b.e:
		return a
	}
	return b
}

// log returns the natural logarithm of a value >= 0.
func (a wide) log() float64 {
	if a.e == 0 {
		return math.Log(a.m)
	}
	return math.Log(a.m) + float64(a.e)*wideBits*math.Ln2
}

// float returns the nearest float64: zero or infinite where there is none.
func (a wide) float() float64 {
	if a.e == 0 {
		return a.m
	}
	return math.Ldexp(a.m, wideBits*max(-4, min(4, a.e)))
}
