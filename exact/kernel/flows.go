package kernel

import (
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/number"
)

// Flows examines the rows of a kernel from outside, which is one that is not of the library (chains.OfLibrary), under one distribution p. The flow
// from x to y is p(x) T(x,y). Flows believes nothing that the kernel says of itself. It finds out from the rows whether the kernel leaves p
// invariant, whether the rows are their own time reversal, and what the time reversal is where they are not.
type Flows struct {
	rows *Rows
	logf []float64
	// turned has in row y the probabilities p(x) T(x,y) / p(y) to have come from x, and nothing in the row of a state of
	// zero probability. Its other rows sum to one where T leaves p invariant.
	turned Rows
	// completed is a time reversal with rows for states of zero probability, made where there are such states. said is the
	// reversal that the kernel gives, from which these rows are taken.
	completed, given Rows
	// ulps is by how many units in the last place an entry of a row may be off (see roundingUnits).
	ulps  float64
	dense []float64 // memory for one row, with a place for each state
	fill  []int     // memory for Rows.Turn
}

// balanceUnits is the largest difference between two flows that count as equal, in units of the rounding of an entry.
const balanceUnits = 2

// roundingUnits returns by how many units in the last place, 2^-52, rounding may well change an entry of a kernel's
// row: a few for its own arithmetic, one for each nat of log f, whose differences are rounded before they become
// exponents, one for each choice of a Move or each entry of a row in closed form, and one for each part of a sequence.
func roundingUnits(k chains.Kernel, rows *Rows, logf []float64) float64 {
	low, high := number.Bounds(logf)
	return 7 + max(math.Abs(low), math.Abs(high)) + float64(rows.choices+chains.MovesOf(k))
}

// Turn examines the rows of a kernel under logf and returns its time reversal. That is the rows themselves where every
// flow equals the flow back to within rounding, because making the reversal from the flows would only add rounding
// then. It fails where the kernel does not leave the distribution invariant. Time is O(entries).
//
// Rows do not hold probabilities below 1e-290. Where all flows that rows can hold are balanced, smaller ones are taken to be balanced too. Where a
// flow is not balanced, a state that only smaller flows reach is found to receive too little.
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

// complete adds rows for states of zero probability to a reversal, since no flow says what these rows are. A reverse
// chain is at such a state only after its weight has become infinite, so that any rows will do: those of the reversal
// that the kernel gives, or the kernel's own where it gives none.
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
	r.start, r.Entries = append(r.start[:0], 0), r.Entries[:0]
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

// balanced reports whether every flow that float64 can hold equals the flow back to within rounding. Both are taken
// relative to the probability of the likelier of the two states, so that neither is more than one.
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

// equal reports whether the flow from y to x and the flow back, both relative to the probability of y, are equal to within rounding or too small
// for float64. Where x is likelier than y it reports true: the pair is compared when y is x.
func (f *Flows) equal(y, x int, there, back float64) bool {
	larger := max(there, back)
	return f.logf[x] > f.logf[y] || larger < Tiny || math.Abs(there-back) <= min(maxViolation, balanceUnits*f.ulps*0x1p-52)*larger
}

// Turn makes r the matrix of the reversed flows of rows: p(x) T(x,y) / p(y) at column x of row y, and nothing in the
// row of a state of zero probability. fill is memory that is reused between calls.
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

// turnedProbability returns p exp(from - to) to a few units in the last place, however large the logarithms are: it
// corrects for the rounding of their difference.
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
	// Narrow is a range of log p, in nats. Where log p spans less, no entry below Tiny matters.
	Narrow = 500
	// BalanceTolerance is the relative violation of detailed balance above which a kernel of the library is refused.
	BalanceTolerance = 1e-9
	// BalanceChecks is about the number of stages of a solve at which a kernel of the library is checked for detailed
	// balance. Other kernels are examined at every stage (see Flows).
	BalanceChecks = 16
)
