package chains

import (
	"errors"
	"fmt"
)

// Annealing is the sequence of T distributions f_1..f_T and kernels T_2..T_T of annealed importance sampling:
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
	// reversals holds the time reversal of T_t at index t - 2 where WithReversals has given them, and is nil elsewhere.
	reversals []Kernel
}

// NewAnnealing returns the annealing with T distributions, both ends included. It fails for T < 2, for a schedule that cannot have T
// distributions, and for a kernel that says (by a method States() int) that it is for a space of another size.
func NewAnnealing(path Path, schedule Schedule, kernel Kernel, T int) (*Annealing, error) {
	return NewAnnealingBy(path, schedule, Always(kernel), T)
}

// NewAnnealingBy is NewAnnealing for annealings that may have a different kernel at each stage. It also fails where the
// kernels are made for another T.
func NewAnnealingBy(path Path, schedule Schedule, moves *Transitions, T int) (*Annealing, error) {
	if err := schedule.Validate(T); err != nil {
		return nil, err
	}
	if only := moves.Distributions(); only != 0 && only != T {
		return nil, fmt.Errorf("kernel %v is for %d distributions and %d were asked for", moves, only, T)
	}
	for t := 2; t <= T; t++ {
		if k, ok := moves.At(t).(interface{ States() int }); ok && k.States() != path.States() {
			return nil, fmt.Errorf("kernel %v is for %d states and the path has %d; build both on one space", moves.At(t), k.States(), path.States())
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

// Kernel returns the kernel of every stage, and nil where the stages have kernels of their own.
func (a *Annealing) Kernel() Kernel { return a.moves.Kernel() }

// KernelAt returns T_t, 2 <= t <= T.
func (a *Annealing) KernelAt(t int) Kernel { return a.moves.At(t) }

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

// RowsError returns an error that says why chains cannot move by rows in a direction, and nil where they can.
func (a *Annealing) RowsError(d Direction) error {
	for t := 2; t <= a.length; t++ {
		k := a.KernelAt(t)
		if d == Reverse {
			var err error
			if k, err = a.ReversalAt(t); err != nil {
				return fmt.Errorf("kernel %v: %w", a.KernelAt(t), err)
			}
		}
		if _, ok := k.(Rower); !ok {
			return fmt.Errorf("kernel %v has no rows in closed form; use simulate.Run", k)
		}
		if a.Kernel() != nil && a.reversals == nil {
			return nil // every stage has the same kernel
		}
	}
	return nil
}

// WithReversals returns the same annealing with the given time reversals, that of T_t at index t - 2 for t = 2..T. Reverse chains move by
// these kernels, whatever T_t itself says its reversal is; package exact makes them (exact.WithReversal).
func (a *Annealing) WithReversals(reversals []Kernel) (*Annealing, error) {
	if len(reversals) != a.length-1 {
		return nil, fmt.Errorf("%d time reversals for an annealing with %d distributions; it takes one for each stage t = 2..%d", len(reversals), a.length, a.length)
	}
	b := *a
	b.reversals = reversals
	return &b, nil
}

// WithTransitions returns the annealing along the same path that moves by other kernels, without the time reversals that WithReversals
// gave it. It fails where NewAnnealingBy does.
func (a *Annealing) WithTransitions(moves *Transitions) (*Annealing, error) {
	return NewAnnealingBy(a.path, a.schedule, moves, a.length)
}

// errNoReversal says why reverse chains cannot move by a kernel.
var errNoReversal = errors.New("it is not a kernel of the library and does not say what its time reversal is, so that reverse chains cannot move by it; take the reversal from its rows with exact.WithReversal")

// ReversalAt returns the time reversal of T_t: the one that WithReversals was given, or else the one that the kernel
// says it has. It fails where there is neither.
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

// Centred returns the same annealing on the centred path (see Path), and the constant in nats that centring takes out of every log weight.
func (a *Annealing) Centred() (*Annealing, float64) {
	path, offset := a.path.Centred()
	b := *a
	b.path = path
	return &b, offset
}

// LogF writes log f_t of each state to dst.
func (a *Annealing) LogF(dst []float64, t int) { a.path.LogF(dst, a.Place(t)) }

// LogRatio writes log f_t - log f_{t-1}, 2 <= t <= T, to dst, for states where both are positive.
func (a *Annealing) LogRatio(dst []float64, t int) {
	a.path.LogRatio(dst, a.Place(t-1), a.Place(t), a.Step(t))
}

// ReversalsKnown returns nil where the time reversal of every stage is known. Otherwise its error names the first stage
// without one that reverse chains come to.
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
