// Package curves answers: what do the figures of views draw alike? It has points and series in panels, with their entries of a legend, and the
// places of figures in reports. It knows of no study.
package curves

import (
	"fmt"
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/experiments"
	"breadboard/experiments/columns"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// Figure returns the figure of a report that a function draws of rows. Missing begins the note about one that cannot be drawn.
func Figure[R any](title, missing string, rows R, draw func(R) (*figure.Figure, error)) reports.Figure {
	return reports.Figure{Title: title, Missing: missing, Draw: func() (*figure.Figure, error) { return draw(rows) }}
}

// Filed returns a figure as Figure does, whose file has a name that the note about a missing figure can look for.
func Filed[R any](file, title, missing string, rows R, draw func(R) (*figure.Figure, error)) reports.Figure {
	f := Figure(title, missing, rows, draw)
	f.File = file
	return f
}

// About returns a figure about one of several subjects, such as an annealing, which its title and its note name.
func About[R any](title string, subject any, rows R, draw func(R) (*figure.Figure, error)) reports.Figure {
	return Figure(fmt.Sprintf("%s: %v", title, subject), fmt.Sprintf("%v: no figure", subject), rows, draw)
}

// Column is a column of a figure that no table has.
func Column[Row any](name string, of func(Row) any) columns.Field {
	return columns.Any(name, name, "", "", of)
}

// Cells returns the table of a figure whose rows have their cells in the order of the names of columns, nil where a row has none.
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
const EachCase = "toy+T|path+initial+schedule+kernel"

// OfCase returns the cells of a row of CaseCells.
func OfCase(c *experiments.Case, more ...any) []any {
	return append([]any{c.Toy.Name, c.Distributions(), c.Param("path"), c.Param("initial"), c.Param("schedule"), c.Param("kernel")}, more...)
}

// CaseCells returns the table of figures about annealings: its rows are of OfCase, with the cells of more columns.
func CaseCells(rows [][]any, names ...string) *table.Table {
	return Cells(rows, append([]string{"toy", "T", "path", "initial", "schedule", "kernel"}, names...)...)
}

// Pen draws series in panels. It remembers the first error, after which it draws no more.
type Pen struct{ Err error }

// Line draws a line as figure.AddLine does.
func (p *Pen) Line(on *figure.Panel, name string, points plotter.XYs, style draw.LineStyle) {
	if p.Err == nil {
		p.Err = figure.AddLine(on, name, points, style)
	}
}

// Done returns a figure, or the error that the pen remembers.
func (p *Pen) Done(f *figure.Figure) (*figure.Figure, error) {
	if p.Err != nil {
		return nil, p.Err
	}
	return f, nil
}

// Key is the entry of a legend for a line of a style.
func Key(style draw.LineStyle) *plotter.Line { return &plotter.Line{LineStyle: style} }

// Shades returns the function from numbers between 0 and 1 to the colours that stand for them. A number outside has the colour of the nearer end.
func Shades() (func(float64) color.Color, error) {
	colours, err := figure.Viridis()
	if err != nil {
		return nil, err
	}
	return func(v float64) color.Color {
		at, err := colours.At(min(1, max(0, v)))
		if err != nil {
			panic(err) // a number from 0 to 1 is within the colour map
		}
		return at
	}, nil
}

// ZeroAxis makes the ticks of an axis of log10 of a number, with one more tick for zero, which stands at Zero. Other ticks begin at First.
type ZeroAxis struct{ Zero, First float64 }

// Ticks implements plot.Ticker. Ticks that would touch that of zero are left out.
func (a ZeroAxis) Ticks(low, high float64) []plot.Tick {
	ticks := []plot.Tick{{Value: a.Zero, Label: "0"}}
	for _, t := range (figure.Decades{}).Ticks(max(low, a.First), high) {
		if t.Value > a.Zero+0.3 {
			ticks = append(ticks, t)
		}
	}
	return ticks
}

// Value returns the number at a place of the axis.
func (a ZeroAxis) Value(at float64) float64 {
	if at == a.Zero {
		return 0
	}
	return figure.Decades{}.Value(at)
}
