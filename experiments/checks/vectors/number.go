package vectors

import (
	"errors"
	"math"
	"math/big"
	"slices"
	"strings"

	"breadboard/exact/certified"
)

// digits is how many digits the answers in files have.
const digits = 30

// These are the bits of all numbers, for 67 decimal digits, and the functions with that many. The
// test of the digits sets others.
var bits, functions = uint(224), certified.NewFunctions(224)

// num is a number, possibly infinite. Without a value it is undefined, like 0/0.
type num struct{ v *big.Float }

// exactNumber returns a float64 exactly.
func exactNumber(v float64) num {
	if math.IsNaN(v) {
		return num{}
	}
	return num{new(big.Float).SetPrec(bits).SetFloat64(v)}
}

// nums returns all numbers of a list.
func nums(list []float64) []num { return mapped(list, exactNumber) }

func mapped[A, B any](list []A, f func(A) B) []B {
	out := make([]B, len(list))
	for i, v := range list {
		out[i] = f(v)
	}
	return out
}

// join applies an operation, which is undefined where math/big panics.
func (a num) join(b num, op func(z, x, y *big.Float) *big.Float) (c num) {
	if a.v == nil || b.v == nil {
		return num{}
	}
	defer func() {
		if failed, is := recover().(error); is {
			if _, undefined := errors.AsType[big.ErrNaN](failed); !undefined {
				panic(failed)
			}
			c = num{}
		}
	}()
	return num{op(new(big.Float).SetPrec(bits), a.v, b.v)}
}

func (a num) plus(b num) num        { return a.join(b, (*big.Float).Add) }
func (a num) minus(b num) num       { return a.join(b, (*big.Float).Sub) }
func (a num) times(b num) num       { return a.join(b, (*big.Float).Mul) }
func (a num) over(b num) num        { return a.join(b, (*big.Float).Quo) }
func (a num) scaled(by float64) num { return a.times(exactNumber(by)) }
func (a num) squared() num          { return a.times(a) }
func (a num) less(b num) bool       { return a.v != nil && b.v != nil && a.v.Cmp(b.v) < 0 }
func (a num) infinite() bool        { return a.v != nil && a.v.IsInf() }

// exp returns the exponential: zero of -Inf.
func (a num) exp() num {
	switch {
	case a.v == nil || a.infinite() && a.v.Sign() > 0:
		return a
	case a.infinite():
		return exactNumber(0)
	}
	return num{functions.Exp(a.v)}
}

// log returns the logarithm: -Inf of zero, and undefined below.
func (a num) log() num {
	switch {
	case a.v == nil || a.v.Sign() < 0:
		return num{}
	case a.v.Sign() == 0:
		return exactNumber(math.Inf(-1))
	case a.infinite():
		return a
	}
	return num{functions.Log(a.v)}
}

// root returns the square root, which is undefined below zero.
func (a num) root() num {
	if a.v == nil || a.v.Sign() < 0 {
		return num{}
	}
	return num{new(big.Float).SetPrec(bits).Sqrt(a.v)}
}

func (a num) abs() num {
	if a.less(exactNumber(0)) {
		return exactNumber(0).minus(a)
	}
	return a
}

// float returns the nearest float64, NaN for an undefined number.
func (a num) float() float64 {
	if a.v == nil {
		return math.NaN()
	}
	f, _ := a.v.Float64()
	return f
}

// String returns the number with the digits of files, and inf, -inf or nan.
func (a num) String() string {
	switch {
	case a.v == nil:
		return "nan"
	case a.infinite():
		return strings.ToLower(strings.TrimPrefix(a.v.String(), "+"))
	}
	return a.v.Text('g', digits)
}

func larger(a, b num) num {
	if a.v == nil || a.less(b) {
		return b
	}
	return a
}

func smaller(a, b num) num {
	if a.v == nil || b.less(a) {
		return b
	}
	return a
}

func total(list []num) num {
	sum := exactNumber(0)
	for _, v := range list {
		sum = sum.plus(v)
	}
	return sum
}

func mean(list []num) num { return total(list).over(exactNumber(float64(len(list)))) }

// dot returns the sum of products.
func dot(a, b []num) num {
	sum := exactNumber(0)
	for i := range a {
		sum = sum.plus(a[i].times(b[i]))
	}
	return sum
}

// normalised returns numbers over their sum.
func normalised(list []num) []num {
	sum := total(list)
	return mapped(list, func(v num) num { return v.over(sum) })
}

// variance returns the sum of squares around the mean, over the size less one.
func variance(list []num) num {
	centre := mean(list)
	squares := mapped(list, func(v num) num { return v.minus(centre).squared() })
	return total(squares).over(exactNumber(float64(len(list) - 1)))
}

// compare orders defined numbers.
func compare(a, b num) int { return a.v.Cmp(b.v) }

// best returns the place of the first largest number.
func best(list []num) int {
	at := 0
	for i, v := range list {
		if list[at].less(v) {
			at = i
		}
	}
	return at
}

func transposed[T any](rows [][]T) [][]T {
	out := make([][]T, len(rows[0]))
	for j := range out {
		out[j] = mapped(rows, func(row []T) T { return row[j] })
	}
	return out
}

// normalQuantile returns the number below which a standard normal variable is with probability p,
// by Newton's method on the series of the distribution function.
//
// Source: Abramowitz and Stegun 1964, 26.2.11.
func normalQuantile(p num) num {
	half := exactNumber(0.5)
	if p.less(half) {
		return exactNumber(0).minus(normalQuantile(exactNumber(1).minus(p)))
	}
	x := exactNumber(math.Sqrt2 * math.Erfinv(2*p.float()-1))
	twice, _, _ := big.ParseFloat(
		"6.2831853071795864769252867665590057683943387987502116419498891846156328125724179972560696506842341359642961730265646",
		10,
		bits,
		0,
	)
	tau := num{twice} // 2 pi
	for range 4 {     // which double the digits
		term := x
		sum := x
		for k := 3.0; term.v.Sign() != 0 && term.v.MantExp(nil) > -int(bits); k += 2 {
			term = term.times(x.squared()).over(exactNumber(k))
			sum = sum.plus(term)
		}
		density := x.squared().scaled(-0.5).exp().over(tau.root())
		x = x.minus(half.plus(density.times(sum)).minus(p).over(density))
	}
	return x
}

func sorted(list []num) []num { return slices.SortedFunc(slices.Values(list), compare) }
