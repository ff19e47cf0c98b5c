package particle

import "breadboard/chains"

// Algorithm is an inference algorithm with its meta-inference. A run draws a trace u, which stands for its random choices,
// and an output x from a joint law q(u, x). Meta-inference draws a trace from a law r(u; x) for a given output: it says how
// the algorithm might have come to x. Both say log xi(u, x), where
//
//	xi(u, x) = Z q(u, x)/r(u; x)
//
// with one constant Z for all traces and outputs. So the mean of xi under r(.; x) is Z q(x).
//
// What Run and Meta return depends on their arguments and on the outcomes of c's choices, and on nothing else. Only one
// goroutine may use an Algorithm, since it may cache what it has computed.
//
// Source: Cusumano-Towner and Mansinghka 2017, definitions 3.1 and 3.2.
type Algorithm interface {
	// Outputs returns the number n of outputs, which are 0..n-1.
	Outputs() int
	// Run runs the algorithm once.
	Run(c chains.Chooser) Result
	// Meta draws a trace for the output x. Its log xi is -Inf where no run has that trace.
	Meta(c chains.Chooser, x int) Result
}

// Result is what a run, or meta-inference, returns.
type Result struct {
	Output int     // the output; -1 where there is none (see Extinct)
	Trace  Trace   // the trace
	LogXi  float64 // log xi, in nats
}

// Trace is a trace in a form in which traces can be compared: those of one algorithm are equal where they are the same
// text. It is not for people to read.
type Trace string

// Extinct returns the result of a run in which all weights have become zero, so that there is no output. Its xi has no
// meaning, and is NaN nowhere, so that results can be compared: it is 0.
func Extinct(trace Trace) Result { return Result{Output: -1, Trace: trace} }
