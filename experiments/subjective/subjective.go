package subjective

import (
	"cmp"
	"context"
	"fmt"
	"math"
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
	Curve     []exact.SubjectivePoint // at numbers of moves in between as well, in ascending order, for a figure
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
	return experiments.Rows(ctx, len(cases), o.Workers, func(ctx context.Context, i int) ([]Row, error) {
		c := cases[i]
		s, err := exact.NewSubjective(ctx, c.Annealing(), o.Progress)
		if err != nil {
			return nil, c.Wrong(err)
		}
		runs := make([]Row, len(o.References))
		for j, selector := range o.References {
			run := &runs[j]
			run.Case, run.Reference, run.Solution = c, selector, s.Solution
			law, err := ParseReference(selector, &c)
			if err != nil {
				return nil, err
			}
			if err := run.follow(ctx, s, law, o.Moves); err != nil {
				return nil, fmt.Errorf("%s, reference %s: %w", &c, selector, c.Toy.Explain(err))
			}
		}
		return runs, nil
	})
}

// follow sets the points of a row.
func (r *Row) follow(ctx context.Context, s *exact.Subjective, law []float64, moves []int) (err error) {
	between := curveMoves(slices.Max(moves))
	points, boundFrom, err := s.From(ctx, law, append(slices.Clone(moves), between...))
	if err != nil {
		return err
	}
	r.Points, r.BoundFrom = points[:len(moves):len(moves)], boundFrom
	r.Curve = slices.Clone(points)
	slices.SortFunc(r.Curve, func(a, b exact.SubjectivePoint) int { return cmp.Compare(a.Moves, b.Moves) })
	r.Curve = slices.CompactFunc(r.Curve, func(a, b exact.SubjectivePoint) bool { return a.Moves == b.Moves })
	return nil
}

// perDecade is the number of points of a curve for each factor of ten in the number of moves.
const perDecade = 20

// curveMoves returns the numbers of moves at which a curve is drawn up to the largest, each about a tenth more than the one before.
func curveMoves(largest int) []int {
	moves := []int{0}
	for k := 0; ; k++ {
		at := int(math.Round(math.Pow(10, float64(k)/perDecade)))
		if at >= largest {
			return moves
		}
		if at > moves[len(moves)-1] {
			moves = append(moves, at)
		}
	}
}
