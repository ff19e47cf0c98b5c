// Package particle has inference algorithms together with their meta-inference, which draws how an
// algorithm might have come to a given output. These are the algorithms that AIDE compares
// (Cusumano-Towner and Mansinghka 2017): sequential Monte Carlo over any Flow, of which annealed
// importance sampling, Metropolis-Hastings, importance resampling and particle filters are cases,
// and samplers whose density is known. Each is written once, against a chains.Chooser, so that it
// can be sampled, enumerated and propagated.
//
// Package exact/smc computes their exact distributions.
package particle

import (
	"breadboard/chains"
)

// Flow is the sequence of weights and moves of the particles of sequential Monte Carlo. A particle
// starts in a random state. At each stage t = 1..n it is weighed and then moves; after the last
// move it is weighed once more, at stage n + 1. Between weighing and moving the particles may be
// resampled.
//
// States are numbers. Their meaning may depend on the stage: the state of a particle filter is the
// whole path so far. After the last move the states are the outputs.
//
// Annealing is a flow with n = T - 1 stages and no last weight: stage t weighs by f_{t+1}/f_t and
// moves by T_{t+1}. A filter is a flow too: stage t weighs by the importance weight of the proposed
// x_t, and moves by proposing x_{t+1}.
//
// Source: Del Moral, Doucet and Jasra 2006; Cusumano-Towner and Mansinghka 2017, supplement,
// algorithm 3.
type Flow interface {
	// Stages returns n, the number of moves; it may be zero.
	Stages() int
	// Outputs returns the number of states after the last move.
	Outputs() int
	// Start draws the first state of a particle.
	Start(c chains.Chooser) int
	// LogWeight returns the logarithm, in nats, of the factor of the weight of a particle in state
	// x at stage t = 1..n+1. It is -Inf for a weight of zero, and +Inf in a state that
	// meta-inference, but no run, can reach at that stage.
	LogWeight(t, x int) float64
	// Move moves a particle from state x at stage t.
	Move(c chains.Chooser, t, x int) int
	// Back draws the state before the move of stage t from the state x after it: by the backward
	// kernel, with which
	//
	//	p~(x_{n+1}) times the product of the backward kernels along a path
	//
	// is the density of the path under Start and Move times its weights. For a kernel that leaves a
	// distribution invariant it is the time reversal. If the state holds the whole past, it removes
	// the last part.
	Back(c chains.Chooser, t, x int) int
	// LogTarget returns log p~(x) of an output, of which the sum over the outputs is the Z that
	// Zhat estimates.
	LogTarget(x int) float64
}

// LogTargets returns log p~ of every output of a flow.
func LogTargets(flow Flow) []float64 {
	out := make([]float64, flow.Outputs())
	for x := range out {
		out[x] = flow.LogTarget(x)
	}
	return out
}

// Algorithm is an inference algorithm with its meta-inference. A run draws a trace u, which stands
// for its random choices, and an output x from a joint distribution q(u, x). Meta-inference draws a
// trace from a distribution r(u; x) for a given output: how the algorithm might have come to x.
// Both return log xi(u, x), where
//
//	xi(u, x) = Z q(u, x)/r(u; x)
//
// with one constant Z for all traces and outputs. So the mean of xi under r(.; x) is Z q(x).
//
// What Run and Meta return depends on their arguments and on the outcomes of c's choices, and on
// nothing else. Only one goroutine may use an Algorithm, since it may cache what it has computed.
//
// Source: Cusumano-Towner and Mansinghka 2017, definitions 3.1 and 3.2.
type Algorithm interface {
	// Outputs returns the number n of outputs, which are 0..n-1.
	Outputs() int
	// Run runs the algorithm once.
	Run(c chains.Chooser) Result
	// Meta draws a trace for the output x. Its log xi is -Inf if no run has that trace.
	Meta(c chains.Chooser, x int) Result
}

// Result is what a run, or meta-inference, returns.
type Result struct {
	Output int     // the output; -1 if there is none (see Extinct)
	Trace  Trace   // the trace
	LogXi  float64 // log xi, in nats
}

// Trace is a trace as text, for comparison only: two traces of one algorithm are equal if their
// texts are.
type Trace string

// Extinct returns the result of a run in which all weights have become zero, so that there is no
// output. Its xi has no meaning. It is 0, and not NaN, so that results can be compared.
func Extinct(trace Trace) Result { return Result{Output: -1, Trace: trace} }

// Filter is a flow of particles that keep their whole past. The data come one at a time, and the
// state of a particle at stage t is everything that it has drawn up to datum t. So the states are
// the nodes of a tree, on which the exact distributions of filters are computed.
type Filter interface {
	Flow
	// States returns the number of states at stage t = 1..n+1.
	States(t int) int
	// Parent returns the state at stage t-1 >= 1 of which a state at stage t is a continuation.
	Parent(t, x int) int
	// Types returns the number of types of states at stage t. States of one type weigh the same at
	// stage t, and move to states of the same types with the same probabilities.
	Types(t int) int
	// Type returns the type of a state at stage t, as a number from 0.
	Type(t, x int) int
}

// Proposal says how a filter proposes the variables of the next datum.
type Proposal int

const (
	// Prior proposes by the model without the datum, and weighs by the likelihood of the datum.
	Prior Proposal = iota
	// Optimal proposes by the conditional distribution given the past and the datum, and weighs by
	// the probability of the datum given the past. Of all proposals it has the least variance of
	// the weight given the past.
	//
	// Source: Doucet, Godsill and Andrieu 2000, proposition 2.
	Optimal
)

// String returns the name of a proposal.
func (p Proposal) String() string {
	if p == Optimal {
		return "optimal"
	}
	return "prior"
}
