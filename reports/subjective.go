package reports

import (
	"fmt"
	"slices"

	"breadboard/exact"
	"breadboard/experiments"
	"breadboard/experiments/columns"
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

// movesRow is the result of a run for one number of moves.
type movesRow struct {
	run *subjective.Row
	exact.SubjectivePoint
}

func movesFields() []table.Field[movesRow] {
	return slices.Concat(
		experiments.WholeCase(func(r *movesRow) *experiments.Case { return &r.run.Case }),
		[]table.Field[movesRow]{
			{Column: table.Column{Name: "reference", Type: table.String, Title: "reference", Meaning: "the distribution where reverse chains start"}, Of: func(r *movesRow) any { return r.run.Reference }},
			{Column: table.Column{Name: "S", Type: table.Int, Title: "S", Meaning: "the number of moves of the reference before a reverse chain starts"}, Of: func(r *movesRow) any { return r.Moves }},
			{Column: table.Column{Name: "value", Type: table.Float, Title: "value", Unit: "nats", Meaning: "the subjective divergence, which is B where the reference is the target"}, Of: func(r *movesRow) any { return r.Value }},
			{Column: table.Column{Name: "J", Type: table.Float, Title: "J", Unit: "nats", Meaning: columns.MeansJ}, Of: func(r *movesRow) any { return r.run.Solution.J }},
			{Column: table.Column{Name: "B", Type: table.Float, Title: "B", Unit: "nats", Meaning: "the bound on J of reverse chains that start at the target itself"}, Of: func(r *movesRow) any { return r.run.Solution.B }},
			{Column: table.Column{Name: "is_bound", Type: table.Bool, Title: "bounds J", Meaning: "whether value is at least J"}, Of: func(r *movesRow) any { return r.run.IsBound(r.SubjectivePoint) }},
			{Column: table.Column{Name: "kl_reference", Type: table.Float, Spare: 1, Title: "KL(reference||p)", Unit: "nats", Narrow: true, Meaning: "KL of the moved reference from the target"}, Of: func(r *movesRow) any { return r.KL }},
			{Column: table.Column{Name: "bound_from", Type: table.Int, Meaning: "the number of moves from which on value is at least J; empty where there is none"}, Of: boundFrom},
		})
}

// boundFrom returns the number of moves from which on a run gives a bound, nil for none.
func boundFrom(r *movesRow) any {
	if r.run.BoundFrom < 0 {
		return nil
	}
	return r.run.BoundFrom
}

// Subjective returns the table of subjective divergences, a row for each number of moves.
func Subjective(runs []subjective.Row) *table.Table {
	var rows []movesRow
	for i := range runs {
		for _, p := range runs[i].Points {
			rows = append(rows, movesRow{&runs[i], p})
		}
	}
	return table.New(movesFields(), rows)
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
