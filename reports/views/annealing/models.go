package annealing

import (
	"breadboard/experiments/annealing/represent"
	"breadboard/experiments/annealing/scaling"
	"breadboard/experiments/columns"
	"breadboard/reports"
	"breadboard/reports/table"
	"breadboard/reports/views/internal/curves"
)

// RepresentReport returns the report of the representations of models, with a figure for each model.
func RepresentReport(rows []represent.Row) *reports.Report {
	r := reports.New("represent", table.New(represent.Study().Columns, rows))
	model := curves.Column("model", func(r *represent.Row) any { return r.Model() })
	r.Plots(table.New(append(represent.Study().Columns, model), rows), columns.Plot{
		Name: "represent", Title: "J and B in the representations of the model", Each: "model", Log: "xy", X: "T|work", Y: "J+B", By: "representation",
		XLabel: "number of distributions T|work: evaluations of log f in a run", YLabel: "J and B (nats)", Kinds: "J, exact|B, the bound", Joined: true,
	})
	for i := range rows {
		r.CaseNotes(&rows[i].Case, rows[i].Notes)
	}
	return r
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
