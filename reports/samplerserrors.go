package reports

import (
	"math"
	"slices"
	"strings"

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
// see what was asked for.
func SamplerErrors(rows []samplers.ErrorsRow) *table.Table {
	return table.New(samplerErrorsFields(rows), rows)
}

// digitsOfRESS is how many digits people see of real effective sample sizes.
const digitsOfRESS = 4

func samplerErrorsFields(rows []samplers.ErrorsRow) []table.Field[samplers.ErrorsRow] {
	type row = samplers.ErrorsRow
	setting := func(r *row) *samplers.Setting { return &r.Setting }
	number := func(name, title, meaning string, of func(*row) float64) table.Field[row] {
		return table.Field[row]{Column: table.Column{Name: name, Type: table.Float, Title: title, Digits: digitsOfRESS, Meaning: meaning}, Of: func(r *row) any { return of(r) }}
	}
	// Without rows nothing is known of the table, and no column is left out: a report takes the titles from there.
	shown := func(title string, of func(*row) float64) string {
		if len(rows) == 0 || slices.ContainsFunc(rows, func(r row) bool { return !math.IsNaN(of(&r)) }) {
			return title
		}
		return ""
	}
	// Beside the columns of the variance there is room for one more on a terminal, which it takes only where all rows have something in it.
	ks := shown("RESS KS", (*row).RESSKS)
	if shown("RESS var", (*row).RESSVariance) != "" && slices.ContainsFunc(rows, func(r row) bool { return math.IsNaN(r.RESSKS()) }) {
		ks = ""
	}
	notes := func(r *row) any {
		var texts []string
		for _, n := range r.Notes {
			texts = append(texts, n.Text)
		}
		return strings.Join(append(texts, r.NotesRow...), "; ")
	}
	return slices.Concat(
		samplersFields(setting, "toy", "kernel", "start", "function", "N"),
		[]table.Field[row]{
			{Column: table.Column{Name: "work", Type: table.Float, Title: "work", Meaning: "the evaluations of log f until there are N samples; empty where the kernel does not say"}, Of: func(r *row) any { return unlessNaN(r.Work) }},
			{Column: table.Column{Name: "mean", Type: table.Float, Meaning: "the mean of the function under the target; empty for all coordinates together"}, Of: func(r *row) any { return unlessNaN(r.Mean) }},
			{Column: table.Column{Name: "sd", Type: table.Float, Meaning: "the standard deviation of the function under the target; empty for all coordinates together"}, Of: func(r *row) any { return unlessNaN(r.SD) }},
			{Column: table.Column{Name: "kurtosis", Type: table.Float, Meaning: "the kurtosis of the function under the target, which is 3 for a normal law; empty for all coordinates together"}, Of: func(r *row) any { return unlessNaN(r.Kurtosis) }},
			number("tau", "", "the integrated autocorrelation time, to which N/ress_mean tends; the mean of the coordinates for all of them together", func(r *row) float64 { return r.Tau }),
			number("bias_mean", "", "the bias of the chain's mean, in units of sd", func(r *row) float64 { return r.Bias }),
			number("mse_mean", "", "the mean squared error of the chain's mean, in units of the variance", func(r *row) float64 { return r.MSE }),
			number("mse_mean_stationary", "", "the same error of chains that start at a draw of the target, so that the difference is burn-in", func(r *row) float64 { return r.MSEStationary }),
			number("ress_mean", "RESS mean", "the real effective sample size of the mean, 1 over mse_mean", (*row).RESSMean),
			number("", "from target", "", (*row).RESSStationary),
			number("bias_var", "", "the bias of the sample variance with divisor N - 1", func(r *row) float64 { return r.BiasVariance }),
			number("mse_var", "", "the mean squared error of the sample variance with divisor N - 1", func(r *row) float64 { return r.MSEVariance }),
			number("R_var", "", "N times the mean squared error of the variance of N independent draws", func(r *row) float64 { return r.RVariance }),
			number("R_var_paper", "", "what Turner and Neal have in the place of R_var", func(r *row) float64 { return samplers.PaperVariance * r.RMean }),
			number("ress_var", shown("RESS var", (*row).RESSVariance), "the real effective sample size of the variance, R_var over mse_var", (*row).RESSVariance),
			number("ress_of_constant", shown("constant", (*row).RESSVariance), "the real effective sample size of the variance where it is estimated as zero", (*row).RESSOfConstant),
			number("cvm", "", "the mean Cramer-von Mises distance of the sample from the target", func(r *row) float64 { return r.CvM }),
			number("R_cvm", "", "N times the mean Cramer-von Mises distance of N independent draws", func(r *row) float64 { return r.RCvM }),
			number("ress_cvm", shown("RESS CvM", (*row).RESSCvM), "the real effective sample size of the distribution, R_cvm over cvm", (*row).RESSCvM),
			number("ks2", "", "E[KS^2] where it is known", func(r *row) float64 { return r.KS2 }),
			number("ks2_lower", "", "a lower bound on E[KS^2]", func(r *row) float64 { return r.KS2Low }),
			number("ks2_upper", "", "an upper bound on E[KS^2]", func(r *row) float64 { return r.KS2High }),
			number("R_ks", "", "N times E[KS^2] of N independent draws", func(r *row) float64 { return r.RKS }),
			number("R_ks_paper", "", "what Turner and Neal have in the place of R_ks", func(r *row) float64 { return samplers.PaperKS * r.RMean }),
			number("ress_ks", ks, "the real effective sample size by KS, R_ks over ks2", (*row).RESSKS),
			number("eff", "", "ress_mean over N", (*row).Efficiency),
			{Column: table.Column{Name: "work_per_ress", Type: table.Float, Meaning: "work over ress_mean; empty where the kernel does not say"}, Of: func(r *row) any { return unlessNaN(r.WorkPerRESS()) }},
			{Column: table.Column{Name: "method", Type: table.String, Meaning: "how the errors are computed: recursion, squaring or lanczos"}, Of: func(r *row) any { return string(r.Method) }},
			number("rounding", "", "about the relative error that rounding leaves", func(r *row) float64 { return r.Rounding }),
			{Column: table.Column{Name: "note", Type: table.String, Meaning: meansNote}, Of: notes},
		},
		samplersFields(setting, "warmup"),
	)
}

// unlessNaN returns the cell of a number that there may not be.
func unlessNaN(v float64) any {
	if math.IsNaN(v) {
		return nil
	}
	return v
}
