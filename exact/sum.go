package exact

import "math"

// sum adds many numbers with the rounding error of one addition (Neumaier 1974).
type sum struct{ high, low float64 }

func (s *sum) add(v float64) {
	t := s.high + v
	if math.Abs(s.high) >= math.Abs(v) {
		s.low += (s.high - t) + v
	} else {
		s.low += (v - t) + s.high
	}
	s.high = t
}

// value returns the total; an infinite one has no correction.
func (s *sum) value() float64 {
	if math.IsInf(s.high, 0) {
		return s.high
	}
	return s.high + s.low
}

// sizedSum is a sum that also knows how large the terms are, which may cancel, each times the rounding that it has gone
// through.
type sizedSum struct {
	sum
	size float64
}

func (s *sizedSum) add(v, roundings float64) {
	s.sum.add(v)
	s.size += math.Abs(v) * roundings
}

// logSumExp returns log(sum exp v), -Inf for no mass.
func logSumExp(v []float64) float64 {
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
