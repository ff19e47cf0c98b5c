package reports

import (
	"errors"

	"breadboard/chains"
	"breadboard/experiments/sandwich/compare"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// SandwichRepresentReport returns the report of annealing in the representations of a model, with a figure. It has a Fault where what two of
// them say of log p(y) is a contradiction.
func SandwichRepresentReport(rows []compare.RepresentationRow) *Report {
	t := Table{Name: sandwichRepresent, Table: SandwichRepresent(rows)}
	if whole := compare.RepresentationWhole(rows); len(whole) > 0 && len(whole) < len(rows) {
		t.Brief = SandwichRepresent(whole)
	}
	r := &Report{Parts: []Part{t, Figure{
		Title:   "B in the representations of the model",
		Missing: "no figure of the representations",
		Draw:    func() (*figure.Figure, error) { return SandwichRepresentFigure(rows) },
	}}}
	below := 0
	for i := range rows {
		if !(rows[i].B > 0) {
			below++
		}
	}
	if below > 0 {
		r.note("%d of %d values of B are not above zero, and have no place on the logarithmic axes of the figure", below, len(rows))
	}
	found := compare.RepresentationContradictions(rows)
	for _, f := range found {
		r.note("%s", f)
	}
	if len(found) > 0 {
		r.Fault = chains.NewFault(errors.New("the representations are not of the same model, or one of them does not anneal; see above"))
		return r
	}
	r.note("no lower end is above an upper end by more than chance, as p(y) is the same in all representations")
	return r
}

// sandwichRepresent is the name of the table and of its figure.
const sandwichRepresent = "sandwich_represent"

// SandwichRepresent returns the table of annealing in the representations of a model, a row for each of them, each T and each data set, and
// for all data sets together.
func SandwichRepresent(rows []compare.RepresentationRow) *table.Table {
	return table.New(compare.Representations().Columns, rows)
}
