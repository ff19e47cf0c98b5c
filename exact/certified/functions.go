package certified

import (
	"math"
	"math/big"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/schedules"
)

// guard is the number of bits by which the precision inside a function is higher than that of its
// result.
const guard = 64

// arithmetic makes numbers of one precision, and computes functions to that precision, rounding to
// nearest.
type arithmetic struct {
	bits     uint
	ln2, one *big.Float // log 2, with more bits, and 1
}

// newArithmetic returns the arithmetic of the given number of bits.
func newArithmetic(bits uint) arithmetic {
	a := arithmetic{bits: bits, one: wholeFloat(1, bits)}
	wide := bits + 4*guard
	third := new(big.Float).SetPrec(wide).Quo(wholeFloat(2, wide), wholeFloat(3, wide))
	a.ln2 = new(big.Float).SetPrec(wide)
	for k, term := int64(1), third; term.MantExp(nil) > -int(wide); k += 2 {
		// log 2 = 2 atanh(1/3), by its power series
		a.ln2.Add(a.ln2, new(big.Float).SetPrec(wide).Quo(term, wholeFloat(k, wide)))
		term.Quo(term, wholeFloat(9, wide))
	}
	return a
}

// Functions are functions of numbers of any precision, rounded to one precision.
type Functions struct{ of arithmetic }

// NewFunctions returns the functions with the given number of bits.
func NewFunctions(bits uint) Functions { return Functions{newArithmetic(bits)} }

// Exp returns exp(x) for |x| up to 2^20, with a relative error of at most 2 units of 2^-bits.
func (f Functions) Exp(x *big.Float) *big.Float { return f.of.exp(x) }

// Log returns the natural logarithm of x > 0, with an error of at most 2 (1 + |log x|) units of
// 2^-bits.
func (f Functions) Log(x *big.Float) *big.Float { return f.of.log(x) }

// wider returns the arithmetic with guard more bits, in which functions work.
func (a arithmetic) wider() arithmetic { return arithmetic{a.bits + guard, a.ln2, a.one} }

// zero returns a new zero.
func (a arithmetic) zero() *big.Float { return new(big.Float).SetPrec(a.bits) }

// fromFloat returns a float64 exactly.
func (a arithmetic) fromFloat(v float64) *big.Float { return a.zero().SetFloat64(v) }

// round returns x rounded to this precision.
func (a arithmetic) round(x *big.Float) *big.Float { return a.zero().Set(x) }

// wholeFloat returns a whole number with the given precision.
func wholeFloat(k int64, bits uint) *big.Float { return new(big.Float).SetPrec(bits).SetInt64(k) }

// exps returns exp(x) and exp(x) - 1 for |x| up to 2^20, each with a relative error of at most 2
// units of 2^-bits. With k the integer nearest to x/ln 2, exp(x) = 2^k (1 + m) for m = expm1(x - k
// ln 2). The argument of that expm1 is halved until its power series is short; m <- m (2 + m) then
// undoes each halving.
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

// seriesBelow is the binary exponent down to which the argument of the power series of expm1 is
// halved.
const seriesBelow = -8

// reduced returns k and m with exp(x) = 2^k (1 + m), where m has guard more bits.
func (a arithmetic) reduced(x *big.Float) (k int, m *big.Float) {
	w := a.wider()
	quotient, _ := w.zero().Quo(x, w.ln2).Float64()
	k = int(math.Round(quotient))
	r := w.zero().Mul(wholeFloat(int64(k), w.bits), w.ln2)
	r.Sub(x, r)
	if r.Sign() == 0 {
		return k, r
	}
	halvings := max(0, r.MantExp(nil)-seriesBelow)
	r.SetMantExp(r, -halvings)
	m, term := w.round(r), w.round(r)
	for i := int64(2); term.MantExp(nil) > m.MantExp(nil)-int(w.bits); i++ {
		term.Quo(w.zero().Mul(term, r), wholeFloat(i, w.bits))
		m.Add(m, term)
	}
	two := wholeFloat(2, w.bits)
	for range halvings {
		m.Mul(m, w.zero().Add(m, two))
	}
	return k, m
}

// log returns the natural logarithm of x > 0, with an error of at most 2 (1 + |log x|) units of
// 2^-bits. With x = 2^k m and m from 1/sqrt(2) to sqrt(2) it is k ln 2 + log m. Each step y <- y +
// 2 (m - e^y)/(m + e^y) of Halley's method triples the number of right digits of y = log m.
func (a arithmetic) log(x *big.Float) *big.Float {
	w := a.wider()
	m := w.zero()
	k := w.round(x).MantExp(m)
	first, _ := m.Float64()
	if first < math.Sqrt2/2 {
		k -= 1
		first = 2 * first
		m.SetMantExp(m, 1)
	}
	y := w.fromFloat(number.Log(first))
	for digits := uint(50); digits < w.bits; digits *= 3 {
		e := w.exp(y)
		above := w.zero().Sub(m, e)
		above.SetMantExp(above, 1)
		y.Add(y, above.Quo(above, w.zero().Add(m, e)))
	}
	return a.round(y.Add(y, w.zero().Mul(wholeFloat(int64(k), w.bits), w.ln2)))
}

// maxDigits is the largest number of digits that Digits reports: a float64 never has more.
const maxDigits = 17

// Value is a number and a bound on its error.
type Value struct {
	Number *big.Float
	Error  float64 // the true value lies between Number - Error and Number + Error
}

// Overlaps reports whether the error bounds of two values overlap, as those of the same number
// must.
func (v Value) Overlaps(w Value) bool { return v.distance(w.Number) <= v.Error+w.Error }

// Digits returns how many decimal digits of x are certainly right as an approximation of the value:
// -log10 of the largest possible relative error, from 0 to MaxDigits. If the value may be zero,
// this is MaxDigits for x = 0, and 0 for any other x.
func (v Value) Digits(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	size, _ := new(big.Float).Abs(v.Number).Float64()
	if size <= v.Error {
		if x == 0 {
			return maxDigits
		}
		return 0
	}
	off := (v.distance(big.NewFloat(x)) + v.Error) / (size - v.Error)
	return min(maxDigits, max(0, -number.Log10(off)))
}

// distance returns |Number - x|.
func (v Value) distance(x *big.Float) float64 {
	d := new(big.Float).SetPrec(2*v.Number.Prec()).Sub(v.Number, x)
	f, _ := d.Abs(d).Float64()
	return f
}

// Text returns the number with as many digits as its error bound allows, at most 60, and "0" if the
// value may be zero.
func (v Value) Text() string {
	size, _ := new(big.Float).Abs(v.Number).Float64()
	if size <= v.Error {
		return "0"
	}
	return v.Number.Text('g', int(min(60, max(1, math.Floor(number.Log10(size/v.Error))))))
}

// betaSteps returns the function that gives b_t - b_{t-1} for t = 2..T with guard more bits. Its
// relative error is at most 2^-(bits+20), so that its product with a log f of thousands of nats is
// right to a fraction of a unit of 2^-bits. The betas are the exact values of the schedule's
// formula, or the given float64 numbers for schedules.Points.
func (a arithmetic) betaSteps(schedule chains.Schedule, T int) (func(t int) *big.Float, error) {
	w := a.wider()
	ratio := func(i, j int) *big.Float {
		return w.zero().Quo(wholeFloat(int64(i), w.bits), wholeFloat(int64(j), w.bits))
	}
	switch s := schedule.(type) {
	case schedules.Linear:
		step := ratio(1, T-1)
		return func(int) *big.Float { return step }, nil
	case *schedules.Points:
		return func(t int) *big.Float {
			return w.zero().Sub(w.fromFloat(s.Beta(t, T)), w.fromFloat(s.Beta(t-1, T)))
		}, nil
	case schedules.Power:
		power := func(i, j int) *big.Float { return w.zero().Mul(w.fromFloat(s.P), w.log(ratio(i, j))) }
		return func(t int) *big.Float {
			if t == 2 {
				return w.exp(power(1, T-1))
			}
			return w.zero().Mul(w.exp(power(t-2, T-1)), w.expm1(power(t-1, t-2)))
		}, nil
	case schedules.Sigmoid:
		return a.sigmoid(s, T), nil
	case *schedules.Curve:
		return a.curve(s, T), nil
	}
	return nil, errs.New("schedule %v cannot be certified; linear, sigmoid, power, curve and points from a file can",
		schedule)
}

// curve returns the steps of schedules.Curve: the end of a line, whole lines and the beginning of
// another line, none of which is negative, so that nothing cancels in their sum.
func (a arithmetic) curve(s *schedules.Curve, T int) func(t int) *big.Float {
	w := a.wider()
	rise := func(from, to int) *big.Float {
		return w.zero().Sub(w.fromFloat(s.Point(to)), w.fromFloat(s.Point(from)))
	}
	part := func(k, steps int) *big.Float { // steps/(T-1) of the line from point k on
		if steps == 0 {
			return w.zero()
		}
		return w.zero().Quo(
			w.zero().Mul(rise(k, k+1), wholeFloat(int64(steps), w.bits)),
			wholeFloat(int64(T-1), w.bits),
		)
	}
	return func(t int) *big.Float {
		from, left := s.Place(t-1, T)
		to, right := s.Place(t, T)
		if from == to {
			return part(from, right-left)
		}
		step := w.zero().Add(part(from, T-1-left), rise(from+1, to))
		return step.Add(step, part(to, right))
	}
}

// sigmoid returns the steps of schedules.Sigmoid through
// s(a) - s(b) = sinh((a-b)/2) / (2 cosh(a/2) cosh(b/2)), in which nothing cancels.
func (a arithmetic) sigmoid(s schedules.Sigmoid, T int) func(t int) *big.Float {
	w := a.wider()
	part := func(i int) *big.Float { // Delta i/T
		return w.zero().Quo(
			w.zero().Mul(w.fromFloat(s.Delta), wholeFloat(int64(i), w.bits)),
			wholeFloat(int64(T), w.bits),
		)
	}
	sinh := func(x *big.Float) *big.Float { // 2 sinh(x)
		m := w.expm1(x)
		return w.zero().Add(m, w.zero().Quo(m, w.exp(x)))
	}
	cosh := func(t int) *big.Float { // 2 cosh(a_t/2)
		e := w.exp(w.zero().Sub(part(t), w.zero().Mul(w.fromFloat(s.Delta), w.fromFloat(0.5))))
		return w.zero().Add(e, w.zero().Quo(w.one, e))
	}
	scale := w.zero().Quo(w.zero().Mul(cosh(T), cosh(1)), sinh(part(T-1)))
	scale.Mul(scale, sinh(part(1)))
	return func(t int) *big.Float { return w.zero().Quo(scale, w.zero().Mul(cosh(t), cosh(t-1))) }
}
