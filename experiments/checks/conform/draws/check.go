package draws

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
	"breadboard/experiments/draws/codes"
	"breadboard/experiments/verdicts"
	"breadboard/reports/check"
	"breadboard/reports/columns"
)

// Options are the options of a check.
type Options struct {
	Alpha    float64        // the probability of a false alarm
	Most     int            // the largest number of draws to read; 0 is all
	Decides  bool           // whether to stop soon after a fault is found
	Progress func(rows int) // called with the number of rows read since the last call; may be nil
}

// Outcome is the result of a check.
type Outcome struct {
	Law      string
	Source   string
	Draws    int
	States   int   // of the distribution
	Counts   []int // of the draws of each state; nil if they have weights
	Findings []check.Finding
	Weights  *Weights // nil if the draws have no weights
	Worst    []State  // the states whose counts are the farthest from the distribution, the worst first
	Fault    string   // empty without a fault
	Depend   bool     // whether the fault is dependence on earlier draws, as in a Markov chain
	Excluded string   // the faults that a pass excludes, or that there are too few draws to say
}

// Columns lists the columns of findings.
func Columns() columns.List {
	return check.ReasonFirst(check.Columns[check.Finding](
		averageOfDraws,
		averageOfWeighted,
		testCounts,
		testOneState,
		testMistakes,
		testExchanged,
		testAbsent,
		testFollowers,
		testRepeats,
		testEvenness,
		Again,
	))
}

// State is a state with its observed and expected counts.
type State struct {
	Label    string
	Observed int
	// Standard is how many standard deviations they are apart; infinite where the state is
	// impossible
	Expected, Standard float64
}

// StateColumns lists the columns of states.
func StateColumns() columns.List {
	return columns.List{
		columns.Of("state", "state", "the state, by its label or number", func(s *State) string { return s.Label }),
		columns.Of("observed", "observed", "the number of its draws", func(s *State) int { return s.Observed }),
		columns.Of("expected", "expected", "the expected number of its draws",
			func(s *State) float64 { return s.Expected }).Digits(6),
		columns.Of("deviation", "deviation",
			"the difference of the count from its expectation, in standard deviations",
			func(s *State) float64 { return s.Standard }).Digits(3),
	}
}

// shown is how many of the worst states are shown.
const shown = 20

// Check tests whether the rows of readers, one after another, are independent draws from a
// distribution. The e-value is the average over all tests. If the context ends it returns its error
// together with the outcome so far.
func Check(ctx context.Context, law *Law, readers []*codes.Reader, o Options) (*Outcome, error) {
	if err := check.ValidateAlpha(o.Alpha); err != nil {
		return nil, err
	}
	for _, r := range readers[1:] {
		if r.Counted != readers[0].Counted {
			return nil, errs.New("%s has counts and %s has draws; give files of one kind",
				readers[0].Name(), r.Name())
		}
		if r.Weighted != readers[0].Weighted {
			return nil, errs.New("some files have weights and others have none; give files of one kind")
		}
	}
	if readers[0].Weighted {
		return checkWeighted(ctx, law, &codes.Readers{List: readers}, o)
	}
	t := newTally(law, !readers[0].Counted)
	r := &Reading{
		Options: o, Name: averageOfDraws, Readers: codes.Readers{List: readers}, Counted: readers[0].Counted,
		Cure: "give fewer, or counts with the header state,count",
		Add:  t.addState, Values: t.testValues,
		Impossible: func() bool { row, _ := t.impossible(); return row > 0 },
	}
	r.Explain = func(values []Value) string { return t.strongest(values, r.Watch.LogThreshold) }
	err := r.Run(ctx)
	if r.Draws == 0 || err != nil && ctx.Err() == nil {
		return nil, err
	}
	return t.outcome(r), err
}

// outcome says what was found.
func (t *tally) outcome(r *Reading) *Outcome {
	out := &Outcome{
		Law:    t.Name,
		Source: r.Readers.Name(),
		Draws:  t.n,
		States: len(t.P),
		Counts: t.counts,
		Worst:  t.worst(),
	}
	if r.Watch.Fault {
		out.Fault = t.explained(r)
		out.Depend = t.dependent(r.Last, SingleThreshold(r.Watch, r.Last))
	}
	var findings []check.Finding
	excluded, _ := excludedBy(t.Law, t.n, SingleThreshold(r.Watch, r.Last))
	findings, out.Excluded = Findings(r.Watch, r.Last, selector.Count(t.n, "draw"), out.Fault,
		t.farCount(), excluded)
	out.Findings = append(out.Findings, findings...)
	return out
}

// explained says what is wrong.
func (t *tally) explained(r *Reading) string {
	if row, x := t.impossible(); row > 0 {
		return fmt.Sprintf("%s has probability zero, but is drawn in row %d", t.state(x), row)
	}
	if r.Strong() {
		r.Says = t.cause(r.Last, r.Watch.LogThreshold)
	}
	return fmt.Sprintf("%s (found after %s)", r.Says, selector.Count(r.Watch.At, "draw"))
}

// cause says which known mistake explains the draws, and else what the test says that failed most.
// The finding of the known mistakes says so too.
func (t *tally) cause(values []Value, logThreshold float64) string {
	says := t.strongest(values, logThreshold)
	return Explain(values, testMistakes, says, t.nameMistakes)
}

// Explain returns the names of the known mistakes that explain the draws, or else the finding of
// the test that failed most. The finding of the known mistakes has the same text.
func Explain(values []Value, listed, says string, named func() (named, reason string)) string {
	name, reason := named()
	for i := range values {
		if values[i].Name == listed {
			values[i].Says = cmp.Or(name, reason)
		}
	}
	if reason == several {
		says = strings.Replace(says, None, several, 1)
	}
	return cmp.Or(name, says)
}

// dependent reports whether draws depend on those before them, and not because they are sorted.
func (t *tally) dependent(values []Value, alone float64) bool {
	return !t.sorted() &&
		slices.ContainsFunc(values, func(v Value) bool { return v.Depend && v.LogE >= alone })
}

// strongest says what the test says that failed most, or else that of the counts. Those of known
// mistakes say nothing here, nor those of what follows on what if that follows from how often each
// state was drawn. That rows are sorted explains all that the others find of them.
func (t *tally) strongest(values []Value, logThreshold float64) string {
	var best *Value
	for i := range values {
		v := &values[i]
		switch v.Name {
		case testMistakes, testExchanged, testAbsent:
			continue
		case testFollowers:
			if v.LogE >= logThreshold && t.sorted() {
				return v.Says
			}
			fallthrough
		case testRepeats:
			if !v.Depend {
				continue
			}
			fallthrough
		case Again, testEvenness:
			if v.LogE < logThreshold {
				continue
			}
		}
		if best == nil || v.LogE > best.LogE {
			best = v
		}
	}
	if slices.Contains([]string{testCounts, testOneState}, best.Name) {
		return None + ": " + best.Says
	}
	return best.Says
}

// worst returns the states whose counts are the farthest from the distribution.
func (t *tally) worst() (list []State) {
	for x, c := range t.counts {
		n := float64(t.n)
		s := State{Label: t.Codes.Label(x), Observed: c, Expected: n * t.P[x]}
		if off := float64(c) - s.Expected; off != 0 {
			s.Standard = off / math.Sqrt(s.Expected*max(0, 1-t.P[x]))
		}
		list = append(list, s)
	}
	slices.SortStableFunc(
		list,
		func(a, b State) int { return -cmp.Compare(math.Abs(a.Standard), math.Abs(b.Standard)) },
	)
	return list[:min(len(list), shown)]
}

// excludedBy says which distributions that many draws would have been found not to have, with a
// probability of verdicts.DetectionProbability; empty if they are too few to say. The total
// variation is that from which on one would have been found; 1 if that is not known.
func excludedBy(l *Law, n int, logThreshold float64) (says string, variation float64) {
	power := verdicts.PowerOf(l.P, n, logThreshold)
	if math.IsNaN(power.KL) {
		return power.Excluded(), 1
	}
	return power.Excluded(), math.Sqrt(power.KL / 2)
}
