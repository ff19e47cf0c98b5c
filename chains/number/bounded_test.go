package number_test

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains/number"
)

func bounded(value, err float64) number.Bounded { return number.Bounded{Value: value, Error: err} }

// TestBoundedHoldsTheTruth: each operation on numbers that are off by at most their errors gives
// one whose error holds the true result, also if the terms cancel, if they span 200 decades, and if
// an operand is exact.
func TestBoundedHoldsTheTruth(t *testing.T) {
	draw := func(t *rapid.T, name string) (b number.Bounded, truth *big.Float) {
		exact := rapid.Float64Range(-10, 10).Draw(t, name) *
			math.Pow(10, float64(rapid.IntRange(-100, 100).Draw(t, name+" scale")))
		relative := math.Pow(10, -float64(rapid.IntRange(1, 17).Draw(t, name+" digits")))
		if rapid.Bool().Draw(t, name+" exact") {
			return number.Exactly(exact), new(big.Float).SetPrec(2000).SetFloat64(exact)
		}
		off := exact * relative * rapid.Float64Range(-1, 1).Draw(t, name+" off")
		return bounded(exact+off, math.Abs(exact)*relative+math.Abs(exact)*0x1p-52), new(big.Float).SetPrec(2000).SetFloat64(exact)
	}
	rapid.Check(t, func(t *rapid.T) {
		a, x := draw(t, "a")
		b, y := draw(t, "b")
		if rapid.Bool().Draw(t, "cancel") {
			b, y = bounded(a.Value, a.Error), new(big.Float).Copy(x)
		}
		holds := func(what string, got number.Bounded, want *big.Float) {
			off := new(big.Float).SetPrec(2000).Sub(new(big.Float).SetPrec(2000).SetFloat64(got.Value), want)
			v, _ := off.Abs(off).Float64()
			if allowed := got.Error + math.Abs(got.Value)*0x1p-52; !(v <= allowed) {
				t.Fatalf("%s of %v and %v is %v, off by %v", what, a, b, got, v)
			}
		}
		zero := func() *big.Float { return new(big.Float).SetPrec(2000) }
		holds("the sum", a.Plus(b), zero().Add(x, y))
		holds("the difference", a.Minus(b), zero().Sub(x, y))
		holds("the product", a.Times(b), zero().Mul(x, y))
		if q := a.Over(b); b.Value != 0 && y.Sign() != 0 && !math.IsInf(q.Error, 1) &&
			!math.IsInf(q.Value, 0) {
			holds("the quotient", q, zero().Quo(x, y))
		}
	})
}

// TestBoundedDigits: cancellation to exactly zero leaves no digit, as cancellation below the error
// does.
func TestBoundedDigits(t *testing.T) {
	for _, c := range []struct {
		b      number.Bounded
		digits int
		known  bool
	}{
		{number.Exactly(0), 15, true}, {number.Exactly(math.Inf(1)), 15, true},
		{number.Exactly(math.NaN()), 0, false}, {number.Within(3, 1e-6), 6, true},
		{number.Within(0, math.Inf(1)), 0, false}, {number.Within(0, math.NaN()), 0, false},
		{number.Within(0, 1e-3), 15, true}, {number.Within(-3, 2e-6), 5, true},
		{bounded(0, 1e-300), 0, false}, {bounded(1, 0.1), 0, false}, {bounded(1, 0.09), 1, true},
		{bounded(1, math.Inf(1)), 0, false},
		{bounded(1, math.NaN()), 0, false}, {bounded(math.Inf(1), 1), 15, true},
		{number.Exactly(1).Minus(number.Exactly(1)), 0, false},
		{number.Exactly(1).Minus(number.Exactly(1 - 0x1p-30)), 6, true},
	} {
		if d, k := c.b.Digits(), c.b.Known(); d != c.digits || k != c.known {
			t.Errorf("%v has %d digits, known: %v; want %d, %v", c.b, d, k, c.digits, c.known)
		}
	}
}

// TestBoundedWithoutANumber: nothing is made of a number that does not exist, and it has not lost
// digits; one whose digits are lost stays so.
func TestBoundedWithoutANumber(t *testing.T) {
	none := number.Exactly(math.NaN())
	lost := bounded(1, math.Inf(1))
	for _, other := range []number.Bounded{
		number.Exactly(0), number.Exactly(3), number.Within(3, 1e-5), lost, none} {
		for _, got := range []number.Bounded{none.Plus(other), other.Plus(none), none.Minus(other),
			none.Times(other), other.Times(none), none.Over(other),
			other.Over(none)} {
			if !math.IsNaN(got.Value) || got.Error != 0 {
				t.Errorf("with %v it becomes %v", other, got)
			}
		}
		for _, got := range []number.Bounded{
			lost.Plus(other), other.Minus(lost), lost.Over(number.Exactly(2)), number.Exactly(2).Over(lost)} {
			if got.Known() || got.Error == 0 && !math.IsNaN(other.Value) {
				t.Errorf("lost with %v becomes %v", other, got)
			}
		}
	}
	below := number.Exactly(math.Inf(-1))
	for got, want := range map[number.Bounded]number.Bounded{
		below.Plus(bounded(2, 1e-9)):  below,
		bounded(2, 1e-9).Minus(below): number.Exactly(math.Inf(1)),
		below.Plus(below):             below,
	} {
		if got != want {
			t.Errorf("an infinite number becomes %v, want %v", got, want)
		}
	}
}

// TestProbabilityStaysWithinItsError: rounding is taken back at the ends, and a mistake is not
// hidden.
func TestProbabilityStaysWithinItsError(t *testing.T) {
	for _, c := range []struct{ from, want number.Bounded }{
		{bounded(1+0x1p-52, 0x1p-51), bounded(1, 0x1p-51)}, {bounded(-1e-17, 1e-16), bounded(0, 1e-16)},
		{bounded(0.5, 0.1), bounded(0.5, 0.1)},
		{number.Exactly(1), number.Exactly(1)},
	} {
		if got := number.Probability(c.from); got != c.want {
			t.Errorf("%v becomes %v, want %v", c.from, got, c.want)
		}
	}
	for _, wrong := range []number.Bounded{
		number.Exactly(1 + 0x1p-52), bounded(-1e-10, 1e-16), number.Exactly(math.NaN())} {
		if got := number.Probability(wrong); got.Known() {
			t.Errorf("%v becomes %v", wrong, got)
		}
	}
}
