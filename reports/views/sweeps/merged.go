package sweeps

import (
	"fmt"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/experiments"
	"breadboard/experiments/columns"
	"breadboard/experiments/sweep"
	"breadboard/reports"
	"breadboard/reports/table"
	"breadboard/toys"
)

// SweepReport returns the report of the merged results of a sweep. It has a Fault where cells have failed.
func SweepReport(m *sweep.Merged) *reports.Report {
	r := reports.New("sweep", Sweep(m))
	failed, first := 0, ""
	for _, row := range m.Rows {
		if row.Error == "" {
			continue
		}
		if failed++; failed == 1 {
			first = reports.OneLine(row.Cell.String() + ": " + row.Error)
		}
	}
	if failed > 0 {
		r.Fault = chains.NewFault(fmt.Errorf("%d of %d cells failed, and the column error says why; the first of them is %s", failed, m.Sweep.Len(), first))
	}
	return r
}

// Sweep returns the table of merged results. For machines it has every parameter and every value of the study, a note, and
// why a cell failed; for people the parameters that vary, the values that the study shows, and errors.
func Sweep(m *sweep.Merged) *table.Table { return table.New(sweepFields(m.Sweep), m.Rows) }

func sweepFields(s *sweep.Sweep) []table.Field[sweep.Row] {
	fields := MergedFields(s.Study())
	for i := range s.Study().Parameters {
		c := &fields[i].Column
		if c.Name == "toy" || c.Name == "T" || len(s.Values(c.Name)) > 1 {
			c.Title = c.Name
		}
	}
	return fields
}

// MergedFields returns the fields of the results of a study, those of its parameters first and without titles.
func MergedFields(study *experiments.Study) []table.Field[sweep.Row] {
	parameters := columns.Lift(parameterFields(study), func(r *sweep.Row) *sweep.Cell { return &r.Cell })
	return slices.Concat(parameters, valueFields(study), []table.Field[sweep.Row]{
		{Column: table.Column{Name: "note", Type: table.String, Meaning: columns.MeansNote}, Of: func(r *sweep.Row) any {
			if r.Values == nil {
				return ""
			}
			return r.Note
		}},
		{Column: table.Column{Name: "error", Type: table.String, Spare: table.Keep, Prose: true, Title: "error", Meaning: "why the cell failed; empty where it did not"}, Of: func(r *sweep.Row) any {
			if r.Error == "" {
				return nil
			}
			return r.Error
		}},
	})
}

// valueFields returns the fields of the values of a study, nil where a cell failed.
func valueFields(study *experiments.Study) []table.Field[sweep.Row] {
	fields := make([]table.Field[sweep.Row], len(study.Values))
	for i, v := range study.Values {
		fields[i] = table.Field[sweep.Row]{Column: valueColumn(v), Of: func(r *sweep.Row) any {
			if r.Error != "" {
				return nil
			}
			if v.Missing {
				return columns.OrEmpty(r.Get(v.Name))
			}
			return r.Get(v.Name)
		}}
	}
	return fields
}

// valueColumn returns the column of a value of a study, which people see where its study says so.
func valueColumn(v experiments.Value) table.Column {
	c := v.Column
	c.Type = table.Float
	if !v.Shown {
		c.Title = ""
	} else if c.Title == "" {
		c.Title = strings.ReplaceAll(v.Name, "_", " ")
	}
	return c
}

// parameterFields returns the fields of the parameters of a cell, which are for machines.
func parameterFields(study *experiments.Study) []table.Field[sweep.Cell] {
	var fields []table.Field[sweep.Cell]
	for _, name := range experiments.ColumnOrder(experiments.Names(study.Parameters)) {
		p, _ := experiments.Find(study.Parameters, name)
		f := table.Field[sweep.Cell]{
			Column: table.Column{Name: name, Type: experiments.TypeOf(p), Meaning: p.Doc},
			Of: func(c *sweep.Cell) any {
				cell := experiments.CellOf(p, c.Get(name))
				if short := shownValue(p, c.Get(name)); cell != nil && p.Number == nil && short != c.Get(name) {
					return table.Both{Machine: cell, People: short}
				}
				return cell
			},
		}
		fields = append(fields, f)
	}
	return fields
}

// shownValue returns the value of a parameter as people see it: of a toy that a user has given a name, the name alone.
func shownValue(p experiments.Parameter, value string) string {
	if p.Name == "toy" {
		if name, _ := toys.SplitName(value); name != "" {
			return name
		}
	}
	return value
}
