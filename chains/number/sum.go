package number

import (
	"math"
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

// Value returns the total, which is infinite where a term was or the sum has overflowed.
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

// blockSize is how many numbers a BlockSum adds up plainly.
const blockSize = 1024

// BlockSum adds numbers plainly in blocks of blockSize, and the totals of the blocks as Sum does. Plain addition of as many
// numbers as a large space has states loses digits: where many of them are equal, as the probabilities of states of equal
// energy are, the roundings all have the same sign. Up to blockSize numbers it is plain addition to the last bit.
type BlockSum struct {
	blocks Sum
	block  float64
	n      int
}

// Add adds v to the sum.
func (s *BlockSum) Add(v float64) {
	s.block += v
	if s.n++; s.n == blockSize {
		s.blocks.Add(s.block)
		s.block, s.n = 0, 0
	}
}

// Value returns the total, which is infinite where a term was or the sum has overflowed.
func (s *BlockSum) Value() float64 {
	all := s.blocks
	all.Add(s.block)
	return all.Value()
}

// SizedSum is a Sum that also adds up the absolute values of its terms, each times the number of roundings that the term
// has gone through. Where the terms cancel, Size times the rounding of float64 is about the error of the sum.
type SizedSum struct {
	Sum
	Size float64
}

// Add adds v, which has gone through so many roundings.
func (s *SizedSum) Add(v, roundings float64) {
	s.Sum.Add(v)
	s.Size += math.Abs(v) * roundings
}

// Dot returns the sum of the products of two lists of one length, added up as by Sum.
func Dot(a, b []float64) float64 {
	var s Sum
	for i, x := range a {
		s.Add(x * b[i])
	}
	return s.Value()
}

// ExactSum returns the rounded sum of two numbers, and what rounding has left over: both together are x + y exactly. Where the sum is
// infinite, what is left over is NaN.
//
// Source: Knuth, The Art of Computer Programming 2, section 4.2.2, theorem B.
func ExactSum(x, y float64) (sum, rest float64) {
	sum = x + y
	back := sum - x
	return sum, (x - (sum - back)) + (y - back)
}
