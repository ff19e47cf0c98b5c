package tuning

import (
	"context"
	"math"

	"breadboard/exact/gradient"
	"breadboard/experiments"
	"breadboard/experiments/placement"
)

// Improvement is what the best schedule for an objective gains over the schedule of a case.
type Improvement struct {
	Optimum       OptimumRow
	Before, After Row // the case with its own schedule, and with the best one
}

// Improve finds the schedule that minimises an objective for one case, and sets it beside the schedule that the case has. The search
// begins from that one too, so that the best schedule is no worse. It reports each schedule that is better than all before it from the
// goroutine that calls it, where better is not nil; the linear schedule comes first, and those that follow have ever smaller values. Of
// the options it has no use for Progress where that is nil.
//
// It fails where Problems would, with placement.ErrNothingToGain where no schedule is better than another, and where the context ends:
// then within the time of a look, some milliseconds, since every solve and gradient looks at it.
func Improve(ctx context.Context, c experiments.Case, objective gradient.Objective, o Options, better func(placement.Step)) (*Improvement, error) {
	p := &Problem{c}
	if err := p.validate(); err != nil {
		return nil, err
	}
	out, err := p.improve(ctx, objective, o, better)
	if err != nil {
		return nil, c.Wrong(err)
	}
	return out, nil
}

func (p *Problem) improve(ctx context.Context, objective gradient.Objective, o Options, better func(placement.Step)) (*Improvement, error) {
	own := placement.Start{Name: p.Param("schedule"), Schedule: p.Annealing().Schedule()}
	before, err := p.row(ctx, own.Name, own.Schedule)
	if err != nil {
		return nil, err
	}
	best, err := p.optimizeWith(ctx, objective, placement.Options{
		Iterations: o.Iterations, Also: []placement.Start{own}, Workers: experiments.WorkersEach(1, o.Workers), Progress: o.Progress, Better: better,
	})
	if err != nil {
		return nil, err
	}
	after, err := p.row(ctx, optimumName(objective), best.Points)
	if err != nil {
		return nil, err
	}
	if !best.Converged {
		after.Note = "the optimum did not converge: " + best.Reason
	}
	for _, r := range []*Row{&before, &after} {
		r.JOverOptimum, r.BOverOptimum = math.NaN(), math.NaN()
		switch objective {
		case gradient.ObjectiveJ:
			r.JOverOptimum = r.J / after.J
		case gradient.ObjectiveB:
			r.BOverOptimum = r.B / after.B
		}
	}
	return &Improvement{OptimumRow{p.Case, best}, before, after}, nil
}
