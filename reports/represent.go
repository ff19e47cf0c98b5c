package reports

import (
	"slices"

	"breadboard/experiments/represent"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// RepresentReport returns the report of the representations of models, with a figure for each model.
func RepresentReport(rows []represent.Row) *Report {
	r := newReport("represent", Represent(rows))
	for _, model := range byModel(rows) {
		r.add(Figure{
			Title:   "J and B in the representations of " + model[0].Model(),
			Missing: "no figure of " + model[0].Model(),
			Draw:    func() (*figure.Figure, error) { return RepresentFigure(model) },
		})
	}
	for i := range rows {
		r.caseNotes(&rows[i].Case, rows[i].Notes)
	}
	return r
}

// byModel splits rows into those of each model, in the order in which the models first appear.
func byModel(rows []represent.Row) [][]represent.Row {
	return grouped(rows, func(r *represent.Row) string { return r.Model() })
}

// byRepresentation splits the rows of a model into those of each representation.
func byRepresentation(rows []represent.Row) [][]represent.Row {
	return grouped(rows, func(r *represent.Row) string { return r.Representation() })
}

// grouped splits rows into those that have the same name, in the order in which the names first appear.
func grouped[R any](rows []R, name func(*R) string) (groups [][]R) {
	var names []string
	for i := range rows {
		at := slices.Index(names, name(&rows[i]))
		if at < 0 {
			at = len(names)
			names, groups = append(names, name(&rows[i])), append(groups, nil)
		}
		groups[at] = append(groups[at], rows[i])
	}
	return groups
}

// Represent returns the table of the representations of models, a row for each representation and number of distributions.
func Represent(rows []represent.Row) *table.Table { return table.New(represent.Study().Columns, rows) }
