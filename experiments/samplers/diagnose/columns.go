package diagnose

import (
	"math"
	"slices"
	"strings"

	"breadboard/exact/averages"
	"breadboard/experiments/columns"
	"breadboard/experiments/samplers"
)

// digits is how many digits people see.
const digits = 4

// number returns the field of a number that sweeps keep, which is at least low, or NaN. People see it where it has a title.
func number[R any](name, title string, low float64, meaning string, of func(*R) float64) columns.Field[R] {
	kept := columns.Kept{Low: low, High: math.Inf(1), Missing: true, Shown: title != ""}
	return columns.Number(columns.Column{Name: name, Title: title, Digits: digits, Meaning: meaning}, kept, of)
}

// fields lists the columns of the study. Those of the truth are empty for draws from a file.
func fields() []columns.Field[Row] {
	type row = Row
	known := func(r *row) *row {
		if r.Problem == nil {
			return nil
		}
		return r
	}
	setting := func(r *row) *samplers.Setting {
		if r.Problem == nil {
			return nil
		}
		return &r.Setting
	}
	return slices.Concat(
		samplers.SettingColumns(setting, "toy", "kernel", "start", "function"),
		[]columns.Field[row]{
			{Column: columns.Column{Name: "draws", Type: columns.String, Meaning: "the file that the draws are from; empty for simulated chains"}, Of: func(r *row) any { return r.Draws }},
			{Column: columns.Column{Name: "N", Type: columns.Int, Title: "N", Meaning: "the number of samples of a chain"}, Of: func(r *row) any { return int(r.N) }},
			{Column: columns.Column{Name: "chains", Type: columns.Int, Meaning: "the number of chains"}, Of: func(r *row) any { return r.Chains }},
			number("ess_chain", "ESS/chain", 0, "the mean over the chains of the effective sample size of each by itself", func(r *row) float64 { return r.ESSChain }),
			number("ess_basic", "", 0, "the effective sample size of all chains, whole", func(r *row) float64 { return r.ESSBasic }),
			number("ess_mean", "", 0, "the effective sample size of all chains, split in halves", func(r *row) float64 { return r.ESSMean }),
			number("ess_bulk", "ESS bulk", 0, "the bulk effective sample size of all chains, rank-normalised and split", func(r *row) float64 { return r.ESSBulk }),
			number("ess_tail", "", 0, "the effective sample size of the tails of all chains", func(r *row) float64 { return r.ESSTail }),
			number("batch_means", "", 0, "the mean over the chains of the effective sample size by batch means", func(r *row) float64 { return r.BatchMeans }),
			number("rhat_basic", "", 0, "R-hat of whole chains; NaN for a single one", func(r *row) float64 { return r.RHatBasic }),
			number("rhat_split", "", 0, "R-hat of chains split in halves", func(r *row) float64 { return r.RHatSplit }),
			number("rhat_rank", "R-hat", 0, "R-hat of rank-normalised chains split in halves", func(r *row) float64 { return r.RHatRank }),
			number("geweke", "Geweke", 0, "the largest |z| of Geweke over the chains", func(r *row) float64 { return r.Geweke }),
		},
		columns.Lift([]columns.Field[row]{
			number("essd", "ESSD", math.Inf(-1), "the ESS deviation of the mean of these chains", func(r *row) float64 { return r.ESSD }),
			number("ress_chains", "", 0, "the number of chains over the sum of the squared errors of their means", func(r *row) float64 { return r.RESSChains }),
		}, known),
		columns.Lift(expected(), func(r *row) *averages.Expectations { return r.Expected }),
		columns.Lift([]columns.Field[row]{
			number("ress_all", "", 0, "the exact real effective sample size of the mean of all chains", func(r *row) float64 { return r.RESSAll }),
			number("ress_mean", "RESS", 0, "the exact real effective sample size of the mean of one chain", func(r *row) float64 { return r.RESSMean }),
		}, known),
		[]columns.Field[row]{
			{Column: columns.Column{Name: "note", Type: columns.String, Meaning: columns.MeansNote}, Of: func(r *row) any { return strings.Join(r.Notes, "; ") }},
		},
		samplers.SettingColumns(setting, "warmup"),
	)
}

// expected lists the columns of the exact expectations of what enters the diagnostics.
func expected() []columns.Field[averages.Expectations] {
	type means = averages.Expectations
	least := math.Inf(-1)
	return []columns.Field[means]{
		number("mean_s2", "", 0, "the mean sample variance of a chain, in units of the variance of the function", func(e *means) float64 { return e.MeanVariance }),
		number("mean_autocov_1", "", least, "the mean of the autocovariance at lag 1", func(e *means) float64 { return e.Autocovariances[1] }),
		number("mean_batch_means", "", 0, "the mean of the asymptotic variance by batch means", func(e *means) float64 { return e.BatchMeans }),
		number("var_mean", "", 0, "the variance of the mean of a chain", func(e *means) float64 { return e.VarianceOfMean }),
		number("geweke_difference2", "", 0, "the mean squared difference of the means of the first tenth and the last half; NaN for fewer than ten samples", func(e *means) float64 { return e.GewekeDifference2 }),
		number("rhat_of_means", "", 0, "what R-hat makes of the exact expectations", func(e *means) float64 { return e.RHat }),
		number("ess_of_means", "", 0, "what the effective sample size of all chains is of the exact expectations", func(e *means) float64 { return e.ESS }),
		number("ess_of_means_single", "ESS of means", 0, "what the effective sample size of one chain is of the exact expectations", func(e *means) float64 { return e.ESSSingle }),
	}
}
