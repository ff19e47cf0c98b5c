package compare

// Summarized returns a row with what its log weights come to.
func Summarized(r FittedRow, logs []float64) FittedRow {
	r.summarize(logs)
	return r
}

// Degrees returns the degrees of freedom of SE.
func (a Agreement) Degrees() float64 { return a.degrees }
