package chains

import "math"

// Normalize turns log f of each state into probabilities, in place. At least one state must have mass, log f > -Inf. It returns the
// logarithm of the sum of f over the states, in nats.
func Normalize(logf []float64) (logSum float64) {
	top := math.Inf(-1)
	for _, v := range logf {
		if v > top { // a third of the time of max, which looks for NaN and the sign of zero
			top = v
		}
	}
	total := 0.0
	for x, v := range logf {
		p := math.Exp(v - top)
		logf[x] = p
		total += p
	}
	for x := range logf {
		logf[x] /= total
	}
	return top + math.Log(total)
}

// LogSumExp returns the logarithm of the sum of numbers that are given by their logarithms: -Inf where all are zero, or there are none,
// and +Inf where one is infinite.
func LogSumExp(logs []float64) float64 { return logSumOver(logs, 1) }

// LogMean returns the logarithm of the mean of numbers that are given by their logarithms: -Inf where all are zero, or there are none,
// and +Inf where one is infinite.
func LogMean(logs []float64) float64 { return logSumOver(logs, float64(len(logs))) }

// logSumOver returns the logarithm of a sum that is divided by a number.
func logSumOver(logs []float64, n float64) float64 {
	top := math.Inf(-1)
	for _, v := range logs {
		top = max(top, v)
	}
	if math.IsInf(top, 0) {
		return top
	}
	total := 0.0
	for _, v := range logs {
		total += math.Exp(v - top)
	}
	return top + math.Log(total/n)
}
