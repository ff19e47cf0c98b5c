package external

import (
	"fmt"
	"slices"
	"time"

	"breadboard/chains/selector"
)

// What a program may cost. PROTOCOL.md has the same numbers. The first four hold for all that is asked about one state
// under one distribution, however often the program is started again meanwhile.
const (
	// maxWalked is the most choices, some seconds' worth. It is also the most outcomes of one choice, since each
	// outcome is a way that has to be walked.
	maxWalked = 100_000
	// maxSaid is the most bytes in the program's lines: those of a choice with long lists are read again for each
	// outcome, some fifty million bytes a second.
	maxSaid = 128_000_000
	// maxRestarts is how often a program may have to be started again because it does not understand abort.
	maxRestarts = 64
	// stateReplies is how many deadlines the program may have us wait.
	stateReplies = 4
	// slackReplies is how many deadlines the program may have us wait in all, beyond perLine for each line and
	// perMove for each move of its own: who takes long for every line is soon found out, and who is slow once is not.
	slackReplies = 4
	perLine      = 100 * time.Millisecond
	perMove      = 10 * time.Millisecond
)

// meter is what a program has cost so far, over all of its processes.
type meter struct {
	choices, restarts int
	lines, said       int64 // what it has said, and the bytes of that
	moves             int64 // that it was asked to make by itself
	waited            time.Duration
}

// account is what one state under one distribution has cost.
type account struct {
	state int
	logf  []float64
	begun meter
}

// open makes the account that of a state under a distribution, where it is not that already.
func (a *account) open(logf []float64, x int, now meter) {
	if a.logf == nil || a.state != x || !slices.Equal(a.logf, logf) {
		*a = account{x, slices.Clone(logf), now}
	}
}

// overspent is the error for a program that costs more than it may, and nil for any other. Where a program makes its own
// choices there is no account of its state.
func (k *Program) overspent() error {
	now := k.meter
	if allowed := slackReplies*k.deadline + time.Duration(now.lines)*perLine + time.Duration(now.moves)*perMove; now.waited > allowed {
		return fmt.Errorf("it has taken %v for %d lines; it may take %v on average, and %v more in all: answer sooner", now.waited.Round(time.Millisecond), now.lines, perLine, slackReplies*k.deadline)
	}
	if k.account.logf == nil {
		return nil
	}
	begun, x := k.account.begun, k.account.state
	switch waited := now.waited - begun.waited; {
	case now.choices-begun.choices > maxWalked:
		return fmt.Errorf("from state %d it has asked for %d choices and is not done: bound its loops, or make fewer choices", x, maxWalked)
	case now.said-begun.said > maxSaid:
		return fmt.Errorf("from state %d it has said %s and is not done: make fewer choices with long lists", x, selector.Bytes(maxSaid))
	case now.restarts-begun.restarts > maxRestarts:
		return fmt.Errorf(`from state %d it had to be started again %d times, because it does not answer an abort with {"aborted":true} and the id: do that, or bound its loops`, x, maxRestarts)
	case waited > stateReplies*k.deadline:
		return fmt.Errorf("from state %d it has taken %v and is not done: answer sooner, or make fewer choices", x, waited.Round(time.Millisecond))
	}
	return nil
}

// list fails where a choice has more outcomes than can be walked, or they take too many bytes to be walked.
func list(outcomes int, bytes int64) error {
	if outcomes > maxWalked {
		return fmt.Errorf("a choice of %d outcomes, and at most %d can be walked: make it in several steps", outcomes, maxWalked)
	}
	if total := int64(outcomes) * bytes; total > maxSaid {
		return fmt.Errorf("a choice of %d outcomes in a line of %s, which is said again for each of them; at most %s are read: make it in several steps", outcomes, selector.Bytes(bytes), selector.Bytes(maxSaid))
	}
	return nil
}
