package tuning

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"breadboard/chains"
	"breadboard/exact"
	"breadboard/exact/gradient"
	"breadboard/exact/stages"
	"breadboard/experiments"
	"breadboard/experiments/placement"
)

// maxOptimized is the largest T for which a best schedule is searched. One gradient then takes half a second.
const maxOptimized = 100_000

// Options say how a study of schedules works.
type Options struct {
	Iterations int             // see placement.Options
	Workers    int             // the number of problems solved at once, several on one where problems are few; 0 is one for each processor
	Progress   func(steps int) // as in placement.Options; called from several goroutines at once; nil for none
}

// Families returns the selectors of the families that are compared where none are named.
func Families() []string {
	return []string{"linear", "sigmoid:4", "power:2", "geometric:0.01", "fisher", "friction", "acceptance", "step-kl", "cess"}
}

// Problem is a toy with a number of distributions to place.
type Problem struct {
	experiments.Case // the case with the linear schedule
}

// Problems builds and validates the problem of every toy with every T of a selection. The selection's schedule is ignored,
// since schedules are what the study searches.
func Problems(ctx context.Context, s experiments.Selection) ([]Problem, error) {
	s.Schedule = "linear"
	cases, err := s.Cases(ctx)
	if err != nil {
		return nil, err
	}
	var out []Problem
	for _, c := range cases {
		p := Problem{c}
		if err := p.validate(); err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// validate says why no best schedule would be looked for.
func (p *Problem) validate() error {
	if T := p.Distributions(); T > maxOptimized {
		return fmt.Errorf("%d distributions; the best schedule is looked for up to T = %d", T, maxOptimized)
	}
	if err := gradient.Differentiable(p.Annealing()); err != nil {
		return fmt.Errorf("toy %s: %w", p.Toy.Name, err)
	}
	return nil
}

// OptimumRow is the best schedule for one problem.
type OptimumRow struct {
	experiments.Case
	*placement.Optimum
}

// Ratio returns how many times larger the objective is on the linear schedule.
func (o *OptimumRow) Ratio() float64 { return o.Linear / o.Value }

// Optimize finds the schedule that minimises an objective for each problem. The rows are in the order of the problems, whatever the number of
// workers.
func Optimize(ctx context.Context, problems []Problem, objective gradient.Objective, o Options) ([]OptimumRow, error) {
	out, each := make([]OptimumRow, len(problems)), experiments.WorkersEach(len(problems), o.Workers)
	err := experiments.Parallel(ctx, len(problems), o.Workers, func(ctx context.Context, i int) error {
		p := &problems[i]
		best, err := p.optimize(ctx, objective, o, each)
		if err != nil {
			return p.Case.Wrong(err)
		}
		out[i] = OptimumRow{p.Case, best}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

func (p *Problem) optimize(ctx context.Context, objective gradient.Objective, o Options, workers int, also ...placement.Start) (*placement.Optimum, error) {
	options := placement.Options{Iterations: o.Iterations, Also: also, Workers: workers, Progress: o.Progress}
	return p.optimizeWith(ctx, objective, options)
}

func (p *Problem) optimizeWith(ctx context.Context, objective gradient.Objective, options placement.Options) (*placement.Optimum, error) {
	return placement.Optimize(ctx, p.Annealing().Path(), p.Annealing().Kernel(), p.Distributions(), objective, options)
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
	Note          string
}

// Comparison is the result of Compare.
type Comparison struct {
	Rows   []Row
	Optima []OptimumRow // for each problem, the best schedule for B and then the best for J
}

// optimumName returns the name of the best schedule for an objective, as rows have it.
func optimumName(o gradient.Objective) string { return "optimal:" + string(o) }

// Compare compares families of schedules, named by their selectors as placement.Parse reads them, with the best schedules for
// B and for J, on each problem. Each family must allow the T of the problem.
func Compare(ctx context.Context, problems []Problem, selectors []string, o Options) (*Comparison, error) {
	families, err := comparable(selectors)
	if err != nil {
		return nil, err
	}
	results, each := make([]Comparison, len(problems)), experiments.WorkersEach(len(problems), o.Workers)
	err = experiments.Parallel(ctx, len(problems), o.Workers, func(ctx context.Context, i int) error {
		var err error
		if results[i], err = problems[i].compare(ctx, families, o, each); err != nil {
			return problems[i].Case.Wrong(err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	all := &Comparison{}
	for _, r := range results {
		all.Rows = append(all.Rows, r.Rows...)
		all.Optima = append(all.Optima, r.Optima...)
	}
	return all, nil
}

// Validate returns an error that says why Compare would refuse problems: a selector that names no schedule, or a schedule of
// another length. It returns nil where Compare would not refuse them.
func Validate(ctx context.Context, problems []Problem, selectors []string) error {
	families, err := comparable(selectors)
	if err != nil {
		return err
	}
	for _, f := range families {
		for _, p := range problems {
			if !f.OwnLength {
				continue
			}
			placement, err := f.On(ctx, p.Annealing().Path(), p.Annealing().Transitions())
			if err == nil {
				_, err = placement.Place(ctx, p.Distributions())
			}
			if err != nil {
				return chains.NewAdvice("%s: schedule %s brings its own number of distributions, and {T} must be that: %w", &p.Case, f.Name, err)
			}
		}
	}
	return nil
}

// comparable returns the families of the selectors. It fails where there are none.
func comparable(selectors []string) ([]placement.Family, error) {
	if len(selectors) == 0 {
		return nil, chains.NewAdvice("no schedule is named; give one, as in {schedule} linear")
	}
	var out []placement.Family
	for _, s := range selectors {
		f, err := placement.Parse(strings.TrimSpace(s))
		if err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, nil
}

// compare makes the rows of one problem, with so many workers for what is large.
func (p *Problem) compare(ctx context.Context, families []placement.Family, o Options, workers int) (Comparison, error) {
	var out Comparison
	limit, limitErr := placement.NewLimit(ctx, p.Annealing().Path(), p.Annealing().Transitions())
	for _, f := range families {
		placement, err := f.On(ctx, p.Annealing().Path(), p.Annealing().Transitions())
		if err != nil {
			out.Rows = append(out.Rows, p.without(f.Name, err))
			continue
		}
		schedule, err := placement.Place(ctx, p.Distributions())
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		if err != nil {
			out.Rows = append(out.Rows, p.without(f.Name, err))
			continue
		}
		row, err := p.row(ctx, f.Name, schedule)
		if err != nil {
			return out, err
		}
		switch {
		case limitErr != nil:
			row.Note = p.Toy.Explain(limitErr).Error()
		case !f.OwnLength:
			if row.AsymptoticTB, err = limit.Of(placement.Speed); err != nil {
				row.AsymptoticTB, row.Note = math.NaN(), p.Toy.Explain(err).Error()
			}
		}
		out.Rows = append(out.Rows, row)
	}
	best := map[gradient.Objective]float64{gradient.ObjectiveB: math.NaN(), gradient.ObjectiveJ: math.NaN()}
	for _, objective := range []gradient.Objective{gradient.ObjectiveB, gradient.ObjectiveJ} {
		optimum, err := p.optimize(ctx, objective, o, workers, out.starts()...)
		if errors.Is(err, placement.ErrNothingToGain) {
			out.Rows = append(out.Rows, p.without(optimumName(objective), err))
			continue
		}
		if err != nil {
			return out, err
		}
		row, err := p.row(ctx, optimumName(objective), optimum.Points)
		if err != nil {
			return out, err
		}
		if objective == gradient.ObjectiveB && limitErr == nil {
			row.AsymptoticTB = limit.Least()
		}
		if !optimum.Converged {
			row.Note = "the optimum did not converge: " + optimum.Reason
		}
		best[objective] = optimum.Value
		out.Rows = append(out.Rows, row)
		out.Optima = append(out.Optima, OptimumRow{p.Case, optimum})
	}
	for i := range out.Rows {
		out.Rows[i].BOverOptimum = out.Rows[i].B / best[gradient.ObjectiveB]
		out.Rows[i].JOverOptimum = out.Rows[i].J / best[gradient.ObjectiveJ]
	}
	return out, nil
}

// starts returns the schedules of the comparison so far as starts for the next optimum, so that the optimum is never worse
// than any of them.
func (c *Comparison) starts() []placement.Start {
	var out []placement.Start
	for _, r := range c.Rows {
		if r.Annealing() != nil && !math.IsNaN(r.B) {
			out = append(out, placement.Start{Name: r.Param("schedule"), Schedule: r.Annealing().Schedule()})
		}
	}
	return out
}

// maxDetailed is the largest T for which a row keeps its betas and contributions. A figure can show no more of them.
const maxDetailed = 2000

// row returns the row of one schedule on the problem.
func (p *Problem) row(ctx context.Context, name string, schedule chains.Schedule) (Row, error) {
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
func (p *Problem) without(name string, err error) Row {
	row := Row{Case: p.Case, J: math.NaN(), B: math.NaN(), AsymptoticTB: math.NaN(), Note: p.Toy.Explain(err).Error()}
	row.Params, row.Algorithm = p.Params.With("schedule", name), nil
	return row
}
