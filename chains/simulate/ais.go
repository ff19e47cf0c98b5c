package simulate

import (
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/work"
)

// AIS is annealed importance sampling in one direction as a Process: the states are those of the
// annealing, and the total of the increments is the log weight in nats. Of the T steps, step 1..T-1
// is one stage each: T_2..T_T forward, the time reversals of T_T..T_2 in reverse. The last step
// does not move. It adds the constant that centring (see Path) has removed from every log weight,
// which would cost digits of the other increments.
//
// If the weight of a chain becomes zero forward, the increment is -Inf; if it becomes infinite in
// reverse, +Inf.
//
// It keeps log f and the increments of the last step, so that it is fast if many chains take the
// same step before any takes the next. Only one goroutine may use it.
//
// Source: Neal 2001; Grosse, Ancha and Roy 2016, sections 2.1 and 2.3.
type AIS struct {
	a         *chains.Annealing // without the constants in log f, beside which digits would be lost
	offset    float64           // the constant that centring takes out of every log weight
	direction chains.Direction
	start     []float64 // the distribution of the first state, one probability for each state

	step   int // the step that the following fields are for; 0 before the first step
	t      int // the stage of that step
	kernel chains.Kernel
	logf   []float64 // log f_t
	delta  []float64 // the increment by state: the state before the move forward, after it in reverse
}

// NewAIS returns annealed importance sampling in the given direction. In reverse it fails if the
// time reversal of a kernel is not known (see WithReversals).
func NewAIS(a *chains.Annealing, d chains.Direction) (*AIS, error) {
	if d == chains.Reverse {
		if err := a.ReversalsKnown(); err != nil {
			return nil, err
		}
	}
	n := a.States()
	p := &AIS{direction: d, start: make([]float64, n), logf: make([]float64, n), delta: make([]float64, n)}
	p.a, p.offset = a.Centred()
	first := 1
	if d == chains.Reverse {
		first = a.Distributions()
	}
	p.a.LogF(p.start, first)
	chains.Normalize(p.start)
	return p, nil
}

// Steps returns T.
func (p *AIS) Steps() int { return p.a.Distributions() }

// stageAfter returns the stage at which a chain is after a step below T; step 0 is its start.
func (p *AIS) stageAfter(step int) int {
	if p.direction == chains.Reverse {
		return p.a.Distributions() - step
	}
	return 1 + step
}

// Start draws from p_1 forward, from p_T in reverse.
func (p *AIS) Start(c chains.Chooser) int { return c.Choose(p.start) }

// Step moves from state x by the kernel of step t. It panics with a Fault if Move leaves the space,
// and passes on a panic of Move.
func (p *AIS) Step(c chains.Chooser, t, x int) (next int, increment float64) {
	if t != p.step {
		p.loadStep(t)
	}
	next = p.kernel.Move(c, p.logf, x)
	if uint(next) >= uint(len(p.delta)) {
		panic(chains.NewFault(fmt.Errorf("its Move went to state %d, outside 0..%d", next, len(p.logf)-1)))
	}
	if p.direction == chains.Reverse {
		x = next
	}
	return next, p.delta[x]
}

// loadStep computes the kernel, log f and the increments of a step.
func (p *AIS) loadStep(step int) {
	p.selectStage(step)
	if step == p.a.Distributions() {
		for x := range p.delta {
			p.delta[x] = p.offset
		}
		return
	}
	p.computeIncrements()
	p.a.LogF(p.logf, p.t)
}

// selectStage finds the stage and the kernel of a step.
func (p *AIS) selectStage(step int) {
	T := p.a.Distributions()
	if step < 1 || step > T {
		panic(fmt.Sprintf("simulate: step %d of annealed importance sampling with %d", step, T))
	}
	p.step = step
	switch {
	case step == T:
		p.kernel = kernels.Stay{}
	case p.direction == chains.Forward:
		p.t = step + 1
		p.kernel = p.a.KernelAt(p.t)
	default:
		p.t = T + 1 - step
		p.kernel, _ = p.a.ReversalAt(p.t) // NewAIS has checked that the reversal is known
	}
}

// computeIncrements computes log f_t - log f_{t-1} of each state.
func (p *AIS) computeIncrements() {
	p.a.LogRatio(p.delta, p.t)
	if p.a.Path().Zeros() {
		p.weighZeros()
	}
}

// weighZeros corrects the increments of states where f_{t-1} or f_t is zero. The increment is
// infinite if a chain can be at the state and f is zero after the change of distribution, in the
// direction of the chain. It is 0, which has no effect, if no chain can be at the state, or if the
// weight of a chain there is zero or infinite already.
func (p *AIS) weighZeros() {
	before, after := make([]float64, len(p.delta)), make([]float64, len(p.delta))
	p.a.LogF(before, p.t-1)
	p.a.LogF(after, p.t)
	for x := range p.delta {
		was := !math.IsInf(before[x], -1)
		is := !math.IsInf(after[x], -1)
		switch {
		case was && is:
		case was && p.direction == chains.Forward:
			p.delta[x] = math.Inf(-1)
		case is && p.direction == chains.Reverse:
			p.delta[x] = math.Inf(1)
		default:
			p.delta[x] = 0
		}
	}
}

// errorAt returns an error of a kernel as a Fault that names the stage, the direction and the
// state.
func (p *AIS) errorAt(x int32, err error) error {
	err = fmt.Errorf("stage t = %d of %d, %s, state %d: kernel %v: %w", p.t, p.a.Distributions(), p.direction,
		x, p.kernel, err)
	return chains.NewFault(work.AtStates(err, int(x)))
}
