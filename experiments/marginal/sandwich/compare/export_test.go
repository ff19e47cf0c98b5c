package compare

import "breadboard/experiments/marginal/sandwich"

// Summarized returns a row with what its log weights come to.
func Summarized(r FittedRow, logs []float64) FittedRow {
	estimates := make([]sandwich.Estimate, len(logs))
	for i, l := range logs {
		estimates[i].LogZ = l
	}
	r.summarize(estimates)
	return r
}

// Degrees returns the degrees of freedom of SE.
func (a Agreement) Degrees() float64 { return a.degrees }
