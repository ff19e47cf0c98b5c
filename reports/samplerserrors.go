package reports

import (
	"math"
	"slices"

	"breadboard/experiments/samplers"

	"breadboard/reports/table"
)

// SamplerErrorsReport returns the report of the exact errors of samplers, with a figure for each target and function.
func SamplerErrorsReport(rows []samplers.ErrorsRow) *Report {
	r := newReport("samplers_errors", SamplerErrors(rows))
	for _, run := range byTargetAndFunction(rows) {
		for _, f := range samplerErrorsFigures(run) {
			r.add(f)
		}
	}
	var notes []samplers.Note
	for i := range rows {
		notes = append(notes, rows[i].Notes...)
	}
	r.samplersNotes(append(notes, roundingNotes(rows)...))
	return r
}

// roundingNotes says how many digits rounding leaves at worst, for each kernel on a target and function.
func roundingNotes(rows []samplers.ErrorsRow) (notes []samplers.Note) {
	for _, run := range grouped(rows, func(r *samplers.ErrorsRow) string { return r.Toy.Name + " " + r.Kernel + " " + r.Function.Name }) {
		worst := &run[0]
		for i := range run {
			if run[i].Rounding > worst.Rounding {
				worst = &run[i]
			}
		}
		if lost := worst.LostDigits(); lost != "" {
			notes = append(notes, samplers.Note{About: worst.String(), Text: lost})
		}
	}
	return notes
}

// samplersNotes adds notes, each once.
func (r *Report) samplersNotes(notes []samplers.Note) {
	for i, n := range notes {
		if !slices.Contains(notes[:i], n) {
			r.note("%s", n)
		}
	}
}

// byTargetAndFunction splits rows into those of each target and function.
func byTargetAndFunction(rows []samplers.ErrorsRow) [][]samplers.ErrorsRow {
	return grouped(rows, func(r *samplers.ErrorsRow) string { return r.Toy.Name + " " + r.Function.Name })
}

// SamplerErrors returns the table of the exact errors of samplers, a row for each chain, start, function and number of samples. People
// see what was asked for. Without rows nothing is known of the table, and no column is left out: a report takes the titles from there.
func SamplerErrors(rows []samplers.ErrorsRow) *table.Table {
	fields := samplers.Errors().Columns
	if len(rows) == 0 {
		return table.New(fields, rows)
	}
	hide := func(names ...string) {
		for i := range fields {
			if slices.Contains(names, fields[i].Name) {
				fields[i].Title = ""
			}
		}
	}
	missing := func(of func(*samplers.ErrorsRow) float64) (n int) {
		for i := range rows {
			if math.IsNaN(of(&rows[i])) {
				n++
			}
		}
		return n
	}
	variance := missing((*samplers.ErrorsRow).RESSVariance) < len(rows)
	if !variance {
		hide("ress_var", "ress_of_constant")
	}
	if missing((*samplers.ErrorsRow).RESSCvM) == len(rows) {
		hide("ress_cvm")
	}
	// Beside the columns of the variance there is room for one more on a terminal, which it takes only where all rows have something in it.
	if n := missing((*samplers.ErrorsRow).RESSKS); n == len(rows) || variance && n > 0 {
		hide("ress_ks")
	}
	return table.New(fields, rows)
}
