package checks

import (
	"fmt"
	"slices"

	"breadboard/chains"
	"breadboard/experiments/columns"
	"breadboard/reports"
	"breadboard/reports/table"
)

// finding is one comparison that a check has made.
type finding struct {
	name             string
	value, tolerance float64 // NaN where nothing was compared
	verdict, where   string
}

// comparisonFields returns the columns of findings, which are the same for all checks by comparison.
func comparisonFields[R any](of func(*R) finding) []table.Field[R] {
	return []table.Field[R]{
		{Column: table.Column{Name: "finding", Type: table.String, Labels: "value", Title: "finding", Meaning: columns.MeansFinding}, Of: func(r *R) any { return of(r).name }},
		{Column: table.Column{Name: "value", Type: table.Float, Title: "value", Digits: 3, Meaning: "the number that was found; empty where nothing was compared"}, Of: func(r *R) any { return columns.OrEmpty(of(r).value) }},
		{Column: table.Column{Name: "tolerance", Type: table.Float, Spare: 1, Title: "tolerance", Digits: 2, Meaning: columns.MeansTolerance}, Of: func(r *R) any { return columns.OrEmpty(of(r).tolerance) }},
		{Column: table.Column{Name: "verdict", Type: table.String, Spare: table.Keep, Title: "verdict", Meaning: "pass; fault; note for a property that is neither right nor wrong; or open where nothing was compared"}, Of: func(r *R) any { return of(r).verdict }},
		{Column: table.Column{Name: "where", Type: table.String, Prose: true, Title: "where", Meaning: columns.MeansWhere}, Of: func(r *R) any { return of(r).where }},
	}
}

// verdicts counts what the findings of a check say.
type verdicts struct{ pass, fault, open, note int }

// countVerdicts counts findings by their verdict.
func countVerdicts[R any](rows []R, of func(*R) finding) (n verdicts) {
	for i := range rows {
		switch of(&rows[i]).verdict {
		case "fault":
			n.fault++
		case "open":
			n.open++
		case "note":
			n.note++
		default:
			n.pass++
		}
	}
	return n
}

// overall returns the verdict of all findings together: what is open has not passed.
func (n verdicts) overall() string {
	switch {
	case n.fault > 0:
		return "fault"
	case n.open > 0 || n.pass == 0:
		return "open"
	}
	return "pass"
}

// String lists the counts. Notes, which are neither right nor wrong, are listed where there are any.
func (n verdicts) String() string {
	text := fmt.Sprintf("%d pass, %d fault, %d open", n.pass, n.fault, n.open)
	if n.note > 0 {
		text += ", and " + reports.CountOf(n.note, "note")
	}
	return text
}

// addFindings adds the table of the findings of a check. People read a summary and the findings that say fault or open, or all of them
// where the report is made Whole; programs and files get all. The subject says in a few words what was checked, and the function whole
// makes the table.
func addFindings[R any](r *reports.Report, name, subject string, rows []R, of func(*R) finding, whole func([]R) *table.Table) verdicts {
	n := countVerdicts(rows, of)
	var first []R
	for i := range rows {
		if v := of(&rows[i]).verdict; v == "fault" || v == "open" {
			first = append(first, rows[i])
		}
	}
	r.Add(reports.Table{
		Name: name, Table: whole(rows), Brief: whole(first),
		Summary: func(paint func(string) string) string {
			return fmt.Sprintf("%s: %s: %v\n", paint(n.overall()), subject, n)
		},
	})
	return n
}

// agreement says how many comparisons agree where none is a fault, and how many are open. They are named in the plural, as "comparisons
// of estimators with their laws", and agree is their verb.
func (n verdicts) agreement(comparisons, agree string) string {
	switch {
	case n.pass == 0:
		return "nothing was decided: none of the " + comparisons + " could be looked at"
	case n.open == 1:
		return fmt.Sprintf("%d %s %s, and 1 is open: nothing was compared there, and its row says why", n.pass, comparisons, agree)
	case n.open > 0:
		return fmt.Sprintf("%d %s %s, and %d are open: nothing was compared there, and their rows say why", n.pass, comparisons, agree, n.open)
	}
	return fmt.Sprintf("all %d %s %s", n.pass, comparisons, agree)
}

// plantedBug is what a check says of a planted bug, or of something right that it must not take for one.
type plantedBug struct {
	mutant           string
	harmless, caught bool
}

// plantedFields returns the columns that the tables of planted bugs begin with: which bug, in which setting, and whether it was caught.
func plantedFields[R any](of func(*R) plantedBug, setting []table.Field[R]) []table.Field[R] {
	return slices.Concat(
		[]table.Field[R]{{Column: table.Column{Name: "mutant", Type: table.String, Title: "planted bug", Meaning: "the bug that was planted, or the harmless change"}, Of: func(r *R) any { return of(r).mutant }}},
		setting,
		[]table.Field[R]{
			{Column: table.Column{Name: "harmless", Type: table.Bool, Title: "harmless", Meaning: "whether it is no bug, and must not be caught"}, Of: func(r *R) any { return of(r).harmless }},
			{Column: table.Column{Name: "caught", Type: table.Bool, Title: "caught", Meaning: "whether the check has found a fault in it"}, Of: func(r *R) any { return of(r).caught }},
		})
}

// addPlanted adds the table of planted bugs to the report of a check, where there are any, and says how many of them were caught, and
// what of the rest, all of it harmless, was not. The function judge says whether one was caught, and fails where that is wrong: the
// report then has a Fault.
func addPlanted[R any](r *reports.Report, name string, t *table.Table, mutants []R, judge func(*R) (caught bool, err error), rest string) {
	if len(mutants) == 0 {
		return
	}
	r.Add(reports.Table{Name: name, Table: t, Place: reports.BesideResults})
	caught := 0
	for i := range mutants {
		is, err := judge(&mutants[i])
		if err != nil {
			r.Fault = chains.NewFault(err)
			return
		}
		if is {
			caught++
		}
	}
	r.Note("all %d planted bugs were caught, and nothing %s", caught, rest)
}
