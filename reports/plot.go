package reports

import (
	"slices"
	"strings"

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

// Plot adds a figure of columns that a user has named, from the first table that has all of them.
// If no column is named that distinguishes lines, all texts do in which rows differ. It fails if no
// table has the columns, and lists those of the table that has most of them. If the columns have no
// numbers the report has a Fault.
func (r *Report) Plot(p columns.Plot) error {
	var tables []*table.Table
	var names []string
	for _, t := range r.Tables() {
		if t.Place != AmongMessages {
			tables, names = append(tables, t.In(table.CSV)), append(names, t.Name)
		}
	}
	i, err := Plottable(tables, p)
	if err != nil {
		return err
	}
	t := tables[i]
	p.Name = FileName(names[i] + "_" + p.Name)
	if !slices.ContainsFunc(p.Parts, func(q columns.Part) bool { return q.Band != nil }) {
		p.BandIs = []string{"interval"}
		p.Parts = slices.Clone(p.Parts)
		for k := range p.Parts {
			p.Parts[k].Band = intervals(t, p.Parts[k].Y)
		}
	}
	lines := figure.Apart(t, p)
	if p.By == nil {
		p.By = lines
	} else if lines != nil {
		r.Note("%s: points of one line differ in %s; name it in by or panels", p.Name, strings.Join(lines, ", "))
	}
	f, notes, wrong := figure.Plot(t, p)
	if wrong == nil {
		f.Notes = nil // which are among these
	}
	for _, n := range notes {
		r.Note("%s: %s", p.Name, n)
	}
	if r.Fault == nil {
		r.Fault = wrong
	}
	r.Add(Figure{Title: p.Title, Draw: func() (*figure.Figure, error) { return f, wrong }})
	return nil
}

// intervals returns the columns of a table that have the ends of intervals of others: their names
// with _low and _high.
func intervals(t *table.Table, of []string) (ends []string) {
	for _, name := range of {
		for _, end := range []string{name + "_low", name + "_high"} {
			if _, err := t.Place(end); err == nil {
				ends = append(ends, end)
			}
		}
	}
	return ends
}

// Plottable returns the index of the first table that has the columns of a plot. If none has, the
// error is about the table that has most of them.
func Plottable(tables []*table.Table, p columns.Plot) (first int, err error) {
	fewest := -1
	for i, t := range tables {
		lacks := slices.DeleteFunc(p.Columns(), func(name string) bool { _, err := t.Place(name); return err == nil })
		if len(lacks) == 0 {
			return i, nil
		}
		if fewest < 0 || len(lacks) < fewest {
			fewest = len(lacks)
			_, err = t.Place(lacks[0])
		}
	}
	return 0, err
}
