package particle

import "breadboard/chains"

// Flow is what the particles of sequential Monte Carlo go through. A particle starts somewhere; at each stage t = 1..n it is weighed and
// then moves; after the last move it is weighed once more, at stage n + 1. Between weighing and moving the particles may be resampled.
//
// States are numbers. What a number stands for may depend on the stage: the state of a particle filter is the whole path
// so far. After the last move the states are the outputs.
//
// Annealing fits in with n = T - 1 stages and no last weight: stage t weighs by f_{t+1}/f_t and moves by T_{t+1}. So does a
// filter: stage t weighs by what the proposal of x_t has left to weigh, and moves by proposing x_{t+1}.
//
// Source: Del Moral, Doucet and Jasra 2006; Cusumano-Towner and Mansinghka 2017, supplement, algorithm 3.
type Flow interface {
	// Stages returns n, the number of moves; it may be zero.
	Stages() int
	// Outputs returns the number of states after the last move.
	Outputs() int
	// Start draws the first state of a particle.
	Start(c chains.Chooser) int
	// LogWeight returns the logarithm, in nats, of what the weight of a particle in state x is multiplied by at stage t =
	// 1..n+1; it is -Inf for a weight of zero, and +Inf in a state in which no run can be at that stage, though meta-inference may.
	LogWeight(t, x int) float64
	// Move moves a particle from state x at stage t.
	Move(c chains.Chooser, t, x int) int
	// Back draws the state before the move of stage t from the state x after it: by the backward kernel, with which
	//
	//	p~(x_{n+1}) times the product of the backward kernels along a path
	//
	// is the density of the path under Start and Move times its weights. For a kernel that leaves a distribution invariant
	// it is the time reversal; where the state holds the whole past it takes off the last part.
	Back(c chains.Chooser, t, x int) int
	// LogTarget returns log p~(x) of an output, of which the sum over the outputs is the Z that Zhat estimates.
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
