package kernel

import (
	"context"
	"errors"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/number"
)

const (
	// invarianceUnits is how much of its own probability a state may gain or lose in one move, in units of the rounding of
	// an entry (see roundingUnits).
	invarianceUnits = 16
	// absoluteUnits is by how many units of 2^-52 an entry may be off in addition, whatever its size: an entry that is
	// computed as 1 - p is known no better.
	absoluteUnits = 8
	// maxViolation is the relative violation above which no rounding excuses a kernel.
	maxViolation = 1e-9
)

// checkInvariance fails where a state of positive probability gains or loses, in one move from p, more of its own
// probability than rounding explains. With u = 2^-52 (7 + the largest |log f| in nats + the most choices of a Move, or
// entries of a row in closed form, + the moves of a sequence, else 1), a state y may gain or lose
//
//   - 16 u p(y);
//   - and 8 2^-52 p(x) for each state x with an entry for y, plus p(x) times the probability that the enumeration of x
//     has left out: entries may be made by subtraction from one, or lack the branches of an endless loop;
//   - but never more than 1e-9 p(y) in all, which the second part may exceed where p(y) is much smaller than p(x).
//
// The measure is relative to p(y), because a state that is unlikely here may be likely at another stage. Its ratio q/p
// is then wrong by the same factor there.
func (f *Flows) checkInvariance(k chains.Kernel) error {
	worst := violation{state: -1}
	for y := range f.logf {
		if !f.positive(y) {
			continue
		}
		change, excused := f.change(y)
		if math.Abs(change) > excused || math.IsNaN(change) {
			worst = worse(worst, violation{y, change, excused, f.logf[y]})
		}
	}
	if worst.state < 0 {
		return nil
	}
	return f.describe(k, worst)
}

// NotInvariant is the error of a kernel that does not leave a distribution invariant to the digits of floating point.
type NotInvariant struct {
	error
	// Moved is the largest probability that a state gains or loses in one move. It may be far below every tolerance in
	// absolute terms: what a state may gain or lose is relative to its own probability.
	Moved float64
}

// Unwrap returns the error within.
func (e NotInvariant) Unwrap() error { return e.error }

// violation is what a state gains in one move, and how much rounding excuses, both relative to its own probability.
type violation struct {
	state           int
	change, excused float64
	logf            float64 // log f of the state
}

// worse returns the violation that moves more probability. Where both move about as much, because one state gains what
// the other loses, it returns the one that is larger relative to its state's probability.
func worse(a, b violation) violation {
	if a.state < 0 {
		return b
	}
	more := math.Log(math.Abs(b.change)) + b.logf - math.Log(math.Abs(a.change)) - a.logf
	if more > 1e-3 || more > -1e-3 && math.Abs(b.change) > math.Abs(a.change) {
		return b
	}
	return a
}

// change returns what state y gains in one move, negative for a loss, and the largest gain or loss that rounding excuses, both relative to p(y).
func (f *Flows) change(y int) (change, excused float64) {
	var gained number.Sum
	gained.Add(-1)
	excused = invarianceUnits * f.ulps * 0x1p-52
	for _, e := range f.turned.Row(y) {
		gained.Add(e.P)
		absolute := absoluteUnits * 0x1p-52
		if len(f.rows.remainders) > 0 {
			absolute += f.rows.remainders[e.To]
		}
		excused += turnedProbability(absolute, f.logf[e.To], f.logf[y])
	}
	return gained.Value(), min(excused, maxViolation)
}

// describe returns the error for a state that gains or loses too much.
func (f *Flows) describe(k chains.Kernel, v violation) error {
	y := v.state
	logp := f.logf[y] - number.LogSumExp(f.logf)
	verb := "gains"
	if v.change < 0 {
		verb = "loses"
	}
	pair, states := "", []int{y}
	if x, there, back := f.farthest(y, v.change > 0); x >= 0 {
		states = append(states, x)
		pair = fmt.Sprintf("; the flow farthest from balance is the one from state %d to it: %s there, %s back", x, probabilityText(logp+math.Log(there)), probabilityText(logp+math.Log(back)))
	}
	err := fmt.Errorf("kernel %s does not leave the distribution invariant: state %d has probability %s and %s %.3g times that in one move, where rounding excuses %.2g%s%w",
		chains.NameOf(k), y, probabilityText(logp), verb, math.Abs(v.change), v.excused, pair, f.cure(v))
	err = chains.AtStates(err, states...)
	if f.beyondRows(v) {
		return err // this is no chains.Fault: the kernel may well be right
	}
	return chains.NewFault(NotInvariant{err, math.Abs(v.change) * math.Exp(logp)})
}

// beyondRows reports whether a state may receive too little because the flows to it are too small for rows in float64.
func (f *Flows) beyondRows(v violation) bool {
	_, high := number.Bounds(f.logf)
	return v.change < 0 && v.logf-high < math.Log(Tiny)
}

// probabilityText prints a probability that may be below the range of float64.
func probabilityText(logp float64) string {
	if logp < -700 && !math.IsInf(logp, -1) {
		return fmt.Sprintf("exp(%.6g)", logp)
	}
	return fmt.Sprintf("%.6g", math.Exp(logp))
}

// cure returns a clause that says what the user can do about a violation.
func (f *Flows) cure(v violation) error {
	switch {
	case f.beyondRows(v):
		return errors.New("; the probabilities of moving to that state are too small for rows in float64, and the reversal of a kernel that is not reversible needs them: raise the lowest values of log f")
	case math.Abs(v.change) < 1e-6:
		return errors.New("; if the kernel is right in theory, its probabilities have too few digits: compute small ones directly, not as one minus the others, and do not round them")
	}
	return chains.NewAdvice("; look at it alone with {kernel check|breadboard kernel check}, at this beta")
}

// farthest returns the state x whose flow to y, with surplus, exceeds the flow back by most, and without surplus falls
// short of it by most. It also returns both flows relative to p(y). x is -1 where no flow enters or leaves y.
func (f *Flows) farthest(y int, surplus bool) (x int, there, back float64) {
	x = -1
	consider := func(z int, in, out float64) {
		if off := in - out; z != y && (x < 0 || surplus && off > there-back || !surplus && off < there-back) {
			x, there, back = z, in, out
		}
	}
	for _, e := range f.turned.Row(y) {
		consider(e.To, e.P, f.rows.At(y, e.To))
	}
	for _, e := range f.rows.Row(y) {
		consider(e.To, f.turned.At(y, e.To), e.P)
	}
	return x, there, back
}

// checkZeros fails where a state of positive probability leads to one of zero.
func (f *Flows) checkZeros(k chains.Kernel) error {
	for x := range f.logf {
		if !f.positive(x) {
			continue
		}
		for _, e := range f.rows.Row(x) {
			if !f.positive(e.To) {
				return ErrToZero(k, x, e.To)
			}
		}
	}
	return nil
}

// ErrToZero returns the error for a kernel that goes from a state x of positive probability to a state y of zero probability.
func ErrToZero(k chains.Kernel, x, y int) error {
	return chains.NewFault(chains.AtStates(fmt.Errorf("kernel %s goes from state %d to state %d, where f is zero; it does not leave the distribution invariant", chains.NameOf(k), x, y), x, y))
}

// Examine returns the rows of a kernel under logf, and fails where a kernel from outside does not leave the
// distribution invariant. Kernels of the library do by construction.
func Examine(ctx context.Context, k chains.Kernel, logf []float64) (*Rows, error) {
	rows, err := NewRows(ctx, k, logf)
	if err != nil || chains.OfLibrary(k) {
		return rows, err
	}
	_, err = (&Flows{}).Turn(ctx, k, rows, logf)
	return rows, err
}
