package particle

import "breadboard/chains"

// MCMC is the flow of a Markov chain that makes S moves under the target, from a start that need not be near it. A particle
// is weighed before the first move, by the target and the law of the start. SMC over it with one particle is the chain, and
// meta-inference goes back from the output by the time reversal of the kernel.
//
// Source: Cusumano-Towner and Mansinghka 2017, sections 3.2 and D: the chain is annealing whose distributions are all the
// target, which is why meta-inference says little about it.
type MCMC struct {
	Proposed
	moves            int
	logf             []float64
	kernel, reversal chains.Kernel
}

// NewMCMC returns the flow of S moves by a kernel and its time reversal under exp(logTarget), from a state that is drawn in
// proportion to exp(logStart).
func NewMCMC(logStart, logTarget []float64, kernel, reversal chains.Kernel, moves int) *MCMC {
	return &MCMC{*NewProposed(logStart, logTarget), moves, logTarget, kernel, reversal}
}

// Stages implements Flow.
func (f *MCMC) Stages() int { return f.moves }

// Kernel returns the kernel.
func (f *MCMC) Kernel() chains.Kernel { return f.kernel }

// LogWeight implements Flow.
func (f *MCMC) LogWeight(t, x int) float64 {
	if t > 1 {
		return 0
	}
	return f.Proposed.LogWeight(t, x)
}

// Move implements Flow.
func (f *MCMC) Move(c chains.Chooser, _, x int) int { return f.kernel.Move(c, f.logf, x) }

// Back implements Flow.
func (f *MCMC) Back(c chains.Chooser, _, x int) int { return f.reversal.Move(c, f.logf, x) }
