package program

import (
	"context"
	"fmt"
	"slices"

	"breadboard/chains"
)

// cutAfter is the number of choices that a branch may make regardless of its probability.
const cutAfter = 12

// Limits are the limits of an enumeration of the branches of a program.
type Limits struct {
	Cut      float64 // a branch of more than 12 choices is dropped when its probability is below this
	Choices  int     // the most choices of one run
	Branches int     // the most runs, and the most outcomes of one choice
}

// Walked is the account of a walk.
type Walked struct {
	Runs      int     // of the program, including dropped ones
	Remainder float64 // the probability of the dropped branches
	Choices   int     // the most choices of one run
}

// Branches is the Chooser that enumerates every branch of a program. It holds the choices of the
// current run as a stack; after a run the last choice that has another outcome is advanced, and
// later choices are dropped. The zero value is ready for use. It reuses its memory, and only one
// goroutine may use it.
type Branches struct {
	limits Limits
	walked Walked
	err    error
	stack  []branch
	depth  int // choices made in this run
	p      float64
	// stopped is what the first choice of this run that panicked has panicked with, and stoppedAt
	// the number of choices and the probability that it came to. A program may recover from the
	// panic, as simulate.Run does from those of a Move, and then return, choose again or panic
	// itself; this is ignored.
	stopped   any
	stoppedAt struct {
		depth int
		p     float64
	}
	repeated bool // whether this run is along the same branch as the one before
}

// branch is one choice: its outcome in this run, and the probabilities of all outcomes.
type branch struct {
	outcome int
	n       int       // outcomes; equally likely if probs is nil
	probs   []float64 // kept for reuse
	alike   bool
}

// cut is the value that Branches panics with to drop a branch.
type cut struct{}

// otherChoices is the error for a program with memory. It is not inlined, so that its callers stay
// short.
//
//go:noinline
func otherChoices(what string) *Error {
	return errorAbout(NotRepeatable,
		"made %s choices when run again with the same outcomes; it must depend on nothing else", what)
}

// Walk runs a program once for every sequence of outcomes of its choices. After each run that was
// not dropped it calls leaf with the probability of the branch. An error of leaf ends the
// enumeration, and so does the context, which is checked before every run. Any other error is an
// *Error. Time is that of the runs, memory O(choices of one run).
func (b *Branches) Walk(ctx context.Context, l Limits, run func(chains.Chooser),
	leaf func(p float64) error) (Walked, error) {
	b.limits = l
	b.walked = Walked{}
	b.err = nil
	b.stopped = nil
	b.repeated = false
	b.stack = b.stack[:0]
	for b.walkOn(ctx, run, leaf) {
	}
	return b.walked, b.err
}

// walkOn enumerates until a branch is dropped, and returns false if the enumeration is complete
// instead.
func (b *Branches) walkOn(ctx context.Context, run func(chains.Chooser),
	leaf func(p float64) error) (again bool) {
	defer func() {
		if r := recover(); r != nil {
			again = b.resumeAfter(r)
		}
	}()
	for b.walked.Runs == 0 || b.advance() {
		if b.walked.Runs == b.limits.Branches {
			b.err = errorAbout(TooManyBranches,
				"has more than %d branches; write it with fewer choices, or raise the probability below "+
					"which branches are cut",
				b.limits.Branches)
			return false
		}
		if err := ctx.Err(); err != nil {
			b.err = err
			return false
		}
		b.walked.Runs++
		b.runBranch(run)
		b.walked.Choices = max(b.walked.Choices, b.depth)
		if err := leaf(b.p); err != nil {
			b.err = err
			return false
		}
	}
	return false
}

// runBranch runs the program along the current branch.
func (b *Branches) runBranch(f func(chains.Chooser)) {
	b.depth = 0
	b.p = 1
	f(b)
	if b.stopped != nil {
		panic(b.stopped)
	}
}

// resumeAfter reports whether the enumeration continues after a run that has ended in a panic: it
// does if the branch was dropped.
func (b *Branches) resumeAfter(panicked any) bool {
	if b.stopped != nil {
		panicked = b.stopped
		b.stopped = nil
		b.depth = b.stoppedAt.depth
		b.p = b.stoppedAt.p
		b.stack = b.stack[:min(len(b.stack), b.depth)]
	}
	b.walked.Choices = max(b.walked.Choices, b.depth)
	_, given := panicked.(cut)
	switch {
	case given && b.repeated: // by choices that the first run along this branch did not make
		b.err = otherChoices("more")
	case given:
		b.walked.Remainder += b.p
		return true
	default:
		b.err = asError(panicked)
	}
	return false
}

// again runs the program along the same branch again, after a run that was not dropped.
func (b *Branches) again(f func(chains.Chooser)) error {
	depth := b.depth
	b.repeated = true
	b.runBranch(f)
	b.repeated = false
	switch {
	case b.depth > depth:
		return otherChoices("more")
	case b.depth < depth:
		return otherChoices("fewer")
	}
	return nil
}

// advance moves to the next branch, and returns false after the last one, or if the last run was
// not repeatable.
func (b *Branches) advance() bool {
	if b.depth < len(b.stack) {
		b.err = otherChoices("fewer")
		return false
	}
	for last := len(b.stack) - 1; last >= 0; last-- {
		top := &b.stack[last]
		top.outcome = top.nextOutcome(top.outcome + 1)
		if top.outcome < top.n {
			b.stack = b.stack[:last+1]
			return true
		}
	}
	return false
}

// nextOutcome returns the first possible outcome from i on.
func (b *branch) nextOutcome(i int) int {
	for !b.alike && i < b.n && b.probs[i] == 0 {
		i++
	}
	return i
}

// push adds a new choice to the stack and returns it. It keeps the probs of an earlier branch for
// reuse.
func (b *Branches) push() *branch {
	n := len(b.stack)
	if n == cap(b.stack) || n == b.limits.Choices {
		b.grow()
	}
	b.stack = b.stack[:n+1]
	return &b.stack[n]
}

// grow makes the stack longer by one, or ends the run if it has the largest number of choices.
func (b *Branches) grow() {
	if len(b.stack) == b.limits.Choices {
		b.stop(errorAbout(TooManyChoices, "made more than %d choices; bound its loops", b.limits.Choices))
	}
	b.stack = append(b.stack, branch{})
}

// replay returns the current choice if an earlier run has made it.
func (b *Branches) replay() *branch {
	if b.depth == len(b.stack) {
		return nil
	}
	return &b.stack[b.depth]
}

// stop ends the run. If it has been stopped before, and the program has recovered, it is stopped
// for the same reason.
//
//go:noinline
func (b *Branches) stop(why any) {
	if b.stopped == nil {
		b.stopped = why
		b.stoppedAt.depth = b.depth
		b.stoppedAt.p = b.p
	}
	panic(b.stopped)
}

// makeChoice makes a choice.
func (b *Branches) makeChoice(choice *branch) int {
	b.depth++
	if choice.alike {
		b.p /= float64(choice.n)
	} else {
		b.p *= choice.probs[choice.outcome]
	}
	if b.depth > cutAfter && b.p < b.limits.Cut {
		b.stop(cut{})
	}
	return choice.outcome
}

// invalid is the error for a program that makes an invalid choice.
//
//go:noinline
func invalid(err error) *Error { return newError(InvalidChoice, err.Error()) }

// tooMany is the error for a choice with too many outcomes.
//
//go:noinline
func tooMany(n, most int) *Error {
	return newError(TooManyOutcomes, fmt.Sprintf("Uniform(%d); more than %d outcomes cannot be enumerated", n, most))
}

// Uniform implements chains.Chooser.
func (b *Branches) Uniform(n int) int {
	if err := chains.CheckUniform(n); err != nil {
		b.stop(invalid(err))
	}
	if n > b.limits.Branches {
		b.stop(tooMany(n, b.limits.Branches))
	}
	choice := b.replay()
	if choice == nil {
		choice = b.push()
		choice.outcome = 0
		choice.n = n
		choice.alike = true
	} else if !choice.alike || choice.n != n {
		b.stop(otherChoices("other"))
	}
	return b.makeChoice(choice)
}

// Flip implements chains.Chooser. True is the first outcome.
func (b *Branches) Flip(p float64) bool {
	if err := chains.CheckFlip(p); err != nil {
		b.stop(invalid(err))
	}
	choice := b.replay()
	if choice == nil {
		choice = b.push()
		choice.n = 2
		choice.alike = false
		choice.probs = append(choice.probs[:0], p, 1-p)
		choice.outcome = choice.nextOutcome(0)
	} else if choice.alike || choice.n != 2 || choice.probs[0] != p || choice.probs[1] != 1-p {
		b.stop(otherChoices("other"))
	}
	return b.makeChoice(choice) == 0
}

// Choose implements chains.Chooser.
func (b *Branches) Choose(p []float64) int {
	choice := b.replay()
	if choice == nil {
		if err := chains.CheckChoose(p); err != nil {
			b.stop(invalid(err))
		}
		choice = b.push()
		choice.n = len(p)
		choice.alike = false
		choice.probs = append(choice.probs[:0], p...)
		choice.outcome = choice.nextOutcome(0)
	} else if choice.alike || !slices.Equal(choice.probs, p) {
		b.stop(otherChoices("other"))
	}
	return b.makeChoice(choice)
}
