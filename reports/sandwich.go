package reports

import (
	"breadboard/experiments/sandwich"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// SandwichReport returns the report of the ends between which log p(y) of simulated data lies, with a figure for each model.
func SandwichReport(rows []sandwich.Row) *Report {
	t := Table{Name: "sandwich", Table: Sandwiches(rows)}
	if whole := wholeRows(rows); len(whole) > 0 && len(whole) < len(rows) {
		t.Brief = Sandwiches(whole)
	}
	r := &Report{Parts: []Part{t}}
	for _, model := range grouped(rows, func(r *sandwich.Row) string { return r.Model }) {
		if model[0].Forward {
			continue // nothing is known of log p(y), from which a figure has the distances
		}
		r.add(Figure{
			Title:   "Bounds of log p(y), model " + model[0].Model,
			Missing: "no figure of " + model[0].Model,
			Draw:    func() (*figure.Figure, error) { return SandwichFigure(model) },
		})
	}
	for _, note := range sandwich.Findings(rows) {
		r.note("%s", note)
	}
	return r
}

// wholeRows returns the rows of all data sets together.
func wholeRows(rows []sandwich.Row) (whole []sandwich.Row) {
	for _, r := range rows {
		if r.Data == 0 {
			whole = append(whole, r)
		}
	}
	return whole
}

// Sandwiches returns the table of the ends between which log p(y) lies, a row for each algorithm, setting and data set, and for all data
// sets together.
func Sandwiches(rows []sandwich.Row) *table.Table { return table.New(sandwich.Study().Columns, rows) }
