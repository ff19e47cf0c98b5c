package samplers

import (
	"fmt"
	"math"

	"breadboard/exact/averages"
	"breadboard/experiments"
	"breadboard/experiments/columns"
	"breadboard/experiments/study"
)

// Laws declares the study of the exact laws of means, of success and of R-hat.
func Laws() *study.Study[Problem, LawsOptions, LawsRow] {
	samples, several := SamplesParameter(100), experiments.Whole("chains", "independent chains", 1, MaxChains, 8)
	return &study.Study[Problem, LawsOptions, LawsRow]{
		Name: "samplers laws",
		Asks: "How often do several chains succeed, and how often does R-hat assure what is wrong?",
		Help: `laws gives the exact law of the mean of a chain, and of what K independent chains of N samples make of it, for functions that
are whole numbers: coordinates, their sum, the mode and indicators.

RESS is that of one chain. Success is that of K chains: that their RESS, K over the sum of their squared errors, is at least 12
(Turner and Neal 2017, section 5). Where the joint law is too large for an exact number, machines read two proven
bounds of it, bracket_low and bracket_high, and people the digits on which these agree. Gaussian is what it would be with
independent Gaussian errors of that RESS: 0.5665 for eight chains of RESS 12. Coverage is the probability that the nominal 95%
interval, 1.96 sqrt(tau/N) on either side of the mean, holds the truth, with tau exact.
The same success of the variance, and of the distribution by its Kolmogorov-Smirnov distance (KS), is known within bounds where
the law of how many samples are at each value is small: of two values up to some thousand samples, of seven up to a dozen.

R-hat is that of Gelman and Rubin, of K whole chains, and has a law for functions with the values 0 and 1, such as mode or
x0<=3; for others its columns are empty (NaN). "Wrong" means that the mean of all K N samples is off by more than half a standard
deviation. "Constant" means that the K chains never change and are all equal: they have no R-hat. Chains that never change but differ
have R-hat +Inf (p_infinite).

csv, json and parquet also have the quantiles of RESS_K, and those of ESSD (Eq. 8) of an ESS of N/tau in each chain. All quantiles stand
between two bounds.

Without --function it takes x0, and for R-hat mode where the toy names one, else whether x0 is at most its median.

With --out it also draws the law of the mean with its normal limit and the law of R-hat with its wrong part, for the first nine
kinds of chains at their largest N, and against N how often R-hat raises no alarm although the mean is wrong.`,
		Examples: `  breadboard samplers laws
  breadboard samplers laws --toy barrier --kernel heatbath -N 100 --chains 8
  breadboard samplers laws --toy barrier --kernel metropolis --function 'x0<=1' -N 10,20,50,100 --chains 4 --out results`,
		Counts: "laws", Workers: "number of laws computed at once",
		Standard: LawsOptions{N: []int{100}, Chains: 8},
		Options: []study.Option[LawsOptions]{
			SamplesOption(func(o *LawsOptions) *[]int { return &o.N }, "numbers of samples of a chain, the first state among them", &samples),
			study.CountOption("chains", "number of independent chains", func(o *LawsOptions) *int { return &o.Chains }, &several),
		},
		Columns: lawsColumns(), Plan: lawsPlan,
		Swept: &study.Swept[Problem, LawsRow]{
			Former: "samplers-laws", Parameters: append(ChainParameters("uniform"), FunctionParameter()),
			Stored: []string{
				"p_success", "p_success_low", "p_success_high", "p_success_gaussian", "ress", "tau", "coverage", "p_rhat_below_1_01", "p_assured_and_wrong_1_01",
				"p_rhat_below_1_1", "p_assured_and_wrong_1_1", "p_constant", "p_constant_and_wrong", "p_infinite", "p_wrong",
			},
			Build: Build, Subject: Subject,
			Note:  func(r *LawsRow) (string, error) { return r.allNotes(), nil },
			Check: lawsContradiction, Cost: lawsCost,
		},
	}
}

// rounding is how far rounding may put a probability off.
const rounding = 1e-9

// lawsContradiction: success is between its bounds.
func lawsContradiction(k study.Kept) error {
	p, low, high := k.Get("p_success"), k.Get("p_success_low"), k.Get("p_success_high")
	if low > high+rounding || p < low-rounding || p > high+rounding {
		return fmt.Errorf("its p_success is %v, and its bounds are %v and %v", p, low, high)
	}
	return nil
}

// Measured: the seconds of a law for each state and each value of the sum, which has about N times as many as the function has levels.
const (
	valueCost     = 150e-9
	lawsStartCost = 10e-3
)

// lawsCost estimates what a row takes: the law of a sum of N is found step by step.
func lawsCost(s experiments.Size) experiments.Cost {
	n := float64(s.Params.Int(ParamN))
	values := n * math.Sqrt(float64(s.States))
	return experiments.Cost{Seconds: lawsStartCost + valueCost*float64(s.States)*values*n, Bytes: 32*float64(s.States)*values + 64*values}
}

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
	for _, other := range []struct {
		name, title, what string
		of                func(*row) averages.Bracket
	}{
		{"p_success_var", "of variance", "the variance", func(r *row) averages.Bracket { return r.Others.Variance }},
		{"p_success_ks", "of KS", "the distribution, by the Kolmogorov-Smirnov distance", func(r *row) averages.Bracket { return r.Others.KS }},
	} {
		add(other.name, columns.Float, other.title, "the same probability for "+other.what+": the middle of its bounds; NaN where the law of how many samples are at each level takes too long", nil, func(r *row) any {
			return other.of(r).Low + (other.of(r).High-other.of(r).Low)/2
		})
		add(other.name+"_low", columns.Float, "", "a lower bound on "+other.name, nil, func(r *row) any { return other.of(r).Low })
		add(other.name+"_high", columns.Float, "", "an upper bound on "+other.name, nil, func(r *row) any { return other.of(r).High })
	}
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
