// Package simulated answers: do the chains that a study has drawn follow their exact distributions?
// It runs the tests of external programs (conform) on breadboard's own simulations of annealing.
// All tests are e-processes, so that over all tests of a run a false alarm has a probability of at
// most alpha.
//
// A test that finds no fault is a pass only if it would have found one: a known mistake that the
// chains show at five standard errors must be found by that many chains, with a probability of
// verdicts.DetectionProbability. Otherwise its verdict is open, and Decides is the number of chains
// that would decide.
//
// It never draws a chain, which the studies do, and never compares with a tolerance.
package simulated

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"breadboard/chains/selector"
	"breadboard/chains/simulate"
	"breadboard/experiments/checks/conform"
	"breadboard/experiments/checks/conform/hypotheses"
	"breadboard/experiments/draws"
	"breadboard/experiments/subject"
	"breadboard/reports/check"
	"breadboard/reports/columns"
)

// Options are the options of the tests.
type Options struct {
	Alpha   float64 // the probability of a false alarm among all tests of a call
	Seed    uint64  // of the chains, and of the noise with which log weights are put into bins
	Workers int
	// called with the distributions that have been computed since the last call; may be nil
	Progress func(steps int)
}

// Finding is the result of one test of chains.
type Finding struct {
	subject.Case
	check.Finding
	Draws int // the number of tested chains
	// of an open verdict, the number of chains that would decide; NaN if it is not known, and for
	// other verdicts
	Decides float64
}

// FindingColumns lists the columns of findings.
func FindingColumns() columns.List {
	return slices.Concat(subject.WholeCase((*Finding).TheCase),
		check.Columns[Finding]("chains", "forward *", "reverse *", conform.OutcomesTest), columns.List{
			columns.Of("draws", "draws", "the number of chains that the test has seen",
				func(f *Finding) int { return f.Draws }),
			columns.Of("decided_by", "decided by",
				"of an open verdict, the number of chains that would decide; empty if it is not known",
				func(f *Finding) float64 { return f.Decides }).OrEmpty().Digits(3),
		})
}

// undecided are the findings about something that cannot be tested.
func undecided(c subject.Case, why error) []Finding {
	return []Finding{{c, check.Undecided("chains", why.Error()), 0, math.NaN()}}
}

// CheckAnnealing tests chains of a case in both directions; reverse may be nil. The log weights are
// those of log f as it is given. The states of one end are nil if they are not known.
func CheckAnnealing(ctx context.Context, c subject.Case, forward, reverse *simulate.Batch,
	o Options) ([]Finding, error) {
	if c.Annealing() == nil {
		return undecided(c, errors.New(
			"there are too many states to list, so that the distribution of chains is not known",
		)), nil
	}
	t, err := conform.New(c)
	if err != nil {
		return undecided(c, err), nil
	}
	in := conform.Input{Forward: newBatch("forward chains", forward)}
	if reverse != nil {
		in.Reverse = newBatch("reverse chains", reverse)
	}
	out, err := conform.NewLaws(t).Check(
		ctx,
		in,
		conform.Options{Alpha: o.Alpha, Seed: o.Seed, Workers: o.Workers, LawProgress: o.Progress},
	)
	if err != nil {
		return nil, err
	}
	list := make([]Finding, 0, len(out.Results))
	for _, r := range out.Results {
		f := Finding{c, r.Found(), r.Draws, math.NaN()}
		if r.Decides > 0 {
			f.Decides = r.Decides
		}
		f.Where = strings.TrimPrefix(f.Where+"; "+r.Statistic, "; ")
		for i := range out.Sides {
			s := &out.Sides[i]
			whole := strings.HasPrefix(r.Test, s.Direction.String()+" ")
			switch {
			case f.Verdict == check.Fault && whole && s.Fault && len(s.Named) > 0 &&
				!slices.Contains(s.Named, hypotheses.Specification):
				f.Where = fmt.Sprintf("known mistake %s: %s", selector.Listed(s.Named), f.Where)
			case f.Verdict == check.Pass && r.Test == s.Direction.String()+" outcomes":
				f.makeOpen(missedBy(s))
			}
		}
		list = append(list, f)
	}
	return list, nil
}

// makeOpen makes a pass open if there is a reason, with the number of chains that would decide.
func (f *Finding) makeOpen(why string, decides float64) {
	if why != "" {
		f.Verdict = check.Open
		f.Where = why
		f.Decides = decides
	}
}

// missedBy says which known mistake the chains of a direction may be too few to find though they
// show it at five standard errors, and how many chains find it; nothing if there is none.
func missedBy(s *conform.Side) (why string, decides float64) {
	late := ""
	needed := float64(s.Chains)
	for again := true; again; { // more chains show more mistakes, which must be found too
		again = false
		n := needed
		for _, h := range s.Needs {
			if h.Found > needed && !math.IsInf(h.Found, 1) && h.KL*n >= check.Shown {
				again = true
				needed = math.Ceil(h.Found)
				if n == float64(s.Chains) {
					late = h.Hypothesis
				}
			}
		}
	}
	if late == "" {
		return "", math.NaN()
	}
	return fmt.Sprintf("%s may be too few to find %q, which they show at five standard errors",
		selector.Count(s.Chains, "chain"), late), needed
}

// batch is chains in memory as a source.
type batch struct {
	name string
	draws.Batch
}

func newBatch(name string, b *simulate.Batch) *batch {
	return &batch{name, draws.Batch{Rows: len(b.LogW), LogW: b.LogW, XFirst: b.First, XLast: b.Last}}
}

// Name, Columns, Precision, IncrementPrecision and Next implement draws.Source.
func (b *batch) Name() string { return b.name }

func (b *batch) Columns() draws.Columns {
	return draws.Columns{LogW: true, XFirst: b.XFirst != nil, XLast: b.XLast != nil}
}

func (b *batch) Precision() draws.Precision          { return draws.Precision{} }
func (b *batch) IncrementPrecision() draws.Precision { return draws.Precision{} }

func (b *batch) Next(_ context.Context, rows int) (*draws.Batch, error) {
	if b.Rows == 0 {
		return nil, io.EOF
	}
	n := min(rows, b.Rows)
	part := draws.Batch{First: b.First, Rows: n, LogW: b.LogW[:n]}
	b.LogW = b.LogW[n:]
	if b.XFirst != nil {
		part.XFirst, b.XFirst = b.XFirst[:n], b.XFirst[n:]
	}
	if b.XLast != nil {
		part.XLast, b.XLast = b.XLast[:n], b.XLast[n:]
	}
	b.First += n
	b.Rows -= n
	return &part, nil
}
