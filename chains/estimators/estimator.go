package estimators

import "breadboard/chains"

// Estimator is an estimator of the marginal likelihood Z of a model: the sum over all states of prior times likelihood.
//
// What Estimate returns depends on the outcomes of c's choices, and on nothing else. Only one goroutine may use an Estimator,
// since it may cache what it has computed.
type Estimator[C chains.Chooser] interface {
	// Estimate runs the estimator once, and returns the logarithm of its estimate, in nats. It may be infinite.
	Estimate(c C) float64
	// Work returns what one run costs: where that is random, what it costs on average.
	Work() Work
	// Combination returns how the estimates of independent runs are combined to one.
	Combination() Combination
}

// Work is what an estimate costs.
type Work struct {
	// Evaluations is how many times log f is asked of a black box. The value at the state where a chain is, is kept, and so
	// asked once; a proposal outside the space is counted, as the box says that it is outside. See chains.Evaluations.
	Evaluations float64
	// Exact is how many exact draws are made from the posterior, or from the prior above a level of the likelihood. A draw
	// from the prior alone is free.
	Exact float64
}

// Plus returns the work of both.
func (w Work) Plus(v Work) Work { return Work{w.Evaluations + v.Evaluations, w.Exact + v.Exact} }

// Combination is how the estimates of independent runs are combined.
//
// Source: Grosse, Ghahramani and Adams 2015, footnote 5.
type Combination int

// Unbiased estimates of Z are averaged, and so are unbiased estimates of 1/Z; of lower bounds the largest is taken; of others
// the logarithms are averaged.
const (
	ArithmeticMean Combination = iota
	HarmonicMean
	Maximum
	MeanOfLogs
)

// String returns the name of the combination: arithmetic, harmonic, maximum or logs.
func (m Combination) String() string {
	return [...]string{"arithmetic", "harmonic", "maximum", "logs"}[m]
}
