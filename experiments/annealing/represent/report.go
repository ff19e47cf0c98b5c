package represent

import (
	"breadboard/experiments/curves"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/reports/table"
)

// report returns the report of the representations of models, with a figure for each
// model.
func report(rows []Row) *reports.Report {
	r := reports.New("represent", table.New(Study().Declaration.Columns, rows))
	model := curves.Column("model", func(r *Row) any { return r.Model() })
	r.Plots(table.New(append(Study().Declaration.Columns, model), rows), columns.Plot{
		Name:  "represent",
		Title: "J and B by representation of the model",
		Each:  columns.Split{Always: []string{"model"}},
		Parts: []columns.Part{{
			X:      "T",
			XLabel: "number of distributions T",
			XScale: columns.Decades,
			Y:      []string{"J", "B"},
			YLabel: "J and B (nats)",
			YScale: columns.Decades,
		}, {
			X:      "work",
			XLabel: "work: evaluations of log f in a run",
			XScale: columns.Decades,
			Y:      []string{"J", "B"},
			YLabel: "J and B (nats)",
			YScale: columns.Decades,
		}},
		By:     []string{"representation"},
		Kinds:  []string{"J, exact", "B, the bound"},
		Joined: true,
	})
	for i := range rows {
		r.CaseNotes(&rows[i].Case, rows[i].Notes)
	}
	return r
}
