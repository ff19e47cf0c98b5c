package samplers

import (
	"math"
	"slices"

	"breadboard/chains/number"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/reports/table"
)

// errorsReport returns the report of the exact errors of samplers, with a figure for each
// target and function.
func errorsReport(rows []ErrorsRow) *reports.Report {
	t := errorsTable(rows)
	r := reports.New("samplers_errors", t)
	r.Plots(t, columns.Plot{
		Name:  "samplers_errors",
		Title: "Real effective sample size against the number of samples",
		Each:  columns.Split{Always: []string{"toy", "function"}},
		By:    []string{"kernel", "start"},
		Lines: true,
		Parts: []columns.Part{{
			X:      "N",
			XLabel: "number of samples N",
			XScale: columns.Decades,
			Y:      []string{"ress_mean"},
			YLabel: "RESS of the mean",
			YScale: columns.Decades,
			Level:  []string{"N_over_tau", "N"},
		}, {
			Y:      []string{"ress_var"},
			YLabel: "RESS of the variance",
			YScale: columns.Decades,
			Level:  []string{"N"},
		}, {
			Y:      []string{"ress_cvm"},
			YLabel: "RESS of the distribution (CvM)",
			YScale: columns.Decades,
			Level:  []string{"N"},
		}, {
			Y:      []string{"stationary_share"},
			YLabel: "stationary MSE over MSE",
		}, {
			Y:      []string{"bias"},
			YLabel: "bias (unit of the function)",
		}},
		Beyond: []string{"N_over_tau"},
	})
	var notes []Note
	for i := range rows {
		notes = append(notes, rows[i].Notes...)
	}
	samplersNotes(r, notes)
	return r
}

// samplersNotes adds notes, each once.
func samplersNotes(r *reports.Report, notes []Note) {
	var lines []string
	for _, n := range notes {
		lines = append(lines, n.String())
	}
	r.NotesOnce(lines)
}

// errorsTable returns the table of the exact errors of samplers, a row for each chain, start,
// function and number of samples. People see the columns for the options given.
// Without rows no column is left out, so that reports can take the titles from the table.
func errorsTable(rows []ErrorsRow) *table.Table {
	fields := Errors().Declaration.Columns
	if len(rows) == 0 {
		return table.New(fields, rows)
	}
	hide := func(names ...string) {
		for i := range fields {
			if slices.Contains(names, fields[i].Name) {
				fields[i] = fields[i].Titled("")
			}
		}
	}
	some := func(of func(*ErrorsRow) number.Bounded, missing bool) bool {
		return slices.ContainsFunc(rows, func(r ErrorsRow) bool { return math.IsNaN(of(&r).Value) == missing })
	}
	variance := some((*ErrorsRow).RESSVariance, false)
	if !variance {
		hide("ress_var", "ress_of_constant")
	}
	if !some((*ErrorsRow).RESSCvM, false) {
		hide("ress_cvm")
	}
	// Beside the columns of the variance there is room for one more on a terminal, which it takes
	// only if all rows have something in it.
	if !some((*ErrorsRow).RESSKS, false) || variance && some((*ErrorsRow).RESSKS, true) {
		hide("ress_ks")
	}
	return table.New(fields, rows)
}
