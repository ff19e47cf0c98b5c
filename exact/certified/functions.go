package certified

import (
	"math"
	"math/big"
)

// guard is the number of bits by which the precision inside a function is higher than that of its result.
const guard = 64

// arithmetic makes numbers of one precision, and computes functions to that precision, rounding to nearest.
type arithmetic struct {
	bits     uint
	ln2, one *big.Float // log 2, with more bits, and 1
}

// newArithmetic returns the arithmetic of the given number of bits.
func newArithmetic(bits uint) arithmetic {
	a := arithmetic{bits: bits, one: whole(1, bits)}
	wide := bits + 4*guard
	third := new(big.Float).SetPrec(wide).Quo(whole(2, wide), whole(3, wide))
	a.ln2 = new(big.Float).SetPrec(wide)
	for k, term := int64(1), third; term.MantExp(nil) > -int(wide); k += 2 { // log 2 = 2 atanh(1/3), by its power series
		a.ln2.Add(a.ln2, new(big.Float).SetPrec(wide).Quo(term, whole(k, wide)))
		term.Quo(term, whole(9, wide))
	}
	return a
}

// wider returns the arithmetic with guard more bits, in which functions work.
func (a arithmetic) wider() arithmetic { return arithmetic{a.bits + guard, a.ln2, a.one} }

// zero returns a new zero.
func (a arithmetic) zero() *big.Float { return new(big.Float).SetPrec(a.bits) }

// fromFloat returns a float64 exactly.
func (a arithmetic) fromFloat(v float64) *big.Float { return a.zero().SetFloat64(v) }

// round returns x rounded to this precision.
func (a arithmetic) round(x *big.Float) *big.Float { return a.zero().Set(x) }

// whole returns a whole number with the given precision.
func whole(k int64, bits uint) *big.Float { return new(big.Float).SetPrec(bits).SetInt64(k) }

// exps returns exp(x) and exp(x) - 1 for |x| up to 2^20, each with a relative error of at most 2 units of 2^-bits. With
// k the integer nearest to x/ln 2, exp(x) = 2^k (1 + m) for m = expm1(x - k ln 2). The argument of that expm1 is halved
// until its power series is short; m <- m (2 + m) then undoes each halving.
func (a arithmetic) exps(x *big.Float) (exp, expm1 *big.Float) {
	k, m := a.reduced(x)
	e := new(big.Float).SetPrec(m.Prec()).Add(m, a.one)
	e.SetMantExp(e, k)
	if k != 0 {
		m.Sub(e, a.one)
	}
	return a.round(e), a.round(m)
}

// exp returns exp(x); see exps.
func (a arithmetic) exp(x *big.Float) *big.Float {
	e, _ := a.exps(x)
	return e
}

// expm1 returns exp(x) - 1; see exps.
func (a arithmetic) expm1(x *big.Float) *big.Float {
	_, m := a.exps(x)
	return m
}

// seriesBelow is the binary exponent down to which the argument of the power series of expm1 is halved.
const seriesBelow = -8

// reduced returns k and m with exp(x) = 2^k (1 + m), where m has guard more bits.
func (a arithmetic) reduced(x *big.Float) (k int, m *big.Float) {
	w := a.wider()
	quotient, _ := w.zero().Quo(x, w.ln2).Float64()
	k = int(math.Round(quotient))
	r := w.zero().Mul(whole(int64(k), w.bits), w.ln2)
	r.Sub(x, r)
	if r.Sign() == 0 {
		return k, r
	}
	halvings := max(0, r.MantExp(nil)-seriesBelow)
	r.SetMantExp(r, -halvings)
	m, term := w.round(r), w.round(r)
	for i := int64(2); term.MantExp(nil) > m.MantExp(nil)-int(w.bits); i++ {
		term.Quo(w.zero().Mul(term, r), whole(i, w.bits))
		m.Add(m, term)
	}
	two := whole(2, w.bits)
	for range halvings {
		m.Mul(m, w.zero().Add(m, two))
	}
	return k, m
}

// log returns the natural logarithm of x > 0, with an error of at most 2 (1 + |log x|) units of 2^-bits. With
// x = 2^k m and m from 1/sqrt(2) to sqrt(2) it is k ln 2 + log m. Each step y <- y + 2 (m - e^y)/(m + e^y) of Halley's
// method triples the number of right digits of y = log m.
func (a arithmetic) log(x *big.Float) *big.Float {
	w := a.wider()
	m := w.zero()
	k := w.round(x).MantExp(m)
	first, _ := m.Float64()
	if first < math.Sqrt2/2 {
		k, first = k-1, 2*first
		m.SetMantExp(m, 1)
	}
	y := w.fromFloat(math.Log(first))
	for digits := uint(50); digits < w.bits; digits *= 3 {
		e := w.exp(y)
		above := w.zero().Sub(m, e)
		above.SetMantExp(above, 1)
		y.Add(y, above.Quo(above, w.zero().Add(m, e)))
	}
	return a.round(y.Add(y, w.zero().Mul(whole(int64(k), w.bits), w.ln2)))
}
