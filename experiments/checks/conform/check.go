// Package conform answers: does an external implementation of annealed importance sampling do what
// the task says, and if not, what does it do instead? It tests chains of the implementation against
// the exact distributions of a task (see New), in every way that their columns allow: both ends,
// the log weights, all of these together, independence, and the transitions and increments of whole
// paths. The tests are e-processes: over all of them, at any time, a false alarm has at most a
// probability of alpha. With the verdict it reports the odds of every known mistake (package
// hypotheses), and which deviations a pass excludes.
//
// New makes a task of one annealing: everything needed to implement it in another language. Files
// is its folder: log f, betas, the exact matrix of the kernel at every stage, all conventions in
// words, one chain of each direction worked out with every number, and programs with blanks.
// ReadTask rebuilds the annealing from the folder. It fails if the numbers are not those of the
// annealing that the folder names, bit for bit. It starts a program that a folder names only if its
// caller allows it.
//
// Estimates of Z by any algorithm are tested against a claim about them (ClaimForms, package
// verdicts).
//
// It never compares with a tolerance, except for the rounding of the received numbers. It never
// says that an implementation is right: only what was tested, and what would have been found.
//
// # Add a claim about estimates
//
// A claim of conform estimates is a form in estimate.go, whose test is made by a function of
// package verdicts. Help, errors and completion follow. Add a line to attainedClaims of the tests:
// an estimator that just satisfies the claim, and one that just fails it.
package conform

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/experiments/checks/annealed"
	"breadboard/experiments/checks/conform/hypotheses"
	"breadboard/experiments/draws"
	"breadboard/experiments/programs"
	"breadboard/experiments/subject"
	"breadboard/experiments/verdicts"
	"breadboard/reports/check"
)

// DefaultAlpha is the probability of a false alarm in a run.
const DefaultAlpha = check.DefaultAlpha

// Input holds the received rows; a source is nil if there is none.
type Input struct {
	Forward, Reverse draws.Source // chains
	Moves            draws.Source // single moves of the kernel: beta, from, to
	Estimates        draws.Source // of log Z: log_z

	// seeds is what a program does with its seeds, by direction; nil if the chains are not a
	// program's.
	seeds [2]*programs.SeedTest
}

// Options are the options of Check.
type Options struct {
	Alpha        float64   // the probability of a false alarm among all tests of the run
	Seed         uint64    // of the noise with which log weights are put into bins
	LogZIncluded bool      // log weights hold log Z_1 as well
	Estimates    Estimates // the claim about estimates, if there are any
	Chains       int       // the largest number of rows to read of a source; 0 is all
	UntilDecided bool      // stop reading when a fault is certain and the odds say which one it is
	Workers      int
	// called with the number of rows that have been read since the last call; may be nil
	Progress func(rows int)
	// LawProgress is called with the steps that have been made of the LawSteps of each direction,
	// which come before rows are taken; may be nil.
	LawProgress func(steps int)
}

// LawSteps returns the number of steps of the distributions of the input.
func (in Input) LawSteps() (steps int) {
	for _, s := range []draws.Source{in.Forward, in.Reverse} {
		if s != nil {
			steps += hypotheses.LawSteps()
		}
	}
	return steps
}

// Validate returns an error if options are invalid.
func (o Options) Validate() error {
	if err := check.ValidateAlpha(o.Alpha); err != nil {
		return err
	}
	if o.Chains < 0 {
		return errs.New("at most %d chains; give a positive number, or 0 for all", o.Chains)
	}
	return nil
}

// Outcome is the result of Check.
type Outcome struct {
	Task      *Task
	Alpha     float64
	Threshold float64 // the e-value from which on a test of chains finds a fault
	Results   []Result
	Sides     []Side
	Moves     int               // the number of single moves
	Estimates *EstimatesOutcome // nil if there are none
	Untested  []string          // what is not tested, and why, one sentence each
}

// Fault reports whether a test found a fault.
func (o *Outcome) Fault() bool { return check.Faulty(o.Results) }

// checker holds the tests of a run.
type checker struct {
	Options
	task  *Task
	all   *Laws
	laws  *annealed.ChainLaws // of whole chains; nil if there are none
	state func(x int) string
	// shift is the constant that is taken from every log weight: log Z_1 where it is included, and
	// a large constant in log f.
	shift float64

	sides     [2]*side // nil if there is no source
	lock      sync.Mutex
	pair      *annealed.PairTally // nil without both directions
	remarks   []string            // sentences about what was sent
	moves     *moves
	movesOf   draws.Source
	movesEnd  bool
	estimates *estimating // nil if there are none
	tests     []*test
	fixed     int // the number of tests that are not of single moves
	certain   int // the number of draws after which the first fault was certain; 0 before it is
}

// Check tests the input against the exact distributions of a task. All sources are read in rounds,
// each of which doubles the number of rows. Every test is evaluated after each round, so that the
// results do not depend on the number of workers. If the context ends Check returns its error
// together with the outcome so far; there is no outcome before the first row, nor with any other
// error.
func Check(ctx context.Context, t *Task, in Input, o Options) (*Outcome, error) {
	return NewLaws(t).Check(ctx, in, o)
}

// Check is the function Check for one of many implementations of a task.
func (l *Laws) Check(ctx context.Context, in Input, o Options) (*Outcome, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if in == (Input{}) {
		return nil, errs.New("there is no data; give chains, moves or estimates")
	}
	c, err := newChecker(ctx, l, in, o)
	if err != nil {
		return nil, err
	}
	defer c.stop()
	run := verdicts.Sequential{
		First:   firstRows,
		Most:    o.Chains,
		Decided: func() bool { return o.UntilDecided && c.decided() },
	}
	run.Grow = func(ctx context.Context, rows int) error {
		err := c.readTo(ctx, rows)
		if err != nil && ctx.Err() == nil {
			return err
		}
		c.takePending()
		c.updateTests()
		if err == nil && c.ended() {
			return io.EOF
		}
		return err
	}
	if err := run.Run(ctx); err != nil {
		if ctx.Err() == nil {
			return nil, err
		}
		return c.outcome(), ctx.Err()
	}
	out := c.outcome()
	return out, c.guarantees(ctx, out)
}

// newChecker sets up the tests of all sources.
func newChecker(ctx context.Context, l *Laws, in Input, o Options) (*checker, error) {
	t := l.task
	c := &checker{Options: o, task: t, all: l, state: labels(t.Case.Toy), shift: l.offset}
	if o.LogZIncluded {
		c.shift += t.LogZ1
	}
	var err error
	if in.Forward != nil || in.Reverse != nil {
		c.laws, err = l.ofChains(ctx)
		if err != nil {
			return nil, err
		}
	}
	for d, source := range []draws.Source{in.Forward, in.Reverse} {
		if source == nil {
			continue
		}
		s, err := c.newSide(ctx, chains.Direction(d), source)
		if err != nil && (ctx.Err() == nil || c.sides[0] == nil) {
			return nil, err
		}
		if err != nil { // interrupted: the forward chains have come, and nothing of the reverse ones
			c.remarks = append(c.remarks,
				fmt.Sprintf("the run was interrupted before any row of %s was read", source.Name()))
			continue
		}
		c.sides[d] = s
		c.tests = append(c.tests, s.tests...)
	}
	c.addPair()
	c.addSeeds(in)
	err = c.addEstimates(ctx, in.Estimates, o.Estimates)
	if err != nil {
		return nil, err
	}
	c.fixed = len(c.tests)
	c.movesOf = in.Moves
	if in.Moves != nil {
		added := func(t *test) { c.tests = append(c.tests, t) }
		c.moves = &moves{a: t.Case.Annealing(), state: c.state, place: map[float64]*movesAt{}, added: added}
	}
	return c, nil
}

// stop ends all reading.
func (c *checker) stop() {
	for _, s := range c.sides {
		if s != nil {
			s.stop()
		}
	}
}

// addPair sets up the tests of both directions together: that they are independent, and that of the
// outcomes of both, which finds a bug that is in both of them with fewer chains. It comes after the
// tests of the directions, of which it is made.
func (c *checker) addPair() {
	if c.sides[0] == nil || c.sides[1] == nil {
		return
	}
	c.pair = annealed.NewPairTally(c.laws, c.sides[0].columns, c.sides[1].columns)
	for _, t := range c.pair.Tests() {
		c.tests = append(c.tests, &test{Result: Result{Test: t.Name}, draws: c.pairCount, value: t.Value, both: true})
	}
	f := c.sides[0].together
	r := c.sides[1].together
	if f == nil || r == nil {
		return
	}
	c.tests = append(c.tests, &test{
		Result: Result{Test: OutcomesTest}, draws: c.pairCount, both: true,
		value: func() (float64, func() string) {
			// right chains of both are independent, so that the product is an e-value
			most := f
			if r.LogE > f.LogE {
				most = r
			}
			return f.LogE + r.LogE, func() string { return most.Test + ": " + most.Statistic }
		},
	})
}

// pairCount returns the number of chains that have come in both directions.
func (c *checker) pairCount() int { return min(c.sides[0].rows, c.sides[1].rows) }

// The names of tests: of both directions together, and, after the direction, of the seeds of a
// program and of chains that repeat others.
const (
	PairTest     = annealed.PairTest
	OutcomesTest = "outcomes of both directions"
	seedsTest    = " seeds"
	RepeatsTest  = " repeated chains"
)

// addSeeds sets up the tests that a program makes other chains from another seed. Their e-values
// are known already.
func (c *checker) addSeeds(in Input) {
	for d, seeds := range in.seeds {
		if seeds == nil {
			continue
		}
		what := "two seeds gave different chains"
		if seeds.Identical {
			what = "two seeds gave the same chains in the same order"
		}
		c.tests = append(c.tests, &test{
			Result: Result{Test: chains.Direction(d).String() + seedsTest},
			draws:  func() int { return seedChains },
			value:  func() (float64, func() string) { return seeds.LogE, func() string { return what } },
		})
		if !seeds.Repeats {
			c.remarks = append(c.remarks, fmt.Sprintf(
				"the program gives different %s chains for the same seed, so a run cannot be repeated",
				chains.Direction(d),
			))
		}
	}
}

// readTo reads every source until it has given that many rows.
func (c *checker) readTo(ctx context.Context, rows int) error {
	return subject.Parallel(ctx, 4, c.Workers, func(ctx context.Context, i int) error {
		switch {
		case i == 3 && c.estimates != nil:
			return c.estimates.readTo(ctx, c, rows)
		case i == 2 && c.moves != nil:
			return c.readMoves(ctx, rows)
		case i < 2 && c.sides[i] != nil:
			return c.sides[i].readTo(ctx, c, rows)
		}
		return nil
	})
}

// takePending takes the first rows of sources that have not been taken because the run was
// interrupted.
func (c *checker) takePending() {
	for _, s := range c.sides {
		if s != nil {
			s.takePending(c)
		}
	}
}

func (c *checker) readMoves(ctx context.Context, rows int) error {
	for c.moves.rows < rows && !c.movesEnd {
		b, err := c.movesOf.Next(ctx, min(rows-c.moves.rows, maxBatch))
		switch {
		case errors.Is(err, io.EOF) && c.moves.rows == 0:
			return fmt.Errorf("%s: there are no moves in it", c.movesOf.Name())
		case errors.Is(err, io.EOF):
			c.movesEnd = true
			return nil
		case err != nil:
			return err
		case b.Beta == nil:
			return errs.New("%s: it has no columns beta, from and to; single moves need them", c.movesOf.Name())
		}
		if err := c.moves.addMoves(ctx, b); err != nil {
			return fmt.Errorf("%s, %w", c.movesOf.Name(), err)
		}
		c.report(b.Rows)
	}
	return nil
}

// compareChains compares the chains of both directions, and reports progress. Both directions call
// it at the same time.
func (c *checker) compareChains(d chains.Direction, b *draws.Batch) {
	if c.pair != nil {
		c.lock.Lock()
		c.pair.Add(d, b.XFirst, b.XLast)
		c.lock.Unlock()
	}
	c.report(b.Rows)
}

func (c *checker) report(rows int) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if c.Progress != nil {
		c.Progress(rows)
	}
}

// logThreshold returns the log of the e-value from which on a test finds a fault. If there are
// single moves, their tests share half of alpha: how many there are is known only when all have
// been read, so that the k-th has a share of 1/(k (k+1)), and all shares together are at most one.
func (c *checker) logThreshold(i int) float64 {
	alpha := c.Alpha
	if c.moves != nil {
		alpha /= 2
	}
	if k := float64(i - c.fixed + 1); k > 0 {
		return number.Log(k*(k+1)) - number.Log(alpha)
	}
	return number.Log(float64(max(1, c.fixed))) - number.Log(alpha)
}

// updateTests brings every test up to date.
func (c *checker) updateTests() {
	for i, t := range c.tests {
		t.updateResult(c.logThreshold(i))
		if t.Fault && c.certain == 0 {
			c.certain = max(1, t.Draws)
		}
	}
}

// ended reports whether there is nothing left to read.
func (c *checker) ended() bool {
	reading := slices.ContainsFunc(c.sides[:], func(s *side) bool { return s != nil && !s.ended })
	return !reading && (c.moves == nil || c.movesEnd) && (c.estimates == nil || c.estimates.ended)
}
