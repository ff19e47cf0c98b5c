package power

import (
	"breadboard/reports"
	"breadboard/reports/table"
)

// report returns the report that compares tests.
func report(rows []Row) *reports.Report {
	r := reports.New("power", table.New(Columns(), rows))
	reports.NoteRows(r, rows, (*Row).Note, (*Row).About)
	return r
}
