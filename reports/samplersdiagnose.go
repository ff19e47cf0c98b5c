package reports

import (
	"slices"
	"strings"

	"breadboard/exact/averages"
	"breadboard/experiments/samplers"
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

// SamplersDiagnose returns the table of the diagnostics of chains, a row for each setting or file of draws.
func SamplersDiagnose(rows []diagnose.Row) *table.Table {
	return table.New(diagnoseFields(slices.ContainsFunc(rows, func(r diagnose.Row) bool { return r.Problem == nil })), rows)
}

// diagnoseFields are the fields of a row. For draws from files people see all diagnostics, and where the truth is known they see the chief
// ones beside it.
func diagnoseFields(files bool) []table.Field[diagnose.Row] {
	type row = diagnose.Row
	setting := func(r *row) *samplers.Setting {
		if r.Problem == nil {
			return nil
		}
		return &r.Setting
	}
	title := func(of, known string) string {
		if files {
			return of
		}
		return known
	}
	diagnostic := func(name, title string, of func(*row) float64) table.Field[row] {
		return table.Field[row]{Column: table.Column{Name: name, Title: title, Digits: diagnoseDigits}, Of: func(r *row) any { return of(r) }}
	}
	truth := func(name, shown string, of func(*row) float64) table.Field[row] {
		return table.Field[row]{Column: table.Column{Name: name, Title: title("", shown), Digits: diagnoseDigits}, Of: func(r *row) any {
			if r.Problem == nil {
				return nil
			}
			return of(r)
		}}
	}
	settings := samplersFields(setting, "toy", "kernel", "start", "function")
	for i := range settings {
		settings[i].Title = title("", settings[i].Title)
	}
	return slices.Concat(
		settings,
		[]table.Field[row]{
			{Column: table.Column{Name: "draws", Title: title("draws", "")}, Of: func(r *row) any { return r.Draws }},
			{Column: table.Column{Name: "N", Title: "N"}, Of: func(r *row) any { return int(r.N) }},
			{Column: table.Column{Name: "chains", Title: title("chains", "")}, Of: func(r *row) any { return r.Chains }},
			diagnostic("ess_chain", title("", "ESS/chain"), func(r *row) float64 { return r.ESSChain }),
			diagnostic("ess_basic", title("ESS", ""), func(r *row) float64 { return r.ESSBasic }),
			diagnostic("ess_mean", title("ESS split", ""), func(r *row) float64 { return r.ESSMean }),
			diagnostic("ess_bulk", "ESS bulk", func(r *row) float64 { return r.ESSBulk }),
			diagnostic("ess_tail", title("ESS tail", ""), func(r *row) float64 { return r.ESSTail }),
			diagnostic("batch_means", title("batch means", ""), func(r *row) float64 { return r.BatchMeans }),
			diagnostic("rhat_basic", title("R-hat", ""), func(r *row) float64 { return r.RHatBasic }),
			diagnostic("rhat_split", "", func(r *row) float64 { return r.RHatSplit }),
			diagnostic("rhat_rank", title("R-hat rank", "R-hat"), func(r *row) float64 { return r.RHatRank }),
			diagnostic("geweke", "Geweke", func(r *row) float64 { return r.Geweke }),
			truth("essd", "ESSD", func(r *row) float64 { return r.ESSD }),
			truth("ress_chains", "", func(r *row) float64 { return r.RESSChains }),
		},
		table.Lift(expectedFields(title), func(r *row) *averages.Expectations { return r.Expected }),
		[]table.Field[row]{
			truth("ress_all", "", func(r *row) float64 { return r.RESSAll }),
			truth("ress_mean", "RESS", func(r *row) float64 { return r.RESSMean }),
			{Column: table.Column{Name: "note"}, Of: func(r *row) any { return strings.Join(r.Notes, "; ") }},
		},
		samplersFields(setting, "warmup"),
	)
}

// diagnoseDigits is how many digits people see.
const diagnoseDigits = 4

// expectedFields are the fields of the exact expectations of what enters the diagnostics.
func expectedFields(title func(of, known string) string) []table.Field[averages.Expectations] {
	type means = averages.Expectations
	field := func(name, shown string, of func(*means) float64) table.Field[means] {
		return table.Field[means]{Column: table.Column{Name: name, Title: title("", shown), Digits: diagnoseDigits}, Of: func(e *means) any { return of(e) }}
	}
	return []table.Field[means]{
		field("mean_s2", "", func(e *means) float64 { return e.MeanVariance }),
		field("mean_autocov_1", "", func(e *means) float64 { return e.Autocovariances[1] }),
		field("mean_batch_means", "", func(e *means) float64 { return e.BatchMeans }),
		field("var_mean", "", func(e *means) float64 { return e.VarianceOfMean }),
		field("geweke_difference2", "", func(e *means) float64 { return e.GewekeDifference2 }),
		field("rhat_of_means", "", func(e *means) float64 { return e.RHat }),
		field("ess_of_means", "", func(e *means) float64 { return e.ESS }),
		field("ess_of_means_single", "ESS of means", func(e *means) float64 { return e.ESSSingle }),
	}
}
