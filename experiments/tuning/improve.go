package tuning

import (
	"cmp"
	"context"
	"math"

	"breadboard/exact/gradient"
	"breadboard/experiments"
	"breadboard/experiments/placement"
	"breadboard/experiments/study"
)

// Improvement is what the best schedule for an objective gains over the schedule of a case.
type Improvement struct {
	Before, After Row // the case with its own schedule, and with the best one
}

// Improve finds the schedule that minimises an objective for one case, and sets it beside the schedule that the case has. The search
// begins from that one too, so that the best schedule is no worse. It reports each schedule that is better than all before it from the
// goroutine that calls it, where better is not nil; the linear schedule comes first, and those that follow have ever smaller values.
//
// It fails where Optimize would, with placement.ErrNothingToGain where no schedule is better than another, and where the context ends:
// then within the time of a look, some milliseconds, since every solve and gradient looks at it.
func Improve(ctx context.Context, c experiments.Case, o OptimizeOptions, h study.How, better func(placement.Step)) (*Improvement, error) {
	if err := cmp.Or(h.Validate(), checkProblems([]experiments.Case{c})); err != nil {
		return nil, err
	}
	out, err := (&problem{c}).improve(ctx, o, h, better)
	if err != nil {
		return nil, c.Wrong(err)
	}
	return out, nil
}

func (p *problem) improve(ctx context.Context, o OptimizeOptions, h study.How, better func(placement.Step)) (*Improvement, error) {
	own := placement.Start{Name: p.Param("schedule"), Schedule: p.Annealing().Schedule()}
	before, err := p.row(ctx, own.Name, own.Schedule)
	if err != nil {
		return nil, err
	}
	after, err := p.best(ctx, o.Objective, placement.Options{
		Iterations: o.Iterations, Also: []placement.Start{own}, Workers: experiments.WorkersEach(1, h.Workers), Progress: h.Progress, Better: better,
	})
	if err != nil {
		return nil, err
	}
	for _, r := range []*Row{&before, &after} {
		r.JOverOptimum, r.BOverOptimum = math.NaN(), math.NaN()
		switch o.Objective {
		case gradient.ObjectiveJ:
			r.JOverOptimum = r.J / after.J
		case gradient.ObjectiveB:
			r.BOverOptimum = r.B / after.B
		}
	}
	return &Improvement{before, after}, nil
}
