package reports

import (
	"math"
	"slices"
	"strconv"

	"breadboard/experiments"
	"breadboard/experiments/columns"
	"breadboard/reports/table"
	"breadboard/toys"
)

// columnOrder puts names of parameters into the order in which tables have them: toy and T, with which every table
// begins, and then the others as they are.
func columnOrder(names []string) (order []string) {
	first := []string{"toy", "T"}
	for _, name := range first {
		if slices.Contains(names, name) {
			order = append(order, name)
		}
	}
	for _, name := range names {
		if !slices.Contains(first, name) {
			order = append(order, name)
		}
	}
	return order
}

// paramType returns the type of the cells that paramCell returns.
func paramType(p experiments.Parameter) table.Type {
	switch {
	case p.Number == nil:
		return table.String
	case p.Number.Real:
		return table.Float
	}
	return table.Int
}

// paramCell returns the cell of a value of a parameter: a number where the parameter is one, and else the text, of which people see the
// beginning where it is long.
func paramCell(p experiments.Parameter, value string) any {
	if p.Number == nil {
		if title := toys.Title(value); title != value {
			return table.Both{Machine: value, People: title}
		}
		return value
	}
	if !p.Number.Real {
		if n, err := strconv.Atoi(value); err == nil {
			return n
		}
	} else if v, err := strconv.ParseFloat(value, 64); err == nil {
		return v
	}
	return nil // a case that has no such parameter
}

// caseFields returns the fields of the parameters of a case with these names, in their order: they say which case a row is
// of. People see toy and T; the others are for machines unless table.Titled shows them.
func caseFields[R any](of func(*R) *experiments.Case, names ...string) []table.Field[R] {
	fields := make([]table.Field[experiments.Case], len(names))
	for i, p := range experiments.Common(names...) {
		fields[i] = table.Field[experiments.Case]{
			Column: table.Column{Name: p.Name, Type: paramType(p), Meaning: p.Doc},
			Of:     func(c *experiments.Case) any { return paramCell(p, c.Param(p.Name)) },
		}
		if p.Name == "toy" || p.Name == "T" {
			fields[i].Title = p.Name
		} else {
			fields[i].Spare = 1
		}
	}
	return columns.Lift(fields, of)
}

// wholeCase returns the fields of all parameters that cases of annealing have.
func wholeCase[R any](of func(*R) *experiments.Case) []table.Field[R] {
	return caseFields(of, columnOrder(experiments.Names(experiments.Parameters()))...)
}

// problem returns the fields toy and T. Some tables begin with these and have the rest of the case (setting) at their end.
func problem[R any](of func(*R) *experiments.Case) []table.Field[R] {
	return caseFields(of, "toy", "T")
}

// setting returns the fields of wholeCase that problem leaves out.
func setting[R any](of func(*R) *experiments.Case) []table.Field[R] {
	return caseFields(of, columnOrder(experiments.Names(experiments.Parameters()))[2:]...)
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
		if i == 0 || of(&rows[i]).Algorithm != of(&rows[i-1]).Algorithm {
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
