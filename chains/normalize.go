package chains

import "math"

// Normalize turns log f of each state into probabilities, in place. At least one state must have mass, log f > -Inf.
func Normalize(logf []float64) {
	top := math.Inf(-1)
	for _, v := range logf {
		top = max(top, v)
	}
	total := 0.0
	for x, v := range logf {
		logf[x] = math.Exp(v - top)
		total += logf[x]
	}
	for x := range logf {
		logf[x] /= total
	}
}
