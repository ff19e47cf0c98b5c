package kernel

import (
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/exact/internal/number"
)

// Flows are those of a kernel from outside, one that is not of the library (chains.OfLibrary), under one distribution.
// The kernel's word counts for nothing: from the rows that are there they tell whether it leaves the distribution
// invariant, whether its rows are their own time reversal, and what the time reversal is where they are not.
type Flows struct {
	rows *Rows
	logf []float64
	// turned has the probabilities p(x) T(x,y) / p(y) to come from x, in row y, and nothing in the row of a state of zero
	// probability. Its other rows sum to one where T leaves p invariant.
	turned Rows
	// completed has the rows for states of zero probability as well, where there are such states.
	completed, said Rows
	// ulps is how many units in the last place an entry of a row may be off by (see roundingUnits).
	ulps  float64
	dense []float64 // one row, by state
	fill  []int     // places left to fill in turned, by row
}

// balanceUnits is how many times the rounding of an entry the flows of a balanced pair may differ by.
const balanceUnits = 2

// roundingUnits is by how many units in the last place, 2^-52, an entry of a kernel's row may well be off: a few for
// the arithmetic of its own, one for each nat of log f, whose differences are rounded before they are exponents, one for
// each choice on the way or each entry beside it, and one for each part of a sequence.
func roundingUnits(k chains.Kernel, rows *Rows, logf []float64) float64 {
	low, high := number.Bounds(logf)
	return 7 + max(math.Abs(low), math.Abs(high)) + float64(rows.choices+chains.MovesOf(k))
}

// Turn examines the rows of a kernel under logf and returns its time reversal: the rows themselves where they serve as
// their own, because every flow equals the flow back to within rounding, so that turning it round would add rounding
// and nothing else. It fails where the kernel does not leave the distribution invariant.
//
// Probabilities below 1e-290 cannot be seen among rows. Where all flows that can be seen are balanced, those are taken
// to be balanced too; where one is not, a state that is reached by such a flow is found to receive too little.
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

// complete adds the rows of a reversal for states of zero probability, where no flow says what they are. A reverse
// chain is there only when its weight is infinite already; what the kernel says is good enough for it, and where it
// says nothing its own moves are.
func (f *Flows) complete(ctx context.Context, k chains.Kernel, reversal *Rows) (*Rows, error) {
	zeros := f.rows
	if said, ok := chains.ReversalOf(k); ok {
		if err := f.said.Fill(ctx, said, f.logf); err != nil {
			return nil, fmt.Errorf("time reversal: %w", err)
		}
		zeros = &f.said
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

// balanced reports whether every flow between two states that float64 can hold equals the flow back. The two are compared
// as parts of the likelier state, of which none is more than one.
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

// equal reports whether the flow from y to x and the flow back, as parts of the probability of y, are equal to within
// rounding, or too small to be seen. It leaves pairs to the likelier of the two.
func (f *Flows) equal(y, x int, there, back float64) bool {
	larger := max(there, back)
	return f.logf[x] > f.logf[y] || larger < Tiny || math.Abs(there-back) <= min(maxViolation, balanceUnits*f.ulps*0x1p-52)*larger
}

// Turn makes r the matrix of the flows of rows turned round: p(x) T(x,y) / p(y) in row y, and nothing in the row of a
// state of zero probability.
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

// turnedProbability returns p exp(from - to) to a few units in the last place however large the logarithms are: what
// the rounding of their difference leaves over is made up for.
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
	// Tiny is the probability below which float64 may have lost digits of an entry of a row.
	Tiny = 1e-290
	// Narrow is the range of log p within which no entry can be tiny that matters.
	Narrow = 500
	// BalanceTolerance is the relative violation of detailed balance above which a kernel of the library is refused.
	BalanceTolerance = 1e-9
	// BalanceChecks is about how many of the stages of a solve are checked for detailed balance where the kernel is of
	// the library; of other kernels every stage is examined (see flows).
	BalanceChecks = 16
)
