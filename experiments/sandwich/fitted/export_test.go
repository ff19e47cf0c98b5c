package fitted

// Summarized returns a row with what its log weights come to.
func Summarized(r Row, logs []float64) Row {
	r.summarize(logs)
	return r
}

// Degrees returns the degrees of freedom of SE.
func (a Agreement) Degrees() float64 { return a.degrees }
