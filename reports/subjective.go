package reports

import (
	"fmt"

	"breadboard/experiments"
	"breadboard/experiments/subjective"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// SubjectiveReport returns the report of subjective divergences, with a figure for each annealing. Its notes say from how many
// moves on each reference gives a bound.
func SubjectiveReport(runs []subjective.Row) *Report {
	r := newReport("subjective", Subjective(runs))
	for _, run := range byCase(runs, func(r *subjective.Row) *experiments.Case { return &r.Case }) {
		r.caseNotes(&run[0].Case, run[0].Solution.Notes)
		r.add(Figure{Title: "Subjective divergence against the moves of the reference: " + run[0].Case.String(), Missing: run[0].Case.String() + ": no figure", Draw: func() (*figure.Figure, error) { return SubjectiveFigure(run) }})
	}
	for _, n := range SubjectiveNotes(runs) {
		r.note("%s", n)
	}
	return r
}

// Subjective returns the table of subjective divergences, a row for each number of moves.
func Subjective(runs []subjective.Row) *table.Table {
	var rows []subjective.Moved
	for i := range runs {
		for _, p := range runs[i].Points {
			rows = append(rows, subjective.Moved{Run: &runs[i], SubjectivePoint: p})
		}
	}
	return table.New(subjective.Columns(), rows)
}

// SubjectiveNotes returns notes that say from how many moves on each reference gives a bound.
func SubjectiveNotes(runs []subjective.Row) []string {
	var notes []string
	for i := range runs {
		r := &runs[i]
		last := 0
		for _, p := range r.Points {
			last = max(last, p.Moves)
		}
		switch {
		case r.BoundFrom < 0:
			notes = append(notes, fmt.Sprintf("%s, reference %s: no bound on J up to S = %d", &r.Case, r.Reference, last))
		case r.BoundFrom == 0:
			notes = append(notes, fmt.Sprintf("%s, reference %s: a bound on J from S = 0 to %d", &r.Case, r.Reference, last))
		default:
			notes = append(notes, fmt.Sprintf("%s, reference %s: a bound on J from S = %d to %d", &r.Case, r.Reference, r.BoundFrom, last))
		}
	}
	return notes
}
