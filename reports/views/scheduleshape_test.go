package views

import (
	"context"
	"testing"

	"breadboard/exact/gradient"
	"breadboard/experiments"
	"breadboard/experiments/study"
	"breadboard/experiments/tuning"
	"breadboard/grid/longtest"
	"breadboard/reports/internal/reporttest"
	"breadboard/reports/table"
	"breadboard/reports/views/annealing"
)

// TestScheduleReport shows a schedule and the best one in its place.
func TestScheduleReport(t *testing.T) {
	c := reporttest.Cases(t, experiments.Selection{Toys: []string{"easy"}, Distributions: []int{6}, Path: "geometric", Schedule: "power:2", Kernel: "metropolis"})[0]
	best := longtest.Must(tuning.Improve(context.Background(), c, tuning.OptimizeOptions{Objective: gradient.ObjectiveB}, study.How{}, nil))(t)
	shapes := []tuning.Shape{longtest.Must(tuning.ShapeOf(best.Before.Case, 4))(t), longtest.Must(tuning.ShapeOf(best.After.Case, 1001))(t)}
	r := annealing.ScheduleReport(shapes)
	reporttest.Golden(t, "schedule_shapes.txt", []byte(reporttest.Write(t, r.Tables()[0].Table, table.Text)))
	checkColumns(t, "schedule", r.Tables()[0].Table)
	checkPeople(t, "schedule", r.Tables()[0].Table)
	checkMachines(t, "schedule", r.Tables()[0].Table)
	reporttest.Drawn(t, r.Figures()[0], "schedule_shapes.svg")
	if _, err := annealing.ShapesFigure(nil); err == nil {
		t.Error("no schedule is drawn")
	}
	if _, err := tuning.ShapeOf(c, 1); err == nil {
		t.Error("a shape of one stage is accepted")
	}
}
