package reports

import (
	"breadboard/reports/columns"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// Plots adds the figures that plots declare of a table. A row with empty cells is not part of a
// line. Figures are drawn only if files are written, and a note says why one is missing.
func (r *Report) Plots(t *table.Table, plots ...columns.Plot) {
	for _, p := range plots {
		r.addPlots(t, p, false)
	}
}

// PlotLater adds the figure of a plot of a table. The table is made only if the figure is drawn.
func (r *Report) PlotLater(p columns.Plot, make func() *table.Table) { r.addPlot(make, p, false) }

// addPlots adds the figures of a plot. Noted ones have notes about the cells that they leave out.
func (r *Report) addPlots(t *table.Table, p columns.Plot, noted bool) {
	for _, part := range figure.Each(t, p) {
		r.addPlot(func() *table.Table { return part.Table }, part.Plot, noted)
	}
}

func (r *Report) addPlot(table func() *table.Table, p columns.Plot, noted bool) {
	p.Name = FileName(p.Name)
	r.Add(Figure{
		Title:   p.Title,
		File:    p.Name,
		Missing: p.Name + " is not drawn",
		Draw: func() (*figure.Figure, error) {
			f, notes, err := figure.Plot(table(), p)
			if err == nil && noted {
				f.Notes = notes
			}
			return f, err
		},
	})
}

// View shows the rows of a study. They are a slice of any type, so that the code for views is
// compiled once, not for each type.
type View func(rows any) *Report

// Untyped returns a view of typed rows as a View, and nil for nil.
func Untyped[R any](view func([]R) *Report) View {
	if view == nil {
		return nil
	}
	return func(rows any) *Report {
		list, _ := rows.([]R) // no rows where a study has failed
		return view(list)
	}
}

// Plotting returns a view whose reports also have the figures that a study declares of the table of
// its columns.
func Plotting(fields columns.List, plots []columns.Plot, view View) View {
	if len(plots) == 0 {
		return view
	}
	return func(rows any) *Report {
		r := view(rows)
		t := table.Of(fields, rows)
		for _, p := range plots {
			r.addPlots(t, p, true)
		}
		return r
	}
}
