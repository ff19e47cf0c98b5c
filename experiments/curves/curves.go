// Package curves answers: what do the figures of studies have in common? It has the tables of
// figures that no study has, and the places in reports of figures that are drawn by hand. It knows
// of no study.
package curves

import (
	"slices"

	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// Figure returns the figure that a function draws from rows, for a report. Missing begins the note
// about a figure that cannot be drawn.
func Figure[R any](title, missing string, rows R, draw func(R) (*figure.Figure, error)) reports.Figure {
	return reports.Figure{
		Title:   title,
		Missing: missing,
		Draw:    func() (*figure.Figure, error) { return draw(rows) },
	}
}

// Filed is Figure with the name of the figure's file, which the note about a missing figure looks
// for.
func Filed[R any](file, title, missing string, rows R, draw func(R) (*figure.Figure, error)) reports.Figure {
	f := Figure(title, missing, rows, draw)
	f.File = file
	return f
}

// Column is a column of a figure that no table has.
func Column[Row any](name string, of func(Row) any) columns.Field {
	return columns.Any(name, name, "", "", of)
}

// Cells returns the table of a figure whose rows have their cells in the order of the names of
// columns, nil if a row has none.
func Cells(rows [][]any, names ...string) *table.Table {
	t := &table.Table{Rows: rows}
	for i, name := range names {
		c := table.Column{Name: name, Type: columns.Float}
		if slices.ContainsFunc(rows, func(row []any) bool { return columns.TypeOf(row[i]) == columns.String }) {
			c.Type = columns.String
		}
		t.Columns = append(t.Columns, c)
	}
	return t
}

// EachCase has a figure for each annealing.
func EachCase() columns.Split {
	return columns.Split{Always: []string{"toy", "T"}, Varying: []string{"path", "initial", "schedule", "kernel"}}
}

// OfCase returns the cells of a row of CaseCells.
func OfCase(c *subject.Case, more ...any) []any {
	return append([]any{c.Toy.Name, c.Distributions(), c.Param("path"), c.Param("initial"),
		c.Param("schedule"), c.Param("kernel")}, more...)
}

// CaseCells returns the table of figures about annealings: its rows are of OfCase, with the cells
// of more columns.
func CaseCells(rows [][]any, names ...string) *table.Table {
	return Cells(rows, append([]string{"toy", "T", "path", "initial", "schedule", "kernel"}, names...)...)
}

const (
	// PITParts is the number of bars of a histogram of probability integral transforms.
	PITParts = 20
	// PITAlpha is the probability with which a right bar leaves its band, and a right curve its
	// envelope.
	PITAlpha = 0.01
)
