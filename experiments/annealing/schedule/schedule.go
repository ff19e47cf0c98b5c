// Package schedule answers: which schedule is best, and how much worse are others? It searches the
// best schedules of annealings by exact gradients and compares families of schedules with them. It
// never prints, draws or reads flags.
//
// # Results
//
// On BARRIER at T = 100 the schedule of constant friction speed, which is optimal as T grows, is
// far worse than the linear one:
//
//	$ breadboard schedule compare --toy barrier -T 100 --schedule linear,sigmoid,fisher,friction,best:B,best:J
//	 toy     │   T │ schedule  │ B (nats) │ J (nats) │ B/best │ J/best │ T B, T large (nats)
//	─────────┼─────┼───────────┼──────────┼──────────┼────────┼────────┼─────────────────────
//	 barrier │ 100 │ linear    │  1.81043 │  1.64786 │ 1.1497 │ 1.1447 │           165973.13
//	 barrier │ 100 │ sigmoid:4 │  1.79677 │  1.66284 │  1.141 │ 1.1551 │          136234.139
//	 barrier │ 100 │ fisher    │  1.70608 │  1.58971 │ 1.0834 │ 1.1043 │          286693.735
//	 barrier │ 100 │ friction  │  2.61272 │  1.83382 │ 1.6591 │ 1.2739 │          69972.6709
//	 barrier │ 100 │ best:B    │  1.57475 │  1.46886 │      1 │ 1.0204 │          69972.6709
//	 barrier │ 100 │ best:J    │  1.77362 │  1.43956 │ 1.1263 │      1 │
//
// The last column is the limit of T B as T grows: the integral of s2 (db/du)^2, where s2 is the
// asymptotic variance under the kernel. The smallest limit of any schedule is (integral of
// sqrt(s2))^2.
//
// The best schedule for J may repeat a beta, so that the kernel makes many steps under one
// distribution, and cover the path in a few leaps. On EASY at T = 1000, J falls from 0.00518 to
// 6.2e-6, because one slow mode after another is cancelled:
//
//	breadboard schedule optimize --toy easy -T 1000 --objective J
package schedule

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/exact"
	"breadboard/exact/gradient"
	"breadboard/exact/stages"
	"breadboard/experiments/annealing/success"
	"breadboard/experiments/placement"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
)

// problem is a case whose distributions may be moved.
type problem struct{ subject.Case }

// checkProblems returns the reason why no best schedule can be searched.
func checkProblems(cases []subject.Case, objectives ...gradient.Objective) error {
	for i := range cases {
		if err := checkProblem(&cases[i], objectives...); err != nil {
			return fmt.Errorf("toy %s: %w", cases[i].Toy.Name, err)
		}
	}
	return nil
}

// checkProblem fails if no best schedule can be searched.
func checkProblem(c *subject.Case, objectives ...gradient.Objective) error {
	return placement.Searchable(c.Annealing(), c.Toy.Members != nil, objectives...)
}

// optimize finds the best schedule.
func (p *problem) optimize(ctx context.Context, objective gradient.Objective,
	o placement.Options) (*placement.Optimum, error) {
	return placement.Optimize(ctx, p.Annealing().Path(), p.Annealing().Kernel(), p.Distributions(), objective, o)
}

// bestSchedule returns the row of the best schedule for an objective, by its name.
func (p *problem) bestSchedule(ctx context.Context, name string, objective gradient.Objective,
	o placement.Options) (Row, error) {
	optimum, err := p.optimize(ctx, objective, o)
	if err != nil {
		return Row{}, err
	}
	row, err := p.scheduleRow(ctx, name, optimum.Points)
	row.Optimum, row.Note = optimum, optimum.Unconverged()
	return row, err
}

// Row is the result of one schedule on one problem, compared with the best schedules.
type Row struct {
	subject.Case               // the case with this schedule
	J, B                       number.Bounded
	JOverOptimum, BOverOptimum number.Bounded
	// AsymptoticTB is the limit of T B, in nats, as T grows: +Inf if B does not go to zero like
	// 1/T. It is NaN for schedules with a single T, and if the kernel has no friction (then Note
	// has the reason).
	AsymptoticTB number.Bounded
	Betas        []float64
	// Contributions are E_rev[d] - E_fwd[d] of the increment d of each stage t = 2..T; they sum to
	// B.
	Contributions []float64
	Success       *success.Row       // the probabilities of reaching a best state; nil unless requested
	Optimum       *placement.Optimum // nil for a schedule that is not the best one for an objective
	Note          string
	failed        error // why a schedule has no numbers; nil if it has
}

// maxDetailed is the largest T for which a row keeps its betas and contributions. A figure can show
// no more of them.
const maxDetailed = 2000

// scheduleRow returns the row of one schedule on the problem.
func (p *problem) scheduleRow(ctx context.Context, name string, schedule chains.Schedule) (Row, error) {
	row := Row{Case: p.Case, AsymptoticTB: number.Exactly(math.NaN())}
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
	n := solution.Numbers()
	row.J = n.J
	row.B = n.B
	if p.Distributions() > maxDetailed {
		return row, nil
	}
	for t := 1; t <= p.Distributions(); t++ {
		row.Betas = append(row.Betas, a.Beta(t))
	}
	if !a.Path().Zeros() { // if f is zero, a contribution may be infinite
		row.Contributions, err = stages.Contributions(ctx, a)
	}
	return row, err
}

// without returns the row of a schedule that could not be placed, with the error as its note.
func (p *problem) without(name string, err error) Row {
	err = p.Toy.Explain(err)
	row := Row{
		Case:         p.Case,
		J:            number.Exactly(math.NaN()),
		B:            number.Exactly(math.NaN()),
		AsymptoticTB: number.Exactly(math.NaN()),
		Note:         err.Error(),
	}
	row.Params = p.Params.With("schedule", name)
	row.failed = fmt.Errorf("%s: %w", &row.Case, err)
	row.Algorithm = nil
	return row
}

// Shape is the position of the distributions of a case on its path: beta at some of the stages.
type Shape struct {
	subject.Case
	Stages []int     // t, from 1 to T
	Betas  []float64 // b_t of these
}

// ShapeOf returns the shape of the schedule of a case, at up to the given number of stages (at
// least two), including the first and the last.
func ShapeOf(c subject.Case, most int) (Shape, error) {
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

// Improvement is what the best schedule for an objective gains over the schedule of a case.
type Improvement struct {
	Before, After Row // the case with its own schedule, and with the best one
}

// Improve finds the schedule that minimises an objective for one case, and compares it with the
// schedule of the case. The search also starts from that schedule, so that the best one is no
// worse. If better is not nil, it is called from the goroutine of the caller with each schedule
// that is better than all before it: the linear one first, then ever smaller values.
//
// It fails if Optimize fails, with placement.ErrNothingToGain if no schedule is better than
// another, and, within milliseconds, if the context ends.
func Improve(ctx context.Context, c subject.Case, o OptimizeOptions, h study.How,
	better func(placement.Step)) (*Improvement, error) {
	if err := cmp.Or(h.Validate(), checkProblems([]subject.Case{c}, o.Objective)); err != nil {
		return nil, err
	}
	out, err := (&problem{c}).improve(ctx, o, h, better)
	return out, c.Wrong(err)
}

func (p *problem) improve(ctx context.Context, o OptimizeOptions, h study.How,
	better func(placement.Step)) (*Improvement, error) {
	own := placement.Start{Name: p.Param("schedule"), Schedule: p.Annealing().Schedule()}
	before, err := p.scheduleRow(ctx, own.Name, own.Schedule)
	if err != nil {
		return nil, err
	}
	after, err := p.bestSchedule(ctx, placement.BestName(o.Objective), o.Objective, placement.Options{
		Also:     []placement.Start{own},
		Workers:  subject.WorkersEach(1, h.Workers),
		Progress: h.Progress,
		Better:   better,
	})
	if err != nil {
		return nil, err
	}
	for _, r := range []*Row{&before, &after} {
		r.JOverOptimum, r.BOverOptimum = number.Exactly(math.NaN()), number.Exactly(math.NaN())
		switch o.Objective {
		case gradient.ObjectiveJ:
			r.JOverOptimum = r.J.Over(after.J)
		case gradient.ObjectiveB:
			r.BOverOptimum = r.B.Over(after.B)
		}
	}
	return &Improvement{before, after}, nil
}
