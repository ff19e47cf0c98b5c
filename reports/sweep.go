package reports

import (
	"slices"

	"breadboard/experiments/sweep"
	"breadboard/reports/table"
)

// SweepReport returns the report of the merged results of a sweep.
func SweepReport(m *sweep.Merged) *Report { return newReport("sweep", Sweep(m)) }

// Sweep returns the table of merged results: for machines the fields of the tightness table, less what is printed
// of them, and why a cell failed; for people the parameters that vary, J, B and errors.
func Sweep(m *sweep.Merged) *table.Table { return table.New(sweepFields(m.Sweep), m.Rows) }

func sweepFields(s *sweep.Sweep) []table.Field[sweep.Row] {
	parameters := table.Lift(parameterFields(), func(r *sweep.Row) *sweep.Cell { return &r.Cell })
	for i := range parameters {
		c := &parameters[i].Column
		if c.Name == "toy" || c.Name == "T" || len(s.Values(c.Name)) > 1 {
			c.Title = c.Name
		}
	}
	numbers := table.Lift(measures(), sweepMeasures)
	for i := range numbers {
		numbers[i].Like = 0.0
	}
	return slices.Concat(parameters, numbers, []table.Field[sweep.Row]{
		{Column: table.Column{Name: "note", Like: ""}, Of: func(r *sweep.Row) any { return r.Note }},
		{Column: table.Column{Name: "error", Title: "error", Like: ""}, Of: func(r *sweep.Row) any {
			if r.Error == "" {
				return nil
			}
			return r.Error
		}},
	})
}

// sweepMeasures returns the numbers of a merged row, nil where its cell failed.
func sweepMeasures(r *sweep.Row) *measured {
	if r.Error != "" {
		return nil
	}
	return &measured{
		float64(r.J), float64(r.B), float64(r.KLQP), float64(r.KLPQ),
		float64(r.MeanLogWForward), float64(r.MeanLogWReverse), float64(r.LogZRatio), float64(r.DominantModeMass),
	}
}

// parameterFields returns the fields of the parameters of a cell, which are for machines.
func parameterFields() []table.Field[sweep.Cell] {
	var fields []table.Field[sweep.Cell]
	for _, name := range sweepOrder() {
		f := table.Field[sweep.Cell]{
			Column: table.Column{Name: name, Like: ""},
			Of:     func(c *sweep.Cell) any { return c.Get(name) },
		}
		if name == "T" {
			f.Like, f.Of = 0, func(c *sweep.Cell) any { return c.Distributions() }
		}
		fields = append(fields, f)
	}
	return fields
}

// sweepOrder returns the names of the parameters as the tightness table has them: T is the second.
func sweepOrder() []string {
	order := []string{"toy", "T"}
	for _, name := range sweep.Parameters() {
		if name != "toy" && name != "T" {
			order = append(order, name)
		}
	}
	return order
}
