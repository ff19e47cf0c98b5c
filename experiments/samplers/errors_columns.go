package samplers

import (
	"math"
	"slices"
	"strings"

	"breadboard/experiments/columns"
)

// digitsOfRESS is how many digits people see of real effective sample sizes.
const digitsOfRESS = 4

// errorsColumns lists the columns of the study.
func errorsColumns() []columns.Field[ErrorsRow] {
	type row = ErrorsRow
	setting := func(r *row) *Setting { return &r.Setting }
	number := func(name, title string, kept *columns.Kept, meaning string, of func(*row) float64) columns.Field[row] {
		c := columns.Column{Name: name, Type: columns.Float, Title: title, Digits: digitsOfRESS, Meaning: meaning}
		return columns.Field[row]{Column: c, Kept: kept, Of: func(r *row) any { return of(r) }}
	}
	from := func(low float64, shown bool) *columns.Kept {
		return &columns.Kept{Low: low, High: math.Inf(1), Missing: true, Shown: shown}
	}
	return slices.Concat(
		SettingColumns(setting, "toy", "kernel", "start", "function", "N"),
		[]columns.Field[row]{
			{Column: columns.Column{Name: "work", Type: columns.Float, Title: "work", Meaning: "the evaluations of log f until there are N samples; empty where the kernel does not say"}, Kept: from(0, false), Of: func(r *row) any { return columns.OrEmpty(r.Work) }},
			{Column: columns.Column{Name: "mean", Type: columns.Float, Meaning: "the mean of the function under the target; empty for all coordinates together"}, Of: func(r *row) any { return columns.OrEmpty(r.Mean) }},
			{Column: columns.Column{Name: "sd", Type: columns.Float, Meaning: "the standard deviation of the function under the target; empty for all coordinates together"}, Of: func(r *row) any { return columns.OrEmpty(r.SD) }},
			{Column: columns.Column{Name: "kurtosis", Type: columns.Float, Meaning: "the kurtosis of the function under the target, which is 3 for a normal law; empty for all coordinates together"}, Of: func(r *row) any { return columns.OrEmpty(r.Kurtosis) }},
			number("tau", "", from(math.Inf(-1), true), "the integrated autocorrelation time, to which N/ress_mean tends; the mean of the coordinates for all of them together", func(r *row) float64 { return r.Tau }),
			number("bias_mean", "", from(math.Inf(-1), false), "the bias of the chain's mean, in units of sd", func(r *row) float64 { return r.Bias }),
			number("mse_mean", "", from(0, false), "the mean squared error of the chain's mean, in units of the variance", func(r *row) float64 { return r.MSE }),
			number("mse_mean_stationary", "", from(0, false), "the same error of chains that start at a draw of the target, so that the difference is burn-in", func(r *row) float64 { return r.MSEStationary }),
			number("ress_mean", "RESS mean", from(0, true), "the real effective sample size of the mean, 1 over mse_mean", (*row).RESSMean),
			number("ress_mean_stationary", "from target", from(0, true), "the real effective sample size of the mean of chains that start at a draw of the target", (*row).RESSStationary),
			number("bias_var", "", from(math.Inf(-1), false), "the bias of the sample variance with divisor N - 1", func(r *row) float64 { return r.BiasVariance }),
			number("mse_var", "", from(0, false), "the mean squared error of the sample variance with divisor N - 1", func(r *row) float64 { return r.MSEVariance }),
			number("R_var", "", nil, "N times the mean squared error of the variance of N independent draws", func(r *row) float64 { return r.RVariance }),
			number("R_var_paper", "", nil, "what Turner and Neal have in the place of R_var", func(r *row) float64 { return PaperVariance * r.RMean }),
			number("ress_var", "RESS var", from(0, true), "the real effective sample size of the variance, R_var over mse_var", (*row).RESSVariance),
			number("ress_of_constant", "constant", nil, "the real effective sample size of the variance where it is estimated as zero", (*row).RESSOfConstant),
			number("cvm", "", from(0, false), "the mean Cramer-von Mises distance of the sample from the target", func(r *row) float64 { return r.CvM }),
			number("R_cvm", "", nil, "N times the mean Cramer-von Mises distance of N independent draws", func(r *row) float64 { return r.RCvM }),
			number("ress_cvm", "RESS CvM", from(0, true), "the real effective sample size of the distribution, R_cvm over cvm", (*row).RESSCvM),
			number("ks2", "", from(0, false), "E[KS^2] where it is known", func(r *row) float64 { return r.KS2 }),
			number("ks2_lower", "", from(0, false), "a lower bound on E[KS^2]", func(r *row) float64 { return r.KS2Low }),
			number("ks2_upper", "", from(0, false), "an upper bound on E[KS^2]", func(r *row) float64 { return r.KS2High }),
			number("R_ks", "", nil, "N times E[KS^2] of N independent draws", func(r *row) float64 { return r.RKS }),
			number("R_ks_paper", "", nil, "what Turner and Neal have in the place of R_ks", func(r *row) float64 { return PaperKS * r.RMean }),
			number("ress_ks", "RESS KS", from(0, false), "the real effective sample size by KS, R_ks over ks2", (*row).RESSKS),
			number("eff", "", nil, "ress_mean over N", (*row).Efficiency),
			{Column: columns.Column{Name: "work_per_ress", Type: columns.Float, Meaning: "work over ress_mean; empty where the kernel does not say"}, Of: func(r *row) any { return columns.OrEmpty(r.WorkPerRESS()) }},
			{Column: columns.Column{Name: "method", Type: columns.String, Meaning: "how the errors are computed: recursion, squaring or lanczos"}, Of: func(r *row) any { return string(r.Method) }},
			number("rounding", "", from(0, false), "about the relative error that rounding leaves", func(r *row) float64 { return r.Rounding }),
			{Column: columns.Column{Name: "note", Type: columns.String, Meaning: columns.MeansNote}, Of: func(r *row) any { return r.allNotes() }},
		},
		SettingColumns(setting, "warmup"),
	)
}

// allNotes says what the numbers of the row cannot.
func (r *ErrorsRow) allNotes() string {
	var texts []string
	for _, n := range r.Notes {
		texts = append(texts, n.Text)
	}
	return strings.Join(append(texts, r.NotesRow...), "; ")
}
