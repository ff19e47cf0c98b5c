package reports

import (
	"slices"
	"strings"

	"breadboard/exact/averages"
	"breadboard/experiments/columns"
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
	diagnostic := func(name, title, meaning string, of func(*row) float64) table.Field[row] {
		return table.Field[row]{Column: table.Column{Name: name, Type: table.Float, Title: title, Digits: diagnoseDigits, Meaning: meaning}, Of: func(r *row) any { return of(r) }}
	}
	truth := func(name, shown, meaning string, of func(*row) float64) table.Field[row] {
		return table.Field[row]{Column: table.Column{Name: name, Type: table.Float, Title: title("", shown), Digits: diagnoseDigits, Meaning: meaning}, Of: func(r *row) any {
			if r.Problem == nil {
				return nil
			}
			return of(r)
		}}
	}
	settings := samplers.SettingColumns(setting, "toy", "kernel", "start", "function")
	for i := range settings {
		settings[i].Title = title("", settings[i].Title)
	}
	return slices.Concat(
		settings,
		[]table.Field[row]{
			{Column: table.Column{Name: "draws", Type: table.String, Title: title("draws", ""), Meaning: "the file that the draws are from; empty for simulated chains"}, Of: func(r *row) any { return r.Draws }},
			{Column: table.Column{Name: "N", Type: table.Int, Title: "N", Meaning: "the number of samples of a chain"}, Of: func(r *row) any { return int(r.N) }},
			{Column: table.Column{Name: "chains", Type: table.Int, Title: title("chains", ""), Meaning: "the number of chains"}, Of: func(r *row) any { return r.Chains }},
			diagnostic("ess_chain", title("", "ESS/chain"), "the mean over the chains of the effective sample size of each by itself", func(r *row) float64 { return r.ESSChain }),
			diagnostic("ess_basic", title("ESS", ""), "the effective sample size of all chains, whole", func(r *row) float64 { return r.ESSBasic }),
			diagnostic("ess_mean", title("ESS split", ""), "the effective sample size of all chains, split in halves", func(r *row) float64 { return r.ESSMean }),
			diagnostic("ess_bulk", "ESS bulk", "the bulk effective sample size of all chains, rank-normalised and split", func(r *row) float64 { return r.ESSBulk }),
			diagnostic("ess_tail", title("ESS tail", ""), "the effective sample size of the tails of all chains", func(r *row) float64 { return r.ESSTail }),
			diagnostic("batch_means", title("batch means", ""), "the mean over the chains of the effective sample size by batch means", func(r *row) float64 { return r.BatchMeans }),
			diagnostic("rhat_basic", title("R-hat", ""), "R-hat of whole chains; NaN for a single one", func(r *row) float64 { return r.RHatBasic }),
			diagnostic("rhat_split", "", "R-hat of chains split in halves", func(r *row) float64 { return r.RHatSplit }),
			diagnostic("rhat_rank", title("R-hat rank", "R-hat"), "R-hat of rank-normalised chains split in halves", func(r *row) float64 { return r.RHatRank }),
			diagnostic("geweke", "Geweke", "the largest |z| of Geweke over the chains", func(r *row) float64 { return r.Geweke }),
			truth("essd", "ESSD", "the ESS deviation of the mean of these chains", func(r *row) float64 { return r.ESSD }),
			truth("ress_chains", "", "the number of chains over the sum of the squared errors of their means", func(r *row) float64 { return r.RESSChains }),
		},
		columns.Lift(expectedFields(title), func(r *row) *averages.Expectations { return r.Expected }),
		[]table.Field[row]{
			truth("ress_all", "", "the exact real effective sample size of the mean of all chains", func(r *row) float64 { return r.RESSAll }),
			truth("ress_mean", "RESS", "the exact real effective sample size of the mean of one chain", func(r *row) float64 { return r.RESSMean }),
			{Column: table.Column{Name: "note", Type: table.String, Meaning: columns.MeansNote}, Of: func(r *row) any { return strings.Join(r.Notes, "; ") }},
		},
		samplers.SettingColumns(setting, "warmup"),
	)
}

// diagnoseDigits is how many digits people see.
const diagnoseDigits = 4

// expectedFields are the fields of the exact expectations of what enters the diagnostics.
func expectedFields(title func(of, known string) string) []table.Field[averages.Expectations] {
	type means = averages.Expectations
	field := func(name, shown, meaning string, of func(*means) float64) table.Field[means] {
		return table.Field[means]{Column: table.Column{Name: name, Type: table.Float, Title: title("", shown), Digits: diagnoseDigits, Meaning: meaning}, Of: func(e *means) any { return of(e) }}
	}
	return []table.Field[means]{
		field("mean_s2", "", "the mean sample variance of a chain, in units of the variance of the function", func(e *means) float64 { return e.MeanVariance }),
		field("mean_autocov_1", "", "the mean of the autocovariance at lag 1", func(e *means) float64 { return e.Autocovariances[1] }),
		field("mean_batch_means", "", "the mean of the asymptotic variance by batch means", func(e *means) float64 { return e.BatchMeans }),
		field("var_mean", "", "the variance of the mean of a chain", func(e *means) float64 { return e.VarianceOfMean }),
		field("geweke_difference2", "", "the mean squared difference of the means of the first tenth and the last half; NaN for fewer than ten samples", func(e *means) float64 { return e.GewekeDifference2 }),
		field("rhat_of_means", "", "what R-hat makes of the exact expectations", func(e *means) float64 { return e.RHat }),
		field("ess_of_means", "", "what the effective sample size of all chains is of the exact expectations", func(e *means) float64 { return e.ESS }),
		field("ess_of_means_single", "ESS of means", "what the effective sample size of one chain is of the exact expectations", func(e *means) float64 { return e.ESSSingle }),
	}
}
