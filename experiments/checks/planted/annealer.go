// Package planted answers: what does a program with a bug in annealed importance sampling do? It
// has annealing written down step by step, with a place for each bug, and kernels with one change.
// They are programs like any other (see chains.Process): they can be sampled, to see whether a test
// finds the bug, and propagated, to know the exact distribution of the output.
//
// It also has particle filters, parallel tempering, and estimators of Z with models, with places
// for bugs.
//
// It never tests anything, and only tests and hypotheses may use it.
package planted

import (
	"math"
	"slices"

	"breadboard/chains"
)

// Annealer is annealed importance sampling of one annealing and direction, written down step by
// step: a chains.Process with one step for each stage. It shares only the kernel with the process
// of package chains: no centring, no rows, and increments that are differences of log f. Each field
// below is the place of a bug; New sets the correct values, with one kernel for both directions.
type Annealer struct {
	LogF    [][]float64               // log f_t of each state, by stage t = 1..T
	Kernel  func(t int) chains.Kernel // the kernel at stage t
	Stage   func(t int) int           // the stage of which the kernel at stage t is given the log f
	Moves   func(t int) bool          // says whether the state is moved at stage t
	Weighed func(t int) int           // the stage whose increment is added at stage t, and 0 is none
	// OtherSide is whether increments are taken at the other side of the move: forward at the state
	// after it, in reverse at the state before it.
	OtherSide bool
	Shift     int                        // the number of states by which the increments are off
	Begin     func(c chains.Chooser) int // draws the first state

	direction chains.Direction
}

// New returns the annealer without a bug, from a uniform start forward and from an exact draw of
// the target in reverse. It moves by one kernel in both directions, which must be reversible.
func New(a *chains.Annealing, k chains.Kernel, d chains.Direction) *Annealer {
	r := &Annealer{LogF: LogFOfStages(a), direction: d}
	r.Kernel = func(int) chains.Kernel { return k }
	r.Stage = func(t int) int { return t }
	r.Moves = func(int) bool { return true }
	r.Weighed = func(t int) int { return t }
	if n := a.States(); d == chains.Forward {
		r.Begin = func(c chains.Chooser) int { return c.Uniform(n) }
	} else {
		r.Begin = From(r.Target())
	}
	return r
}

// AnnealerOf returns the annealer of an annealing without a bug, from any start and with the
// kernels of every stage. It fails if the time reversal of a stage is not known (see
// exact.WithReversal).
func AnnealerOf(a *chains.Annealing, d chains.Direction) (*Annealer, error) {
	r := New(a, nil, d)
	if d == chains.Forward {
		r.Kernel = a.KernelAt
		r.Begin = From(Normalised(r.LogF[1]))
		return r, nil
	}
	kernels := make([]chains.Kernel, a.Distributions()+1)
	for t := 2; t < len(kernels); t++ {
		var err error
		kernels[t], err = a.ReversalAt(t)
		if err != nil {
			return nil, err
		}
	}
	r.Kernel = func(t int) chains.Kernel { return kernels[t] }
	return r, nil
}

// From returns a function that draws a start from a distribution.
func From(p []float64) func(c chains.Chooser) int {
	return func(c chains.Chooser) int { return c.Choose(p) }
}

// Direction returns the direction of the chains.
func (r *Annealer) Direction() chains.Direction { return r.direction }

// Before reports whether increments are taken at the state before the move.
func (r *Annealer) Before() bool { return (r.direction == chains.Forward) != r.OtherSide }

// LogFOfStages returns log f_t of each state for every t, at index t. The entry 0 is nil.
func LogFOfStages(a *chains.Annealing) [][]float64 {
	logf := make([][]float64, a.Distributions()+1)
	for t := 1; t < len(logf); t++ {
		logf[t] = make([]float64, a.States())
		a.LogF(logf[t], t)
	}
	return logf
}

// Target returns p_T, of the log f of the last stage.
func (r *Annealer) Target() []float64 { return Normalised(r.LogF[r.Last()]) }

// Normalised returns the distribution that is proportional to exp(logf).
func Normalised(logf []float64) []float64 {
	p := make([]float64, len(logf))
	top := slices.Max(logf)
	z := 0.0
	for x, v := range logf {
		p[x] = math.Exp(v - top)
		z += p[x]
	}
	for x := range p {
		p[x] /= z
	}
	return p
}

// Last returns T, the last stage.
func (r *Annealer) Last() int { return len(r.LogF) - 1 }

// StageAt returns the stage of a step.
func (r *Annealer) StageAt(step int) int {
	if r.direction == chains.Reverse {
		return r.Last() + 1 - step
	}
	return step + 1
}

// Increment returns the increment of the log weight that stage t adds at state x.
func (r *Annealer) Increment(t, x int) float64 {
	t = r.Weighed(t)
	if t == 0 {
		return 0
	}
	x += r.Shift
	if x >= len(r.LogF[t]) {
		x -= len(r.LogF[t])
	}
	was := r.LogF[t-1][x]
	is := r.LogF[t][x]
	if math.IsInf(was, -1) && math.IsInf(is, -1) {
		return 0 // the weight became zero or infinite when the chain came to such a state, and stays so
	}
	return is - was
}

// Steps returns T - 1.
func (r *Annealer) Steps() int { return r.Last() - 1 }

// Start draws the first state.
func (r *Annealer) Start(c chains.Chooser) int { return r.Begin(c) }

// Step takes one stage.
func (r *Annealer) Step(c chains.Chooser, step, x int) (y int, increment float64) {
	t := r.StageAt(step)
	y = x
	if r.Moves(t) {
		y = r.Kernel(t).Move(c, r.LogF[r.Stage(t)], x)
	}
	if r.Before() {
		return y, r.Increment(t, x)
	}
	return y, r.Increment(t, y)
}

// The functions below plant one bug each in an annealer.

// KernelEarly gives the kernel of stage t the distribution of stage t - 1.
func KernelEarly(r *Annealer) { r.Stage = func(t int) int { return t - 1 } }

// KernelLate gives the kernel of stage t the distribution of stage t + 1, and at the last stage its
// own.
func KernelLate(r *Annealer) { r.Stage = func(t int) int { return min(t+1, r.Last()) } }

// KernelOfTarget gives the kernel of every stage the distribution of the last.
func KernelOfTarget(r *Annealer) { r.Stage = func(int) int { return r.Last() } }

// IncrementEarly adds the increment of stage t - 1 at stage t, and at the first stage its own.
func IncrementEarly(r *Annealer) { r.Weighed = func(t int) int { return max(2, t-1) } }

// IncrementLate adds the increment of stage t + 1 at stage t, and at the last stage its own.
func IncrementLate(r *Annealer) { r.Weighed = func(t int) int { return min(t+1, r.Last()) } }

// OtherSide takes the increments at the other side of the moves.
func OtherSide(r *Annealer) { r.OtherSide = true }

// FirstMoveOut omits the move of stage 2.
func FirstMoveOut(r *Annealer) { r.Moves = func(t int) bool { return t != 2 } }

// LastMoveOut omits the move of stage T.
func LastMoveOut(r *Annealer) { r.Moves = func(t int) bool { return t != r.Last() } }

// FirstIncrementOut omits the increment of stage 2.
func FirstIncrementOut(r *Annealer) { r.Weighed = without(2) }

// LastIncrementOut omits the increment of stage T.
func LastIncrementOut(r *Annealer) { r.Weighed = without(r.Last()) }

// without returns the function that has every stage add its own increment, apart from one that adds
// none.
func without(stage int) func(t int) int {
	return func(t int) int {
		if t == stage {
			return 0
		}
		return t
	}
}
