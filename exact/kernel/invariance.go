package kernel

import (
	"context"
	"errors"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/exact/internal/number"
)

const (
	// invarianceUnits is how many times the rounding of an entry a state may gain or lose in one move, of its own
	// probability.
	invarianceUnits = 16
	// absoluteUnits is by how many units in the last place of one an entry may be off as well, whatever its size: the
	// complement 1 - p of a probability keeps no more digits.
	absoluteUnits = 8
	// maxViolation is the relative violation that nothing excuses.
	maxViolation = 1e-9
)

// checkInvariance fails where a state of positive probability gains or loses, in one move from p, more of its own
// probability than rounding explains. With u = 2^-52 (7 + the largest |log f| in nats + the most choices of a Move, or
// entries of a row in closed form, + the moves of a sequence, else 1), a state y may gain or lose
//
//   - 16 u of p(y);
//   - 8 2^-52 p(x) for each state x with an entry for y, and what the enumeration of x has left out times p(x):
//     entries may be made by subtraction from one, or lack what an endless loop has not come to;
//   - never more than 1e-9 of p(y), which none of these may exceed where p(y) is much smaller than p(x).
//
// The measure is relative, because a state that is unlikely here may be likely at another stage, which it reaches with
// its ratio to p wrong by as much.
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

// violation is what a state gains in one move, as a part of its own probability, and what would be excused.
type violation struct {
	state           int
	change, excused float64
	logf            float64
}

// worse returns the violation that moves more probability, or where both move as much, because one state has what the
// other lacks, the one that is a larger part of its state.
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

// change returns what state y gains in one move, and how much more or less than nothing is excused, both as parts of
// p(y).
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
	pair := ""
	if x, there, back := f.farthest(y, v.change > 0); x >= 0 {
		pair = fmt.Sprintf("; the flow farthest from balance is the one from state %d to it: %s there, %s back", x, probabilityText(logp+math.Log(there)), probabilityText(logp+math.Log(back)))
	}
	err := fmt.Errorf("kernel %s does not leave the distribution invariant: state %d has probability %s and %s %.3g times that in one move, where rounding excuses %.2g%s%w",
		Name(k), y, probabilityText(logp), verb, math.Abs(v.change), v.excused, pair, f.cure(v))
	if f.beyondRows(v) {
		return err // the kernel may well be right
	}
	return chains.NewFault(err)
}

// beyondRows reports whether a state lacks flows that rows in float64 cannot hold.
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

// cure says what may help where a kernel is right but for its digits.
func (f *Flows) cure(v violation) error {
	switch {
	case f.beyondRows(v):
		return errors.New("; rows in float64 do not hold the small probabilities to go there, which a kernel that is not reversible needs: raise the lowest values of log f")
	case math.Abs(v.change) < 1e-6:
		return errors.New("; where the kernel is right in theory its probabilities lack digits: write small ones as they are, not as one less the others, and round none")
	}
	return chains.NewAdvice("; look at it alone with {kernel check|breadboard kernel check}, at this beta")
}

// farthest returns the state whose flow to y exceeds the flow back by most, or falls short of it by most, and both
// flows as parts of p(y); -1 where y exchanges nothing.
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

// ErrToZero is what is wrong with a kernel that goes from a state of positive probability to one of zero.
func ErrToZero(k chains.Kernel, x, y int) error {
	return chains.NewFault(fmt.Errorf("kernel %s goes from state %d to state %d, where f is zero; it does not leave the distribution invariant", Name(k), x, y))
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
