package bench

import (
	"context"
	"fmt"

	"breadboard/chains"
	"breadboard/chains/schedules"
	"breadboard/experiments/tuning"
	"breadboard/reports"
	"breadboard/reports/views/annealing"
)

const (
	mostBetasShown = 1001
	curvePoints    = 9
)

// scheduleStudy is the betas of the stages, with a curve of few points that comes near to them, to be dragged.
func scheduleStudy() studyRoute {
	return studyRoute{name: "schedule", columns: []string{"t", "beta"}, plan: func(_ *Server, q *question) (*task, error) {
		compute := func(context.Context) (*reports.Report, error) {
			shape, err := tuning.ShapeOf(q.subject, mostBetasShown)
			return reported(annealing.ScheduleReport, []tuning.Shape{shape}, err)
		}
		curve, err := curveThrough(q.subject.Annealing())
		if err != nil {
			return nil, err
		}
		return &task{rows: min(q.subject.Distributions(), mostBetasShown), compute: compute, also: object{{"curve", curve}}, program: program{
			imports: []string{"breadboard/experiments/tuning", "breadboard/reports/table", "breadboard/reports/views/annealing"},
			run:     fmt.Sprintf("tuning.ShapeOf(cases[0], %d)", mostBetasShown), print: printReport("annealing.ScheduleReport([]tuning.Shape{rows})"),
		}}, nil
	}}
}

// curveThrough returns the selector of the curve that goes through the schedule of an annealing at few points, each at an equal distance
// of t from the next one, with straight lines between the stages.
func curveThrough(a *chains.Annealing) (string, error) {
	T := a.Distributions()
	betas := make([]float64, curvePoints)
	for k := range betas {
		steps := k * (T - 1)
		t, part := 1+steps/(curvePoints-1), float64(steps%(curvePoints-1))/(curvePoints-1)
		if betas[k] = a.Beta(t); part > 0 {
			betas[k] += part * (a.Beta(t+1) - a.Beta(t))
		}
	}
	curve, err := schedules.NewCurve(betas)
	if err != nil {
		return "", internal(err)
	}
	return curve.String(), nil
}
