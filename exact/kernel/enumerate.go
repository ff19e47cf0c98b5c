package kernel

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
)

// Limits on one row of an enumerated kernel. A Move that goes on choosing for ever ends at chains.MaxChoices.
const (
	maxBranches = 1 << 18 // runs of Move from one state
	// cutAfter is the number of choices that a branch may make however unlikely it is.
	cutAfter = 12
)

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
	e := enumerator{}
	row, err = e.appendRow(ctx, nil, k, logf, x)
	return row, e.remainder, err
}

// enumerator is the Chooser that walks through every branch. It holds the choices of the current run as a
// stack; after a run the last choice that has another outcome is advanced, and what came behind it dropped.
type enumerator struct {
	stack []branch
	depth int // choices made in this run
	p     float64
	// remainder is the probability of the branches that were given up.
	remainder float64
	below     float64 // branches of less probability are given up
	most      int     // the most choices of one run, since it was set to zero
}

// cut is what the enumerator panics with to give up a branch.
type cut struct{}

// branch is one choice: its outcome in this run, and the probabilities of all outcomes.
type branch struct {
	outcome int
	n       int       // outcomes; all alike where probs is nil
	probs   []float64 // kept for reuse
	alike   bool
}

// otherChoice is what is wrong with a Move that remembers.
const otherChoice = "Move made other choices when run again with the same outcomes; it must depend on nothing else"

// choiceError is what the enumerator panics with when a kernel misuses it.
type choiceError struct{ msg string }

// tooManyChoices is what it panics with when a kernel, right or wrong, makes more choices than can be walked.
type tooManyChoices struct{ msg string }

func (e *enumerator) appendRow(ctx context.Context, dst []chains.Entry, k chains.Kernel, logf []float64, x int) (row []chains.Entry, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("kernel %s at state %d: %w", Name(k), x, moveError(r))
		}
	}()
	first := len(dst)
	for _, e.below = range cuts() {
		if row, whole, err := e.walk(ctx, dst[:first], k, logf, x); whole || err != nil {
			return row, err
		}
	}
	return nil, fmt.Errorf("kernel %s at state %d: Move has more than %d ways to come out; write it with fewer choices, or give it AppendRow", Name(k), x, maxBranches)
}

// moveError returns the error of a Move that has panicked, which is a fault of the kernel unless it only has more choices
// than can be walked.
func moveError(panicked any) error {
	switch e := panicked.(type) {
	case tooManyChoices:
		return errors.New(e.msg)
	case choiceError:
		return chains.NewFault(errors.New(e.msg))
	}
	return chains.NewFault(chains.MovePanic(panicked))
}

// walk appends the row with branches given up at e.below, and returns false where there are too many.
func (e *enumerator) walk(ctx context.Context, dst []chains.Entry, k chains.Kernel, logf []float64, x int) (row []chains.Entry, whole bool, err error) {
	e.stack, e.remainder = e.stack[:0], 0
	first := len(dst)
	for branches := 0; ; branches++ {
		if branches == maxBranches {
			return nil, false, nil
		}
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		e.depth, e.p = 0, 1
		y, whole := e.move(k, logf, x)
		e.most = max(e.most, e.depth)
		if !whole {
			e.remainder += e.p
			if !e.advance() {
				return dst, true, nil
			}
			continue
		}
		if y < 0 || y >= len(logf) {
			return nil, false, chains.NewFault(fmt.Errorf("kernel %s at state %d: Move went to state %d, outside 0..%d", Name(k), x, y, len(logf)-1))
		}
		dst = addEntry(dst, first, y, e.p)
		if !e.advance() {
			return dst, true, nil
		}
	}
}

// move runs Move, and returns false where the branch was given up.
func (e *enumerator) move(k chains.Kernel, logf []float64, x int) (y int, whole bool) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(cut); !ok {
				panic(r)
			}
		}
	}()
	return k.Move(e, logf, x), true
}

// addEntry adds p to the entry for y among dst[first:].
func addEntry(dst []chains.Entry, first, y int, p float64) []chains.Entry {
	for i := first; i < len(dst); i++ {
		if dst[i].To == y {
			dst[i].P += p
			return dst
		}
	}
	return append(dst, chains.Entry{To: y, P: p})
}

// advance moves to the next branch, and returns false when all have been walked.
func (e *enumerator) advance() bool {
	if e.depth < len(e.stack) {
		panic(choiceError{"Move made fewer choices when run again with the same outcomes; it must depend on nothing else"})
	}
	for len(e.stack) > 0 {
		top := &e.stack[len(e.stack)-1]
		if top.outcome = top.next(top.outcome + 1); top.outcome < top.n {
			return true
		}
		e.stack = e.stack[:len(e.stack)-1]
	}
	return false
}

// next returns the first outcome from i on that can happen.
func (b *branch) next(i int) int {
	for !b.alike && i < b.n && b.probs[i] == 0 {
		i++
	}
	return i
}

// push makes room for a new choice and returns it.
func (e *enumerator) push() *branch {
	if len(e.stack) == chains.MaxChoices {
		panic(tooManyChoices{fmt.Sprintf("Move made more than %d choices; bound its loops", chains.MaxChoices)})
	}
	if len(e.stack) < cap(e.stack) {
		e.stack = e.stack[:len(e.stack)+1] // keeps the probs of an earlier branch for reuse
	} else {
		e.stack = append(e.stack, branch{})
	}
	return &e.stack[len(e.stack)-1]
}

// replay returns the branch of the current choice where this run has been here before.
func (e *enumerator) replay(n int) *branch {
	if e.depth == len(e.stack) {
		return nil
	}
	b := &e.stack[e.depth]
	if b.n != n {
		panic(choiceError{otherChoice})
	}
	return b
}

func (e *enumerator) take(b *branch) int {
	e.depth++
	if b.alike {
		e.p /= float64(b.n)
	} else {
		e.p *= b.probs[b.outcome]
	}
	if e.p < e.below && e.depth > cutAfter {
		panic(cut{})
	}
	return b.outcome
}

// Uniform implements chains.Chooser.
func (e *enumerator) Uniform(n int) int {
	if n < 1 {
		panic(choiceError{fmt.Sprintf("Uniform(%d); n must be at least 1", n)})
	}
	if n > maxBranches {
		panic(tooManyChoices{fmt.Sprintf("Uniform(%d); more than %d outcomes cannot be walked", n, maxBranches)})
	}
	b := e.replay(n)
	if b == nil {
		b = e.push()
		b.outcome, b.n, b.alike = 0, n, true
	} else if !b.alike {
		panic(choiceError{otherChoice})
	}
	return e.take(b)
}

// Flip implements chains.Chooser. True is the first outcome.
func (e *enumerator) Flip(p float64) bool {
	if !(p >= 0 && p <= 1) {
		panic(choiceError{fmt.Sprintf("Flip(%v); a probability is from 0 to 1", p)})
	}
	b := e.replay(2)
	if b == nil {
		b = e.push()
		b.n, b.alike = 2, false
		b.probs = append(b.probs[:0], p, 1-p)
		b.outcome = b.next(0)
	} else if b.alike || b.probs[0] != p || b.probs[1] != 1-p {
		panic(choiceError{otherChoice})
	}
	return e.take(b) == 0
}

// Choose implements chains.Chooser.
func (e *enumerator) Choose(p []float64) int {
	b := e.replay(len(p))
	if b == nil {
		total := 0.0
		for _, pi := range p {
			if !(pi >= 0 && pi <= 1) {
				panic(choiceError{fmt.Sprintf("Choose with a probability of %v", pi)})
			}
			total += pi
		}
		if math.Abs(total-1) > RowTolerance {
			panic(choiceError{fmt.Sprintf("Choose with probabilities that sum to %v", total)})
		}
		b = e.push()
		b.n, b.alike = len(p), false
		b.probs = append(b.probs[:0], p...)
		b.outcome = b.next(0)
	} else if b.alike || !slices.Equal(b.probs, p) {
		panic(choiceError{otherChoice})
	}
	return e.take(b)
}
