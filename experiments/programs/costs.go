package programs

import (
	"fmt"
	"slices"
	"time"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
)

// These constants bound what a program may cost. PROTOCOL.md has the same numbers. The first four
// hold for all that is asked about one state under one distribution, however often the program is
// started again meanwhile.
const (
	// maxWalked is the largest number of choices, which take some seconds. It is also the largest
	// number of outcomes of one choice, since each outcome has to be enumerated.
	maxWalked = 100_000
	// maxSaid is the largest number of bytes in the program's lines. A choice with a long list is
	// read again for each of its outcomes, some fifty million bytes a second.
	maxSaid = 128_000_000
	// maxRestarts is how often a program may have to be started again because it does not
	// understand abort.
	maxRestarts = 64
	// startReplies bounds the time until the first line, as a multiple of the deadline for one
	// reply.
	startReplies = 12
	// stateReplies bounds the time that we wait for the program, as a multiple of the deadline for
	// one reply.
	stateReplies = 4
	// slackReplies is such a multiple for the whole run, in addition to perLine for each line and
	// perMove for each move that the program makes by itself. So a program that is slow for every
	// line is soon refused, and one that is slow once is not.
	slackReplies = 4
	perLine      = 100 * time.Millisecond
	perMove      = 10 * time.Millisecond
	// perWhole is the same for a line with a whole distribution.
	perWhole = 2 * time.Second
)

// meter is what a program has cost so far, over all of its processes.
type meter struct {
	choices, restarts int
	lines, said       int64 // the lines that it has written, and their bytes
	moves             int64 // the moves that it was asked to make with its own choices
	whole             int64 // the distributions that it has written as a whole
	waited            time.Duration
}

// account is the state, or the pair of states, and the distribution that the program is asked
// about, and the meter when that began.
type account struct {
	from  string
	logf  []float64
	begun meter
}

// openState begins the account of a state, or of a pair of them, under a distribution, unless it is
// that account already.
func (a *account) openState(logf []float64, from string, now meter) {
	if a.logf == nil || a.from != from || !slices.Equal(a.logf, logf) {
		*a = account{from, slices.Clone(logf), now}
	}
}

// overspent returns an error if the program costs more than it may, and nil elsewhere. A program
// that makes its own choices has no account of a state, so only its time in all is bounded.
func (k *Program) overspent() error {
	now := k.meter
	if allowed := slackReplies*k.patience() + time.Duration(now.lines)*perLine +
		time.Duration(now.moves)*perMove + time.Duration(now.whole)*perWhole; now.waited > allowed {
		return errs.New("it took %v for %d lines, and the limit is %v on average plus %v; answer faster",
			now.waited.Round(time.Millisecond), now.lines,
			perLine, slackReplies*k.patience())
	}
	if k.account.from == "" {
		return nil
	}
	begun := k.account.begun
	from := k.account.from
	switch waited := now.waited - begun.waited; {
	case now.choices-begun.choices > maxWalked:
		return fmt.Errorf("from %s it asked for %d choices without a result; bound its loops, or make fewer choices",
			from, maxWalked)
	case now.said-begun.said > maxSaid:
		return fmt.Errorf("from %s it sent %s without a result; make fewer choices with long lists", from,
			selector.Bytes(maxSaid))
	case now.restarts-begun.restarts > maxRestarts:
		return fmt.Errorf(`from %s it had to be restarted %d times, because it does not answer an abort with `+
			`{"aborted":true} and the id: do that, or bound its loops`,
			from,
			maxRestarts)
	case waited > stateReplies*k.patience():
		return fmt.Errorf("from %s it took %v without a result; answer faster, or make fewer choices", from,
			waited.Round(time.Millisecond))
	}
	return nil
}

// patience returns how long the program may take for one reply.
func (k *Program) patience() time.Duration {
	if k.bounded {
		return startReplies * k.deadline
	}
	return k.deadline
}

// list fails if a choice has more outcomes than can be enumerated, or the line of the choice has
// too many bytes to be read once for each outcome.
func list(outcomes int, bytes int64) error {
	if outcomes > maxWalked {
		return errs.New("a choice of %d outcomes, and the limit is %d; make it in several steps", outcomes, maxWalked)
	}
	if total := int64(outcomes) * bytes; total > maxSaid {
		return errs.New("a choice of %d outcomes in a line of %s, which is sent once for each outcome, and the limit is "+
			"%s in all; make it in several steps",
			outcomes, selector.Bytes(bytes), selector.Bytes(maxSaid))
	}
	return nil
}
