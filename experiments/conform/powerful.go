package conform

import (
	"cmp"
	"context"
	"math"
	"slices"

	"breadboard/experiments"

	"breadboard/experiments/crosscheck"
)

// Candidate is a task, and what it takes to find and name every hypothesis there, each with a probability of about 0.99.
type Candidate struct {
	Task     *Task
	Tellings []Telling
	// Chains is the number of chains in each direction that finds and names every hypothesis that can be named. Worst is
	// the hypothesis that needs so many.
	Chains float64
	Worst  Telling
	// Hidden is the number of hypotheses, over both directions, that are the same as the specification or as another one.
	Hidden int
}

// AllColumns are all columns of a chain. A candidate has all of them, since more columns never need more chains.
func AllColumns() crosscheck.Columns { return crosscheck.Columns{First: true, Last: true, LogW: true} }

// PowerfulSelections returns selections whose tasks Powerful should look at, where a selection leaves toys, T or the schedule
// open. Annealings of few stages show each bug in the log weight itself, and a schedule that is not linear makes every stage
// another one.
func PowerfulSelections(s experiments.Selection, toys, lengths, schedule bool) []experiments.Selection {
	if !toys {
		s.Toys = experiments.PaperToys()
	}
	if !lengths {
		s.Distributions = []int{3, 4}
	}
	if schedule {
		return []experiments.Selection{s}
	}
	var out []experiments.Selection
	for _, name := range []string{"linear", "power:2"} {
		s.Schedule = name
		out = append(out, s)
	}
	return out
}

// Powerful returns the cases as candidates, the best first: the one at which the fewest hypotheses are hidden, and among
// these the one that needs the fewest chains.
func Powerful(ctx context.Context, cases []experiments.Case, alpha float64, workers int, progress func(cases int)) ([]Candidate, error) {
	var out []Candidate
	for _, c := range cases {
		t, err := New(c)
		if err != nil {
			return nil, err
		}
		tellings, err := Needs(ctx, t, AllColumns(), alpha, workers)
		if err != nil {
			return nil, err
		}
		out = append(out, candidate(t, tellings))
		if progress != nil {
			progress(1)
		}
	}
	slices.SortStableFunc(out, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(a.Hidden, b.Hidden), cmp.Compare(a.Chains, b.Chains))
	})
	return out, nil
}

func candidate(t *Task, tellings []Telling) Candidate {
	c := Candidate{Task: t, Tellings: tellings}
	for _, h := range tellings {
		if len(h.Alike) > 0 {
			c.Hidden++
		}
		if n := h.All(); n > c.Chains && !math.IsInf(n, 1) {
			c.Chains, c.Worst = n, h
		}
	}
	return c
}

// All returns the number of chains after which a hypothesis is found and named; +Inf where it never is.
func (t Telling) All() float64 { return max(t.Found, t.Named) }
