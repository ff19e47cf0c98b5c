package annealing

import (
	"breadboard/experiments/annealing/success"
	"breadboard/reports"
	"breadboard/reports/table"
)

// SuccessReport returns the report of annealing as an optimiser, with notes on toys where chains were simulated.
func SuccessReport(rows []success.Row) *reports.Report {
	r := reports.New("success", table.New(success.Columns(), rows))
	var notes []string
	for i := range rows {
		if s := rows[i].Simulated; s != nil {
			notes = append(notes, rows[i].Param("toy")+": "+s.Note)
		}
	}
	r.NotesOnce(notes)
	return r
}
