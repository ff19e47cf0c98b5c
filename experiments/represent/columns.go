package represent

import (
	"slices"
	"strings"

	"breadboard/experiments"
	"breadboard/experiments/columns"
)

// fields lists the columns of the study.
func fields() []columns.Field[Row] {
	of := func(r *Row) *experiments.Case { return &r.Case }
	return slices.Concat(
		[]columns.Field[Row]{
			{Column: columns.Column{Name: "toy", Type: columns.String, Title: "toy", Meaning: columns.MeansRows}, Of: func(r *Row) any { return r.Model() }},
			{Column: columns.Column{Name: "representation", Type: columns.String, Title: "representation", Meaning: "which latent variables of the model are kept"}, Of: func(r *Row) any { return r.Representation() }},
		},
		experiments.CaseColumns(of, "T"),
		experiments.RestOfCase(of),
		[]columns.Field[Row]{
			{Column: columns.Column{Name: "states", Type: columns.Int, Title: "states", Meaning: "the number of states of the representation"}, Of: func(r *Row) any { return r.Toy.Space.States() }},
			{Column: columns.Column{Name: "work", Type: columns.Float, Title: "work", Meaning: "the mean number of evaluations of log f in a run"}, Of: func(r *Row) any { return r.Work }},
			{Column: columns.Column{Name: "J", Type: columns.Float, Title: "J", Unit: "nats", Meaning: columns.MeansJ}, Of: func(r *Row) any { return r.J }},
			{Column: columns.Column{Name: "B", Type: columns.Float, Title: "B", Unit: "nats", Meaning: columns.MeansB}, Of: func(r *Row) any { return r.B }},
			{Column: columns.Column{Name: "log_z_ratio", Type: columns.Float, Title: "log(Z_T/Z_1)", Unit: "nats", Meaning: columns.MeansLogZRatio}, Of: func(r *Row) any { return r.LogZRatio }},
			{Column: columns.Column{Name: "note", Type: columns.String, Meaning: columns.MeansNote}, Of: func(r *Row) any { return strings.Join(r.Notes, "; ") }},
		})
}
