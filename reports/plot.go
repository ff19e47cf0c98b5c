package reports

import (
	"cmp"
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
func (r *Report) PlotLater(p columns.Plot, make func() *table.Table) {
	p.Name = FileName(p.Name)
	r.Add(Figure{
		Title:   p.Title,
		File:    p.Name,
		Missing: p.Name + " is not drawn",
		Draw: func() (*figure.Figure, error) {
			f, _, err := figure.Plot(make(), p)
			return f, err
		},
	})
}

// addPlots adds the figures of a plot. Noted ones have notes about the cells that they leave out.
func (r *Report) addPlots(t *table.Table, p columns.Plot, noted bool) {
	for _, part := range figure.Each(t, p) {
		name := FileName(part.Plot.Name)
		part.Plot.Name = name
		r.Add(Figure{
			Title:   part.Plot.Title,
			File:    name,
			Missing: name + " is not drawn",
			Draw: func() (*figure.Figure, error) {
				f, notes, err := figure.Plot(part.Table, part.Plot)
				if err == nil && noted {
					f.Notes = notes
				}
				return f, err
			},
		})
	}
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

// against is the title of a plot that declares none, as in "J and B against T".
func against(p *columns.Plot) string {
	return strings.NewReplacer("+", " and ", "|", ", ").Replace(p.Y + " against " + p.X)
}

// Plotting returns a view whose reports also have the figures that a study declares of the table of
// its columns, with that name for the table.
func Plotting(name string, fields columns.List, plots []columns.Plot, view View) View {
	if len(plots) == 0 {
		return view
	}
	return func(rows any) *Report {
		r := view(rows)
		t := table.Of(fields, rows)
		for _, p := range plots {
			p.Name, p.Title = cmp.Or(p.Name, name+"_"+p.About()), cmp.Or(p.Title, against(&p))
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
	name := FileName(cmp.Or(p.Name, names[i]+"_"+p.About()))
	if p.Band == "" && p.Errors == "" {
		p.Band = intervals(tables[i], p.Y)
		p.BandIs = "interval"
	}
	lines := figure.Apart(tables[i], p)
	p.Name = name
	if p.By == "" {
		p.By = strings.Join(lines, "+")
	} else if lines != nil {
		r.Note("%s: points of one line differ in %s; name it in by or panels", name, strings.Join(lines, ", "))
	}
	f, notes, wrong := figure.Plot(tables[i], p)
	if wrong == nil {
		f.Notes = nil // which are among these
	}
	for _, n := range notes {
		r.Note("%s: %s", name, n)
	}
	if r.Fault == nil {
		r.Fault = wrong
	}
	r.Add(Figure{Title: cmp.Or(p.Title, against(&p)), Draw: func() (*figure.Figure, error) { return f, wrong }})
	return nil
}

// intervals returns the columns of a table that have the ends of intervals of columns of Y, with |
// between parts: their names with _low and _high.
func intervals(t *table.Table, y string) string {
	parts := strings.Split(y, "|")
	for i, part := range parts {
		var ends []string
		for _, name := range columns.NamesIn(part) {
			for _, end := range []string{name + "_low", name + "_high"} {
				if _, err := t.Place(end); err == nil {
					ends = append(ends, end)
				}
			}
		}
		parts[i] = strings.Join(ends, "+")
	}
	return strings.Join(parts, "|")
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
