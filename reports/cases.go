package reports

import (
	"math"
	"slices"

	"breadboard/experiments"
	"breadboard/reports/table"
)

// caseFields returns the fields with the given names, in their order, that say to which annealing a row belongs. People see
// toy and T; the others are for machines unless table.Titled shows them.
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
		fields[i] = all[at] // all names are among those above
	}
	return fields
}

// wholeCase returns all of caseFields.
func wholeCase[R any](of func(*R) *experiments.Case) []table.Field[R] {
	return caseFields(of, "toy", "T", "path", "initial", "schedule", "kernel")
}

// problem returns the fields toy and T. Some tables begin with these and have the rest of the case (setting) at their end.
func problem[R any](of func(*R) *experiments.Case) []table.Field[R] {
	return caseFields(of, "toy", "T")
}

// setting returns the fields of wholeCase that problem leaves out.
func setting[R any](of func(*R) *experiments.Case) []table.Field[R] {
	return caseFields(of, "path", "initial", "schedule", "kernel")
}

// caseNotes adds notes that belong to a case.
func (r *Report) caseNotes(c *experiments.Case, notes []string) {
	for _, n := range notes {
		r.note("%s: %s", c, n)
	}
}

// byCase splits rows into runs of consecutive rows that belong to one annealing.
func byCase[R any](rows []R, of func(*R) *experiments.Case) (runs [][]R) {
	for i := range rows {
		if i == 0 || of(&rows[i]).Annealing != of(&rows[i-1]).Annealing {
			runs = append(runs, nil)
		}
		runs[len(runs)-1] = append(runs[len(runs)-1], rows[i])
	}
	return runs
}

// orNil returns the number, or nil, which makes an empty cell, for NaN.
func orNil(v float64) any {
	if math.IsNaN(v) {
		return nil
	}
	return v
}
