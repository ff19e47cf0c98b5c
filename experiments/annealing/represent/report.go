package represent

import (
	"breadboard/experiments/curves"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/reports/table"
)

// Report returns the report of the representations of models, with a figure for each
// model.
func Report(rows []Row) *reports.Report {
	r := reports.New("represent", table.New(Study().Declaration.Columns, rows))
	model := curves.Column("model", func(r *Row) any { return r.Model() })
	r.Plots(table.New(append(Study().Declaration.Columns, model), rows), columns.Plot{
		Name:   "represent",
		Title:  "J and B by representation of the model",
		Each:   "model",
		Log:    "xy",
		X:      "T|work",
		Y:      "J+B",
		By:     "representation",
		XLabel: "number of distributions T|work: evaluations of log f in a run",
		YLabel: "J and B (nats)",
		Kinds:  "J, exact|B, the bound",
		Joined: true,
	})
	for i := range rows {
		r.CaseNotes(&rows[i].Case, rows[i].Notes)
	}
	return r
}
