package reports

import (
	"slices"
	"strings"

	"breadboard/experiments/samplers/diagnose"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// SamplersDiagnoseReport returns the report of the diagnostics of chains, with a figure for each target and function whose truth is known.
func SamplersDiagnoseReport(rows []diagnose.Row) *Report {
	r := newReport("samplers_diagnose", SamplersDiagnose(rows))
	for _, same := range grouped(rows, func(r *diagnose.Row) string { return r.Draws + diagnosed(r) }) {
		if same[0].Problem == nil {
			continue
		}
		kernels := grouped(same, func(r *diagnose.Row) string { return r.Kernel })
		for part := range slices.Chunk(kernels, diagnoseColumns) {
			r.add(Figure{
				Title:   "Diagnostics against the number of samples: " + diagnosed(&same[0]),
				Missing: "no figure of " + diagnosed(&same[0]),
				Draw:    func() (*figure.Figure, error) { return SamplersDiagnoseFigure(slices.Concat(part...)) },
			})
		}
	}
	r.diagnoseNotes(rows)
	return r
}

// mostDiagnoseNotes is the number of rows whose notes are shown with the messages. The column of notes has them all.
const mostDiagnoseNotes = 10

// diagnoseNotes adds the notes of the first rows that have some.
func (r *Report) diagnoseNotes(rows []diagnose.Row) {
	noted := 0
	for i := range rows {
		if len(rows[i].Notes) == 0 {
			continue
		}
		if noted++; noted > mostDiagnoseNotes {
			continue
		}
		name := rows[i].Draws
		if rows[i].Problem != nil {
			name = rows[i].Setting.String()
		}
		r.note("%s: %s", name, strings.Join(rows[i].Notes, "; "))
	}
	if noted > mostDiagnoseNotes {
		r.note("%d more rows have notes; they stand in the column note of {format} json", noted-mostDiagnoseNotes)
	}
}

// diagnosed names the target and the function of a row; it is empty for draws from a file.
func diagnosed(r *diagnose.Row) string {
	if r.Problem == nil {
		return ""
	}
	return r.Toy.Name + ", " + r.Function.Name
}

// SamplersDiagnose returns the table of the diagnostics of chains, a row for each setting or file of draws. For draws from files people see
// all diagnostics, and where the truth is known they see the chief ones beside it.
func SamplersDiagnose(rows []diagnose.Row) *table.Table {
	fields := diagnose.Study().Columns
	if !slices.ContainsFunc(rows, func(r diagnose.Row) bool { return r.Problem == nil }) {
		return table.New(fields, rows)
	}
	titles := map[string]string{
		"draws": "draws", "N": "N", "chains": "chains", "ess_basic": "ESS", "ess_mean": "ESS split", "ess_bulk": "ESS bulk", "ess_tail": "ESS tail",
		"batch_means": "batch means", "rhat_basic": "R-hat", "rhat_rank": "R-hat rank", "geweke": "Geweke",
	}
	for i := range fields {
		fields[i].Title = titles[fields[i].Name]
	}
	return table.New(fields, rows)
}
