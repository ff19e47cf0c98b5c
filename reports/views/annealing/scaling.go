package annealing

import (
	"breadboard/experiments/annealing/scaling"
	"breadboard/reports"
	"breadboard/reports/table"
)

// ScalingReport returns the report of how errors grow with the size of models, with the fitted
// powers.
func ScalingReport(rows []scaling.Row) *reports.Report {
	r := reports.New("scaling", table.New(scaling.Study().Declaration.Columns, rows))
	r.Add(reports.Table{Name: "scaling_fits", Table: table.New(scaling.FitColumns(), scaling.Fits(rows)), Place: reports.BesideResults})
	for i := range rows {
		r.CaseNotes(&rows[i].Case, rows[i].Notes)
	}
	return r
}
