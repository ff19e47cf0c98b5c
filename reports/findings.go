package reports

import (
	"slices"

	"breadboard/chains"
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
		{Column: table.Column{Name: "finding", Type: table.String, Labels: "value", Title: "finding", Meaning: meansFinding}, Of: func(r *R) any { return of(r).name }},
		{Column: table.Column{Name: "value", Type: table.Float, Title: "value", Digits: 3, Meaning: "the number that was found; empty where nothing was compared"}, Of: func(r *R) any { return orNil(of(r).value) }},
		{Column: table.Column{Name: "tolerance", Type: table.Float, Spare: 1, Title: "tolerance", Digits: 2, Meaning: meansTolerance}, Of: func(r *R) any { return orNil(of(r).tolerance) }},
		{Column: table.Column{Name: "verdict", Type: table.String, Spare: table.Keep, Title: "verdict", Meaning: "pass; fault; note for a property that is neither right nor wrong; or open where nothing was compared"}, Of: func(r *R) any { return of(r).verdict }},
		{Column: table.Column{Name: "where", Type: table.String, Prose: true, Title: "where", Meaning: meansWhere}, Of: func(r *R) any { return of(r).where }},
	}
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
func addPlanted[R any](r *Report, name string, t *table.Table, mutants []R, judge func(*R) (caught bool, err error), rest string) {
	if len(mutants) == 0 {
		return
	}
	r.add(Table{Name: name, Table: t, Place: BesideResults})
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
	r.note("all %d planted bugs were caught, and nothing %s", caught, rest)
}
