package marginal

import (
	"fmt"

	"breadboard/experiments/marginal/sandwich/compare"
	"breadboard/reports"
)

// SandwichTableReport returns the report of models fitted to the data of each other, with a figure.
func SandwichTableReport(rows []compare.CrossedRow) *reports.Report {
	whole := compare.CrossedWhole(rows)
	r := &reports.Report{}
	findings, ahead := compare.CrossedFindings(rows)
	if len(findings) > 0 {
		r.Add(reports.Answer(fmt.Sprintf("models that are certainly ahead of the next on data of their own: %d of %d",
			ahead, len(findings))))
	}
	r.Add(inBrief(sandwichTableFile, rows, whole, compare.Crossed().Declaration.Columns))
	for _, finding := range findings {
		r.Note("%s", finding)
	}
	return r
}

// sandwichTableFile is the name of the table and of its figure.
const sandwichTableFile = "sandwich_table"
