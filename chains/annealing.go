package chains

import (
	"fmt"

	"breadboard/chains/errs"
)

// Annealing is the sequence of T distributions f_1..f_T and kernels T_2..T_T of annealed importance
// sampling:
//
//	forward: x_1 ~ p_1; for t = 2..T: log w += log f_t(x_{t-1}) - log f_{t-1}(x_{t-1}), x_t ~ T_t(.|x_{t-1}).
//	reverse: x_T ~ p_T; for t = T..2: x_{t-1} ~ the time reversal of T_t at x_t, the same log w on the path.
//
// It is validated once, by NewAnnealing, and immutable.
//
// Source: Neal 2001; Grosse, Ancha and Roy 2016, section 2.1 and Appendix B.
type Annealing struct {
	path     Path
	schedule Schedule
	moves    *Transitions
	length   int
	// reversals holds the time reversal of T_t at index t - 2 where WithReversals has given them,
	// and is nil elsewhere.
	reversals []Kernel
}

// NewAnnealing returns the annealing with T distributions, both ends included. It fails for T < 2,
// for a schedule that cannot have T distributions, and for a kernel that says (by a method States()
// int) that it is for a space of another size.
func NewAnnealing(path Path, schedule Schedule, kernel Kernel, T int) (*Annealing, error) {
	return NewAnnealingBy(path, schedule, Always(kernel), T)
}

// NewAnnealingBy is NewAnnealing for annealings that may have a different kernel at each stage. It
// also fails if the kernels are made for another T.
func NewAnnealingBy(path Path, schedule Schedule, moves *Transitions, T int) (*Annealing, error) {
	if err := schedule.Validate(T); err != nil {
		return nil, err
	}
	if only := moves.Distributions(); only != 0 && only != T {
		return nil, fmt.Errorf("kernel %v is for %d distributions and %d were asked for", moves, only, T)
	}
	for t := 2; t <= T; t++ {
		if k, ok := moves.KernelAt(t).(interface{ States() int }); ok && k.States() != path.States() {
			return nil, errs.New("kernel %v is for %d states and the path has %d; build both on one space",
				moves.KernelAt(t), k.States(), path.States())
		}
		if moves.Kernel() != nil {
			break // the kernel is the same at every stage
		}
	}
	return &Annealing{path: path, schedule: schedule, moves: moves, length: T}, nil
}

// Distributions returns T.
func (a *Annealing) Distributions() int { return a.length }

// States returns the number of states.
func (a *Annealing) States() int { return a.path.States() }

// Path returns the path.
func (a *Annealing) Path() Path { return a.path }

// Schedule returns the schedule.
func (a *Annealing) Schedule() Schedule { return a.schedule }

// Kernel returns the kernel of every stage, and nil if the stages have kernels of their own.
func (a *Annealing) Kernel() Kernel { return a.moves.Kernel() }

// KernelAt returns T_t, 2 <= t <= T.
func (a *Annealing) KernelAt(t int) Kernel { return a.moves.KernelAt(t) }

// Transitions returns the kernels of all stages.
func (a *Annealing) Transitions() *Transitions { return a.moves }

// Beta returns b_t, 1 <= t <= T; b_1 is 0 and b_T is 1.
func (a *Annealing) Beta(t int) float64 { return a.schedule.Beta(t, a.length) }

// Place returns b_t and 1 - b_t, 1 <= t <= T.
func (a *Annealing) Place(t int) Place {
	return Place{a.schedule.Beta(t, a.length), a.schedule.Rest(t, a.length)}
}

// Step returns b_t - b_{t-1}, 2 <= t <= T.
func (a *Annealing) Step(t int) float64 { return a.schedule.Step(t, a.length) }

// Evaluations returns the mean number of evaluations of log f in a run: one at the first state, and
// those of the moves (see the function Evaluations). It returns false if a kernel does not state
// them. Weights cost none: the value at the current state is kept, and log f_t follows from log f_1
// and log f_T, which count as one evaluation.
func (a *Annealing) Evaluations() (count float64, known bool) {
	if k := a.Kernel(); k != nil {
		each, known := Evaluations(k)
		return 1 + float64(a.length-1)*each, known
	}
	count = 1
	for t := 2; t <= a.length; t++ {
		each, known := Evaluations(a.KernelAt(t))
		if !known {
			return 0, false
		}
		count += each
	}
	return count, true
}

// RowsError returns nil if chains can move by rows in a direction, and otherwise an error with the
// reason.
func (a *Annealing) RowsError(d Direction) error {
	for t := 2; t <= a.length; t++ {
		k := a.KernelAt(t)
		if d == Reverse {
			var err error
			k, err = a.ReversalAt(t)
			if err != nil {
				return fmt.Errorf("kernel %v: %w", a.KernelAt(t), err)
			}
		}
		if _, ok := k.(Rower); !ok {
			return errs.New("kernel %v has no rows in closed form; use simulate.Run", k)
		}
		if a.Kernel() != nil && a.reversals == nil {
			return nil // every stage has the same kernel
		}
	}
	return nil
}

// WithReversals returns the same annealing with the given time reversals, that of T_t at index t -
// 2 for t = 2..T. Reverse chains move by these kernels, even if T_t states another reversal.
// Package exact makes them (exact.WithReversal).
func (a *Annealing) WithReversals(reversals []Kernel) (*Annealing, error) {
	if len(reversals) != a.length-1 {
		return nil, errs.New(
			"%d time reversals for an annealing with %d distributions; it takes one for each stage t = 2..%d",
			len(reversals),
			a.length,
			a.length,
		)
	}
	b := *a
	b.reversals = reversals
	return &b, nil
}

// errNoReversal says why reverse chains cannot move by a kernel.
var errNoReversal = errs.New(
	"it is not a kernel of the library and does not state its time reversal, so that reverse chains " +
		"cannot move by it; take the reversal from its rows with exact.WithReversal",
)

// ReversalAt returns the time reversal of T_t: the one given by WithReversals, or else the one that
// the kernel states. It fails if there is neither.
func (a *Annealing) ReversalAt(t int) (Kernel, error) {
	if a.reversals != nil {
		return a.reversals[t-2], nil
	}
	k, said := ReversalOf(a.KernelAt(t))
	if !said {
		return nil, errNoReversal
	}
	return k, nil
}

// Centred returns the same annealing on the centred path (see Path), and the constant in nats that
// centring takes out of every log weight.
func (a *Annealing) Centred() (*Annealing, float64) {
	path, offset := a.path.Centred()
	b := *a
	b.path = path
	return &b, offset
}

// LogF writes log f_t of each state to dst.
func (a *Annealing) LogF(dst []float64, t int) { a.path.LogF(dst, a.Place(t)) }

// LogRatio writes log f_t - log f_{t-1}, 2 <= t <= T, to dst. It has no meaning at a state where
// one of the two is zero.
func (a *Annealing) LogRatio(dst []float64, t int) {
	a.path.LogRatio(dst, a.Place(t-1), a.Place(t), a.Step(t))
}

// ReversalsKnown returns nil if the time reversal of every stage is known. Otherwise the error
// names the first stage without one, in the order of reverse chains.
func (a *Annealing) ReversalsKnown() error {
	for t := a.length; t >= 2; t-- {
		if _, err := a.ReversalAt(t); err != nil {
			return fmt.Errorf("stage t = %d of %d: kernel %v: %w", t, a.length, a.KernelAt(t), err)
		}
		if a.Kernel() != nil && a.reversals == nil {
			return nil // every stage has the same kernel
		}
	}
	return nil
}

// Place is a place on a path, given by beta and by Rest = 1 - beta. Rest is kept beside beta
// because near beta = 1 the difference of the rounded beta from one would have lost digits.
type Place struct{ Beta, Rest float64 }

// At returns the place of a beta between 0 and 1.
func At(beta float64) Place { return Place{beta, 1 - beta} }

// StepTo returns the difference of the betas of another place and of p. It subtracts beta or 1 -
// beta, whichever is smaller, so that a small step keeps its digits.
func (p Place) StepTo(to Place) float64 {
	if to.Beta > 0.5 {
		return p.Rest - to.Rest
	}
	return to.Beta - p.Beta
}

// Path is a curve of distributions f_b, 0 <= b <= 1, between an initial distribution f_0 and a
// target f_1 on the same n states, neither normalised. At b = 0 and b = 1 it returns the given
// distributions, apart from rounding. A Path is immutable.
type Path interface {
	// States returns the number of states.
	States() int
	// Zeros reports whether either end of the path is zero somewhere.
	Zeros() bool
	// LogF writes log f_b of each state to dst, which has one entry for each state, in nats.
	LogF(dst []float64, at Place)
	// LogRatio writes log f_to - log f_from of each state to dst. At a state where one of the two
	// is zero the number is finite and has no meaning. The argument step is the difference of the
	// betas with all its digits, some of which the difference of two rounded betas has lost.
	LogRatio(dst []float64, from, to Place, step float64)
	// Slope writes the derivative of log f_b by b to dst: the limit from above if the derivative
	// jumps. At a state where f_b is zero the number is finite and has no meaning.
	Slope(dst []float64, at Place)
	// Kinks returns the b between 0 and 1 at which the derivative jumps, in order.
	Kinks() []float64
	// Centred returns the same path with f_b scaled so that a large constant in log f of an end
	// costs no digits, and the constant in nats by which the scaling has made log f_1 - log f_0
	// smaller. Computations in which digits matter use the centred path.
	Centred() (Path, float64)
	// String returns the selector of the path.
	String() string
}

// Schedule places the T distributions of an annealing on the path: b_1 = 0, b_T = 1, never
// decreasing. T counts both ends. A Schedule computes any b_t on its own, so that a run of 10^9
// distributions needs no more memory than a run of ten.
type Schedule interface {
	// Validate returns an error with the reason if the schedule cannot have T distributions.
	Validate(T int) error
	// Beta returns b_t, 1 <= t <= T.
	Beta(t, T int) float64
	// Rest returns 1 - b_t, 1 <= t <= T, to full relative accuracy: the difference of one and a
	// rounded b_t near 1 has lost digits.
	Rest(t, T int) float64
	// Step returns b_t - b_{t-1}, 2 <= t <= T, to full relative accuracy: at T = 10^6 the
	// difference of two rounded b_t has lost six digits.
	Step(t, T int) float64
	// String returns the selector of the schedule.
	String() string
}

// Transitions are the kernels T_2, ..., T_T of an annealing: one kernel that moves under every
// distribution, or a kernel of its own for each stage. They are immutable.
type Transitions struct {
	kernel Kernel   // the kernel of every stage; nil if the stages have kernels of their own
	stages []Kernel // T_t at index t - 2, where the stages have kernels of their own
	name   string   // the name of the kernels in stages
}

// Always returns the transitions that have one kernel at every stage.
func Always(k Kernel) *Transitions { return &Transitions{kernel: k} }

// ByStage returns the transitions that have the kernel T_t of stage t = 2, 3, ... at place t - 2.
// The name is what String returns.
func ByStage(name string, stages []Kernel) *Transitions {
	return &Transitions{stages: append([]Kernel(nil), stages...), name: name}
}

// Kernel returns the kernel of every stage, and nil if the stages have kernels of their own.
func (m *Transitions) Kernel() Kernel { return m.kernel }

// KernelAt returns T_t, 2 <= t <= T.
func (m *Transitions) KernelAt(t int) Kernel {
	if m.kernel != nil {
		return m.kernel
	}
	return m.stages[t-2]
}

// Distributions returns the T that kernels by stage are made for, and 0 if there is one kernel for
// any T.
func (m *Transitions) Distributions() int {
	if m.kernel != nil {
		return 0
	}
	return len(m.stages) + 1
}

// String returns the selector of the kernel, or the name of the kernels by stage.
func (m *Transitions) String() string {
	if m.kernel != nil {
		return NameOf(m.kernel)
	}
	return m.name
}

// ErrByStage returns the error for a derivative by beta, or a friction, of kernels that differ by
// stage. Both need one kernel that can move under every distribution.
func ErrByStage(m *Transitions) error {
	return errs.New("kernel %v is made for the stages of one annealing; a derivative needs one for any distribution",
		m)
}

// Direction is the direction in which annealing runs.
type Direction int

const (
	Forward Direction = iota // from p_1 to p_T
	Reverse                  // from p_T to p_1
)

// String returns "forward" or "reverse".
func (d Direction) String() string {
	if d == Reverse {
		return "reverse"
	}
	return "forward"
}

// Process is an algorithm that goes from state to state by random choices, and adds up a number on
// its way: of annealed importance sampling and of particle filters that number is a log weight, in
// nats. It is written once, and then run by Run or simulate.Run with a Sampler, or propagated
// exactly by package exact/program, which merges equal states after each step. So the state must
// hold all that the later steps depend on, and nothing else.
//
// What Start and Step return depends on their arguments and on the outcomes of c's choices, and on
// nothing else. An implementation may cache what it last computed for a step; only one goroutine
// may then use it.
type Process[S comparable] interface {
	// Steps returns the number of steps, at least zero. It is always the same.
	Steps() int
	// Start returns the first state.
	Start(c Chooser) S
	// Step takes step t, 1 <= t <= Steps(), from state s. It returns the state that follows, and
	// what the step adds to the total; that may be infinite, but not NaN.
	Step(c Chooser, t int, s S) (next S, increment float64)
}

// Ender is a Process in which some states are absorbing. A step leaves such a state unchanged and
// adds nothing, so it can be skipped. Steps is then an upper bound on the steps taken.
type Ender[S comparable] interface {
	Process[S]
	// Ended reports whether a state is an end.
	Ended(s S) bool
}

// Run runs a process once, with every choice made by c. It returns the first and the last state,
// and the total of the increments, in the order of the steps. Of a process without steps the last
// state is the first, and the total is zero.
func Run[S comparable](p Process[S], c Chooser) (first, last S, total float64) {
	first = p.Start(c)
	last = first
	ender, ends := p.(Ender[S])
	for t := 1; t <= p.Steps() && !(ends && ender.Ended(last)); t++ {
		var increment float64
		last, increment = p.Step(c, t, last)
		total += increment
	}
	return first, last, total
}
