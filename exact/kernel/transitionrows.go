package kernel

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/frames"
	"breadboard/chains/work"
	"breadboard/exact/program"
)

// RowTolerance is how far the probabilities of a row may be from summing to one.
const RowTolerance = 1e-12

// Rows is a transition matrix that keeps only its positive entries, each once. (Rows that FillFrame
// fills keep zeros too.)
type Rows struct {
	start   []int          // row x is Entries[start[x]:start[x+1]]
	Entries []chains.Entry // the entries of all rows, one row after another
	scratch rowWalk
	// tolerance replaces RowTolerance if it is not zero.
	tolerance float64
	// remainders are the probabilities that enumeration has left out of each row (see Row).
	remainders []float64
	framed     bool    // whether the entries are those of a frame, or of a kernel
	least      float64 // the least positive entry, if framed
	place      []int   // by state: one more than its place in the current row
	// choices is the largest number of choices of a Move, or of entries of a row in closed form.
	choices  int
	prepared chains.PreparedRows
}

// NewRows returns the transition matrix of a kernel under logf. It uses the rows in closed form if
// the kernel has them (chains.Rower), and else enumerates Move. It fails if Row does, and if a row
// is not a probability distribution. It checks the context at every row, and also within rows that
// are products of many matrices. Time is O(entries) with a closed form; for kernels that are made
// of others see chains.PreparedRows.
func NewRows(ctx context.Context, k chains.Kernel, logf []float64) (*Rows, error) {
	r := &Rows{}
	return r, r.readKernel(ctx, k, logf)
}

// readKernel makes r the matrix of k under logf, with the rows of the kernel itself if it keeps
// them.
func (r *Rows) readKernel(ctx context.Context, k chains.Kernel, logf []float64) error {
	keeper, keeps := k.(interface {
		Rows() (starts []int, entries []chains.Entry)
	})
	if !keeps {
		return r.Fill(ctx, k, logf)
	}
	starts, entries := keeper.Rows()
	for x := range logf {
		r.choices = max(r.choices, starts[x+1]-starts[x])
	}
	return cmp.Or(CheckEntries(k, len(logf), float64(len(entries))), r.setRows(ctx, k, starts, entries))
}

// States returns the number of rows.
func (r *Rows) States() int { return len(r.start) - 1 }

// Row returns the entries of row x. They are memory of r: the next Fill overwrites them.
func (r *Rows) Row(x int) []chains.Entry { return r.Entries[r.start[x]:r.start[x+1]] }

// Remainder returns a bound on the probability that enumeration has omitted from row x (see Row).
func (r *Rows) Remainder(x int) float64 {
	if len(r.remainders) == 0 {
		return 0
	}
	return r.remainders[x]
}

// EntryAt returns the probability to go from x to y. Time is proportional to the length of the row.
func (r *Rows) EntryAt(x, y int) float64 {
	for _, e := range r.Row(x) {
		if e.To == y {
			return e.P
		}
	}
	return 0
}

// Push writes the distribution after a move from law to next, which must not overlap.
func (r *Rows) Push(next, law []float64) {
	clear(next)
	for x, q := range law {
		if q == 0 {
			continue
		}
		for _, e := range r.Row(x) {
			next[e.To] += float64(q * e.P)
		}
	}
}

// Pull sets dst to the mean of a function after a move from each state. The two must not overlap.
func (r *Rows) Pull(dst, f []float64) {
	for x := range dst {
		mean := 0.0
		for _, e := range r.Row(x) {
			mean += float64(e.P * f[e.To])
		}
		dst[x] = mean
	}
}

// Defect returns the largest distance of the sum of a row from one.
func (r *Rows) Defect() float64 {
	worst := 0.0
	for x := range r.States() {
		total := 0.0
		for _, e := range r.Row(x) {
			total += e.P
		}
		worst = max(worst, math.Abs(total-1))
	}
	return worst
}

// Fill makes r the matrix of k under logf, reusing its memory.
func (r *Rows) Fill(ctx context.Context, k chains.Kernel, logf []float64) error {
	r.clear(len(logf))
	if err := CheckRows(k, logf); err != nil {
		return err
	}
	rower, closed := k.(chains.Rower)
	if closed {
		r.prepared.Prepare(rower, logf, ctx.Err)
	} else if f, foresees := k.(chains.Foreseer); foresees {
		f.Foresee(func(yield func([]float64) bool) { yield(logf) })
	}
	for x := range logf {
		first := len(r.Entries)
		if x > 0 && first+first/x > cap(r.Entries) { // append would take more than all rows need
			r.Entries = slices.Grow(r.Entries, first/x*(len(logf)-x))
		}
		var err error
		if closed {
			r.Entries, err = r.prepared.AppendRow(r.Entries, x)
		} else {
			err = r.enumerate(ctx, k, logf, x)
		}
		if err != nil {
			return err
		}
		row, err := cleanRow(r.Entries[first:], r.place, max(r.tolerance, RowTolerance))
		if err != nil {
			return chains.NewFault(work.AtStates(fmt.Errorf("kernel %s at state %d: %w", chains.NameOf(k), x, err), x))
		}
		r.choices = max(r.choices, r.scratch.most)
		if closed {
			r.choices = max(r.choices, len(row))
		}
		r.Entries = r.Entries[:first+len(row)]
		if err := checkGrowth(k, x+1, len(logf), len(r.Entries)); err != nil {
			return err
		}
		r.start = append(r.start, len(r.Entries))
	}
	return nil
}

// clear makes r a matrix without rows, for the given number of states.
func (r *Rows) clear(states int) {
	if r.framed {
		*r = Rows{} // the memory is that of a frame or a kernel
	}
	r.start = append(r.start[:0], 0)
	r.Entries = r.Entries[:0]
	r.remainders = r.remainders[:0]
	r.choices = 0
	r.scratch.most = 0
	if len(r.place) != states {
		r.place = make([]int, states)
	}
}

// enumerate appends the entries of row x by running Move. It fails if the remainder is too large.
func (r *Rows) enumerate(ctx context.Context, k chains.Kernel, logf []float64, x int) (err error) {
	r.Entries, err = r.scratch.appendRow(ctx, r.Entries, k, logf, x)
	if err != nil {
		return err
	}
	left := r.scratch.remainder
	r.remainders = append(r.remainders, left)
	if left > max(r.tolerance, RowTolerance) {
		return work.AtStates(errs.New(
			"kernel %s at state %d: Move may not terminate; enumeration left out a probability of %.3g",
			chains.NameOf(k),
			x,
			left,
		), x)
	}
	return nil
}

// CheckRows returns an error if the rows of a kernel of the library would take too much memory (see
// CheckEntries), before any are kept. It makes three rows, and assumes that all rows are as short
// as the shortest of them, so that it never fails for rows that fit.
func CheckRows(k chains.Kernel, logf []float64) error {
	n := len(logf)
	if float64(n)*float64(n) <= MaxEntries || !chains.OfLibrary(k) {
		return nil
	}
	if err := CheckEntries(k, n, frames.PartEntries(k, n, MaxEntries)); err != nil {
		return err
	}
	rower, closed := k.(chains.Rower)
	if !closed {
		return nil
	}
	shortest, _ := chains.SampledEntries(rower, logf)
	return CheckEntries(k, n, shortest*float64(n))
}

// checkGrowth returns an error if the rows of a kernel will take too much memory, as CheckEntries
// does, given the number of entries of the rows that have been made. It extrapolates only after a
// quarter of the allowed entries has been made.
func checkGrowth(k chains.Kernel, made, states, entries int) error {
	if entries < MaxEntries/4 {
		return nil
	}
	return CheckEntries(k, states, float64(entries)/float64(made)*float64(states))
}

// cleanRow checks a row of a matrix, merges entries for the same state and drops those of
// probability zero. place is memory, one number for each state, which is zero before and after the
// call.
func cleanRow(row []chains.Entry, place []int, tolerance float64) ([]chains.Entry, error) {
	total := 0.0
	out := row[:0]
	for _, e := range row {
		if e.To < 0 || e.To >= len(place) {
			return nil, fmt.Errorf("an entry for state %d, outside 0..%d", e.To, len(place)-1)
		}
		if !(e.P >= 0) || math.IsInf(e.P, 1) {
			return nil, work.AtStates(fmt.Errorf("probability %v to go to state %d", e.P, e.To), e.To)
		}
		total += e.P
		if e.P == 0 {
			continue
		}
		if i := place[e.To]; i > 0 {
			out[i-1].P += e.P
			continue
		}
		out = append(out, e)
		place[e.To] = len(out)
	}
	for _, e := range out {
		place[e.To] = 0
	}
	if math.Abs(total-1) > tolerance {
		return nil, fmt.Errorf("the probabilities sum to %v, not to 1", total)
	}
	return out, nil
}

// maxBranches is the most runs of Move from one state. A Move that never stops choosing ends at
// chains.MaxChoices.
const maxBranches = 1 << 18

// cuts are the probabilities below which a long branch is dropped: the next is tried if one leaves
// more than maxBranches branches.
func cuts() []float64 { return []float64{0x1p-54, 0x1p-24, 0x1p-14} }

// Row returns the exact row of a kernel at state x, by running Move once for every sequence of
// outcomes of its choices: states in the order of first appearance, each once. A branch of more
// than 12 choices is dropped if its probability is below 2^-54; the limit is 2^-24, or 2^-14, if
// more than 2^18 branches are above the smaller one. The dropped probability is the remainder, a
// bound on the error of every entry; it is zero for a Move of few choices. Row fails if Move
// panics, leaves the space, offers invalid probabilities, or still has more than 2^18 branches. It
// checks the context before every run of Move. Time is the number of branches.
func Row(ctx context.Context, k chains.Kernel, logf []float64,
	x int) (row []chains.Entry, remainder float64, err error) {
	w := rowWalk{}
	row, err = w.appendRow(ctx, nil, k, logf, x)
	return row, w.remainder, err
}

// RowsOf returns a function that gives single rows of a kernel: in closed form if it has them, and
// else by Row.
func RowsOf(ctx context.Context, k chains.Kernel, logf []float64) func(x int) ([]chains.Entry, error) {
	if closed, is := k.(chains.Rower); is {
		var p chains.PreparedRows
		p.Prepare(closed, logf, ctx.Err)
		return func(x int) ([]chains.Entry, error) { return p.AppendRow(nil, x) }
	}
	return func(x int) ([]chains.Entry, error) {
		row, _, err := Row(ctx, k, logf, x)
		return row, err
	}
}

// rowWalk enumerates rows one after another, and reuses its memory.
type rowWalk struct {
	branches program.Branches
	row      []chains.Entry // at work
	// remainder is the probability of the branches of the last row that were given up.
	remainder float64
	most      int // the most choices of one run since the last reset
}

func (w *rowWalk) appendRow(ctx context.Context, dst []chains.Entry, k chains.Kernel, logf []float64,
	x int) (row []chains.Entry, err error) {
	first := len(dst)
	y := 0
	w.row = dst
	move := func(c chains.Chooser) { y = k.Move(c, logf, x) }
	arrive := func(p float64) error {
		if y < 0 || y >= len(logf) {
			return chains.NewFault(
				work.AtStates(fmt.Errorf("kernel %s at state %d: Move went to state %d, outside 0..%d",
					chains.NameOf(k), x, y, len(logf)-1), x),
			)
		}
		w.addProbability(first, y, p)
		return nil
	}
	for _, cut := range cuts() {
		w.row = w.row[:first]
		limits := program.Limits{Cut: cut, Choices: chains.MaxChoices, Branches: maxBranches}
		walked, err := w.branches.Walk(ctx, limits, move, arrive)
		w.remainder = walked.Remainder
		w.most = max(w.most, walked.Choices)
		if err == nil {
			return w.row, nil
		}
		fault, ofMove := errors.AsType[*program.Error](err)
		if !ofMove {
			return nil, err
		}
		if fault.Kind != program.TooManyBranches {
			return nil, work.AtStates(fmt.Errorf("kernel %s at state %d: %w", chains.NameOf(k), x, moveError(fault)), x)
		}
	}
	return nil,
		work.AtStates(errs.New(
			"kernel %s at state %d: Move has more than %d possible sequences of outcomes; write it "+
				"with fewer choices, or give it AppendRow",
			chains.NameOf(k),
			x,
			maxBranches,
		), x)
}

// moveError returns the error of a Move that cannot be enumerated. It is a fault of the kernel
// unless Move only has too many choices.
func moveError(e *program.Error) error {
	switch e.Kind {
	case program.TooManyChoices, program.TooManyOutcomes:
		return errors.New(e.About("Move"))
	case program.Panicked:
		return chains.NewFault(chains.MovePanic(e.Value))
	}
	return chains.NewFault(errors.New(e.About("Move")))
}

// addProbability adds p to the entry for y among row[first:].
func (w *rowWalk) addProbability(first, y int, p float64) {
	row := w.row[first:]
	for i := range row {
		if row[i].To == y {
			row[i].P += p
			return
		}
	}
	w.row = append(w.row, chains.Entry{To: y, P: p})
}
