package conform

import (
	"cmp"
	"context"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/experiments/checks/annealed"
	"breadboard/experiments/checks/conform/hypotheses"
	"breadboard/experiments/study/check"
	"breadboard/experiments/subject"
)

// SampleSize says how many chains tell a hypothesis apart, by the columns at hand. Each number of
// chains is enough with a probability of about 0.99: the sum of their log likelihood ratios is
// taken to be nearly normal (see hypotheses.Set.Needs).
type SampleSize struct {
	Direction  chains.Direction
	Hypothesis string
	KL         float64 // the divergence of a chain under the hypothesis from one under the specification, in nats
	Found      float64 // the number of chains after which it is a fault; +Inf if there is none
	// Named is the number of chains after which it is a hundred times likelier than another
	// hypothesis, for the one that takes the most among all but those that the columns cannot tell
	// from it, and Unknown. If several others are as hard to tell, all of them together take a few
	// more. It is 0 if it has not been asked for.
	Named float64
	Alike []string // the hypotheses that the columns cannot tell from it, which may include the specification
}

// namedOdds is how many times likelier a hypothesis has to be than another to be told from it.
const namedOdds = 100

// sampleSizes returns how many chains tell every hypothesis from the specification, where a fault
// needs a log e-value of logThreshold.
func sampleSizes(d chains.Direction, set *hypotheses.Set, logThreshold float64) []SampleSize {
	var out []SampleSize
	target := logThreshold + number.Log(float64(len(set.Names)))
	for i, name := range set.Names[1:] {
		h := i + 1
		divergence, found := set.Found(h, target)
		out = append(out, SampleSize{Direction: d, Hypothesis: name, KL: divergence, Found: found, Alike: set.Alike(name)})
	}
	return out
}

// NeedsSteps returns the number of steps of Needs.
func NeedsSteps() int { return 2 * hypotheses.Steps() }

// Needs returns how many chains find and name each hypothesis, by columns and direction, with false
// alarms of probability alpha. Progress, if it is not nil, is called with the steps that have been
// made.
func Needs(ctx context.Context, t *Task, columns annealed.Columns, alpha float64, workers int, progress func(steps int)) ([]SampleSize, error) {
	if err := check.ValidateAlpha(alpha); err != nil {
		return nil, err
	}
	var out []SampleSize
	for _, d := range []chains.Direction{chains.Forward, chains.Reverse} {
		set, err := hypotheses.New(ctx, hypotheses.Problem{
			Annealing: t.Case.Annealing(), Space: t.Case.Toy.Space, Direction: d, Columns: hypotheses.Columns(columns), LogZ1: t.LogZ1, Workers: workers,
			Progress: progress,
		})
		if err != nil {
			return nil, t.Case.Wrong(err)
		}
		list := sampleSizes(d, set, number.Log(expectedTests)-number.Log(alpha))
		named, err := set.Naming(ctx, number.Log(namedOdds), workers, progress)
		if err != nil {
			return nil, err
		}
		for i := range list {
			list[i].Named = named[i+1]
		}
		out = append(out, list...)
	}
	return out, nil
}

// expectedTests is about the number of tests of a run with both directions and all columns of
// chains.
const expectedTests = 32

// Candidate is a task, and what it takes to find and name every hypothesis there, each with a
// probability of about 0.99.
type Candidate struct {
	Task        *Task
	SampleSizes []SampleSize
	// Chains is the number of chains in each direction that finds and names every hypothesis that
	// can be named. Worst is the hypothesis that needs that many.
	Chains float64
	Worst  SampleSize
	Hidden int // the number of hypotheses, over both directions, that are the same as the specification or as another one
}

// AllColumns are all columns of a chain. A candidate has all of them, since more columns never need
// more chains.
func AllColumns() annealed.Columns { return annealed.Columns{First: true, Last: true, LogW: true} }

// PowerfulSelections returns selections whose tasks Powerful should look at, where a selection
// leaves toys, T or the schedule open. Annealings of few stages show each bug in the log weight
// itself, and a schedule that is not linear makes every stage another one.
func PowerfulSelections(s subject.Selection, toys, lengths, schedule bool) []subject.Selection {
	if !toys {
		s.Toys = subject.PaperToys()
	}
	if !lengths {
		s.Distributions = []int{3, 4}
	}
	if schedule {
		return []subject.Selection{s}
	}
	var out []subject.Selection
	for _, name := range []string{"linear", "power:2"} {
		s.Schedule = name
		out = append(out, s)
	}
	return out
}

// Powerful returns the cases as candidates, those first at which the fewest hypotheses are hidden,
// and then those with the fewest chains.
func Powerful(ctx context.Context, cases []subject.Case, alpha float64, workers int, progress func(cases int)) ([]Candidate, error) {
	var out []Candidate
	for _, c := range cases {
		t, err := New(c)
		if err != nil {
			return nil, err
		}
		sizes, err := Needs(ctx, t, AllColumns(), alpha, workers, nil)
		if err != nil {
			return nil, err
		}
		out = append(out, candidate(t, sizes))
		if progress != nil {
			progress(1)
		}
	}
	slices.SortStableFunc(out, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(a.Hidden, b.Hidden), cmp.Compare(a.Chains, b.Chains))
	})
	return out, nil
}

func candidate(t *Task, sizes []SampleSize) Candidate {
	c := Candidate{Task: t, SampleSizes: sizes}
	for _, h := range sizes {
		if len(h.Alike) > 0 {
			c.Hidden++
		}
		if n := h.all(); n > c.Chains && !math.IsInf(n, 1) {
			c.Chains, c.Worst = n, h
		}
	}
	return c
}

// all returns the number of chains after which a hypothesis is found and named; +Inf if it never
// is.
func (t SampleSize) all() float64 { return max(t.Found, t.Named) }
