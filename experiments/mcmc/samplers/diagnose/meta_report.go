package diagnose

import (
	"strings"

	"breadboard/experiments/curves"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/reports/table"
)

// samplersMetaFile is the name of the table and of the figure of the meta-analysis.
const samplersMetaFile = "samplers_meta"

// metaReport returns the report of how well diagnostics together predict the error of the
// mean of a chain. Its table is like Table 2 of Turner and Neal 2017.
func metaReport(rows []MetaRow) *reports.Report {
	r := reports.New(samplersMetaFile, table.New(Meta().Declaration.Columns, rows))
	from := rows[0].From
	r.Plots(table.New(append(Meta().Declaration.Columns,
		curves.Column("GP", func(*MetaRow) any { return rows[0].MSE }),
		curves.Column("NLL of GP", func(*MetaRow) any { return rows[0].NLL })), rows), columns.Plot{
		Name:  samplersMetaFile,
		Title: "How well each method predicts the real effective sample size",
		Parts: []columns.Part{{
			X:      "mse",
			XLabel: "MSE of " + rows[0].Label.Column(),
			Y:      []string{"method"},
			Errors: "mse_se",
			Level:  []string{"GP"},
		}, {
			X:      "nll",
			XLabel: "NLL relative to GP (nats)",
			Y:      []string{"method"},
			Errors: "nll_se",
			Level:  []string{"NLL of GP"},
		}},
	})
	r.Note("%d points of %d targets; each of %d splits holds out %d targets; standard errors and p-values "+
		"are of the difference from GP over the splits, "+
		"which share targets, so that p is too small rather than too large", from.Points, from.Targets,
		from.Repeats, from.Held)
	if from.Repeats == 1 {
		r.Note("one split has no standard errors and no p-values; give {splits} 10")
	}
	for _, o := range from.Omitted {
		r.Note("left out %v", o)
	}
	if len(from.Constant) > 0 {
		r.Note("the same at every point, so that nothing can be learned from it: %s",
			strings.Join(from.Constant, ", "))
	}
	return r
}
