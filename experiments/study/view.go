package study

import (
	"cmp"
	"context"
	"strings"

	"breadboard/chains"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/table"
)

// Show returns the report of rows, without the figures of Plots.
func (d *Declaration) Show(rows any) *reports.Report {
	if d.View != nil {
		return d.View(rows)
	}
	r := reports.New(d.table(), table.Of(d.Columns, rows))
	if d.Swept != nil {
		notes, err := d.Notes(rows)
		if err != nil {
			r.Fault = chains.NewFault(err)
		}
		r.NotesOnce(notes)
	}
	return r
}

// Report answers the question about one case with the parameters of a sweep.
func (d *Declaration) Report(ctx context.Context, c *subject.Case, params subject.Params,
	h How) (*reports.Report, error) {
	rows, err := d.Rows(ctx, c, params, h)
	if err != nil {
		return nil, err
	}
	return reports.Plotting(d.Columns, d.Plots, d.Show)(rows), nil
}

// table returns the name of the table of the columns.
func (d *Declaration) table() string { return strings.ReplaceAll(d.Name, " ", "_") }

// words returns the words of the command that answers the study; empty if sweeps alone ask it.
func (d *Declaration) words() string {
	switch {
	case d.Behind != nil:
		return d.Behind.Command
	case d.Swept != nil && d.Swept.Alone:
		return ""
	}
	return d.Name
}

// Command returns the command line for a study with these parameters of a sweep: its words, and the
// parameters renamed to flags. words is empty for a study that only sweeps can ask.
func (d *Declaration) Command(params subject.Params) (words string, flags subject.Params) {
	words = d.words()
	if words == "" {
		return "", nil
	}
	names := map[string]string{}
	for _, o := range d.Options {
		if o.Swept != nil {
			names[o.Swept.Name] = o.Name
		}
	}
	for _, p := range params {
		flags = append(flags, subject.Param{Name: cmp.Or(names[p.Name], p.Name), Value: p.Value})
	}
	return words, flags
}

// Schemas returns the tables of the command of a study.
func (d *Declaration) Schemas() []reports.Schema {
	own := reports.Schema{Table: d.table(), Of: table.Empty(d.Columns)}
	if d.Behind != nil {
		own.By = d.Behind.Flag
	}
	list := []reports.Schema{own}
	switch {
	case d.words() == "":
		return nil
	case d.Tables != nil:
		list = d.Tables(own)
	}
	for i := range list {
		list[i].Command = d.words()
	}
	return list
}
