package experiments

import (
	"slices"
	"strconv"

	"breadboard/experiments/columns"
	"breadboard/toys"
)

// ColumnOrder puts names of parameters into the order in which tables have them: toy and T, with which every table
// begins, and then the others as they are.
func ColumnOrder(names []string) (order []string) {
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

// TypeOf returns the type of the cells that CellOf returns.
func TypeOf(p Parameter) columns.Type {
	switch {
	case p.Number == nil:
		return columns.String
	case p.Number.Real:
		return columns.Float
	}
	return columns.Int
}

// CellOf returns the cell of a value of a parameter: a number where the parameter is one, and else the text, of which people see the
// beginning where it is long.
func CellOf(p Parameter, value string) any {
	if p.Number == nil {
		if title := toys.Title(value); title != value {
			return columns.Both{Machine: value, People: title}
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

// CaseColumns returns the fields of the parameters of a case with these names, in their order: they say which case a row is
// of. People see toy and T; the others are for machines unless a table that names them shows them.
func CaseColumns[R any](of func(*R) *Case, names ...string) []columns.Field[R] {
	fields := make([]columns.Field[Case], len(names))
	for i, p := range Common(names...) {
		fields[i] = columns.Field[Case]{
			Column: columns.Column{Name: p.Name, Type: TypeOf(p), Meaning: p.Doc},
			Of:     func(c *Case) any { return CellOf(p, c.Param(p.Name)) },
		}
		if p.Name == "toy" || p.Name == "T" {
			fields[i].Title = p.Name
		} else {
			fields[i].Spare = 1
		}
	}
	return columns.Lift(fields, of)
}

// WholeCase returns the fields of all parameters that cases of annealing have.
func WholeCase[R any](of func(*R) *Case) []columns.Field[R] {
	return CaseColumns(of, ColumnOrder(Names(Parameters()))...)
}

// ShortCase returns the fields toy and T. Some tables begin with these and have the rest of the case (RestOfCase) at their end.
func ShortCase[R any](of func(*R) *Case) []columns.Field[R] { return CaseColumns(of, "toy", "T") }

// RestOfCase returns the fields of WholeCase that ShortCase leaves out.
func RestOfCase[R any](of func(*R) *Case) []columns.Field[R] {
	return CaseColumns(of, ColumnOrder(Names(Parameters()))[2:]...)
}
