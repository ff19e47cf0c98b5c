package reports

import (
	"math"
	"slices"
	"strings"

	"breadboard/experiments/samplers"
	samplererrors "breadboard/experiments/samplers/errors"
	"breadboard/reports/table"
)

// SamplerErrorsReport returns the report of the exact errors of samplers, with a figure for each target and function.
func SamplerErrorsReport(rows []samplererrors.Row) *Report {
	r := newReport("samplers_errors", SamplerErrors(rows))
	for _, run := range byTargetAndFunction(rows) {
		for _, f := range samplerErrorsFigures(run) {
			r.add(f)
		}
	}
	var notes []samplererrors.Note
	for i := range rows {
		notes = append(notes, rows[i].Notes...)
	}
	r.samplersNotes(append(notes, roundingNotes(rows)...))
	return r
}

// roundingNotes says how many digits rounding leaves at worst, for each kernel on a target and function.
func roundingNotes(rows []samplererrors.Row) (notes []samplererrors.Note) {
	for _, run := range grouped(rows, func(r *samplererrors.Row) string { return r.Toy.Name + " " + r.Kernel + " " + r.Function.Name }) {
		worst := &run[0]
		for i := range run {
			if run[i].Rounding > worst.Rounding {
				worst = &run[i]
			}
		}
		if lost := worst.LostDigits(); lost != "" {
			notes = append(notes, samplererrors.Note{About: worst.String(), Text: lost})
		}
	}
	return notes
}

// samplersNotes adds notes, each once.
func (r *Report) samplersNotes(notes []samplererrors.Note) {
	for i, n := range notes {
		if !slices.Contains(notes[:i], n) {
			r.note("%s", n)
		}
	}
}

// byTargetAndFunction splits rows into those of each target and function.
func byTargetAndFunction(rows []samplererrors.Row) [][]samplererrors.Row {
	return grouped(rows, func(r *samplererrors.Row) string { return r.Toy.Name + " " + r.Function.Name })
}

// SamplerErrors returns the table of the exact errors of samplers, a row for each chain, start, function and number of samples. People
// see what was asked for.
func SamplerErrors(rows []samplererrors.Row) *table.Table {
	return table.New(samplerErrorsFields(rows), rows)
}

// digitsOfRESS is how many digits people see of real effective sample sizes.
const digitsOfRESS = 4

func samplerErrorsFields(rows []samplererrors.Row) []table.Field[samplererrors.Row] {
	type row = samplererrors.Row
	setting := func(r *row) *samplers.Setting { return &r.Setting }
	number := func(name, title string, of func(*row) float64) table.Field[row] {
		return table.Field[row]{Column: table.Column{Name: name, Title: title, Digits: digitsOfRESS}, Of: func(r *row) any { return of(r) }}
	}
	shown := func(title string, of func(*row) float64) string {
		if slices.ContainsFunc(rows, func(r row) bool { return !math.IsNaN(of(&r)) }) {
			return title
		}
		return ""
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
			{Column: table.Column{Name: "work", Title: "work"}, Of: func(r *row) any { return unlessNaN(r.Work) }},
			{Column: table.Column{Name: "mean"}, Of: func(r *row) any { return unlessNaN(r.Mean) }},
			{Column: table.Column{Name: "sd"}, Of: func(r *row) any { return unlessNaN(r.SD) }},
			{Column: table.Column{Name: "kurtosis"}, Of: func(r *row) any { return unlessNaN(r.Kurtosis) }},
			number("tau", "", func(r *row) float64 { return r.Tau }),
			number("bias_mean", "", func(r *row) float64 { return r.Bias }),
			number("mse_mean", "", func(r *row) float64 { return r.MSE }),
			number("mse_mean_stationary", "", func(r *row) float64 { return r.MSEStationary }),
			number("ress_mean", "RESS mean", (*row).RESSMean),
			number("", "from target", (*row).RESSStationary),
			number("bias_var", "", func(r *row) float64 { return r.BiasVariance }),
			number("mse_var", "", func(r *row) float64 { return r.MSEVariance }),
			number("R_var", "", func(r *row) float64 { return r.RVariance }),
			number("R_var_paper", "", func(r *row) float64 { return samplererrors.PaperVariance * r.RMean }),
			number("ress_var", shown("RESS var", (*row).RESSVariance), (*row).RESSVariance),
			number("ress_of_constant", shown("constant", (*row).RESSVariance), (*row).RESSOfConstant),
			number("cvm", "", func(r *row) float64 { return r.CvM }),
			number("R_cvm", "", func(r *row) float64 { return r.RCvM }),
			number("ress_cvm", shown("RESS CvM", (*row).RESSCvM), (*row).RESSCvM),
			number("ks2", "", func(r *row) float64 { return r.KS2 }),
			number("ks2_lower", "", func(r *row) float64 { return r.KS2Low }),
			number("ks2_upper", "", func(r *row) float64 { return r.KS2High }),
			number("R_ks", "", func(r *row) float64 { return r.RKS }),
			number("R_ks_paper", "", func(r *row) float64 { return samplererrors.PaperKS * r.RMean }),
			number("ress_ks", shown("RESS KS", (*row).RESSKS), (*row).RESSKS),
			number("eff", "", (*row).Efficiency),
			{Column: table.Column{Name: "work_per_ress"}, Of: func(r *row) any { return unlessNaN(r.WorkPerRESS()) }},
			{Column: table.Column{Name: "method"}, Of: func(r *row) any { return string(r.Method) }},
			number("rounding", "", func(r *row) float64 { return r.Rounding }),
			{Column: table.Column{Name: "note"}, Of: notes},
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
