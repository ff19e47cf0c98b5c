// Package number has arithmetic that avoids overflow and loss of precision: floating-point numbers
// with a wider exponent range (Wide), compensated sums (Sum, BlockSum and others), sums of numbers
// given by their logarithms (LogSum), greatest common divisors, bounds of lists, and the Gamma
// function of complex numbers with Euler's constant.
package number

import (
	"math"
	"math/cmplx"
	"slices"
)

// Sum adds many numbers with the rounding error of one addition (Neumaier 1974).
type Sum struct{ high, low float64 }

// Add adds v to the sum.
func (s *Sum) Add(v float64) {
	t := s.high + v
	if math.Abs(s.high) >= math.Abs(v) {
		s.low += (s.high - t) + v
	} else {
		s.low += (v - t) + s.high
	}
	s.high = t
}

// Value returns the total. It is infinite if a term is, or if the sum has overflowed.
func (s *Sum) Value() float64 {
	if math.IsInf(s.high, 0) {
		return s.high
	}
	return s.high + s.low
}

// Total returns the total of a Sum of all numbers.
func Total(v []float64) float64 {
	var s Sum
	for _, x := range v {
		s.Add(x)
	}
	return s.Value()
}

// blockSize is the number of terms that a BlockSum adds by plain addition.
const blockSize = 1024

// BlockSum adds numbers plainly in blocks of blockSize, and the totals of the blocks as Sum does.
// Plain addition over the states of a large space loses digits: if many terms are equal, like the
// probabilities of states of equal energy, the rounding errors all have the same sign. Up to
// blockSize numbers it is plain addition to the last bit.
type BlockSum struct {
	blocks Sum
	block  float64
	n      int
}

// Add adds v to the sum.
func (s *BlockSum) Add(v float64) {
	s.block += v
	s.n++
	if s.n == blockSize {
		s.endBlock()
	}
}

//go:noinline
func (s *BlockSum) endBlock() {
	s.blocks.Add(s.block)
	s.block = 0
	s.n = 0
}

// Value returns the total. It is infinite if a term is, or if the sum has overflowed.
func (s *BlockSum) Value() float64 {
	all := s.blocks
	all.Add(s.block)
	return all.Value()
}

// SizedSum is a Sum that also adds up the absolute values of its terms, each times the number of
// roundings that the term has gone through. If the terms cancel, Size times the rounding of float64
// is about the error of the sum.
type SizedSum struct {
	Sum
	Size float64
}

// Add adds v, which has gone through the given number of roundings.
func (s *SizedSum) Add(v, roundings float64) {
	s.Sum.Add(v)
	s.Size += math.Abs(v) * roundings
}

// Dot returns the sum of the products of two lists of equal length, added as by Sum.
func Dot(a, b []float64) float64 {
	var s Sum
	for i, x := range a {
		s.Add(x * b[i])
	}
	return s.Value()
}

// ExactSum returns the rounded sum of two numbers, and its rounding error: both together are x + y
// exactly. If the sum is infinite, the error is NaN.
//
// Source: Knuth, The Art of Computer Programming 2, section 4.2.2, theorem B.
func ExactSum(x, y float64) (sum, rest float64) {
	sum = x + y
	back := sum - x
	return sum, (x - (sum - back)) + (y - back)
}

// Bounds returns the least and the greatest of the values that are not -Inf; +Inf and -Inf if there
// are none, and NaN if one of them is.
func Bounds(v []float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, x := range v {
		if x < low && x >= -math.MaxFloat64 { // the built-in min and max take several times as long
			low = x
		}
		if x > high {
			high = x
		}
		if math.IsNaN(x) {
			return x, x
		}
	}
	return low, high
}

// Finite returns |v|, and zero for an infinite v. It is the size of a term in a tolerance for
// rounding: an infinite number has no rounding.
func Finite(v float64) float64 {
	if math.IsInf(v, 0) {
		return 0
	}
	return math.Abs(v)
}

// Range returns the numbers 0, 1, ..., n-1.
func Range(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// GCD returns the greatest common divisor of two integers, zero or more; it is zero if both are.
func GCD[I int | int64](a, b I) I {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}

// LogSumExp returns the logarithm of the sum of exp(logs): -Inf if all terms are zero, or there are
// none, and +Inf if one is infinite. It adds like BlockSum.
func LogSumExp(logs []float64) float64 { return logSumOver(logs, 1) }

// LogMean returns the logarithm of the mean of exp(logs); it is infinite if LogSumExp is. It also
// averages e-values in logarithms: the mean of e-values on the same draws is an e-value.
func LogMean(logs []float64) float64 { return logSumOver(logs, float64(len(logs))) }

// logSumOver returns the logarithm of a sum that is divided by a number.
func logSumOver(logs []float64, divisor float64) float64 {
	top := greatest(logs)
	if math.IsInf(top, 0) {
		return top
	}
	if len(logs) <= blockSize {
		return top + Log(sumExp(logs, top)/divisor)
	}
	var total Sum
	for block := range slices.Chunk(logs, blockSize) {
		total.Add(sumExp(block, top))
	}
	return top + Log(total.Value()/divisor)
}

// greatest returns the greatest of logarithms, and -Inf if there are none.
func greatest(logs []float64) float64 {
	top := math.Inf(-1)
	for _, v := range logs {
		if !(v <= top) { // sooner than max, which is NaN if one of the two is
			top = max(top, v)
		}
	}
	return top
}

// sumExp returns the sum of exp(v - top), added up plainly. Terms below exp(-80) change no digit of
// a sum that has a term of 1, and equal ones that follow on each other have one exponential.
func sumExp(logs []float64, top float64) (sum float64) {
	last := 0.0
	term := 1.0
	for _, v := range logs {
		v -= top
		if v < -80 {
			continue
		}
		if v != last {
			last = v
			term = math.Exp(v)
		}
		sum += term
	}
	return sum
}

// LogTotal is LogSumExp with a compensated sum. It is for enumerations, whose many terms are often
// equal, so that their rounding errors have the same sign.
func LogTotal(logs []float64) float64 {
	top := greatest(logs)
	if math.IsInf(top, 0) {
		return top
	}
	var total Sum
	for _, v := range logs {
		total.Add(math.Exp(v - top))
	}
	return top + Log(total.Value())
}

// LogPlus returns log(exp(a) + exp(b)); it is infinite if LogSumExp is.
func LogPlus(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	if math.IsInf(a, 0) {
		return a
	}
	return a + math.Log1p(math.Exp(b-a))
}

// LogSum adds numbers that are given by their logarithms. The zero value is an empty sum.
type LogSum struct {
	top, sum float64 // the sum is sum exp(top)
}

// Add adds exp(v).
func (s *LogSum) Add(v float64) {
	switch {
	case math.IsInf(v, -1):
	case s.sum == 0:
		s.top = v
		s.sum = 1
	case v > s.top:
		s.top, s.sum = v, 1+s.sum*math.Exp(s.top-v)
	default:
		s.sum += math.Exp(v - s.top)
	}
}

// Log returns the logarithm of the sum, -Inf if it is zero.
func (s *LogSum) Log() float64 { return s.top + Log(s.sum) }

// Gamma returns the Gamma function at z to a relative error of about 1e-14, for Re z > -8 where z
// is not a pole. It takes Stirling's series at z + 16, and goes down from there by the recurrence
// Gamma(z + 1) = z Gamma(z).
//
// Source: Abramowitz and Stegun 1964, 6.1.15 and 6.1.40.
func Gamma(z complex128) complex128 {
	const up = 16
	product := complex(1, 0)
	for range up {
		product *= z
		z++
	}
	// The coefficients are B_2m / (2m (2m-1)) for m = 1..7, B_2m the Bernoulli numbers.
	terms := [...]float64{1. / 12, -1. / 360, 1. / 1260, -1. / 1680, 1. / 1188, -691. / 360360, 1. / 156}
	inverse := 1 / z
	tail := complex(0, 0)
	power := inverse
	for _, c := range terms {
		tail += complex(c, 0) * power
		power *= inverse * inverse
	}
	half := complex(Log(2*math.Pi)/2, 0)
	return cmplx.Exp((z-0.5)*cmplx.Log(z)-z+half+tail) / product
}

// EulerGamma is Euler's constant: minus the mean of the logarithm of a standard exponential
// variable.
const EulerGamma = 0.57721566490153286060651209008240243

// LogFactorial returns log n! for n >= 0.
func LogFactorial(n float64) float64 {
	v, _ := math.Lgamma(n + 1)
	return v
}
