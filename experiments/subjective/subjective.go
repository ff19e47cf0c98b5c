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
	"breadboard/experiments/study"
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

// Options are the references and the moves of the study.
type Options struct {
	References []string // the selectors of the references, for ParseReference
	Moves      []int    // the numbers of moves under the target, from the reference to the start of the reverse chain
}

// plan refuses references that the cases do not have. Each case is a job: the rows are ordered by case, and for each case by reference.
func plan(_ context.Context, cases []experiments.Case, o *Options) (study.Plan[Row], error) {
	switch {
	case len(o.References) == 0:
		return study.Plan[Row]{}, chains.NewAdvice("no reference is named; give one, as in {reference} uniform")
	case len(o.Moves) == 0 || slices.Min(o.Moves) < 0:
		return study.Plan[Row]{}, chains.NewAdvice("the numbers of moves must be 0 or more, as in {moves} 0,10,100")
	}
	jobs := make([]study.Job[Row], len(cases))
	for i := range cases {
		c := &cases[i]
		for _, selector := range o.References {
			r, err := ParseReference(selector, c)
			if err != nil {
				return study.Plan[Row]{}, c.Toy.Explain(err)
			}
			if err := exact.CheckReference(c.Annealing(), r); err != nil {
				return study.Plan[Row]{}, fmt.Errorf("%s, reference %s: %w", c, selector, c.Toy.Explain(err))
			}
		}
		jobs[i] = study.Job[Row]{
			Steps: c.Distributions() - 1 + len(o.References)*slices.Max(o.Moves),
			Rows:  func(ctx context.Context, h study.How) ([]Row, error) { return rowsOf(ctx, c, o, h) },
		}
	}
	return study.Jobs(jobs), nil
}

// rowsOf computes the subjective divergence of a case with every reference, after every number of moves: whether it is still a bound on J,
// and if not, after how many moves it becomes one.
func rowsOf(ctx context.Context, c *experiments.Case, o *Options, h study.How) ([]Row, error) {
	s, err := exact.NewSubjective(ctx, c.Annealing(), h.Progress)
	if err != nil {
		return nil, c.Wrong(err)
	}
	rows := make([]Row, len(o.References))
	for j, selector := range o.References {
		rows[j] = Row{Case: *c, Reference: selector, Solution: s.Solution}
		law, err := ParseReference(selector, c)
		if err != nil {
			return nil, err
		}
		if err := rows[j].follow(ctx, s, law, o.Moves); err != nil {
			return nil, fmt.Errorf("%s, reference %s: %w", c, selector, c.Toy.Explain(err))
		}
	}
	return rows, nil
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
