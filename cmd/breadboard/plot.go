package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"breadboard/chains/errs"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// plotList is a flag that takes what a figure shows, once for each figure.
type plotList struct{ plots *[]columns.Plot }

func (l plotList) Type() string   { return "PLOT" }
func (l plotList) String() string { return strings.Join(l.GetSlice(), "; ") }

func (l plotList) Set(text string) error {
	p, err := figure.ParsePlot(text)
	if err == nil {
		*l.plots = append(*l.plots, p)
	}
	return err
}

// GetSlice makes plotList a listValue.
func (l plotList) GetSlice() (texts []string) {
	if l.plots != nil {
		for _, p := range *l.plots {
			texts = append(texts, p.Asked)
		}
	}
	return texts
}

// checkPlots fails if a command has no table with the columns of a plot, or if there is no folder
// for the figure. Of the tables of sweeps the columns are known when the results are read.
func (o *output) checkPlots(command string, schemas []reports.Schema, more []columns.Column) error {
	var tables []*table.Table
	for _, s := range schemas {
		tables = append(tables, &table.Table{Columns: append(s.Columns(), more...)})
	}
	switch {
	case len(tables) == 0:
		return fmt.Errorf("breadboard %s shows no table whose columns could be drawn", command)
	case o.dir == "":
		return errors.New("name the folder for the figure and the CSV of its points, as in --out figures")
	}
	called := map[string]string{}
	for _, p := range o.plots {
		name := reports.FileName(p.Name)
		if other, twice := called[name]; twice {
			return errs.New("\"%s\" and \"%s\" would be written to the same file; leave one of them out", other, p.Asked)
		}
		called[name] = p.Asked
		if strings.HasPrefix(command, "sweep ") {
			continue
		}
		i, err := plottable(tables, p)
		if err == nil {
			_, _, err = figure.Plot(tables[i], p)
		}
		if _, none := errors.AsType[figure.Nothing](err); err != nil && !none {
			return err
		}
	}
	return nil
}

// addPlot adds to a report a figure of columns that a user has named, from the first table that has
// all of them. If no column is named that distinguishes lines, all texts do in which rows differ.
// It fails if no table has the columns, and lists those of the table that has most of them. If the
// columns have no numbers the report has a Fault.
func addPlot(r *reports.Report, p columns.Plot) error {
	var tables []*table.Table
	var names []string
	for _, t := range r.Tables() {
		if t.Place != reports.AmongMessages {
			tables, names = append(tables, t.In(table.CSV)), append(names, t.Name)
		}
	}
	i, err := plottable(tables, p)
	if err != nil {
		return err
	}
	t := tables[i]
	p.Name = reports.FileName(names[i] + "_" + p.Name)
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
	r.Add(reports.Figure{Title: p.Title, Draw: func() (*figure.Figure, error) { return f, wrong }})
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

// plottable returns the index of the first table that has the columns of a plot. If none has, the
// error is about the table that has most of them.
func plottable(tables []*table.Table, p columns.Plot) (first int, err error) {
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
