package kernel

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/work"
)

const (
	// invarianceUnits is how much of its own probability a state may gain or lose in one move, in
	// units of the rounding of an entry (see roundingUnits).
	invarianceUnits = 16
	// absoluteUnits is an additional absolute error of an entry, in units of 2^-52: an entry that
	// is computed as 1 - p has such an error.
	absoluteUnits = 8
	// maxViolation is the relative violation above which a kernel is refused regardless of
	// rounding.
	maxViolation = 1e-9
	// grossViolation is the relative violation from which on the digits of entries below 2^-53,
	// which are no differences from one, do not explain it.
	grossViolation = 1e-3
	// leastHeld is the log of about the least probability with all digits in float64: if a state
	// needs more, some state has an entry for it.
	leastHeld = -707
)

// checkInvariance fails if a state of positive probability gains or loses, in one move from p, more
// of its own probability than rounding explains. With u = 2^-52 (7 + the largest |log f| in nats +
// the most choices of a Move, or entries of a row in closed form, + the moves of a sequence, else
// 1), a state y may gain or lose
//
//   - 16 u p(y);
//   - and 8 2^-52 p(x) for each state x with an entry for y, plus p(x) times the probability that the enumeration of x
//     has left out: entries may be made by subtraction from one, or lack the branches of an endless loop;
//   - but never more than 1e-9 p(y) in all, which the second part may exceed if p(y) is much
//     smaller than p(x).
//
// The measure is relative to p(y), because a state that is unlikely here may be likely at another
// stage. Its ratio q/p is then wrong by the same factor there.
func (f *Flows) checkInvariance(k chains.Kernel) error {
	worst := violation{state: -1}
	for y := range f.logf {
		if !f.positive(y) {
			continue
		}
		change, excused, small := f.change(y)
		excused = min(excused+small, maxViolation)
		if math.Abs(change) > excused || math.IsNaN(change) {
			worst = worse(worst, violation{y, change, excused, f.logf[y]})
		}
	}
	if worst.state < 0 {
		return nil
	}
	return f.flowError(k, worst)
}

// NotInvariant is the error of a kernel that does not leave a distribution invariant to the digits
// of floating point.
type NotInvariant struct {
	error
	// Moved is the largest probability that a state gains or loses in one move. It may be tiny in
	// absolute terms, since the tolerance is relative to the state's own probability.
	Moved float64
}

// Unwrap returns the error within.
func (e NotInvariant) Unwrap() error { return e.error }

// violation is the gain of a state in one move, and the tolerance for rounding, both relative to
// its own probability.
type violation struct {
	state           int
	change, excused float64
	logf            float64 // log f of the state
}

// worse returns the violation that moves more probability. If both move about as much, because one
// state gains what the other loses, it returns the one that is larger relative to its state's
// probability.
func worse(a, b violation) violation {
	if a.state < 0 {
		return b
	}
	more := number.Log(math.Abs(b.change)) + b.logf - number.Log(math.Abs(a.change)) - a.logf
	if more > 1e-3 || more > -1e-3 && math.Abs(b.change) > math.Abs(a.change) {
		return b
	}
	return a
}

// change returns the gain of state y in one move, negative for a loss, and what rounding explains
// of it, all relative to p(y): by itself, and if entries below 2^-53 are differences from one,
// which have no digits there.
func (f *Flows) change(y int) (change, excused, small float64) {
	var gained number.Sum
	gained.Add(-1)
	excused = invarianceUnits * f.ulps * 0x1p-52
	for _, e := range f.turned.Row(y) {
		gained.Add(e.P)
		absolute := absoluteUnits * 0x1p-52
		if len(f.rows.remainders) > 0 {
			absolute += f.rows.remainders[e.To]
		}
		off := turnedProbability(absolute, f.logf[e.To], f.logf[y])
		if e.P < turnedProbability(0x1p-53, f.logf[e.To], f.logf[y]) {
			small += off
		} else {
			excused += off
		}
	}
	return gained.Value(), excused, small
}

// Own is the change of a state's own probability in one move from p.
type Own struct {
	State   int     // -1 if there is none
	Change  float64 // relative to the state's probability; below zero if it loses
	Excused float64 // the part of Change that rounding explains
}

// Own looks for states whose own probability changes by more than rounding explains. It uses the
// tolerances of package exact, a slack, and the rounding of rows given as text. Wrong is the worst
// such state. Blind is the worst state about which the rows say nothing, because rounding may
// explain half of its probability or more: for rows given as text always, and for others only if
// the same change in a kernel with more digits would be an error. So is a state that no move
// reaches (see reached), if float64 holds what it needs. A state may be far out of balance, and its
// probability so small that the largest |(p T)(y) - p(y)| does not show it. Time is O(entries), and
// a sort of the states if one of them may be such a state.
func (d *Diagnosis) Own(k chains.Kernel, slack, rounding float64) (wrong, blind Own) {
	f := &Flows{rows: d.rows, logf: d.logf, ulps: roundingUnits(k, d.rows, d.logf)}
	f.turned.Turn(d.rows, d.logf, &f.fill)
	_, high := number.Bounds(d.logf)
	worst := violation{state: -1}
	blind.State = -1
	reached := sync.OnceValue(d.reached)
	for _, y := range d.on {
		change, excused, small := f.change(y)
		text := turnedProbability(rounding, d.logZ, d.logf[y])
		excused += slack + text
		size := math.Abs(change)
		held := d.logf[y]-d.logZ+number.Log(size) > leastHeld // so that underflow does not explain it
		tiny := d.logf[y]-high < number.Log(Tiny) && !held
		beyond := change < 0 && tiny // see beyondRows
		// by rows whose sums round it away
		lost := turnedProbability(absoluteUnits*0x1p-52, d.logZ, d.logf[y])
		switch {
		case change < 0 && size > excused && size <= lost && held && !reached()[y]:
			if lost > blind.Excused {
				blind = Own{y, change, lost}
			}
		case math.IsNaN(change), size > excused+grossViolation && !tiny, size > excused+small && !beyond:
			worst = worse(worst, violation{y, change, excused, d.logf[y]})
		case (text >= 0.5 || size > maxViolation && excused >= 0.5 && !beyond) && excused > blind.Excused:
			blind = Own{y, change, excused}
		}
	}
	return Own{worst.state, worst.change, worst.excused}, blind
}

// Leak returns the most probable move from a state of positive probability to one of zero, with its
// end, and whether rounding may explain it, as in an entry that is one minus others.
func (d *Diagnosis) Leak() (to int, p float64, rounding bool) {
	for _, x := range d.on {
		for _, e := range d.rows.Row(x) {
			if e.P > p && math.IsInf(d.logf[e.To], -1) {
				to = e.To
				p = e.P
			}
		}
	}
	return to, p, p <= absoluteUnits*0x1p-52
}

// reached marks the states to which moves lead from the likeliest state of their class. Another one
// gets nothing back for what it loses to these.
func (d *Diagnosis) reached() []bool {
	reached := make([]bool, d.States)
	classes := make([]bool, d.Classes)
	order := slices.SortedFunc(slices.Values(d.on), func(x, y int) int { return cmp.Compare(d.logf[y], d.logf[x]) })
	for _, root := range order {
		if classes[d.ClassOf[root]] {
			continue
		}
		classes[d.ClassOf[root]], reached[root] = true, true
		for queue := []int{root}; len(queue) > 0; queue = queue[1:] {
			for _, e := range d.rows.Row(queue[0]) {
				if e.P > 0 && !reached[e.To] {
					reached[e.To] = true
					queue = append(queue, e.To)
				}
			}
		}
	}
	return reached
}

// flowError returns the error for a state that gains or loses too much.
func (f *Flows) flowError(k chains.Kernel, v violation) error {
	y := v.state
	logp := f.logf[y] - number.LogSumExp(f.logf)
	verb := "gains"
	if v.change < 0 {
		verb = "loses"
	}
	pair := ""
	states := []int{y}
	if x, there, back := f.farthest(y, v.change > 0); x >= 0 {
		states = append(states, x)
		pair = fmt.Sprintf("; the flow farthest from balance is the one from state %d to it: %s there, %s back",
			x, probabilityText(logp+number.Log(there)),
			probabilityText(logp+number.Log(back)))
	}
	err := fmt.Errorf("kernel %s does not leave the distribution invariant: state %d has probability %s and %s %.3g "+
		"times that in one move; the tolerance for rounding is %.2g%s%w",
		chains.NameOf(k), y, probabilityText(logp), verb, math.Abs(v.change), v.excused, pair, f.cure(v))
	err = work.AtStates(err, states...)
	if f.beyondRows(v) {
		return err // not a chains.Fault: the kernel may be right
	}
	return chains.NewFault(NotInvariant{err, math.Abs(v.change) * math.Exp(logp)})
}

// beyondRows reports whether a state may receive too little because the flows to it are too small
// for rows in float64.
func (f *Flows) beyondRows(v violation) bool {
	_, high := number.Bounds(f.logf)
	return v.change < 0 && v.logf-high < number.Log(Tiny)
}

// probabilityText prints a probability that may be below the range of float64.
func probabilityText(logp float64) string {
	if logp < -700 && !math.IsInf(logp, -1) {
		return fmt.Sprintf("exp(%.6g)", logp)
	}
	return fmt.Sprintf("%.6g", math.Exp(logp))
}

// cure returns a clause with advice on a violation.
func (f *Flows) cure(v violation) error {
	switch {
	case f.beyondRows(v):
		return errors.New("; the probabilities of moving to that state are too small for rows in float64, and the " +
			"reversal of a kernel that is not reversible needs them: raise the lowest values of log f")
	case math.Abs(v.change) < 1e-6:
		return errors.New("; if the kernel is right in theory, its probabilities have too few digits: compute small " +
			"ones directly, not as one minus the others, and do not round them")
	}
	return errs.New("; examine it with {kernel check|breadboard kernel check}, at this beta")
}

// farthest returns the state x whose flow to y, with surplus, exceeds the flow back by most, and
// without surplus falls short of it by most. It also returns both flows relative to p(y). x is -1
// if no flow enters or leaves y.
func (f *Flows) farthest(y int, surplus bool) (x int, there, back float64) {
	x = -1
	consider := func(z int, in, out float64) {
		if off := in - out; z != y && (x < 0 || surplus && off > there-back || !surplus && off < there-back) {
			x = z
			there = in
			back = out
		}
	}
	for _, e := range f.turned.Row(y) {
		consider(e.To, e.P, f.rows.EntryAt(y, e.To))
	}
	for _, e := range f.rows.Row(y) {
		consider(e.To, f.turned.EntryAt(y, e.To), e.P)
	}
	return x, there, back
}

// checkZeros fails if a state of positive probability leads to one of zero.
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

// ErrToZero returns the error for a kernel that goes from a state x of positive probability to a
// state y of zero probability.
func ErrToZero(k chains.Kernel, x, y int) error {
	return chains.NewFault(work.AtStates(errs.New(
		"kernel %s goes from state %d to state %d, where f is zero; it does not leave the distribution invariant",
		chains.NameOf(k),
		x,
		y,
	), x, y))
}

// Examine returns the rows of a kernel under logf. It fails if a kernel from outside does not leave
// the distribution invariant. Kernels of the library do so by construction.
func Examine(ctx context.Context, k chains.Kernel, logf []float64) (*Rows, error) {
	rows, err := NewRows(ctx, k, logf)
	if err != nil || chains.OfLibrary(k) {
		return rows, err
	}
	_, err = (&Flows{}).Turn(ctx, k, rows, logf)
	return rows, err
}

// Flows examines the rows of a kernel from outside, which is one that is not of the library
// (chains.OfLibrary), under one distribution p. The flow from x to y is p(x) T(x,y). Flows uses no
// statement of the kernel. It determines from the rows whether the kernel leaves p invariant,
// whether the rows are their own time reversal, and the time reversal if they are not.
type Flows struct {
	rows *Rows
	logf []float64
	// turned has in row y the probabilities p(x) T(x,y) / p(y) to have come from x, and nothing in
	// the row of a state of zero probability. Its other rows sum to one if T leaves p invariant.
	turned Rows
	// completed is a time reversal with rows for states of zero probability, made if there are such
	// states. said is the reversal that the kernel states, from which these rows are taken.
	completed, given Rows
	// ulps is the rounding error of an entry of a row, in units in the last place (see
	// roundingUnits).
	ulps  float64
	dense []float64 // memory for one row, with a place for each state
	fill  []int     // memory for Rows.Turn
}

// balanceUnits is the largest difference between two flows that count as equal, in units of the
// rounding of an entry.
const balanceUnits = 2

// roundingUnits returns the allowed rounding error of an entry of a kernel's row, in units in the
// last place, 2^-52: a few for its own arithmetic, one for each nat of log f, whose differences are
// rounded before they become exponents, one for each choice of a Move or each entry of a row in
// closed form, and one for each part of a sequence.
func roundingUnits(k chains.Kernel, rows *Rows, logf []float64) float64 {
	low, high := number.Bounds(logf)
	return 7 + max(math.Abs(low), math.Abs(high)) + float64(rows.choices+chains.MovesOf(k))
}

// Turn examines the rows of a kernel under logf and returns its time reversal. If every flow equals
// the flow back up to rounding, that is the rows themselves, because computing the reversal from
// the flows would only add rounding. It fails if the kernel does not leave the distribution
// invariant. Time is O(entries).
//
// Rows do not hold probabilities below 1e-290. If all flows that rows can hold are balanced,
// smaller ones are taken to be balanced too. If a flow is not balanced, a state that only smaller
// flows reach is reported to receive too little.
func (f *Flows) Turn(ctx context.Context, k chains.Kernel, rows *Rows, logf []float64) (*Rows, error) {
	f.rows, f.logf, f.ulps = rows, logf, roundingUnits(k, rows, logf)
	if err := f.checkZeros(k); err != nil {
		return nil, err
	}
	f.turned.Turn(rows, logf, &f.fill)
	reversal := rows
	if !f.balanced() {
		if err := f.checkInvariance(k); err != nil {
			return nil, err
		}
		reversal = &f.turned
	}
	if slices.Contains(logf, math.Inf(-1)) {
		return f.complete(ctx, k, reversal)
	}
	return reversal, nil
}

// complete adds rows for states of zero probability to a reversal, since flows do not determine
// these rows. A reverse chain is at such a state only after its weight has become infinite, so that
// any rows are valid: those of the reversal that the kernel states, or the kernel's own if it
// states none.
func (f *Flows) complete(ctx context.Context, k chains.Kernel, reversal *Rows) (*Rows, error) {
	zeros := f.rows
	if given, ok := chains.ReversalOf(k); ok {
		if err := f.given.Fill(ctx, given, f.logf); err != nil {
			return nil, fmt.Errorf("time reversal: %w", err)
		}
		zeros = &f.given
	}
	if zeros == reversal {
		return reversal, nil
	}
	r := &f.completed
	r.start = append(r.start[:0], 0)
	r.Entries = r.Entries[:0]
	for y := range f.logf {
		from := zeros
		if f.positive(y) {
			from = reversal
		}
		r.Entries = append(r.Entries, from.Row(y)...)
		r.start = append(r.start, len(r.Entries))
	}
	return r, nil
}

// positive reports whether a state has a positive probability.
func (f *Flows) positive(x int) bool { return !math.IsInf(f.logf[x], -1) }

// balanced reports whether every flow that float64 can hold equals the flow back to within
// rounding. Both are taken relative to the probability of the likelier of the two states, so that
// neither is more than one.
func (f *Flows) balanced() bool {
	if len(f.dense) != len(f.logf) {
		f.dense = make([]float64, len(f.logf))
	}
	same := true
	for y := range f.logf {
		if !f.positive(y) {
			continue
		}
		for _, e := range f.rows.Row(y) {
			f.dense[e.To] = e.P
		}
		for _, e := range f.turned.Row(y) {
			same = same && f.equal(y, e.To, f.dense[e.To], e.P)
			f.dense[e.To] = 0
		}
		for _, e := range f.rows.Row(y) { // flows without a flow back
			same = same && f.equal(y, e.To, f.dense[e.To], 0)
			f.dense[e.To] = 0
		}
	}
	return same
}

// equal reports whether the flow from y to x and the flow back, both relative to the probability of
// y, are equal to within rounding or too small for float64. If x is likelier than y it reports
// true: the pair is compared when y is x.
func (f *Flows) equal(y, x int, there, back float64) bool {
	larger := max(there, back)
	return f.logf[x] > f.logf[y] || larger < Tiny ||
		math.Abs(there-back) <= min(maxViolation, balanceUnits*f.ulps*0x1p-52)*larger
}

// Turn makes r the matrix of the reversed flows of rows: p(x) T(x,y) / p(y) at column x of row y,
// and nothing in the row of a state of zero probability. fill is memory that is reused between
// calls.
func (r *Rows) Turn(rows *Rows, logf []float64, fill *[]int) {
	n := len(logf)
	if cap(*fill) < n {
		*fill = make([]int, n)
	}
	place := (*fill)[:n]
	clear(place)
	positive := func(x int) bool { return !math.IsInf(logf[x], -1) }
	for x := range logf {
		if positive(x) {
			for _, e := range rows.Row(x) {
				place[e.To]++
			}
		}
	}
	r.start = append(r.start[:0], 0)
	total := 0
	for y, m := range place {
		place[y] = total
		total += m
		r.start = append(r.start, total)
	}
	if cap(r.Entries) < total {
		r.Entries = make([]chains.Entry, total)
	}
	r.Entries = r.Entries[:total]
	put := func(y, x int, p float64) {
		r.Entries[place[y]] = chains.Entry{To: x, P: p}
		place[y]++
	}
	for x := range logf {
		if positive(x) {
			for _, e := range rows.Row(x) {
				put(e.To, x, turnedProbability(e.P, logf[x], logf[e.To]))
			}
		}
	}
}

// turnedProbability returns p exp(from - to) to a few units in the last place, for logarithms of
// any size: it corrects for the rounding of their difference.
func turnedProbability(p, from, to float64) float64 {
	d := from - to
	b := d - from
	left := (from - (d - b)) - (to + b)
	if math.Abs(d) > 600 {
		return number.WideExp(d).Mul(number.Scaled(p+p*left, 0)).Float()
	}
	p *= math.Exp(d)
	return p + p*left
}

const (
	// Tiny is the probability below which an entry of a row may have lost digits to underflow.
	Tiny = 1e-290
	// Narrow is a range of log p, in nats. If log p spans less, no entry below Tiny matters.
	Narrow = 500
	// BalanceTolerance is the relative violation of detailed balance above which a kernel of the
	// library is refused.
	BalanceTolerance = 1e-9
	// BalanceChecks is about the number of stages of a solve at which a kernel of the library is
	// checked for detailed balance. Other kernels are examined at every stage (see Flows).
	BalanceChecks = 16
)
