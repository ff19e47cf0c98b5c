package bench

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"breadboard/chains/schedules"
	"breadboard/exact/gradient"
	"breadboard/experiments/annealing/ais"
	"breadboard/experiments/annealing/schedule"
	"breadboard/experiments/annealing/tightness"
	"breadboard/experiments/checks/annealed"
	"breadboard/experiments/placement"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports/check"
	"breadboard/reports/figure"
)

const (
	standardChains = 1000
	standardSeed   = 1
)

// chains answers with chains that are drawn: the ways of the first ones, and the estimates of all
// so far beside the exact values.
func (s *Server) chains(ctx context.Context, to Reply, r *Request) error {
	q, err := s.readQuestion(r, "chains", "seed", "show", "stages", "count", widthName)
	if err != nil {
		return err
	}
	style, err := styleOf(r, s.options.Limits.Width)
	if err != nil {
		return err
	}
	o := ais.TraceOptions{}
	o.Chains, err = q.wholeNumber("chains", 2, q.limits.Chains, standardChains)
	if err != nil {
		return err
	}
	o.Paths, err = q.wholeNumber("show", 0, o.Chains, min(o.Chains, 100))
	if err != nil {
		return err
	}
	o.Seed, err = q.seed()
	if err != nil {
		return err
	}
	o.Counts = ais.RunningCounts(o.Chains)
	q.own = subject.Params{{Name: "chains", Value: strconv.Itoa(o.Chains)}, {Name: "seed", Value: "0"}}
	q.within = q.limits.Stream
	return s.stream(ctx, to, r, func(ctx context.Context, e *events) error {
		if err := q.build(ctx, ais.Study().Declaration.Sweep()); err != nil {
			return err
		}
		o.Stages, err = q.stages(max(1, o.Paths))
		if err != nil {
			return err
		}
		return q.watch(ctx, o, style, s.options.Workers, e)
	})
}

// seed returns the seed that is asked for.
func (q *question) seed() (uint64, error) {
	text := q.more.Get("seed")
	if text == "" {
		return standardSeed, nil
	}
	seed, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, bad("seed", fmt.Errorf("seed: %q is not a whole number from 0 to 2^64-1", short(text)))
	}
	return seed, nil
}

// watch runs chains and sends what becomes known of them.
func (q *question) watch(ctx context.Context, o ais.TraceOptions, style figure.Style, workers int,
	e *events) error {
	laws, err := annealed.NewEndLaws(ctx, q.subject.Annealing())
	if err != nil {
		return q.subject.Wrong(err)
	}
	tests, err := annealed.NewRunning(laws, check.DefaultAlpha)
	if err != nil {
		return internal(err)
	}
	var known []ais.Row
	_, err = ais.Trace(ctx, q.subject, o, study.How{Workers: workers}, func(r *ais.Running) error {
		known = append(known, r.Estimates)
		for _, p := range r.Paths {
			if err := e.send("path", object{{"chain", p.Chain}, {"direction", p.Direction.String()},
				{"states", p.States}, {"log_w", scalar(p.LogW)}}); err != nil {
				return err
			}
		}
		tests.Add(r.Forward, r.Reverse)
		values := tests.EValues()
		return e.send("estimates", object{{"n", r.Estimates.Chains},
			{"rows", estimateRows(r.Estimates.Quantities, values)}, {"tests", testRows(values)}})
	})
	if err != nil {
		return err
	}
	return sendRunning(known, style, e)
}

// sendRunning sends the figure of estimates while chains accumulate, if there is something to draw.
func sendRunning(known []ais.Row, style figure.Style, e *events) error {
	drawn, _, err := figure.Plot(ais.RunningPlot(known))
	if err != nil {
		return nil // there are too few chains to draw
	}
	encoded, err := encode(drawn.In(style))
	if err != nil {
		return internal(err)
	}
	return e.send("figure", object{{"name", encoded.Name}, {"svg", encoded.SVG}})
}

// estimateRows returns estimates beside their exact values, those of a mean of log weights with the
// e-value of the test of that mean.
func estimateRows(list []ais.Quantity, tests []annealed.Result) (rows []object) {
	for _, q := range list {
		row := object{{"name", q.Name}, {"estimate", scalar(q.Estimate)}, {"error", scalar(q.StandardError)},
			{"exact", scalar(q.Exact)},
			{"z", scalar(q.Z())}, {"note", q.Note}}
		if direction, is := strings.CutPrefix(q.Name, "mean_log_w_"); is {
			for _, t := range tests {
				if t.Test == direction+" log w" {
					row = append(row, member{"e_value", scalar(t.EValue())})
				}
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// testRows returns tests of the chains against their exact distributions.
func testRows(list []annealed.Result) (rows []object) {
	for _, t := range list {
		rows = append(rows, object{
			{"test", t.Test}, {"draws", t.Draws}, {"e_value", scalar(t.EValue())}, {"log_e", scalar(t.LogE)},
			{"threshold", scalar(t.Threshold)},
			{"fault", t.Fault}, {"where", t.Where},
		})
	}
	return rows
}

// optimize answers with the best schedule for a number of distributions, and meanwhile with how far
// the search is.
func (s *Server) optimize(ctx context.Context, to Reply, r *Request) error {
	q, err := s.readQuestion(r, "objective")
	if err != nil {
		return err
	}
	objective, err := gradient.ParseObjective(cmp.Or(q.more.Get("objective"), string(gradient.ObjectiveB)))
	if err != nil {
		return bad("objective", err)
	}
	q.within = q.limits.Stream
	return s.stream(ctx, to, r, func(ctx context.Context, e *events) error {
		if err := q.build(ctx, schedule.Optimize().Declaration.Sweep()); err != nil {
			return err
		}
		if T := q.subject.Distributions(); T > schedules.MaxCurve {
			return failf(statusBadRequest, "T",
				"T is %d, and the best schedule is looked for up to %d here; give a smaller T, or run the "+
					"command in a terminal",
				T, schedules.MaxCurve)
		}
		return q.search(ctx, s.options.Workers, objective, e)
	})
}

// search looks for the best schedule, and sends it with J and B before and after.
func (q *question) search(ctx context.Context, workers int, objective gradient.Objective, e *events) error {
	progress := newPulse(func(steps int, best float64) error {
		return e.send("progress", object{{"steps", steps}, {"objective", scalar(best)}})
	})
	found, err := schedule.Improve(ctx, q.subject, schedule.OptimizeOptions{Objective: objective},
		study.How{Workers: workers, Progress: progress.addSteps},
		func(s placement.Step) { progress.better(s.Value) })
	if err != nil {
		return err
	}
	best, err := q.pointsSchedule(ctx, found.After.Optimum.Points)
	if err != nil {
		return err
	}
	return e.send("best", append(best, object{
		{"before", object{{"schedule", q.subject.Param("schedule")}, {"J", known(found.Before.J)},
			{"B", known(found.Before.B)}}},
		{"converged", found.After.Optimum.Converged}, {"reason", found.After.Optimum.Reason},
	}...))
}

// pointsSchedule returns the schedule of given points as a selector, with the row of the command
// tightness for it.
func (q *question) pointsSchedule(ctx context.Context, points *schedules.Points) (object, error) {
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
	rows, err := study.Run(ctx, tightness.Study(), cases, tightness.Options{}, study.How{Workers: 1})
	if err != nil {
		return nil, err
	}
	written, err := rowsOf(tightness.Table(rows))
	if err != nil {
		return nil, err
	}
	return object{{"schedule", curve.String()}, {"J", known(rows[0].Numbers().J)},
		{"B", known(rows[0].Numbers().B)}, {"rows", written}}, nil
}
