package reports

import (
	"slices"
	"strings"

	"breadboard/experiments"
	"breadboard/experiments/columns"
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
func Represent(rows []represent.Row) *table.Table { return table.New(representFields(), rows) }

func representFields() []table.Field[represent.Row] {
	of := func(r *represent.Row) *experiments.Case { return &r.Case }
	return slices.Concat(
		[]table.Field[represent.Row]{
			{Column: table.Column{Name: "toy", Type: table.String, Title: "toy", Meaning: columns.MeansRows}, Of: func(r *represent.Row) any { return r.Model() }},
			{Column: table.Column{Name: "representation", Type: table.String, Title: "representation", Meaning: "which latent variables of the model are kept"}, Of: func(r *represent.Row) any { return r.Representation() }},
		},
		experiments.CaseColumns(of, "T"),
		experiments.RestOfCase(of),
		[]table.Field[represent.Row]{
			{Column: table.Column{Name: "states", Type: table.Int, Title: "states", Meaning: "the number of states of the representation"}, Of: func(r *represent.Row) any { return r.Toy.Space.States() }},
			{Column: table.Column{Name: "work", Type: table.Float, Title: "work", Meaning: "the mean number of evaluations of log f in a run"}, Of: func(r *represent.Row) any { return r.Work }},
			{Column: table.Column{Name: "J", Type: table.Float, Title: "J", Unit: "nats", Meaning: columns.MeansJ}, Of: func(r *represent.Row) any { return r.J }},
			{Column: table.Column{Name: "B", Type: table.Float, Title: "B", Unit: "nats", Meaning: columns.MeansB}, Of: func(r *represent.Row) any { return r.B }},
			{Column: table.Column{Name: "log_z_ratio", Type: table.Float, Title: "log(Z_T/Z_1)", Unit: "nats", Meaning: columns.MeansLogZRatio}, Of: func(r *represent.Row) any { return r.LogZRatio }},
			{Column: table.Column{Name: "note", Type: table.String, Meaning: columns.MeansNote}, Of: func(r *represent.Row) any { return strings.Join(r.Notes, "; ") }},
		})
}
