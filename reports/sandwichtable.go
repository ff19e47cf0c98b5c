package reports

import (
	"breadboard/experiments/sandwich/compare"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// SandwichTableReport returns the report of models that are fitted to the data of each other, with a figure.
func SandwichTableReport(rows []compare.CrossedRow) *Report {
	t := Table{Name: sandwichTable, Table: SandwichTable(rows)}
	whole := compare.CrossedWhole(rows)
	if len(whole) > 0 && len(whole) < len(rows) {
		t.Brief = SandwichTable(whole)
	}
	r := &Report{Parts: []Part{t, Figure{
		Title:   "Models that are fitted to the data of each other",
		Missing: "no figure of the table",
		Draw:    func() (*figure.Figure, error) { return SandwichTableFigure(whole) },
	}}}
	for _, finding := range compare.CrossedFindings(rows) {
		r.note("%s", finding)
	}
	return r
}

// sandwichTable is the name of the table and of its figure.
const sandwichTable = "sandwich_table"

// SandwichTable returns the table of models that are fitted to the data of each other, a row for each two models and each data set, and for
// all data sets together.
func SandwichTable(rows []compare.CrossedRow) *table.Table {
	return table.New(compare.Crossed().Columns, rows)
}
