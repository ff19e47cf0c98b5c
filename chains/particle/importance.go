package particle

import (
	"math"

	"breadboard/chains"
	"breadboard/chains/number"
)

// Proposed is the flow of importance resampling (SIR): particles are drawn from a proposal and
// weighed by the target; there is no move. SMC over it with P particles is importance resampling
// with a trace.
//
// Source: Rubin 1988; Cusumano-Towner and Mansinghka 2017, section 3.2.
type Proposed struct {
	proposal []float64
	delta    []float64
	target   []float64
}

// NewProposed returns the flow for a proposal proportional to exp(logProposal) and a target p~ =
// exp(logTarget)/Z_1, where Z_1 is the sum of exp(logProposal). Zhat estimates the ratio of both
// sums.
func NewProposed(logProposal, logTarget []float64) *Proposed {
	f := &Proposed{
		proposal: append([]float64(nil), logProposal...),
		delta:    make([]float64, len(logTarget)),
		target:   make([]float64, len(logTarget)),
	}
	logZ := number.LogSumExp(logProposal)
	for x, l := range logTarget {
		f.target[x] = l - logZ
		f.delta[x] = l - logProposal[x]
		if math.IsInf(logProposal[x], -1) {
			f.delta[x] = math.Inf(1) // only meta-inference can be there
		}
	}
	chains.Normalize(f.proposal)
	return f
}

// Stages implements Flow: there is no move.
func (*Proposed) Stages() int { return 0 }

// Outputs implements Flow.
func (f *Proposed) Outputs() int { return len(f.proposal) }

// Start implements Flow.
func (f *Proposed) Start(c chains.Chooser) int { return c.Choose(f.proposal) }

// Proposal returns the probabilities of the proposal.
func (f *Proposed) Proposal() []float64 { return f.proposal }

// LogWeight implements Flow.
func (f *Proposed) LogWeight(_, x int) float64 { return f.delta[x] }

// Move implements Flow. It is never called.
func (*Proposed) Move(chains.Chooser, int, int) int {
	panic("particle: importance resampling has no moves")
}

// Back implements Flow. It is never called.
func (*Proposed) Back(chains.Chooser, int, int) int {
	panic("particle: importance resampling has no moves")
}

// LogTarget implements Flow.
func (f *Proposed) LogTarget(x int) float64 { return f.target[x] }

// MCMC is the flow of a Markov chain that makes S moves under the target, from a start that need
// not be near it. A particle is weighed before the first move, by the target and the distribution
// of the start. SMC over it with one particle is the chain, and meta-inference goes back from the
// output by the time reversal of the kernel.
//
// Source: Cusumano-Towner and Mansinghka 2017, sections 3.2 and D: the chain is an annealing whose
// distributions are all the target, so that meta-inference is not informative.
type MCMC struct {
	Proposed
	moves            int
	logf             []float64
	kernel, reversal chains.Kernel
}

// NewMCMC returns the flow of S moves by a kernel and its time reversal under exp(logTarget), from
// a state that is drawn in proportion to exp(logStart).
func NewMCMC(logStart, logTarget []float64, kernel, reversal chains.Kernel, moves int) *MCMC {
	return &MCMC{*NewProposed(logStart, logTarget), moves, logTarget, kernel, reversal}
}

// Stages implements Flow.
func (f *MCMC) Stages() int { return f.moves }

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
