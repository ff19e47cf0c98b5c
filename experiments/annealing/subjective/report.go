package subjective

import (
	"fmt"

	"breadboard/experiments/curves"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/reports/table"
)

// report returns the report of subjective divergences, with a figure for each annealing:
// the value against the number of kernel steps, between J and B, with a mark where it begins to
// bound J, unless it does from the start. Its notes have the number of steps from which on each
// reference gives a bound.
func report(runs []Row) *reports.Report {
	r := reports.New("subjective", Table(runs))
	for _, run := range subject.ByCase(runs, (*Row).TheCase) {
		r.CaseNotes(&run[0].Case, run[0].Solution.Notes)
	}
	var cells [][]any
	for i := range runs {
		for _, at := range runs[i].Curve {
			mark := any(nil)
			if at.Moves == runs[i].BoundFrom && at.Moves > 0 {
				mark = runs[i].Solution.J
			}
			cells = append(cells, curves.OfCase(&runs[i].Case, "from "+runs[i].Reference, at.Moves, at.Value,
				mark, runs[i].Solution.J, runs[i].Solution.B))
		}
	}
	r.Plots(curves.CaseCells(cells, "reference", "moves", "value", "bounds J from here on", "J", "B"),
		columns.Plot{
			Name:  "subjective",
			Title: "Subjective divergence by kernel steps from the reference",
			Each:  curves.EachCase(),
			Parts: []columns.Part{{
				X:      "moves",
				XLabel: "kernel steps from the reference to the reverse chain",
				XUnit:  1,
				Y:      []string{"value", "bounds J from here on"},
				YLabel: "subjective divergence (nats)",
				Level:  []string{"J", "B"},
			}},
			By:     []string{"reference"},
			Kinds:  []string{"", "bounds J from here on"},
			Dots:   []string{"bounds J from here on"},
			Joined: true,
			Lines:  true,
		})
	for _, n := range Notes(runs) {
		r.Note("%s", n)
	}
	return r
}

// Table returns the table of subjective divergences, a row for each number of kernel steps.
func Table(runs []Row) *table.Table {
	var rows []Moved
	for i := range runs {
		for _, p := range runs[i].Points {
			rows = append(rows, Moved{Run: &runs[i], SubjectivePoint: p})
		}
	}
	return table.New(Columns(), rows)
}

// Notes returns notes with the number of kernel steps from which on each reference gives
// a bound.
func Notes(runs []Row) []string {
	var notes []string
	for i := range runs {
		r := &runs[i]
		last := 0
		for _, p := range r.Points {
			last = max(last, p.Moves)
		}
		bound := fmt.Sprintf("a bound on J from S = %d to %d", r.BoundFrom, last)
		if r.BoundFrom < 0 {
			bound = fmt.Sprintf("no bound on J up to S = %d", last)
		}
		notes = append(notes, fmt.Sprintf("%s, reference %s: %s", &r.Case, r.Reference, bound))
	}
	return notes
}
