package annealing

import (
	"gonum.org/v1/plot/vg"

	"breadboard/chains"
	"breadboard/experiments/annealing/represent"
	"breadboard/experiments/annealing/scaling"
	"breadboard/experiments/columns"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
	"breadboard/reports/views/internal/curves"
)

// RepresentReport returns the report of the representations of models, with a figure for each model.
func RepresentReport(rows []represent.Row) *reports.Report {
	r := reports.New("represent", table.New(represent.Study().Columns, rows))
	for _, model := range reports.Grouped(rows, (*represent.Row).Model) {
		name := model[0].Model()
		r.Add(curves.Figure("J and B in the representations of "+name, "no figure of "+name, model, representFigure))
	}
	for i := range rows {
		r.CaseNotes(&rows[i].Case, rows[i].Notes)
	}
	return r
}

// representFigure draws J and B of the representations of one model against T, and beside it against work. The axes are logarithmic, and the
// vertical one is the same in both panels. Values that are zero or infinite are left out. It fails where no representation has two points to join.
func representFigure(rows []represent.Row) (*figure.Figure, error) {
	return curves.Drawn(curves.Plot(represent.Study().Columns, rows, columns.Plot{
		Name: reports.FileName("represent_" + rows[0].Model()), Log: "xy", X: "T|work", Y: "J+B", By: "representation",
		XLabel: "number of distributions T|work: evaluations of log f in a run", YLabel: "J and B (nats)", Kinds: "J, exact|B, the bound", Joined: true,
		Why: chains.NewAdvice("nothing to draw: give at least two numbers of distributions, as in {T} 10,100"),
	}, 9*vg.Centimeter, 7.5*vg.Centimeter))
}

// ScalingReport returns the report of how errors grow with the size of models, with the fitted powers.
func ScalingReport(rows []scaling.Row) *reports.Report {
	r := reports.New("scaling", table.New(scaling.Study().Columns, rows))
	r.Add(reports.Table{Name: "scaling_fits", Table: table.New(scaling.FitColumns(), scaling.Fits(rows)), Place: reports.BesideResults})
	for i := range rows {
		r.CaseNotes(&rows[i].Case, rows[i].Notes)
	}
	return r
}
