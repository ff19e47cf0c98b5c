package particle

import (
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/number"
)

// Annealed is the flow of an annealing: stage t = 1..T-1 weighs by f_{t+1}/f_t and moves by
// T_{t+1}; there is no last weight. Zhat estimates Z_T/Z_1 without the constant Offset: constants
// in log f would cost digits of the weights and xi. A state without mass before a stage has the
// weight +Inf there: no run reaches it, and a trace of meta-inference that does is one that no run
// has.
//
//	w_t(x) = f_(t+1)(x)/f_t(x), M_t = T_(t+1), and the backward kernel of M_t is its time reversal.
type Annealed struct {
	a      *chains.Annealing
	offset float64 // the constant that centring takes out of every log weight
	start  []float64
	target []float64 // log p~ = log f_T - log Z_1, without the offset
	stages []*annealedStage
	recent *annealedStage // the stage that was computed last, if stages are too many to keep
}

// annealedStage is one stage of an annealing.
type annealedStage struct {
	t              int       // 1..T-1
	logf, delta    []float64 // log f_{t+1}, and what a particle's log weight gains at each state
	kernel, revers chains.Kernel
}

// stagesKept is the number of numbers that may be kept for all stages together.
const stagesKept = 1 << 22

// NewAnnealed returns the flow. It fails if the time reversal of a kernel is not known (see
// chains.Annealing.WithReversals).
func NewAnnealed(a *chains.Annealing) (*Annealed, error) {
	if err := a.ReversalsKnown(); err != nil {
		return nil, err
	}
	n := a.States()
	T := a.Distributions()
	f := &Annealed{start: make([]float64, n), target: make([]float64, n)}
	f.a, f.offset = a.Centred()
	f.a.LogF(f.start, 1)
	logZ := number.LogSumExp(f.start)
	chains.Normalize(f.start)
	f.a.LogF(f.target, T)
	for x := range f.target {
		f.target[x] -= logZ
	}
	if n*T <= stagesKept {
		f.stages = make([]*annealedStage, T)
	}
	return f, nil
}

// Stages implements Flow.
func (f *Annealed) Stages() int { return f.a.Distributions() - 1 }

// Outputs implements Flow.
func (f *Annealed) Outputs() int { return f.a.States() }

// Annealing returns the annealing, without the constants in log f.
func (f *Annealed) Annealing() *chains.Annealing { return f.a }

// Start implements Flow.
func (f *Annealed) Start(c chains.Chooser) int { return c.Choose(f.start) }

// Offset returns the constant in nats that centring removes from every log weight: log Zhat plus
// Offset estimates log Z_T/Z_1. Zhat and p~ both lack it, so that xi does not change.
func (f *Annealed) Offset() float64 { return f.offset }

// LogWeight implements Flow. There is no last weight.
func (f *Annealed) LogWeight(t, x int) float64 {
	if t > f.Stages() {
		return 0
	}
	return f.stage(t).delta[x]
}

// Move implements Flow.
func (f *Annealed) Move(c chains.Chooser, t, x int) int {
	s := f.stage(t)
	return moved(c, s.kernel, s.logf, x)
}

// Back implements Flow.
func (f *Annealed) Back(c chains.Chooser, t, x int) int {
	s := f.stage(t)
	return moved(c, s.revers, s.logf, x)
}

// moved returns the state that a kernel moves to, and panics if there is no such state.
func moved(c chains.Chooser, k chains.Kernel, logf []float64, x int) int {
	x = k.Move(c, logf, x)
	if uint(x) >= uint(len(logf)) {
		panic(chains.NewFault(fmt.Errorf("kernel %v: its Move went to state %d, outside 0..%d", k, x, len(logf)-1)))
	}
	return x
}

// LogTarget implements Flow.
func (f *Annealed) LogTarget(x int) float64 { return f.target[x] }

func (f *Annealed) stage(t int) *annealedStage {
	if f.recent != nil && f.recent.t == t {
		return f.recent
	}
	if f.stages != nil && f.stages[t] != nil {
		f.recent = f.stages[t]
		return f.recent
	}
	n := len(f.start)
	s := &annealedStage{
		t:      t,
		logf:   make([]float64, n),
		delta:  make([]float64, n),
		kernel: f.a.KernelAt(t + 1),
	}
	s.revers, _ = f.a.ReversalAt(t + 1) // NewAnnealed has checked that it is known
	f.a.LogF(s.logf, t+1)
	f.a.LogRatio(s.delta, t+1)
	if f.a.Path().Zeros() {
		f.weighZeros(s)
	}
	f.recent = s
	if f.stages != nil {
		f.stages[t] = s
	}
	return s
}

// weighZeros corrects the increments of states where f_t or f_{t+1} is zero.
func (f *Annealed) weighZeros(s *annealedStage) {
	before := make([]float64, len(s.delta))
	f.a.LogF(before, s.t)
	for x := range s.delta {
		switch {
		case math.IsInf(before[x], -1):
			s.delta[x] = math.Inf(1) // only meta-inference can be there
		case math.IsInf(s.logf[x], -1):
			s.delta[x] = math.Inf(-1)
		}
	}
}
