package tuning

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/exact"
	"breadboard/exact/gradient"
	"breadboard/exact/stages"
	"breadboard/experiments"
	"breadboard/experiments/placement"
)

// maxOptimized is the largest T for which a best schedule is searched. One gradient then takes half a second.
const maxOptimized = 100_000

// problem is a case in which the place of every distribution may be another one.
type problem struct{ experiments.Case }

// checkProblems says why no best schedule would be looked for.
func checkProblems(cases []experiments.Case) error {
	for i := range cases {
		c := &cases[i]
		if T := c.Distributions(); T > maxOptimized {
			return fmt.Errorf("%d distributions; the best schedule is looked for up to T = %d", T, maxOptimized)
		}
		if err := gradient.Differentiable(c.Annealing()); err != nil {
			return fmt.Errorf("toy %s: %w", c.Toy.Name, err)
		}
	}
	return nil
}

// optimize finds the best schedule.
func (p *problem) optimize(ctx context.Context, objective gradient.Objective, o placement.Options) (*placement.Optimum, error) {
	return placement.Optimize(ctx, p.Annealing().Path(), p.Annealing().Kernel(), p.Distributions(), objective, o)
}

// best returns the row of the best schedule for an objective.
func (p *problem) best(ctx context.Context, objective gradient.Objective, o placement.Options) (Row, error) {
	optimum, err := p.optimize(ctx, objective, o)
	if err != nil {
		return Row{}, err
	}
	row, err := p.row(ctx, optimumName(objective), optimum.Points)
	row.Optimum, row.Note = optimum, unconverged(optimum)
	return row, err
}

// Row is the result of one schedule on one problem, compared with the best schedules.
type Row struct {
	experiments.Case           // the case with this schedule
	J, B                       float64
	JOverOptimum, BOverOptimum float64
	// AsymptoticTB is the limit of T B, in nats, as T grows: +Inf where B does not go to zero like 1/T. It is NaN for schedules
	// that have one T only, and where the kernel has no friction (Note then says why).
	AsymptoticTB float64
	Betas        []float64
	// Contributions are E_rev[d] - E_fwd[d] of the increment d of each stage t = 2..T; they sum to B.
	Contributions []float64
	Optimum       *placement.Optimum // nil for a schedule that is not the best one for an objective
	Note          string
}

// optimal is the name of the best schedules, behind which their objective stands.
const optimal = "optimal"

// optimumName returns the name of the best schedule for an objective, as rows have it.
func optimumName(o gradient.Objective) string { return optimal + ":" + string(o) }

// maxDetailed is the largest T for which a row keeps its betas and contributions. A figure can show no more of them.
const maxDetailed = 2000

// row returns the row of one schedule on the problem.
func (p *problem) row(ctx context.Context, name string, schedule chains.Schedule) (Row, error) {
	row := Row{Case: p.Case, AsymptoticTB: math.NaN()}
	row.Params = p.Params.With("schedule", name)
	a, err := chains.NewAnnealing(p.Annealing().Path(), schedule, p.Annealing().Kernel(), p.Distributions())
	if err != nil {
		return row, err
	}
	row.Algorithm = a
	solution, err := exact.Solve(ctx, a, exact.Options{})
	if err != nil {
		return row, err
	}
	row.J, row.B = solution.J, solution.B
	if p.Distributions() > maxDetailed {
		return row, nil
	}
	for t := 1; t <= p.Distributions(); t++ {
		row.Betas = append(row.Betas, a.Beta(t))
	}
	row.Contributions, err = stages.Contributions(ctx, a)
	return row, err
}

// without returns the row of a schedule that could not be placed, with the error as its note.
func (p *problem) without(name string, err error) Row {
	row := Row{Case: p.Case, J: math.NaN(), B: math.NaN(), AsymptoticTB: math.NaN(), Note: p.Toy.Explain(err).Error()}
	row.Params, row.Algorithm = p.Params.With("schedule", name), nil
	return row
}

// Shape says where the distributions of a case sit on its path: beta at some of the stages.
type Shape struct {
	experiments.Case
	Stages []int     // t, from 1 to T
	Betas  []float64 // b_t of these
}

// ShapeOf returns the shape of the schedule of a case, at up to so many stages, at least two, of which the first is 1 and the last T.
func ShapeOf(c experiments.Case, most int) (Shape, error) {
	at, err := stages.Spread(c.Distributions(), most)
	if err != nil {
		return Shape{}, err
	}
	s := Shape{Case: c, Stages: at}
	for _, t := range at {
		s.Betas = append(s.Betas, c.Annealing().Beta(t))
	}
	return s, nil
}
