package reports

import (
	"math"
	"slices"

	"breadboard/experiments"
	"breadboard/reports/table"
)

// caseFields returns the fields with these names, in their order, of what says which annealing a row is of. People see toy
// and T; the others are for machines unless table.Titled shows them.
func caseFields[R any](of func(*R) *experiments.Case, names ...string) []table.Field[R] {
	all := table.Lift([]table.Field[experiments.Case]{
		{Column: table.Column{Name: "toy", Title: "toy"}, Of: func(c *experiments.Case) any { return c.Toy.Name }},
		{Column: table.Column{Name: "T", Title: "T"}, Of: func(c *experiments.Case) any { return c.T }},
		{Column: table.Column{Name: "path"}, Of: func(c *experiments.Case) any { return c.Path }},
		{Column: table.Column{Name: "initial"}, Of: func(c *experiments.Case) any { return c.Initial }},
		{Column: table.Column{Name: "schedule"}, Of: func(c *experiments.Case) any { return c.Schedule }},
		{Column: table.Column{Name: "kernel"}, Of: func(c *experiments.Case) any { return c.Kernel }},
	}, of)
	fields := make([]table.Field[R], len(names))
	for i, name := range names {
		at := slices.IndexFunc(all, func(f table.Field[R]) bool { return f.Name == name })
		fields[i] = all[at] // the names are those above
	}
	return fields
}

// wholeCase returns all of caseFields.
func wholeCase[R any](of func(*R) *experiments.Case) []table.Field[R] {
	return caseFields(of, "toy", "T", "path", "initial", "schedule", "kernel")
}

// problem returns toy and T, with which the tables begin whose setting stands at their end.
func problem[R any](of func(*R) *experiments.Case) []table.Field[R] {
	return caseFields(of, "toy", "T")
}

// setting returns the rest of wholeCase.
func setting[R any](of func(*R) *experiments.Case) []table.Field[R] {
	return caseFields(of, "path", "initial", "schedule", "kernel")
}

// caseNotes adds notes that belong to a case.
func (r *Report) caseNotes(c *experiments.Case, notes []string) {
	for _, n := range notes {
		r.note("%s: %s", c, n)
	}
}

// byCase cuts rows into runs of one annealing each.
func byCase[R any](rows []R, of func(*R) *experiments.Case) (runs [][]R) {
	for i := range rows {
		if i == 0 || of(&rows[i]).Annealing != of(&rows[i-1]).Annealing {
			runs = append(runs, nil)
		}
		runs[len(runs)-1] = append(runs[len(runs)-1], rows[i])
	}
	return runs
}

// orNil returns a number, or nil for what is none.
func orNil(v float64) any {
	if math.IsNaN(v) {
		return nil
	}
	return v
}
