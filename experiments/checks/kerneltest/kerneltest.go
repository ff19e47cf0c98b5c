// Package kerneltest answers: does a kernel do what package chains asks of it? It is a conformance
// suite for your own kernels, to be called from your go test. Failures say what is wrong and where.
// It does not test how well a kernel mixes. Only tests import it, since it imports package testing.
//
// A kernel passes if, on every target of the suite (see Targets), it
//   - makes each choice through its Chooser, with valid probabilities, and at most
//     chains.MaxChoices choices a move;
//   - goes to the same state whenever the choices are the same, for any earlier or concurrent moves,
//     and for any log f that was in the same memory before, as at the stages of an annealing;
//   - goes to states of the space only, and does not change log f;
//   - has rows, enumerated from Move, that sum to one and leave the target invariant, and that equal
//     its rows in closed form, if any;
//   - has the time reversal that it states, if any;
//   - and, in sampled moves, goes from each state to each other one as often as its rows say.
//
// Only the last of these comparisons depends on chance. Its seeds are fixed, and a correct kernel
// fails it with a probability of at most 1e-9 in the choice of the seeds.
package kerneltest

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/exact/kernel"
)

// Space is the space of a kernel. The suite needs only its number of states, numbered from 0.
type Space interface{ States() int }

// MaxStates is the number of states of the largest space of the suite, which enumerates the row of
// every state under every target. A small space with every special case of the kernel, such as a
// corner, an edge and a middle, shows as much in less time.
const MaxStates = 256

// Run fails a test with everything that is wrong with a kernel on a space. Test a kernel with
// parameters for several of their values, each on several spaces. It takes about n^2 moves and rows
// a target, some 10 ms on nine states. Targets of your own come after those of the suite. Each log
// f has a value for all states of the kernel, so that of a kernel with an auxiliary direction is of
// the pairs. If the suite's targets are not those of such a kernel, call CheckTarget with its own.
func Run(t *testing.T, kernel chains.Kernel, space Space, own ...Target) {
	t.Helper()
	for _, err := range Check(kernel, space, own...) {
		t.Error(err)
	}
}

// Check returns the faults of a kernel on a space, at most one line for each property and target.
func Check(kernel chains.Kernel, space Space, own ...Target) []error {
	n := space.States()
	if err := refuse(kernel, n); err != nil {
		return []error{err}
	}
	var errs []error
	for _, target := range append(Targets(n), own...) {
		for _, err := range CheckTarget(kernel, target) {
			errs = append(errs, fmt.Errorf("kernel %s, target %s: %w", chains.NameOf(kernel), target.Name, err))
		}
	}
	return errs
}

// refuse says why a kernel on that many states cannot be tested at all.
func refuse(kernel chains.Kernel, n int) error {
	if n < 1 || n > MaxStates {
		return errs.New("kernel %s: a space of %d states; the limits are 1 and %d",
			chains.NameOf(kernel), n, MaxStates)
	}
	if k, ok := kernel.(Space); ok && k.States() != n {
		return fmt.Errorf("kernel %s declares %d states on a space of %d", chains.NameOf(kernel), k.States(), n)
	}
	return nil
}

// refuseTarget says why a target is none.
func refuseTarget(target Target) error {
	positive := false
	for x, v := range target.LogF {
		if math.IsNaN(v) || math.IsInf(v, 1) {
			return errs.New("target %s: log f of state %d is %v; give a number, or -Inf if f is zero",
				target.Name, x, v)
		}
		positive = positive || !math.IsInf(v, -1)
	}
	if !positive {
		return fmt.Errorf("target %s: f is zero in every state, so there is no distribution", target.Name)
	}
	return nil
}

// CheckTarget returns the faults of a kernel under one target, such as a special case of this
// kernel that the targets of Check do not cover. A target that is not a distribution, and a kernel
// for another number of states, are errors too.
func CheckTarget(kernel chains.Kernel, target Target) []error {
	if err := cmp.Or(refuse(kernel, len(target.LogF)), refuseTarget(target)); err != nil {
		return []error{err}
	}
	e := &examination{kernel: kernel, logf: slices.Clone(target.LogF), given: target.LogF}
	if !e.walk() {
		return e.errs // without enumerated rows nothing else can be checked
	}
	e.rowSums("enumerated", e.walked)
	e.invariance("enumerated", e.walked)
	e.closedForm()
	e.reversal()
	e.repeat()
	e.elsewhere()
	e.concurrent()
	e.frequencies()
	return e.errs
}

// examination is the check of a kernel under one target.
type examination struct {
	kernel chains.Kernel
	logf   []float64 // the log f that is passed to the kernel
	given  []float64 // a copy of log f that the kernel cannot change
	errs   []error
	walked matrix    // the rows enumerated from Move
	lacks  []float64 // the probability that enumeration has left out of each row
}

// matrix holds the transition probabilities of a kernel, one row for each state.
type matrix [][]float64

func (e *examination) fail(format string, args ...any) {
	e.errs = append(e.errs, fmt.Errorf(format, args...))
}

// unchanged reports whether log f is still as it was given. If it is not, it records one error.
func (e *examination) unchanged(by string) bool {
	for x, v := range e.logf {
		if v != e.given[x] && !(math.IsNaN(v) && math.IsNaN(e.given[x])) {
			e.fail("%s changes log f of state %d from %v to %v", by, x, e.given[x], v)
			copy(e.logf, e.given)
			return false
		}
	}
	return true
}

// moves hides the closed form of a kernel.
type moves struct{ chains.Kernel }

// String names the kernel itself.
func (k moves) String() string { return chains.NameOf(k.Kernel) }

func (e *examination) walk() bool {
	n := len(e.logf)
	e.lacks = make([]float64, n)
	for x := range n {
		row, remainder, err := kernel.Row(context.Background(), moves{e.kernel}, e.logf, x)
		if !e.unchanged("Move") { // this comes first, because a changed log f makes all else go wrong
			return false
		}
		if err != nil {
			e.fail("%w", err)
			return false
		}
		values := make([]float64, n)
		for _, to := range row {
			values[to.To] += to.P
		}
		e.walked, e.lacks[x] = append(e.walked, values), remainder
		if remainder > tolerance {
			e.fail("the loops of Move at state %d have no bound that can be found: probability %.3g is unexplored",
				x, remainder)
			return false
		}
	}
	return true
}

// tolerance is how far sums of probabilities may be from what they should be, as everywhere in
// package exact.
const tolerance = 1e-12

// entryTolerance is how far two ways to compute an entry may be from one another: a row of many
// parts adds up hundreds of roundings of 1e-16.
const entryTolerance = 1e-13

func (e *examination) rowSums(what string, rows matrix) {
	for x, row := range rows {
		total := e.lacks[x]
		for _, p := range row {
			total += p
		}
		if !(math.Abs(total-1) <= tolerance) {
			e.fail("the %s row of state %d sums to %v", what, x, total)
			return
		}
	}
}

// rounding is how far one probability may be off by the rounding of float64: a few units in the
// last place of one.
const rounding = 8 * 0x1p-52

// smallest is the least probability that float64 holds with all its digits. Errors below it are not
// held against a kernel.
const smallest = 0x1p-1022

// invariance checks p T = p. The change of a state's probability must be small relative to that
// probability, however small this is, apart from what the rounding of the entries from likelier
// states may bring to the state.
func (e *examination) invariance(what string, rows matrix) {
	p := exactly(e.logf)
	for y := range rows {
		after := 0.0
		excused := tolerance*p[y] + smallest
		for x, row := range rows {
			after += p[x] * row[y]
			if row[y] > 0 {
				excused += p[x] * (rounding + e.lacks[x])
			}
		}
		if !(math.Abs(after-p[y]) <= excused) {
			e.fail("the %s rows do not leave it invariant: a move changes the probability %.6g of state %d by %.3g",
				what, p[y], y, after-p[y])
			return
		}
	}
}

// exactly returns the normalised probabilities of log f.
func exactly(logf []float64) []float64 {
	p := slices.Clone(logf)
	chains.Normalize(p)
	return p
}

// closedForm compares the rows of AppendRow with those enumerated from Move.
func (e *examination) closedForm() {
	k, ok := e.kernel.(chains.Rower)
	if !ok {
		return
	}
	rows, err := e.closedRows(k)
	if err != nil {
		e.fail("AppendRow: %w", err)
		return
	}
	e.rowSums("closed", rows)
	e.invariance("closed", rows)
	for x, row := range rows {
		for y, p := range row {
			if w := e.walked[x][y]; !(math.Abs(p-w) <= entryTolerance+e.lacks[x]) {
				e.fail("from state %d to %d AppendRow gives %v, but Move gives %v", x, y, p, w)
				return
			}
		}
	}
}

// closedRows returns the rows of AppendRow. It asks for each row twice, each time with a dst that
// already holds entries, which AppendRow must leave as they are.
func (e *examination) closedRows(k chains.Rower) (rows matrix, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("it panics: %v", r)
		}
	}()
	n := len(e.logf)
	for x := range n {
		before := []chains.Entry{{To: -1, P: -1}, {To: -2, P: -2}}
		first := k.AppendRow(slices.Clip(slices.Clone(before)), e.logf, x)
		dst := k.AppendRow(append(make([]chains.Entry, 0, 4*n+64), before...), e.logf, x)
		if len(dst) < 2 || !slices.Equal(dst[:2], before) || len(first) < 2 ||
			!slices.Equal(first[:2], before) {
			return nil, fmt.Errorf("the row of state %d is not appended: it overwrites the slice", x)
		}
		if !slices.Equal(first, dst) {
			return nil, fmt.Errorf("the row of state %d differs when it is computed again", x)
		}
		if !e.unchanged("AppendRow") {
			return nil, fmt.Errorf("state %d", x)
		}
		row := make([]float64, n)
		for _, to := range dst[2:] {
			if to.To < 0 || to.To >= n || !(to.P >= 0 && to.P <= 1+tolerance) {
				return nil, fmt.Errorf("the row of state %d has an entry %v for state %d", x, to.P, to.To)
			}
			row[to.To] += to.P
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// reversal compares the flows between the states with those of the kernel's time reversal, if the
// kernel names one.
func (e *examination) reversal() {
	said, ok := chains.ReversalOf(e.kernel)
	if !ok {
		return
	}
	back := &examination{kernel: said, logf: e.logf, given: e.given}
	if !back.walk() {
		e.fail("time reversal: %w", back.errs[0])
		return
	}
	p := exactly(e.logf)
	for x, row := range e.walked {
		for y := range row {
			there := p[x] * row[y]
			here := p[y] * back.walked[y][x]
			excused := smallest + tolerance*max(there, here) + p[x]*(rounding+e.lacks[x]) +
				p[y]*(rounding+back.lacks[y])
			if !(math.Abs(there-here) <= excused) {
				e.fail("the declared time reversal is wrong: from state %d to %d the flow is %.6g, and back %.6g",
					x, y, there, here)
				return
			}
		}
	}
}
