package conform

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"sync"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/simulate"
	"breadboard/exact"
	"breadboard/experiments/checks/annealed"
	"breadboard/experiments/checks/conform/hypotheses"
	"breadboard/experiments/draws"
	"breadboard/experiments/verdicts"
)

// side takes the chains of one direction.
type side struct {
	d       chains.Direction
	source  draws.Source
	columns annealed.Columns
	rows    int
	ended   bool
	// the first rows, which are read before there are tests
	pending *draws.Batch
	next    func(ctx context.Context, rows int) (*draws.Batch, error) // returns the rows after them
	stop    func()                                                    // ends reading
	// the log weights of a batch without the constant that all have
	buffer []float64

	laws     *annealed.ChainLaws // for log weights with the digits of this source
	chain    *annealed.Tally
	weights  logarithms // of the log weights, taken for weights
	set      *hypotheses.Set
	outcomes *hypotheses.Tally // nil if there is no set
	together *test             // of all columns of a chain; nil if there is no set
	repeats  *repeats          // nil if there is no set
	paths    *paths            // nil if there are no paths, or too many cells

	first, last, logw *Histogram // nil if the column is missing
	law               *Histogram // of log w in equal cells; nil if it is missing
	tests             []*test
	untested          []string
}

const (
	// the rounding of a log weight of one nat from which on a note says that it hides something
	coarse = 1e-5
	// the number of rows that are read before anything else is made. They say how log weights are
	// written.
	firstRows = 256
)

// newSide reads the first rows of a source and sets up the tests that its columns allow.
func (c *checker) newSide(ctx context.Context, d chains.Direction, source draws.Source) (*side, error) {
	most := firstRows
	if c.Chains > 0 {
		most = min(most, c.Chains)
	}
	b, err := gathered(ctx, source, most)
	if err != nil && (ctx.Err() == nil || b.Rows == 0) {
		return nil, err
	}
	if b.Rows == 0 {
		return nil, fmt.Errorf("%s: there are no chains in it", source.Name())
	}
	has := source.Columns()
	s := &side{
		d:       d,
		source:  source,
		pending: b,
		columns: annealed.Columns{First: has.XFirst, Last: has.XLast, LogW: has.LogW},
	}
	if s.columns == (annealed.Columns{}) {
		return nil, errs.New(
			"%s: it has no column of chains; write log_w, x_first or x_last, or whole paths x_1 to x_T",
			source.Name(),
		)
	}
	s.addChain(c)
	s.addHistograms(c)
	if p := source.Precision(); has.LogW && p.Rounding(1) >= coarse {
		s.untested = append(s.untested,
			fmt.Sprintf("the log weights of %s have few digits and are compared only to %.2g; write all digits, "+
				"or smaller errors are hidden",
				source.Name(),
				p.Rounding(1)))
	}
	s.next = source.Next
	s.stop = func() {}
	if c.Chains == 0 && !c.UntilDecided { // everything is read, so that nothing is read in vain
		a := newAhead(ctx, source)
		s.next = a.next
		s.stop = a.stop
	}
	err = s.addOutcomes(ctx, c)
	if err == nil && has.Path {
		err = s.addPaths(ctx, c)
	}
	if err != nil && ctx.Err() != nil {
		// the rows that have been read are tested by what is known without more work
		s.untested = append(s.untested,
			fmt.Sprintf("the run was interrupted before all distributions of the %s chains were known, so some "+
				"tests and the known mistakes are omitted",
				s.d))
		err = nil
	}
	return s, err
}

func (s *side) count() int { return s.rows }

// addChain sets up the tests of whole chains.
func (s *side) addChain(c *checker) {
	s.laws = c.laws
	if s.columns.LogW {
		rounding := s.shiftedRounding(c)
		law := c.laws.LogW(s.d)
		low, high := law.Support()
		s.laws = c.all.roundedBy(max(rounding(low), rounding(high)))
	}
	s.chain = annealed.NewTally(s.laws, s.d, s.columns)
	for _, t := range s.chain.Tests() {
		s.tests = append(s.tests, &test{Result: Result{Test: t.Name}, draws: s.count, value: t.Value})
	}
	s.untested = append(s.untested, s.chain.Untested()...)
}

// addOutcomes sets up the test of all columns of a chain together, and with it the odds of the
// hypotheses.
func (s *side) addOutcomes(ctx context.Context, c *checker) error {
	set, err := c.all.makeSet(ctx, setKey{s.d, s.columns, s.source.Precision(), c.shift, c.LogZIncluded},
		s.shiftedRounding(c), c.Workers, c.LawProgress)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		s.untested = append(s.untested, fmt.Sprintf("the known mistakes are not compared: %v", err))
		return nil
	}
	if s.columns.LogW && !set.Columns.LogW {
		s.untested = append(s.untested, fmt.Sprintf(
			"the %s log weights have too few digits to compare known mistakes; write all digits",
			s.d,
		))
	}
	s.set = set
	s.outcomes = set.NewTally(simulate.NewStream(c.Seed, "conform "+s.d.String(), 0))
	s.together = &test{
		Result: Result{Test: s.d.String() + " outcomes"}, draws: s.count,
		value: func() (float64, func() string) {
			return s.outcomes.LogE(), func() string { return s.outcomes.Worst(c.state) }
		},
		row: func() string { return s.impossible(c) },
	}
	s.repeats = newRepeats(c.laws.Annealing().States(), s.columns, set.Chance)
	s.tests = append(s.tests, s.together,
		&test{Result: Result{Test: s.d.String() + RepeatsTest}, draws: s.count, value: s.repeats.logEValue})
	return nil
}

// impossible says which chain was the first that the task gives no probability; empty if there was
// none.
func (s *side) impossible(c *checker) string {
	x := s.outcomes.Impossible
	if x == nil {
		return ""
	}
	text := fmt.Sprintf("row %d: no path has", x.Row+1)
	if s.columns.First {
		text += " x_1 = " + c.state(x.First) + ","
	}
	if s.columns.Last {
		text += " x_T = " + c.state(x.Last) + ","
	}
	if s.columns.LogW {
		text += " log w = " + tenDigits(x.LogW+c.shift) + ","
	}
	return text[:len(text)-1]
}

// shiftedRounding returns how far a log weight, from which the shift has been taken, may be from
// what was computed.
func (s *side) shiftedRounding(c *checker) func(v float64) float64 {
	written := c.writtenRounding(s.source.Precision())
	return func(v float64) float64 { return written(v + c.shift) }
}

// writtenRounding returns how far a number that was written so may be from what was computed: by
// the digits that it is written with, and by those that a constant in log weights takes.
func (c *checker) writtenRounding(p draws.Precision) func(v float64) float64 {
	lost := 0.0
	if c.shift != 0 {
		lost = math.Abs(c.shift) * 0x1p-52 * float64(c.laws.Annealing().Distributions())
	}
	if p.Bits > 0 { // who writes single precision has computed in it, which is then no fault
		lost = max(lost, hypotheses.SingleError(c.all.size, c.laws.Annealing().Distributions()))
	}
	return func(v float64) float64 { return max(lost, p.Rounding(v)) }
}

// addPaths sets up the tests of whole paths.
func (s *side) addPaths(ctx context.Context, c *checker) error {
	a, err := exact.WithReversal(ctx, c.task.Case.Annealing())
	if err != nil {
		return err
	}
	slack := func(p draws.Precision) func(v float64) float64 {
		rounding := c.writtenRounding(p)
		return func(v float64) float64 { return max(hypotheses.Tolerance*c.all.size, rounding(v)) }
	}
	p, why, err := newPaths(ctx, a, s.d, c.state)
	if err != nil {
		return err
	}
	if p == nil {
		s.untested = append(s.untested, why)
		return nil
	}
	p.included, p.slack, p.incrementSlack = c.shift-c.all.offset, slack(s.source.Precision()),
		slack(s.source.IncrementPrecision())
	p.weighed = s.columns.LogW || s.source.Columns().Increments
	if !p.weighed {
		s.untested = append(s.untested, fmt.Sprintf(
			"the %s chains have neither log weights nor increments, so these are not checked against the paths",
			s.d,
		))
	}
	s.paths = p
	s.tests = append(s.tests, p.tests()...)
	return nil
}

func (s *side) addHistograms(c *checker) {
	if s.columns.First {
		s.first = stateHistogram("x_1", c.laws.First(s.d))
	}
	if s.columns.Last {
		s.last = stateHistogram("x_T", c.laws.Last(s.d))
	}
	if s.columns.LogW {
		s.logw, s.law = c.all.histograms(s.d)
	}
}

// readTo reads until there are that many rows, or the source ends.
func (s *side) readTo(ctx context.Context, c *checker, rows int) error {
	for s.rows < rows && !s.ended {
		if s.takePending(c) {
			continue
		}
		b, err := s.next(ctx, min(rows-s.rows, maxBatch))
		if errors.Is(err, io.EOF) {
			s.ended = true
			return nil
		}
		if err != nil {
			return err
		}
		s.addChains(c, b)
	}
	return nil
}

// takePending takes the rows that were read before there were tests, and reports whether there were
// any.
func (s *side) takePending(c *checker) bool {
	b := s.pending
	s.pending = nil
	if b != nil {
		s.addChains(c, b)
	}
	return b != nil
}

// shifted returns log weights without a constant. What was sent is left as it is.
func (s *side) shifted(logw []float64, shift float64) []float64 {
	if shift == 0 || logw == nil {
		return logw
	}
	s.buffer = append(s.buffer[:0], logw...)
	floats.AddConst(-shift, s.buffer)
	return s.buffer
}

// maxBatch is the largest number of rows that are read at once.
const maxBatch = 1 << 15

// addChains takes the next chains.
func (s *side) addChains(c *checker, b *draws.Batch) {
	first := b.XFirst
	last := b.XLast
	logw := s.shifted(b.LogW, c.shift)
	var both sync.WaitGroup
	if s.outcomes != nil { // this takes about as long as all the others together
		both.Go(func() { s.outcomes.Add(first, last, logw) })
		both.Go(func() { s.repeats.addEnds(first, last, logw) })
	}
	s.chain.Add(first, last, logw)
	if s.paths != nil {
		s.paths.addPaths(b, logw, c.all.offset)
	}
	if s.first != nil {
		s.first.addStates(first)
	}
	if s.last != nil {
		s.last.addStates(last)
	}
	if s.logw != nil {
		s.logw.addWeights(logw)
		s.law.addEqual(logw)
		s.weights.addWeights(logw)
	}
	both.Wait()
	s.rows += b.Rows
	c.compareChains(s.d, b)
}

// logarithms tells weights from log weights: if every number is positive, it tests whether their
// logarithms have the right mean. It is a suspicion and no hypothesis, because the distribution of
// the weights themselves is known only if they can be listed.
type logarithms struct {
	n, positive int
	sum         float64
}

func (l *logarithms) addWeights(logw []float64) {
	l.n += len(logw)
	for _, v := range logw {
		if v > 0 && !math.IsInf(v, 0) {
			l.positive++
			l.sum += number.Log(v)
		}
	}
}

// suspicion says that the numbers may be weights; it is empty if they are none.
func (l *logarithms) suspicion(s *side, laws *annealed.ChainLaws, logThreshold float64) string {
	if l.n == 0 || l.positive < l.n {
		return ""
	}
	powers, k := laws.CGF(s.d)
	if verdicts.WeightsLogE(l.sum, l.n, powers, k) >= logThreshold {
		return ""
	}
	return fmt.Sprintf(
		"the %s log weights are all positive, and their logarithms have the right mean for log weights: "+
			"if they are weights, write their natural logarithms",
		s.d,
	)
}
