package annealing

import (
	"breadboard/experiments/annealing/success"
	"breadboard/reports"
	"breadboard/reports/table"
)

// SuccessReport returns the report of annealing as an optimiser, with notes on how optima are
// known.
func SuccessReport(rows []success.Row) *reports.Report {
	r := reports.New("success", table.New(success.ColumnsOf(rows), rows))
	var notes []string
	for i := range rows {
		for _, note := range rows[i].Notes() {
			notes = append(notes, rows[i].Param("toy")+": "+note)
		}
	}
	r.NotesOnce(notes)
	return r
}
