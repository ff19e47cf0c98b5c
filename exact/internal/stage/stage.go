// Package stage takes distributions and functions through one step of an annealing. It holds one
// stage at a time, with its distributions and its moves: one by the kernel or, for a sequence, one
// by each part, each as rows with their time reversal. It also has the ratios q/p_t that are
// carried through the stages, divergences of such ratios, and checkpoints for backward recursions.
// Kernels that are applied without rows are in package operator.
package stage

import (
	"context"
	"fmt"
	"iter"
	"math"

	"breadboard/chains"
	"breadboard/chains/frames"
	"breadboard/chains/number"
	"breadboard/exact/kernel"
)

// Stage holds what one step of the annealing needs: the distributions p_{t-1} and p_t, and the
// kernel T_t with its time reversal. Load moves it to any stage t, in any order.
type Stage struct {
	Annealing *chains.Annealing
	Kernel    chains.Kernel // T_t

	t            int
	Logf         []float64 // log f_t of each state
	Delta        []float64 // log f_t - log f_{t-1} of each state
	Before, Here Density   // p_{t-1} and p_t
	// Lambda is log(p_{t-1}/p_t) of each state at which both are positive.
	Lambda []float64
	// Partial says that p_{t-1} and p_t are not positive on the same states.
	Partial bool

	// Moves are the moves of the stage, in the order of the forward chain: one by the kernel or,
	// for a sequence, one by each of its parts. Parts that are equal share one Move.
	Moves    []*Move
	distinct []*Move // the moves, each of them once
	// the stage of which rows were loaded last for a kernel that foresees; 0 if none were
	loaded   int
	prepared chains.Kernel // the kernel that they are for
	values   frames.Values // the f of the density that was loaded last, which is f_t if rows are loaded
	Outside  bool          // whether the kernel is not of the library; it is then taken as one move
	flows    kernel.Flows  // examines the rows of a kernel that is not of the library
}

// NewStage returns a stage that holds p_1 as Here, and no kernel yet.
func NewStage(a *chains.Annealing) *Stage {
	n := a.States()
	s := &Stage{
		Annealing: a,
		Logf:      make([]float64, n), Delta: make([]float64, n), Lambda: make([]float64, n),
		Before: Density{Log: make([]float64, n), P: make([]float64, n)},
		Here:   Density{Log: make([]float64, n), P: make([]float64, n)},
	}
	s.LoadDensity(&s.Here, 1)
	s.t = 1
	return s
}

// LoadDensity computes p_t into d, and leaves log f_t in s.Logf.
func (s *Stage) LoadDensity(d *Density, t int) {
	s.Annealing.LogF(s.Logf, t)
	s.values.Load(s.Logf)
	if s.values.F != nil {
		var sum number.BlockSum
		for _, f := range s.values.F {
			sum.Add(f)
		}
		total := sum.Value()
		d.LogZ = s.values.Top + number.Log(total)
		for x, v := range s.Logf {
			d.Log[x], d.P[x] = v-d.LogZ, s.values.F[x]/total
		}
		return
	}
	d.LogZ = number.LogSumExp(s.Logf)
	for x, v := range s.Logf {
		d.Log[x] = v - d.LogZ
		d.P[x] = math.Exp(d.Log[x])
	}
}

// Load moves the stage to t, 2 <= t <= T, with the rows of T_t and its reversal. It checks the
// context at every row. It fails if the context ends and if the kernel is not valid.
func (s *Stage) Load(ctx context.Context, t int) error {
	s.LoadPath(t)
	return s.loadRows(ctx)
}

// LoadPath moves the stage to t without loading the rows of the kernel.
func (s *Stage) LoadPath(t int) {
	if s.t != t-1 {
		s.LoadDensity(&s.Here, t-1)
	}
	s.Before, s.Here = s.Here, s.Before
	s.LoadDensity(&s.Here, t)
	s.t = t
	s.compareDensities()
}

// compareDensities computes Delta, Partial and Lambda, which is log(Z_t/Z_{t-1}) minus Delta. It
// first subtracts from both the Delta of a reference state, the likeliest one under p_{t-1} at
// which p_t is positive too. So the rest keeps its digits if nearly all mass is on one state. The
// log of the ratio of normalisers is then the logarithm of one plus a small sum:
//
//	Z_t/Z_{t-1} = (sum of p_{t-1}(x) f_t(x)/f_{t-1}(x) where both are positive) / (1 - p_t(where p_{t-1} is zero)).
func (s *Stage) compareDensities() {
	s.Annealing.LogRatio(s.Delta, s.t)
	reference := s.Delta[s.likeliestOfBoth()]
	s.Partial = false
	var rises, gains, losses number.BlockSum
	for x, d := range s.Delta {
		switch was, is := s.Before.On(x), s.Here.On(x); {
		case was && is:
			rises.Add(Increase(s.Before.P[x], s.Before.Log[x], d-reference))
		case was:
			s.Partial = true
			losses.Add(s.Before.P[x])
		case is:
			s.Partial = true
			gains.Add(s.Here.P[x])
		}
	}
	rise := rises.Value()
	gained := gains.Value()
	lost := losses.Value()
	// If much of the mass is lost or gained, the sums lose digits. No Lambda is small then, so that
	// the difference of two logs keeps its digits.
	if math.IsInf(rise, 1) || rise-lost < -0.5 || gained > 0.5 {
		for x := range s.Lambda {
			s.Lambda[x] = s.Before.Log[x] - s.Here.Log[x]
		}
		return
	}
	shift := math.Log1p(rise-lost) - math.Log1p(-gained)
	for x, d := range s.Delta {
		s.Lambda[x] = shift - (d - reference)
	}
}

// likeliestOfBoth returns the state that is likeliest under p_{t-1} among those where p_t is
// positive too; 0 if there is none.
func (s *Stage) likeliestOfBoth() int {
	likeliest := -1
	for x, p := range s.Before.Log {
		if s.Here.On(x) && s.Before.On(x) && (likeliest < 0 || p > s.Before.Log[likeliest]) {
			likeliest = x
		}
	}
	return max(0, likeliest)
}

// Increase returns p (exp(d) - 1), given log p too: it is right even if p underflows and exp(d)
// overflows.
func Increase(p, logp, d float64) float64 {
	if d > 1 {
		return math.Exp(logp+d) - p
	}
	return p * math.Expm1(d)
}

// Both reports whether p_{t-1} and p_t are both positive at x.
func (s *Stage) Both(x int) bool { return s.Before.On(x) && s.Here.On(x) }

// Wrap adds the stage to an error; nil stays nil.
func (s *Stage) Wrap(err error) error { return WrapStage(s.Annealing, s.t, err) }

// WrapStage adds stage t to an error; nil stays nil.
func WrapStage(a *chains.Annealing, t int, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("stage t = %d of %d (beta %v): %w", t, a.Distributions(), a.Beta(t), err)
}

// Origin returns the distribution from which a chain in the given direction starts when this stage
// is its first: p_{t-1} for the forward chain and p_t for the reverse chain.
func (s *Stage) Origin(d chains.Direction) *Density {
	if d == chains.Forward {
		return &s.Before
	}
	return &s.Here
}

// Tilt multiplies each mass by (f_t/f_{t-1})^power, and reports whether the result is infinite for
// one of them. With finiteOnly it sets masses to zero if f_t/f_{t-1} is zero or infinite, so that
// only finite log weights are left.
func (s *Stage) Tilt(mass []number.Wide, power float64, finiteOnly bool) (infinite bool) {
	for x := range mass {
		switch {
		case s.Both(x):
			mass[x] = mass[x].Mul(number.WideExp(power * s.Delta[x]))
		case finiteOnly:
			mass[x] = number.Wide{}
		case power == 0: // x^0 = 1
		case s.Before.On(x) == (power > 0):
			// f_t/f_{t-1} is zero and the power positive, or infinite and the power negative
			mass[x] = number.Wide{}
		default:
			infinite = infinite || mass[x].M != 0
		}
	}
	return infinite
}

// Roundings returns the rounding error of p_{t-1}, p_t and log f_t at x, in units of one usual
// rounding of float64. A logarithm counts as one more rounding for each eight nats, since its
// rounding grows with its size.
func (s *Stage) Roundings(x int) float64 {
	return 1 + max(math.Abs(s.Logf[x]), -s.Before.Log[x], -s.Here.Log[x])/8
}

// StageOf returns the stage at which a chain takes a step. Both are counted from 2 to T; the
// reverse chain takes the stages in the opposite order.
func StageOf(d chains.Direction, step, T int) int {
	if d == chains.Reverse {
		return T + 2 - step
	}
	return step
}

// Problem is an annealing on its centred path, with a counter of the steps that a computation
// takes. The counter reports progress, and checks the context now and then.
type Problem struct {
	Annealing *chains.Annealing // on its centred path
	Progress  func(steps int)   // never nil

	Offset   float64 // the constant that centring subtracts from every log weight, in nats
	Pulse    int     // steps between checks of the context
	since    int     // steps since the last look
	pending  int     // steps not yet reported
	taken    int     // steps that the current method has taken
	repeated int     // future steps that are not reported, because another method has reported them
}

// pulseWork is about the number of states that a computation visits between two checks of the
// context, times the number of moves of the kernel in a step.
const pulseWork = 1 << 14

// NewProblem returns the problem of an annealing. Progress is called now and then with the number
// of steps taken since its last call; it may be nil.
func NewProblem(a *chains.Annealing, progress func(steps int)) *Problem {
	if progress == nil {
		progress = func(int) {}
	}
	p := &Problem{Progress: progress}
	p.Annealing, p.Offset = a.Centred()
	moves := 1
	if k := a.Kernel(); k != nil {
		moves = max(1, chains.MovesOf(k))
	}
	p.Pulse = 1 + pulseWork/(a.States()*moves)
	if !chains.OfLibrary(a.Kernel()) { // a step may take any time with a kernel that is not of the library
		p.Pulse = 1
	}
	return p
}

// Step counts a step, reports progress, and fails when the context has ended.
func (p *Problem) Step(ctx context.Context) error { return p.Steps(ctx, 1) }

// Steps does what Step does for n steps at once.
func (p *Problem) Steps(ctx context.Context, n int) error {
	p.since += n
	p.taken += n
	known := min(n, p.repeated)
	p.repeated -= known
	p.pending += n - known
	if p.since < p.Pulse {
		return nil
	}
	p.Flush()
	return ctx.Err()
}

// Load counts a step and loads stage t, with the rows of its kernel. It fails as Step and
// Stage.Load do.
func (p *Problem) Load(ctx context.Context, s *Stage, t int) error {
	if err := p.Step(ctx); err != nil {
		return err
	}
	return s.Load(ctx, t)
}

// Flush reports the steps that have not been reported yet.
func (p *Problem) Flush() {
	p.Progress(p.pending)
	p.since = 0
	p.pending = 0
}

// Restart is called when another method begins again from the first step. The steps that have been
// taken so far are not reported a second time.
func (p *Problem) Restart() {
	p.repeated += p.taken
	p.taken = 0
}

// Checkpoints keeps some of the values v_0, v_1, ... of a recursion that makes v_i from v_{i-1} in
// step i = 1..n, so that a caller can go through all of them from the last to the first. It keeps
// the value before each stretch of about sqrt(n) steps. The caller computes the other values of a
// stretch again from there. So the caller needs twice the time, and the memory of 2 sqrt(n) values,
// to go through n values backwards.
type Checkpoints[V any] struct {
	steps  int
	Stride int // the number of steps in a stretch; the last stretch may have fewer
	kept   []V
}

// NewCheckpoints returns the checkpoints of a recursion with the given number of steps, none kept
// yet.
func NewCheckpoints[V any](steps int) *Checkpoints[V] {
	return &Checkpoints[V]{steps: steps, Stride: int(math.Ceil(math.Sqrt(float64(steps + 1))))}
}

// Lengthen makes stretches as long as memory allows. With fewer stretches fewer values are computed
// again.
func (c *Checkpoints[V]) Lengthen(room int) { c.Stride = max(c.Stride, min(c.steps, room)) }

// CheckMemory returns an error if the values that are kept, and those of a stretch, would take too
// much memory, given the number of states and the bytes that a value has for each. It is called
// before the recursion begins.
func (c *Checkpoints[V]) CheckMemory(states int, bytes float64) error {
	stretches := math.Ceil(float64(c.steps) / float64(c.Stride))
	what := fmt.Sprintf("the distributions that are kept of %d stages on %d states", c.steps+1, states)
	return kernel.CheckBytes(what, (stretches+float64(c.Stride))*bytes*float64(states),
		"give fewer distributions, or a smaller space")
}

// Begins reports whether a stretch begins with step i, so that v_{i-1} is to be kept.
func (c *Checkpoints[V]) Begins(i int) bool { return (i-1)%c.Stride == 0 }

// Last returns the first step of the last stretch. A caller that needs only the stretches can stop
// there.
func (c *Checkpoints[V]) Last() int { return 1 + (c.steps-1)/c.Stride*c.Stride }

// Keep keeps the value v_{i-1} before the next stretch, which begins with step i. It is called once
// for each stretch, in the order of the recursion.
func (c *Checkpoints[V]) Keep(v V) { c.kept = append(c.kept, v) }

// Stretch is a run of consecutive steps of a recursion.
type Stretch struct {
	First, Last int  // the first and the last step
	Final       bool // whether the recursion ends with this stretch
}

// Stretches yields the stretches from the last to the first, each with the value v_{First-1} before
// it. It keeps no value that it has yielded.
func (c *Checkpoints[V]) Stretches() iter.Seq2[Stretch, V] {
	return func(yield func(Stretch, V) bool) {
		for k := len(c.kept) - 1; k >= 0; k-- {
			s := Stretch{First: 1 + k*c.Stride, Last: min((k+1)*c.Stride, c.steps), Final: k == len(c.kept)-1}
			v := c.kept[k]
			clear(c.kept[k:])
			if !yield(s, v) {
				return
			}
		}
	}
}
