package number

import (
	"math"
)

// Sum adds many numbers with the rounding error of one addition (Neumaier 1974).
type Sum struct{ high, low float64 }

func (s *Sum) Add(v float64) {
	t := s.high + v
	if math.Abs(s.high) >= math.Abs(v) {
		s.low += (s.high - t) + v
	} else {
		s.low += (v - t) + s.high
	}
	s.high = t
}

// Value returns the total; an infinite one has no correction.
func (s *Sum) Value() float64 {
	if math.IsInf(s.high, 0) {
		return s.high
	}
	return s.high + s.low
}

// SizedSum is a sum that also knows how large the terms are, which may cancel, each times the rounding that it has gone
// through.
type SizedSum struct {
	Sum
	Size float64
}

func (s *SizedSum) Add(v, roundings float64) {
	s.Sum.Add(v)
	s.Size += math.Abs(v) * roundings
}

// LogSumExp returns log(sum exp v), -Inf for no mass.
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
