package kernel

import (
	"context"
	"errors"
	"fmt"

	"breadboard/chains"
	"breadboard/exact/program"
)

// maxBranches is the most runs of Move from one state. A Move that goes on choosing for ever ends at chains.MaxChoices.
const maxBranches = 1 << 18

// cuts are the probabilities below which a long branch is given up: the next is tried where one leaves more than
// maxBranches ways.
func cuts() []float64 { return []float64{0x1p-54, 0x1p-24, 0x1p-14} }

// Row returns the exact row of a kernel at state x, found by running Move once for every way its choices
// can come out: states in the order of first appearance, each once. A branch of more than 12 choices is given up
// when its probability is below 2^-54, or 2^-24 or 2^-14 where there are more than 2^18 ways above that. The
// probability that is lost so is the remainder, a bound on what every entry lacks; it is zero for a Move of few
// choices. Row fails where Move panics, leaves the space, offers impossible probabilities, or has more than 2^18
// ways to come out in the end. It looks at the context before every run of Move. Time is the number of ways.
func Row(ctx context.Context, k chains.Kernel, logf []float64, x int) (row []chains.Entry, remainder float64, err error) {
	w := rowWalk{}
	row, err = w.appendRow(ctx, nil, k, logf, x)
	return row, w.remainder, err
}

// rowWalk enumerates rows one after another, and reuses its memory.
type rowWalk struct {
	branches program.Branches
	row      []chains.Entry // at work
	// remainder is the probability of the branches of the last row that were given up.
	remainder float64
	most      int // the most choices of one run, since it was set to zero
}

func (w *rowWalk) appendRow(ctx context.Context, dst []chains.Entry, k chains.Kernel, logf []float64, x int) (row []chains.Entry, err error) {
	first, y := len(dst), 0
	w.row = dst
	move := func(c chains.Chooser) { y = k.Move(c, logf, x) }
	arrive := func(p float64) error {
		if y < 0 || y >= len(logf) {
			return chains.NewFault(chains.AtStates(fmt.Errorf("kernel %s at state %d: Move went to state %d, outside 0..%d", chains.NameOf(k), x, y, len(logf)-1), x))
		}
		w.add(first, y, p)
		return nil
	}
	for _, cut := range cuts() {
		w.row = w.row[:first]
		limits := program.Limits{Cut: cut, Choices: chains.MaxChoices, Branches: maxBranches}
		walked, err := w.branches.Walk(ctx, limits, move, arrive)
		w.remainder, w.most = walked.Remainder, max(w.most, walked.Choices)
		if err == nil {
			return w.row, nil
		}
		fault, ofMove := errors.AsType[*program.Error](err)
		if !ofMove {
			return nil, err
		}
		if fault.Kind != program.TooManyBranches {
			return nil, chains.AtStates(fmt.Errorf("kernel %s at state %d: %w", chains.NameOf(k), x, moveError(fault)), x)
		}
	}
	return nil, chains.AtStates(fmt.Errorf("kernel %s at state %d: Move has more than %d ways to come out; write it with fewer choices, or give it AppendRow", chains.NameOf(k), x, maxBranches), x)
}

// moveError returns the error of a Move that cannot be walked, which is a fault of the kernel unless it only has more choices
// than can be.
func moveError(e *program.Error) error {
	switch e.Kind {
	case program.TooManyChoices, program.TooManyOutcomes:
		return errors.New(e.About("Move"))
	case program.Panicked:
		return chains.NewFault(chains.MovePanic(e.Value))
	}
	return chains.NewFault(errors.New(e.About("Move")))
}

// add adds p to the entry for y among row[first:].
func (w *rowWalk) add(first, y int, p float64) {
	row := w.row[first:]
	for i := range row {
		if row[i].To == y {
			row[i].P += p
			return
		}
	}
	w.row = append(w.row, chains.Entry{To: y, P: p})
}
