package conform

import (
	"cmp"
	"context"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/experiments/checks/conform/hypotheses"
	"breadboard/experiments/subject"
	"breadboard/experiments/verdicts"
	"breadboard/reports/check"
)

// needsOf returns how many chains tell every hypothesis from the specification, where a fault
// needs a log e-value of logThreshold.
func needsOf(d chains.Direction, set *hypotheses.Set, logThreshold float64) []verdicts.Need {
	var out []verdicts.Need
	target := logThreshold + number.Log(float64(len(set.Names)))
	for i, name := range set.Names[1:] {
		h := i + 1
		divergence, found := set.Found(h, target)
		out = append(out, verdicts.Need{
			Of:         d.String(),
			Hypothesis: name,
			KL:         divergence,
			Found:      found,
			Alike:      set.Alike(name),
		})
	}
	return out
}

// NeedsSteps returns the number of steps of Needs.
func NeedsSteps() int { return 2 * hypotheses.Steps() }

// Needs returns how many chains find and name each hypothesis by all columns, by direction, with
// false alarms of probability alpha. Progress, which may be nil, is called with numbers of steps.
func Needs(ctx context.Context, t *Task, alpha float64, workers int,
	progress func(steps int)) ([]verdicts.Need, error) {
	if err := check.ValidateAlpha(alpha); err != nil {
		return nil, err
	}
	var out []verdicts.Need
	for _, d := range []chains.Direction{chains.Forward, chains.Reverse} {
		set, err := hypotheses.New(ctx, hypotheses.Problem{
			Annealing: t.Case.Annealing(),
			Space:     t.Case.Toy.Space,
			Direction: d,
			Columns:   hypotheses.Columns{First: true, Last: true, LogW: true},
			LogZ1:     t.LogZ1,
			Workers:   workers,
			Progress:  progress,
		})
		if err != nil {
			return nil, t.Case.Wrong(err)
		}
		list := needsOf(d, set, number.Log(expectedTests)-number.Log(alpha))
		named, err := set.Naming(ctx, number.Log(verdicts.NamedOdds), workers, progress)
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

// Candidate is a task with the numbers of chains that find and name every hypothesis, each with a
// probability of about 0.99.
type Candidate struct {
	Task  *Task
	Needs []verdicts.Need
	// Chains is the number of chains in each direction that finds and names every hypothesis that
	// can be named. Worst is the hypothesis that needs that many.
	Chains float64
	Worst  verdicts.Need
	// the number of hypotheses, over both directions, that are the same as the specification or as
	// another one
	Hidden int
}

// PowerfulSelections returns selections with tasks for Powerful to compare, if a selection leaves
// toys, T or the schedule open. Annealings of few stages show each bug in the log weight itself,
// and a schedule that is not linear makes all stages different.
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

// Powerful returns the cases as candidates, sorted by the number of hidden hypotheses and then by
// the number of chains.
func Powerful(ctx context.Context, cases []subject.Case, alpha float64, workers int,
	progress func(cases int)) ([]Candidate, error) {
	var out []Candidate
	for _, c := range cases {
		t, err := New(c)
		if err != nil {
			return nil, err
		}
		sizes, err := Needs(ctx, t, alpha, workers, nil)
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

func candidate(t *Task, sizes []verdicts.Need) Candidate {
	c := Candidate{Task: t, Needs: sizes}
	for _, h := range sizes {
		if len(h.Alike) > 0 {
			c.Hidden++
		}
		if n := h.Both(); n > c.Chains && !math.IsInf(n, 1) {
			c.Chains = n
			c.Worst = h
		}
	}
	return c
}
