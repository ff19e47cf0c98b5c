package vectors

// logSumExp returns the logarithm of the sum of exponentials.
func logSumExp(logs []num) num { return total(mapped(logs, num.exp)).log() }

// weightsOf returns normalised weights.
func weightsOf(logs []num) []num { return normalised(mapped(logs, num.exp)) }

func ofWeights() []*Routine {
	logs := []Argument{{"log_weights", List, "log weights, in nats"}}
	size := func(in inputs) float64 { return float64(len(in.list(0))) }
	ess := func(in inputs) num {
		return exactNumber(1).over(dot(weightsOf(in.nums(0)), weightsOf(in.nums(0))))
	}
	return []*Routine{
		{
			Name:       "log_sum_exp",
			Definition: "log of the sum of exp(log_weights); -inf if all weights are zero",
			Source:     "scipy.special.logsumexp",
			Inputs:     logs,
			Output:     Number,
			Tolerance:  1e-12,
			scale:      largest,
			cases:      examples("log weights"),
			define:     scalars(func(in inputs) num { return logSumExp(in.nums(0)) }),
		},
		{
			Name:       "log_mean_exp",
			Definition: "log of the mean of exp(log_weights), which is log Z-hat of importance sampling",
			Source:     "Neal 2001",
			Inputs:     logs,
			Output:     Number,
			Tolerance:  1e-12,
			scale:      largest,
			cases:      examples("log weights"),
			define:     scalars(func(in inputs) num { return logSumExp(in.nums(0)).minus(exactNumber(size(in)).log()) }),
		},
		{
			Name:       "normalised_weights",
			Definition: "exp(log_weights) over their sum; undefined if all are zero",
			Source:     "scipy.special.softmax",
			Inputs:     logs,
			Output:     List,
			Tolerance:  1e-11,
			scale:      itself,
			cases:      examples("log weights"),
			define:     lists(func(in inputs) []num { return weightsOf(in.nums(0)) }),
		},
		{
			Name:       "ess_weights",
			Definition: "1 over the sum of squares of the normalised weights; undefined if all are zero",
			Source:     "Kong 1992",
			Inputs:     logs,
			Output:     Number,
			Tolerance:  1e-11,
			scale:      itself,
			cases:      examples("log weights"),
			define:     scalars(ess),
		},
	}
}

// plogp returns the sum of p log p.
func plogp(p []num) num {
	return total(mapped(p, func(v num) num {
		if v.v != nil && v.v.Sign() == 0 {
			return v
		}
		return v.times(v.log())
	}))
}
