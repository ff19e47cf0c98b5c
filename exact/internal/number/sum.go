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

// LogSumExp returns log(sum exp v), and -Inf where every v is -Inf.
func LogSumExp(v []float64) float64 {
	top := math.Inf(-1)
	for _, x := range v {
		top = max(top, x)
	}
	if math.IsInf(top, -1) {
		return top
	}
	total := 0.0
	for _, x := range v {
		total += math.Exp(x - top)
	}
	return top + math.Log(total)
}
