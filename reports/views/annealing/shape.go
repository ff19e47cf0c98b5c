package annealing

import (
	"errors"
	"slices"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"breadboard/experiments"
	"breadboard/experiments/tuning"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
	"breadboard/reports/views/targets"
)

// ScheduleReport returns the report of where the distributions of schedules sit: a table of t and beta, and a figure. Of two schedules
// the first, which is the one before, is dashed.
func ScheduleReport(shapes []tuning.Shape) *reports.Report {
	r := reports.New("schedule", ScheduleBetas(shapes))
	r.Add(reports.Figure{Title: "Inverse temperatures of the schedule", Missing: "no figure of the schedule", Draw: func() (*figure.Figure, error) { return ShapesFigure(shapes) }})
	return r
}

// betaRow is one stage of a schedule.
type betaRow struct {
	*tuning.Shape
	at int // the place among its stages
}

func betaFields() []table.Field[betaRow] {
	return slices.Concat(
		table.Titled(experiments.WholeCase(func(r *betaRow) *experiments.Case { return &r.Case }), "schedule"),
		[]table.Field[betaRow]{
			{Column: table.Column{Name: "t", Type: table.Int, Title: "t", Meaning: "the stage, from 1 to T"}, Of: func(r *betaRow) any { return r.Stages[r.at] }},
			{Column: table.Column{Name: "beta", Type: table.Float, Title: "beta", Meaning: "the inverse temperature of the stage"}, Of: func(r *betaRow) any { return r.Betas[r.at] }},
		})
}

// ScheduleBetas returns the table of the betas of schedules, a row for each stage.
func ScheduleBetas(shapes []tuning.Shape) *table.Table {
	var rows []betaRow
	for i := range shapes {
		for at := range shapes[i].Stages {
			rows = append(rows, betaRow{&shapes[i], at})
		}
	}
	return table.New(betaFields(), rows)
}

// ShapesFigure draws beta against t, one line for each schedule. It fails where there is none.
func ShapesFigure(shapes []tuning.Shape) (*figure.Figure, error) {
	if len(shapes) == 0 {
		return nil, errors.New("nothing to draw: there is no schedule")
	}
	p := figure.NewPanel("", "t", "beta_{t}")
	for i, s := range shapes {
		var points plotter.XYs
		for k, t := range s.Stages {
			points = append(points, plotter.XY{X: float64(t), Y: s.Betas[k]})
		}
		style := figure.SeriesStyle(i)
		if i == 0 && len(shapes) == 2 {
			style.Dashes = figure.Dashes()
		}
		name := targets.RowName(s.Param("schedule"))
		if err := figure.AddLine(p, name, points, style); err != nil {
			return nil, err
		}
		p.Legend.Add(name, &plotter.Line{LineStyle: style})
	}
	p.RoomAround(0.02, 0.04)
	return figure.Alone("schedule", 11*vg.Centimeter, 8*vg.Centimeter, p), nil
}
