package compare

import (
	"fmt"

	"breadboard/experiments/marginal/sandwich"
	"breadboard/reports"
)

// crossedReport returns the report of models fitted to the data of each other, with a figure.
func crossedReport(rows []CrossedRow) *reports.Report {
	whole := crossedWhole(rows)
	r := &reports.Report{}
	findings, ahead := CrossedFindings(rows)
	if len(findings) > 0 {
		r.Add(reports.Answer(fmt.Sprintf("models that are certainly ahead of the next on data of their own: %d of %d",
			ahead, len(findings))))
	}
	r.Add(sandwich.InBrief(sandwichTableFile, rows, whole, Crossed().Declaration.Columns))
	for _, finding := range findings {
		r.Note("%s", finding)
	}
	return r
}

// sandwichTableFile is the name of the table and of its figure.
const sandwichTableFile = "sandwich_table"
