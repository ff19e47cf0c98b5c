package bench

import (
	"cmp"
	"context"
	"net/http"

	"breadboard/chains/schedules"
	"breadboard/exact/gradient"
	"breadboard/experiments/placement"
	"breadboard/experiments/study"
	"breadboard/experiments/tightness"
	"breadboard/experiments/tuning"

	"breadboard/reports/views/annealing"
)

// optimize answers with the best schedule for a number of distributions, and meanwhile with how far the search is.
func (s *Server) optimize(w http.ResponseWriter, r *http.Request) error {
	q, err := s.ask(r, "objective")
	if err != nil {
		return err
	}
	objective, err := gradient.ParseObjective(cmp.Or(q.more.Get("objective"), string(gradient.ObjectiveB)))
	if err != nil {
		return bad("objective", err)
	}
	q.within = q.limits.Stream
	return s.stream(w, r, func(ctx context.Context, e *events) error {
		if err := q.build(ctx, tuning.Optimize().Sweep()); err != nil {
			return err
		}
		if T := q.subject.Distributions(); T > schedules.MaxCurve {
			return failf(http.StatusBadRequest, "T", "T is %d, and the best schedule is looked for up to %d here; give a smaller T, or run the command in a terminal", T, schedules.MaxCurve)
		}
		return q.search(ctx, s.options.Workers, objective, e)
	})
}

// search looks for the best schedule, and sends it with J and B before and after.
func (q *question) search(ctx context.Context, workers int, objective gradient.Objective, e *events) error {
	progress := newPulse(func(steps int, best float64) error {
		return e.send("progress", object{{"steps", steps}, {"objective", number(best)}})
	})
	found, err := tuning.Improve(ctx, q.subject, tuning.OptimizeOptions{Objective: objective}, study.How{Workers: workers, Progress: progress.add}, func(s placement.Step) { progress.better(s.Value) })
	if err != nil {
		return err
	}
	best, err := q.on(ctx, found.After.Optimum.Points)
	if err != nil {
		return err
	}
	return e.send("best", append(best, object{
		{"before", object{{"schedule", q.subject.Param("schedule")}, {"J", number(found.Before.J)}, {"B", number(found.Before.B)}}},
		{"converged", found.After.Optimum.Converged}, {"reason", found.After.Optimum.Reason},
	}...))
}

// on returns the schedule of given points as a selector, with the row of the command tightness for it.
func (q *question) on(ctx context.Context, points *schedules.Points) (object, error) {
	betas := make([]float64, points.Len())
	for i := range betas {
		betas[i] = points.Beta(i+1, len(betas))
	}
	curve, err := schedules.NewCurve(betas)
	if err != nil {
		return nil, internal(err)
	}
	selection := q.selection
	selection.Distributions, selection.Schedule = []int{len(betas)}, curve.String()
	cases, err := selection.Cases(ctx)
	if err != nil {
		return nil, err
	}
	rows, err := tightness.Study().Run(ctx, cases, tightness.Options{}, study.How{Workers: 1})
	if err != nil {
		return nil, err
	}
	written, err := rowsOf(annealing.Tightness(rows))
	if err != nil {
		return nil, err
	}
	return object{{"schedule", curve.String()}, {"J", number(rows[0].J)}, {"B", number(rows[0].B)}, {"rows", written}}, nil
}
