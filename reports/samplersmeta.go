package reports

import (
	"strings"

	"breadboard/experiments/samplers/diagnose"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// samplersMeta is the name of the table and of the figure of the meta-analysis.
const samplersMeta = "samplers_meta"

// SamplersMetaReport returns the report of how well diagnostics foretell, together, how far the mean of a chain is off.
func SamplersMetaReport(rows []diagnose.MetaRow) *Report {
	r, from := newReport(samplersMeta, SamplersMeta(rows)), rows[0].From
	r.add(Figure{Title: "How well each method predicts the real effective sample size", Missing: "no figure of the features", File: samplersMeta, Draw: func() (*figure.Figure, error) { return SamplersMetaFigure(rows) }})
	r.note("%d points of %d targets; each of %d splits holds out %d targets; standard errors and p-values are of the difference from GP over the splits, "+
		"which share targets, so that p is too small rather than too large", from.Points, from.Targets, from.Repeats, from.Held)
	if from.Repeats == 1 {
		r.note("one split has no standard errors and no p-values; give {repeats} 10")
	}
	for _, o := range from.Omitted {
		r.note("left out %v", o)
	}
	if len(from.Constant) > 0 {
		r.note("the same at every point, so that nothing can be learned from it: %s", strings.Join(from.Constant, ", "))
	}
	return r
}

// SamplersMeta returns the table of the meta-analysis, as Table 2 of Turner and Neal 2017.
func SamplersMeta(rows []diagnose.MetaRow) *table.Table {
	return table.New(diagnose.Meta().Columns, rows)
}
