package vectors

import (
	"math"

	"breadboard/chains/number"
)

// logSumExp returns the logarithm of the sum of exponentials.
func logSumExp(logs []num) num { return total(mapped(logs, num.exp)).log() }

// weightsOf returns normalised weights.
func weightsOf(logs []num) []num { return normalised(mapped(logs, num.exp)) }

// shifted returns exponentials after a shift, as programs in float64 have them.
func shifted(logs []float64, shift float64) []float64 {
	return mapped(logs, func(v float64) float64 { return math.Exp(v - shift) })
}

func top(logs []float64) float64 { return mostOf(logs) }

func mostOf(v []float64) float64 {
	m := v[0]
	for _, x := range v {
		m = max(m, x)
	}
	return m
}

func sumOf(v []float64) float64 { return number.Total(v) }

// squares returns the sum of squares over the square of the sum.
func squares(w []float64) float64 {
	s := sumOf(w)
	return sumOf(mapped(w, func(v float64) float64 { return v * v })) / (s * s)
}

func over(w []float64, by float64) []float64 {
	return mapped(w, func(v float64) float64 { return v / by })
}

func ofWeights() []*Routine {
	logs := []Argument{{"log_weights", List, "log weights, in nats"}}
	naive := func(in inputs) float64 { return number.Log(sumOf(shifted(in.list(0), 0))) }
	stable := func(in inputs) float64 {
		return top(in.list(0)) + number.Log(sumOf(shifted(in.list(0), top(in.list(0)))))
	}
	first := func(in inputs) float64 { return in.list(0)[0] + number.Log(sumOf(shifted(in.list(0), in.list(0)[0]))) }
	size := func(in inputs) float64 { return float64(len(in.list(0))) }
	tiny := func(in inputs) float64 { return number.Log(sumOf(shifted(in.list(0), 0)) + 1e-10) }
	ess := func(in inputs) num { return of(1).over(dot(weightsOf(in.nums(0)), weightsOf(in.nums(0)))) }
	const (
		noShift = "exponentials are taken without subtracting the largest log weight"
		byFirst = "the first log weight is subtracted, and not the largest"
		byNone  = "the largest is subtracted although it is -inf"
	)
	return []*Routine{
		{
			Name: "log_sum_exp", Definition: "log of the sum of exp(log_weights); -inf if all weights are zero", Source: "scipy.special.logsumexp",
			Inputs: logs, Output: Number, Tolerance: 1e-12, scale: largest, cases: examples("log weights"),
			define: scalars(func(in inputs) num { return logSumExp(in.nums(0)) }),
			Mistakes: []Mistake{
				{noShift, false, plain(naive)}, {byNone, false, plain(stable)}, {byFirst, false, plain(first)},
				{"the log of the mean, and not of the sum", false, scalars(func(in inputs) num { return logSumExp(in.nums(0)).minus(of(size(in)).log()) })},
				{"1e-10 is added before the log", false, plain(tiny)},
				{"the largest is not added again", false, plain(func(in inputs) float64 { return number.Log(sumOf(shifted(in.list(0), top(in.list(0))))) })},
				{"the largest log weight alone", false, plain(func(in inputs) float64 { return top(in.list(0)) })},
				{"the mean is subtracted, and not the largest", false, plain(func(in inputs) float64 {
					m := sumOf(in.list(0)) / size(in)
					return m + number.Log(sumOf(shifted(in.list(0), m)))
				})},
			},
		},
		{
			Name: "log_mean_exp", Definition: "log of the mean of exp(log_weights), which is log Z-hat of importance sampling", Source: "Neal 2001",
			Inputs: logs, Output: Number, Tolerance: 1e-12, scale: largest, cases: examples("log weights"),
			define: scalars(func(in inputs) num { return logSumExp(in.nums(0)).minus(of(size(in)).log()) }),
			Mistakes: []Mistake{
				{noShift, false, plain(func(in inputs) float64 { return naive(in) - number.Log(size(in)) })},
				{byNone, false, plain(func(in inputs) float64 { return stable(in) - number.Log(size(in)) })},
				{byFirst, false, plain(func(in inputs) float64 { return first(in) - number.Log(size(in)) })},
				{"the log of the sum, and not of the mean", false, scalars(func(in inputs) num { return logSumExp(in.nums(0)) })},
				{"the mean of the log weights", false, scalars(func(in inputs) num { return mean(in.nums(0)) })},
				{"zero weights do not count in the number of weights", false, scalars(func(in inputs) num {
					n := 0.0
					for _, v := range in.list(0) {
						if !math.IsInf(v, -1) {
							n++
						}
					}
					return logSumExp(in.nums(0)).minus(of(n).log())
				})},
				{"the number of weights is subtracted, and not its log", false, scalars(func(in inputs) num { return logSumExp(in.nums(0)).minus(of(size(in))) })},
			},
		},
		{
			Name: "normalised_weights", Definition: "exp(log_weights) over their sum; undefined if all are zero", Source: "scipy.special.softmax",
			Inputs: logs, Output: List, Tolerance: 1e-11, scale: itself, cases: examples("log weights"),
			define: lists(func(in inputs) []num { return weightsOf(in.nums(0)) }),
			Mistakes: []Mistake{
				{noShift, false, plains(func(in inputs) []float64 { w := shifted(in.list(0), 0); return over(w, sumOf(w)) })},
				{byFirst, false, plains(func(in inputs) []float64 { w := shifted(in.list(0), in.list(0)[0]); return over(w, sumOf(w)) })},
				{"weights over the largest, and not over the sum", false, plains(func(in inputs) []float64 { return shifted(in.list(0), top(in.list(0))) })},
				{"log weights over their sum", false, lists(func(in inputs) []num { return normalised(in.nums(0)) })},
				{"1e-10 is added to the sum of the weights", false, plains(func(in inputs) []float64 { w := shifted(in.list(0), 0); return over(w, sumOf(w)+1e-10) })},
				{"equal weights if all are zero", false, lists(func(in inputs) []num {
					w := weightsOf(in.nums(0))
					for i := range w {
						if w[i].v == nil {
							w[i] = of(1).over(of(size(in)))
						}
					}
					return w
				})},
			},
		},
		{
			Name: "ess_weights", Definition: "1 over the sum of squares of the normalised weights; undefined if all are zero", Source: "Kong 1992",
			Inputs: logs, Output: Number, Tolerance: 1e-11, scale: itself, cases: examples("log weights"),
			define: scalars(ess),
			Mistakes: []Mistake{
				{noShift, false, plain(func(in inputs) float64 { return 1 / squares(shifted(in.list(0), 0)) })},
				{byFirst, false, plain(func(in inputs) float64 { return 1 / squares(shifted(in.list(0), in.list(0)[0])) })},
				{"weights are over the largest, and not over the sum", false, scalars(func(in inputs) num {
					w := mapped(in.nums(0), func(v num) num { return v.minus(of(top(in.list(0)))).exp() })
					return of(1).over(dot(w, w))
				})},
				{"log weights are taken for weights", false, scalars(func(in inputs) num {
					return total(in.nums(0)).squared().over(dot(in.nums(0), in.nums(0)))
				})},
				{"the coefficient of variation has the divisor N - 1", false, scalars(func(in inputs) num {
					w := weightsOf(in.nums(0))
					return of(size(in)).over(of(1).plus(variance(w, 1).over(mean(w).squared())))
				})},
				{"the share of the number of weights, ESS/N", true, scalars(func(in inputs) num { return ess(in).over(of(size(in))) })},
				{"exp of the entropy of the weights (perplexity)", true, scalars(func(in inputs) num { return of(0).minus(plogp(weightsOf(in.nums(0)))).exp() })},
				{"1 over the largest weight", true, scalars(func(in inputs) num {
					w := weightsOf(in.nums(0))
					return of(1).over(w[best(w)])
				})},
			},
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
