package marginal

import (
	"breadboard/experiments/marginal/sandwich/compare"
	"breadboard/reports"
)

// SandwichTableReport returns the report of models fitted to the data of each other, with a figure.
func SandwichTableReport(rows []compare.CrossedRow) *reports.Report {
	whole := compare.CrossedWhole(rows)
	r := &reports.Report{Parts: []reports.Part{
		inBrief(sandwichTableFile, rows, whole, compare.Crossed().Declaration.Columns),
	}}
	for _, finding := range compare.CrossedFindings(rows) {
		r.Note("%s", finding)
	}
	return r
}

// sandwichTableFile is the name of the table and of its figure.
const sandwichTableFile = "sandwich_table"
