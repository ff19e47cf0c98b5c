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
