// Package records answers: do the records of an external program follow the exact distribution of
// what it should do, and if not, which known mistake do they follow? A record is a row of whole
// numbers and of real ones that come from a list of values. The package knows no algorithm: kinds
// of records, such as those of particles and of tempering, come with their distributions.
//
// Tests are e-processes, which may be read at any time. It never draws, and never runs a program.
//
// # Add a kind of checked sampler
//
//  1. Write experiments/checks/conform/NAME, like tempering: a function Sampler that returns a
//     Sampler, its name, flags and help, and a type that implements Task. Kinds has, for each kind
//     of record, its columns and its Ways: the distribution of the specification and those of all
//     known mistakes, as lists of records with probabilities, or a Chain if these are too many to
//     list. Document is the content of task.json, and Page is what its README adds. A bug is a
//     function in experiments/checks/planted.
//  2. Add a line to Samplers in reports/views/checks/conformrecords.go. The commands, the folder,
//     tests, odds, names, tables and JUnit follow.
//  3. Test the distribution against another route, every bug named, and refusals. Put a correct
//     program into experiments/checks/conform/examples.
package records

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"breadboard/chains/number"
	"breadboard/experiments/study/check"
	"breadboard/experiments/verdicts"
)

// DefaultAlpha is the probability of a false alarm among all tests of a check.
const DefaultAlpha = check.DefaultAlpha

// Source yields records of an external program.
type Source struct {
	Name    string
	Columns []string // names from Kind.Columns, in any order; a missing group is not tested
	// Next returns the next records, at most n, with the numbers of all columns of the kind in
	// their order, and any numbers in missing columns. After the last one it returns io.EOF.
	Next func(ctx context.Context, n int) ([]Record, error)
}

// Options are the options of Check.
type Options struct {
	Alpha    float64        // the probability of a false alarm among all tests
	Runs     int            // the largest number of runs to read of a source; 0 is all
	Progress func(runs int) // called with the number of runs read since the last call; may be nil
}

// ValidateAlpha fails if alpha is not a valid probability of a false alarm.
func ValidateAlpha(alpha float64) error {
	if !(alpha >= 1e-100 && alpha < 1) {
		return fmt.Errorf("alpha %v; the probability of a false alarm is from 1e-100 to below 1", alpha)
	}
	return nil
}

// Validate fails if the options are invalid.
func (o Options) Validate() error {
	if o.Runs < 0 {
		return fmt.Errorf("at most %d runs; give a positive number, or 0 for all", o.Runs)
	}
	return ValidateAlpha(o.Alpha)
}

// Outcome is the result of Check.
type Outcome struct {
	Alpha        float64
	LogThreshold float64 // the least log e-value that is a fault
	Results      []Result
	Sides        []Side
}

// Side is the result for the records of one kind.
type Side struct {
	Kind    string
	Source  string
	Runs    int
	Missing []Group // the groups that are not tested, for lack of their columns
	Inexact []Inexact
	Fault   bool
	// Odds are all distributions with their odds against the specification, the likeliest first.
	// Distributions that the columns cannot tell apart are adjacent.
	Odds []Suspect
	// Named are the known mistakes that explain the runs: one, or several with the same
	// distribution. It is empty if there is no fault, if none of them explains the runs, and if
	// there are too few runs to say. NamedAt is the number of runs at which it was first named.
	Named       []string
	NamedAt     int
	Lead        verdicts.Lead
	Survived    float64 // the number of runs read, divided by the number that finds the named mistake; 0 if none is named
	Unexplained bool    // whether there is a fault that the likeliest known mistake does not explain
}

// Suspect is one distribution, with its odds.
type Suspect struct {
	Hypothesis, Meaning string
	Log                 float64 // the log odds against the specification, in nats; NaN if both are impossible
	// Found is the number of runs after which a test finds the distribution with a probability of
	// verdicts.DetectionProbability, by the columns that are there; +Inf if no number does, and
	// NaN of the specification.
	Found float64
}

// Fault reports whether a test found a fault.
func (o *Outcome) Fault() bool {
	return slices.ContainsFunc(o.Results, func(r Result) bool { return r.Fault })
}

// checkedSide holds the tests of one kind.
type checkedSide struct {
	laws        *sideLaws
	source      Source
	groups      map[string]bool
	tallies     []*tally
	odds        *odds
	tests       []*verdicts.Watch                                      // of the tallies, and of the odds
	powers      []func(runs int, logThreshold float64) (Power, string) // by test: what it would have found, or why that is next to nothing
	real        real
	columns     []column // of real numbers
	waiting     []sent   // until it is known whether few digits of a number are written, or it is none of the distributions'
	runs        int
	seen        int // the number of runs that the tests have seen
	ended       bool
	named       []int // the distributions that explain the runs
	namedAt     int   // the number of runs at which it was named
	lead        verdicts.Lead
	unexplained bool
	found       []float64 // by distribution: how many runs find it by the columns that are there
}

// Check tests records against the exact distributions of a task. It reads the sources, one for each
// kind in its order, some of which may be nil, until they end, until Options.Runs have been read,
// or until a fault is certain and named. If the context ends it returns its error together with the
// outcome so far.
func (l *Laws) Check(ctx context.Context, sources []*Source, o Options) (*Outcome, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	var sides []*checkedSide
	var names []string
	run := verdicts.Sequential{First: 1, Most: o.Runs}
	for i, source := range sources {
		names = append(names, l.sides[i].Name)
		if source == nil {
			continue
		}
		s, err := l.sides[i].checked(*source)
		if err != nil {
			return nil, err
		}
		sides, run.Tests = append(sides, s), append(run.Tests, s.tests...)
	}
	if len(sides) == 0 {
		return nil, errors.New("there is no data; give " + strings.Join(names, " or "))
	}
	logThreshold := number.Log(float64(len(run.Tests))) - number.Log(o.Alpha)
	for _, t := range run.Tests {
		t.LogThreshold = logThreshold
	}
	for _, s := range sides {
		s.found = s.foundBy(logThreshold)
	}
	run.Grow = func(ctx context.Context, runs int) error {
		var err error
		for _, s := range sides {
			if err = errors.Join(err, s.readTo(ctx, runs, o.Progress)); err != nil && ctx.Err() == nil {
				return err
			}
			if few := s.fewDigits(runs == o.Runs); few != nil && ctx.Err() == nil {
				return few
			}
			s.update()
		}
		if err == nil && !slices.ContainsFunc(sides, func(s *checkedSide) bool { return !s.ended }) {
			return io.EOF
		}
		return err
	}
	run.Decided = func() bool {
		for _, s := range sides {
			s.name(logThreshold)
		}
		return decided(sides)
	}
	err := run.Run(ctx)
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	return outcome(sides, o.Alpha, logThreshold), err
}

// checked sets up the tests of a source.
func (s *sideLaws) checked(source Source) (*checkedSide, error) {
	groups, err := s.grouped(source.Columns)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", source.Name, err)
	}
	c := &checkedSide{laws: s, source: source, groups: groups, columns: make([]column, len(s.Reals))}
	parts := s.Kind.parts(groups)
	add := func(test string, value func() (logE float64, statistic string), power func(runs int, logThreshold float64) (Power, string)) {
		w := &verdicts.Watch{Name: s.Name + ": " + test, Count: func() int { return c.seen }, Where: func() string { return "" }}
		w.Value = func() (float64, func() string) {
			if len(c.waiting) > 0 { // nothing new: the records that do not wait are no longer drawn from the distribution
				return w.LogE, w.Where
			}
			logE, statistic := value()
			return logE, func() string { return statistic }
		}
		c.tests, c.powers = append(c.tests, w), append(c.powers, power)
	}
	for i, p := range parts {
		t := &tally{part: p, counts: map[string]int{}, first: map[string]sent{}, learned: c.followed() && i+1 == len(parts)}
		c.tallies = append(c.tallies, t)
		if t.learned { // it has the odds of all distributions; a test of its own would find next to nothing
			t.laws = newLearned(len(s.Ways))
			continue
		}
		t.laws = s.of(&p)
		add(p.name, func() (float64, string) { return t.logE(s) }, t.power)
	}
	if !c.listed() && groups[s.Reals[0].Group] {
		c.addChainTests(add)
	}
	c.odds = c.newOdds()
	add("known ways to get it wrong", func() (float64, string) { return c.odds.logE(), c.likeliest() }, c.knownPower)
	return c, nil
}

// readTo reads until there are that many runs.
func (s *checkedSide) readTo(ctx context.Context, runs int, progress func(int)) error {
	for s.runs < runs && !s.ended {
		batch, err := s.source.Next(ctx, runs-s.runs)
		for _, r := range batch {
			s.runs++
			s.read(sent{Record: r, run: s.runs})
		}
		if progress != nil {
			progress(len(batch))
		}
		switch {
		case errors.Is(err, io.EOF) && s.runs == 0:
			return fmt.Errorf("%s: there are no runs in it", s.source.Name)
		case errors.Is(err, io.EOF):
			s.ended = true
		case err != nil:
			return err
		}
	}
	return nil
}

// update has the odds and the tests see what was read, unless records wait.
func (s *checkedSide) update() {
	if len(s.waiting) == 0 {
		s.seen = s.runs
		if len(s.tallies) > 0 {
			s.odds.look(s.tallies[len(s.tallies)-1].counts)
		}
	}
}

// likeliest says which known way to get it wrong is the likeliest, if one is likelier than the
// specification.
func (s *checkedSide) likeliest() string {
	laws := s.odds.best()
	switch {
	case laws == nil && math.IsInf(s.odds.log[0], -1):
		return "the data are impossible under the specification and under every known mistake"
	case laws == nil || s.odds.logOdds(laws[0]) <= 0:
		return "no known mistake is likelier than the specification"
	}
	name, odds := s.laws.Ways[laws[0]].Name, s.odds.logOdds(laws[0])
	if math.IsInf(odds, 1) {
		return fmt.Sprintf("the data are impossible under the specification, but possible under %q", name)
	}
	return fmt.Sprintf("%q is 10^%.1f times as likely as the specification", name, odds/math.Ln10)
}

// fault reports whether a test has found a fault.
func (s *checkedSide) fault() bool {
	return slices.ContainsFunc(s.tests, func(t *verdicts.Watch) bool { return t.Fault })
}

// decided reports whether there is a fault and every faulty side has its name, or has none, or has
// had time for it.
func decided(sides []*checkedSide) bool {
	fault := false
	for _, s := range sides {
		if !s.fault() {
			continue
		}
		fault = true
		certain := s.runs
		for _, t := range s.tests {
			if t.Fault {
				certain = min(certain, t.At)
			}
		}
		// That many runs are read to say which fault it is: 16 times as many as have made it
		// certain, and 4096 at least.
		if s.namedAt == 0 && !s.unexplained && !s.ended && s.runs < max(16*certain, 1<<12) {
			return false
		}
		if times := s.survived(); times > 0 && times < verdicts.EnoughRecords && !s.ended {
			return false
		}
	}
	return fault
}

// survived returns how many times as many runs were read as it takes to find what is named; 0 if
// nothing is.
func (s *checkedSide) survived() float64 {
	if len(s.named) == 0 {
		return 0
	}
	return float64(s.runs) / s.found[s.named[0]]
}

// outcome collects what was found.
func outcome(sides []*checkedSide, alpha, logThreshold float64) *Outcome {
	out := &Outcome{Alpha: alpha, LogThreshold: logThreshold}
	for _, s := range sides {
		out.Results = append(out.Results, s.results(logThreshold)...)
		side := Side{Kind: s.laws.Name, Source: s.source.Name, Runs: s.runs, Fault: s.fault(), Inexact: s.inexact(), NamedAt: s.namedAt, Lead: s.lead,
			Survived: s.survived(), Unexplained: s.unexplained}
		for _, g := range s.laws.Groups {
			if !s.groups[g.Name] {
				side.Missing = append(side.Missing, g)
			}
		}
		for _, h := range s.odds.ranked() {
			side.Odds = append(side.Odds, Suspect{s.laws.Ways[h].Name, s.laws.Ways[h].Meaning, s.odds.logOdds(h), s.found[h]})
		}
		for _, h := range s.named {
			side.Named = append(side.Named, s.laws.Ways[h].Name)
		}
		out.Sides = append(out.Sides, side)
	}
	return out
}

// Result is the result of a test.
type Result struct {
	Test      string  // with the kind of records before it
	Runs      int     // the number of runs that it has seen
	LogE      float64 // its log e-value at the last look; +Inf if something impossible was sent
	Fault     bool
	At        int // the number of runs at the look at which the fault was certain; 0 if there is none
	Statistic string
	Power     Power
	// Open says why the test is not a pass: it would have found next to nothing. It is empty if the
	// test has found a fault or would have found some.
	Open string
}

// tally counts the cells of one part of the records, and compares them with the distribution of the
// specification.
type tally struct {
	part
	laws   *partLaws
	counts map[string]int
	first  map[string]sent // by cell: the first record in it
	// learned says that the distributions know only the records that were sent: those of a chain
	// with all its columns.
	learned bool
}

// add counts a record, and returns its cell where it is the first in it.
func (t *tally) add(r *sent) (first string) {
	cell := t.of(r.key, r.places)
	if t.counts[cell]++; t.counts[cell] == 1 {
		t.first[cell] = *r
		return cell
	}
	return ""
}

// ordered returns the counts of the cells of a distribution and their probabilities, and how many
// records are in none, of which stray is the first.
func (t *tally) ordered(law map[string]float64, cells []string) (counts []int, p []float64, strays int, stray string) {
	for _, cell := range cells {
		counts, p = append(counts, t.counts[cell]), append(p, law[cell])
	}
	for cell, n := range t.counts {
		if law[cell] == 0 {
			strays += n
			if stray == "" || t.first[cell].run < t.first[stray].run {
				stray = cell
			}
		}
	}
	return counts, p, strays, stray
}

// logE returns the log e-value of the counts against the specification, and what deviates most.
func (t *tally) logE(s *sideLaws) (logE float64, statistic string) {
	cells := t.laws.specified
	counts, p, strays, stray := t.ordered(t.laws.laws[0], cells)
	if strays > 0 {
		return math.Inf(1), fmt.Sprintf("%s is impossible; impossible runs: %d, of which the first is run %d", t.describe(stray, s), strays, t.first[stray].run)
	}
	return verdicts.CountsLogE(counts, p), verdicts.WorstCell(counts, p, func(i int) string { return t.describe(cells[i], s) })
}

// unknownLogE returns the log e-value of the counts against a distribution, where the alternative
// is an unknown distribution around the mean of all that are known: the mixture of
// verdicts.CountsLogE. It is +Inf if something was sent that is impossible under the distribution.
func (t *tally) unknownLogE(law map[string]float64) float64 {
	cells := t.laws.all
	counts, p, strays, _ := t.ordered(t.laws.mean, cells)
	if strays > 0 {
		return math.Inf(1)
	}
	ratio := 0.0
	for i, n := range counts {
		if n > 0 {
			ratio += float64(n) * number.LogRatio(p[i], law[cells[i]])
		}
	}
	return verdicts.CountsLogE(counts, p) + ratio
}

// describe names a cell.
func (t *tally) describe(cell string, s *sideLaws) string {
	text := ""
	for k, i := range t.whole {
		text += fmt.Sprintf(", %s = %d", s.Wholes[i].Name, int8(cell[k]))
	}
	rest := cell[len(t.whole):]
	for _, i := range t.reals {
		at := int(int32(uint32(rest[0]) | uint32(rest[1])<<8 | uint32(rest[2])<<16 | uint32(rest[3])<<24))
		if rest = rest[4:]; at == unknown {
			v := t.first[cell].Reals[i]
			text += fmt.Sprintf(", %s = %v (not a value of any known program; the nearest value is %v)", s.Reals[i].Name, v, s.values[i][nearest(s.values[i], v)].low)
		} else {
			text += fmt.Sprintf(", %s = %.6g", s.Reals[i].Name, s.values[i][at].low)
		}
	}
	return text[2:]
}
