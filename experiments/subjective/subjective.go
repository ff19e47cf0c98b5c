package subjective

import (
	"context"
	"fmt"
	"slices"

	"breadboard/chains"
	"breadboard/exact"
	"breadboard/experiments"
)

// Row is the subjective divergence of one annealing with one reference.
type Row struct {
	experiments.Case
	Reference string // the selector of the reference
	Solution  *exact.Solution
	Points    []exact.SubjectivePoint // one for each number of moves
	BoundFrom int                     // the number of moves from which on all values are at least J; -1 where there is none
}

// IsBound reports whether the value at a point is at least J.
func (r *Row) IsBound(p exact.SubjectivePoint) bool { return p.Value >= r.Solution.J }

// Options says how to run the study.
type Options struct {
	References []string // the selectors of the references, for ParseReference
	Moves      []int    // the numbers of moves under the target, from the reference to the start of the reverse chain
	Workers    int      // the number of annealings solved at once; 0 is one for each processor
	Progress   func(steps int)
}

// Validate returns an error that says why Run would refuse the study, and nil where it would not.
func (o Options) Validate(cases []experiments.Case) error {
	switch {
	case o.Workers < 0:
		return chains.NewAdvice("{workers} %d; give a number of annealings, or 0 for one on each core", o.Workers)
	case len(o.References) == 0:
		return chains.NewAdvice("no reference is named; give one, as in {reference} uniform")
	case len(o.Moves) == 0 || slices.Min(o.Moves) < 0:
		return chains.NewAdvice("the numbers of moves must be 0 or more, as in {moves} 0,10,100")
	}
	for _, c := range cases {
		for _, selector := range o.References {
			r, err := ParseReference(selector, &c)
			if err != nil {
				return c.Toy.Explain(err)
			}
			if err := exact.CheckReference(c.Annealing(), r); err != nil {
				return fmt.Errorf("%s, reference %s: %w", &c, selector, c.Toy.Explain(err))
			}
		}
	}
	return nil
}

// Steps returns the number of steps that Run reports to Progress.
func (o Options) Steps(cases []experiments.Case) int {
	total := 0
	for _, c := range cases {
		total += c.Distributions() - 1 + len(o.References)*slices.Max(o.Moves)
	}
	return total
}

// Run computes the subjective divergence of every case with every reference, after every number of moves. It answers whether
// this divergence is still a bound on J, and if not, after how many moves it becomes one. The rows are ordered by case, and
// for each case by reference.
//
// Source: Cusumano-Towner and Mansinghka 2016; Grosse, Ancha and Roy 2016, sections 3.2, 4 and 5.1.2.
func Run(ctx context.Context, cases []experiments.Case, o Options) ([]Row, error) {
	if err := o.Validate(cases); err != nil {
		return nil, err
	}
	runs := make([]Row, len(cases)*len(o.References))
	err := experiments.Parallel(ctx, len(cases), o.Workers, func(ctx context.Context, i int) error {
		c := cases[i]
		s, err := exact.NewSubjective(ctx, c.Annealing(), o.Progress)
		if err != nil {
			return c.Wrong(err)
		}
		for j, selector := range o.References {
			run := &runs[i*len(o.References)+j]
			run.Case, run.Reference, run.Solution = c, selector, s.Solution
			law, err := ParseReference(selector, &c)
			if err != nil {
				return err
			}
			if run.Points, run.BoundFrom, err = s.From(ctx, law, o.Moves); err != nil {
				return fmt.Errorf("%s, reference %s: %w", &c, selector, c.Toy.Explain(err))
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return runs, nil
}
