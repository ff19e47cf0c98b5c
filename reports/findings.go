package reports

import "breadboard/reports/table"

// finding is one comparison that a check has made.
type finding struct {
	name             string
	value, tolerance float64 // NaN where nothing was compared
	verdict, where   string
}

// comparisonFields returns the columns of findings, which are the same for all checks by comparison.
func comparisonFields[R any](of func(*R) finding) []table.Field[R] {
	return []table.Field[R]{
		{Column: table.Column{Name: "finding", Title: "finding"}, Of: func(r *R) any { return of(r).name }},
		{Column: table.Column{Name: "value", Title: "value", Digits: 3}, Of: func(r *R) any { return orNil(of(r).value) }},
		{Column: table.Column{Name: "tolerance", Title: "tolerance", Digits: 2}, Of: func(r *R) any { return orNil(of(r).tolerance) }},
		{Column: table.Column{Name: "verdict", Title: "verdict"}, Of: func(r *R) any { return of(r).verdict }},
		{Column: table.Column{Name: "where", Title: "where"}, Of: func(r *R) any { return of(r).where }},
	}
}
