package number

import (
	"math"
	"slices"
)

// LogSumExp returns the logarithm of the sum of numbers that are given by their logarithms: -Inf where all are zero, or there
// are none, and +Inf where one is infinite. The sum is that of a BlockSum.
func LogSumExp(logs []float64) float64 { return logSumOver(logs, 1) }

// LogMean returns the logarithm of the mean of numbers that are given by their logarithms, with the values of LogSumExp where
// that is infinite. The mean of e-values on the same draws is an e-value again, so that it takes those in logarithms.
func LogMean(logs []float64) float64 { return logSumOver(logs, float64(len(logs))) }

// logSumOver returns the logarithm of a sum that is divided by a number.
func logSumOver(logs []float64, divisor float64) float64 {
	top := greatest(logs)
	if math.IsInf(top, 0) {
		return top
	}
	if len(logs) <= blockSize {
		return top + math.Log(sumExp(logs, top)/divisor)
	}
	var total Sum
	for block := range slices.Chunk(logs, blockSize) {
		total.Add(sumExp(block, top))
	}
	return top + math.Log(total.Value()/divisor)
}

// greatest returns the greatest of logarithms, and -Inf where there are none.
func greatest(logs []float64) float64 {
	top := math.Inf(-1)
	for _, v := range logs {
		top = max(top, v)
	}
	return top
}

// sumExp returns the sum of exp(v - top), added up plainly.
func sumExp(logs []float64, top float64) (sum float64) {
	for _, v := range logs {
		sum += math.Exp(v - top)
	}
	return sum
}

// LogTotal is LogSumExp with a sum that keeps what addition rounds away. It is for enumerations, whose many terms are often equal, so that
// their roundings are all to one side.
func LogTotal(logs []float64) float64 {
	top := greatest(logs)
	if math.IsInf(top, 0) {
		return top
	}
	var total Sum
	for _, v := range logs {
		total.Add(math.Exp(v - top))
	}
	return top + math.Log(total.Value())
}

// LogPlus returns log(exp(a) + exp(b)), with the values of LogSumExp where that is infinite.
func LogPlus(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	if math.IsInf(a, 0) {
		return a
	}
	return a + math.Log1p(math.Exp(b-a))
}

// LogSum adds numbers that are given by their logarithms. Its zero value is the sum of none.
type LogSum struct {
	top, sum float64 // the sum is sum exp(top)
}

// Add adds exp(v).
func (s *LogSum) Add(v float64) {
	switch {
	case math.IsInf(v, -1):
	case s.sum == 0:
		s.top, s.sum = v, 1
	case v > s.top:
		s.top, s.sum = v, 1+s.sum*math.Exp(s.top-v)
	default:
		s.sum += math.Exp(v - s.top)
	}
}

// Log returns the logarithm of the sum, -Inf where it is zero.
func (s *LogSum) Log() float64 { return s.top + math.Log(s.sum) }
