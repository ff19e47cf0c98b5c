package samplers

import (
	"math"

	"breadboard/exact/averages"
	"breadboard/experiments/columns"
)

// lawsColumns lists the columns of the study.
func lawsColumns() []columns.Field[LawsRow] {
	type row = LawsRow
	fields := SettingColumns(func(r *row) *Setting { return &r.Setting }, "toy", "kernel", "start", "warmup", "function", "N")
	add := func(name string, kind columns.Type, title, meaning string, kept *columns.Kept, of func(*row) any) {
		c := columns.Column{Name: name, Type: kind, Title: title, Digits: digitsOfRESS, Meaning: meaning}
		fields = append(fields, columns.Field[row]{Column: c, Kept: kept, Of: of})
	}
	probability := func(former string, shown bool) *columns.Kept {
		return &columns.Kept{Former: former, Low: -rounding, High: 1 + rounding, Missing: true, Shown: shown}
	}
	infinite := math.Inf(1)
	add("chains", columns.Int, "K", "the number of chains", nil, func(r *row) any { return r.Chains })
	add("ress_mean", columns.Float, "RESS", "the exact real effective sample size of the mean of one chain", &columns.Kept{Former: "ress", High: infinite, Shown: true}, func(r *row) any { return r.RESS })
	add("tau", columns.Float, "", "the integrated autocorrelation time, N over the real effective sample size in the long run; NaN for a reducible chain", &columns.Kept{Low: -infinite, High: infinite, Missing: true}, func(r *row) any { return r.Tau })
	add("p_success", columns.Float, "P(success)", "the probability that the real effective sample size of all chains is at least 12; NaN where only bounds of it are known", probability("", true), func(r *row) any { return r.Success.P })
	add("bracket_low", columns.Float, "", "a lower bound on p_success", probability("p_success_low", false), func(r *row) any { return r.Success.Low })
	add("bracket_high", columns.Float, "", "an upper bound on p_success", probability("p_success_high", false), func(r *row) any { return r.Success.High })
	add("p_success_gaussian", columns.Float, "Gaussian", "what Gaussian errors of the same mean square give for p_success", probability("", true), func(r *row) any { return r.GaussianSuccess })
	add("coverage_95", columns.Float, "coverage", "the coverage of the nominal 95% interval around the mean of one chain; NaN without tau", probability("coverage", true), func(r *row) any { return r.Coverage })
	quantiles := func(prefix, of string, from func(*row) *Quantiles) {
		for _, q := range threeQuantiles() {
			add(prefix+q.name+"_low", columns.Float, "", "a lower bound on "+q.meaning+" of "+of, nil, func(r *row) any { return q.of(from(r)).Low })
			add(prefix+q.name+"_high", columns.Float, "", "an upper bound on "+q.meaning+" of "+of, nil, func(r *row) any { return q.of(from(r)).High })
		}
	}
	quantiles("ress_", "the real effective sample size of all chains", func(r *row) *Quantiles { return &r.RESSQuantiles })
	quantiles("essd_", "the ESS deviation", func(r *row) *Quantiles { return &r.ESSDQuantiles })
	rhat := func(name, title string, shown bool, meaning string, of func(*RHat) float64) {
		add(name, columns.Float, title, meaning+"; NaN where the function has other values than 0 and 1", probability("", shown), func(r *row) any {
			if r.RHat == nil {
				return math.NaN()
			}
			return of(r.RHat)
		})
	}
	rhat("p_rhat_below_1_1", "", false, "the probability that R-hat is below 1.1", func(h *RHat) float64 { return h.BelowLoose })
	rhat("p_rhat_below_1_01", "R-hat < 1.01", true, "the probability that R-hat is below 1.01", func(h *RHat) float64 { return h.BelowStrict })
	rhat("p_assured_and_wrong_1_1", "", false, "the probability that R-hat is below 1.1 and the pooled mean is wrong", func(h *RHat) float64 { return h.BelowLooseAndWrong })
	rhat("p_assured_and_wrong_1_01", "and wrong", true, "the probability that R-hat is below 1.01 and the pooled mean is wrong", func(h *RHat) float64 { return h.BelowStrictAndWrong })
	rhat("p_constant", "constant", false, "the probability that all chains are constant and equal, so that there is no R-hat", func(h *RHat) float64 { return h.Constant })
	rhat("p_constant_and_wrong", "and wrong", false, "the probability that all chains are constant and equal, and the pooled mean is wrong", func(h *RHat) float64 { return h.ConstantAndWrong })
	rhat("p_infinite", "", false, "the probability that all chains are constant and not all equal", func(h *RHat) float64 { return h.Infinite })
	rhat("p_wrong", "", false, "the probability that the pooled mean is wrong, off by more than half a standard deviation, whatever R-hat is", func(h *RHat) float64 { return h.Wrong })
	add("note", columns.String, "", columns.MeansNote, nil, func(r *row) any { return r.allNotes() })
	return fields
}

type quantile struct {
	name, meaning string
	of            func(*Quantiles) averages.Bracket
}

// threeQuantiles are the quantiles that machines read, by the names in their columns.
func threeQuantiles() []quantile {
	return []quantile{
		{"q05", "the 5% quantile", func(q *Quantiles) averages.Bracket { return q.Q05 }},
		{"median", "the median", func(q *Quantiles) averages.Bracket { return q.Median }},
		{"q95", "the 95% quantile", func(q *Quantiles) averages.Bracket { return q.Q95 }},
	}
}
