package eprocess

import "math"

// LogMean returns the log of the mean of exp(v). Where v are the logarithms of e-values on the same draws, it is that of
// an e-value again.
func LogMean(v []float64) float64 {
	top := math.Inf(-1)
	for _, x := range v {
		top = max(top, x)
	}
	if math.IsInf(top, 0) {
		return top
	}
	total := 0.0
	for _, x := range v {
		total += math.Exp(x - top)
	}
	return top + math.Log(total/float64(len(v)))
}

// logMeanWithOnes returns the log of the mean of n e-values: exp(v), and a one for each of those that v has not.
func logMeanWithOnes(v []float64, n float64) float64 {
	if n < 1 {
		return 0
	}
	top := 0.0
	for _, x := range v {
		top = max(top, x)
	}
	total := (n - float64(len(v))) * math.Exp(-top)
	for _, x := range v {
		total += math.Exp(x - top)
	}
	return top + math.Log(total/n)
}
