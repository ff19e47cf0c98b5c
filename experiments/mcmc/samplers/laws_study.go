package samplers

import (
	"math"

	"breadboard/chains/number"
	"breadboard/exact/averages"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/columns"
)

// Laws declares the study of the exact distributions of means, of success and of R-hat.
func Laws() *study.Study[Problem, LawsOptions, LawsRow] {
	samples := samplesParameter(50)
	several := subject.Whole("chains", "independent chains", 1, MaxChains, 8)
	return study.New(LawsOptions{N: []int{50}, Chains: 8}, lawsPlan, study.Declaration{
		Says: columns.Sentence{
			Text: "{toy}: {chains} chains of {kernel} succeed for {function} with probability {p_success}"},
		Name:    "samplers laws",
		Smaller: "The distribution of an indicator takes less, as with --function 'x0<=1'",
		Asks:    "How often do several chains succeed, and how often does R-hat miss an error?",
		Help: `laws gives the exact distribution of the mean of a chain, and how often several
chains succeed or R-hat misses an error.

P(success) is the probability that --chains chains have a RESS of at least 12
(Turner and Neal 2017, section 5). coverage is that of the nominal 95% interval
with exact tau. wrong means that the mean of all samples is off by more than
half a standard deviation. R-hat is computed from whole chains, and only for
functions with the values 0 and 1. Functions must be whole numbers. csv and
json have proven bounds.

See breadboard help mixing.`,
		Examples: `  breadboard samplers laws
  breadboard samplers laws --toy barrier --kernel heatbath -N 50 --chains 8
  breadboard samplers laws --toy barrier --kernel metropolis --function 'x0<=1' -N 10,20,50,100 --chains 4 --out results`,
		Counts: "laws", Workers: true,
		Options: study.OptionsOf(func(o *LawsOptions) []study.Option {
			return []study.Option{
				SamplesOption(&o.N, &samples),
				study.CountOption("chains", "", &o.Chains, &several),
			}
		}),
		Columns: lawsColumns(),
		Cost:    lawsCost,
		View:    reports.Untyped(lawsReport),
		About:   OnPaper([]string{"uniform"}),
		Swept: &study.Swept{
			Parameters: append(ChainParameters("uniform"), FunctionParameter()),
			Stored: []string{
				"p_success", "bracket_low", "bracket_high", "p_success_gaussian", "ress_mean", "tau",
				"coverage_95", "p_rhat_below_1_01", "p_assured_and_wrong_1_01",
				"p_rhat_below_1_1", "p_assured_and_wrong_1_1", "p_constant", "p_constant_and_wrong",
				"p_infinite", "p_wrong",
			},
			Build: Build, Subject: Subject,
			Note: study.NoteOf(func(r *LawsRow) (string, error) { return r.allNotes(), nil }),
		},
	})
}

// rounding is how far rounding may put a probability off.
const rounding = 1e-9

// lawsCost estimates what a row takes: the distribution of a sum of N is found step by step.
func lawsCost(s subject.Size) subject.Cost {
	n := float64(s.Params.Int(ParamN))
	values := n * math.Sqrt(float64(s.States))
	return subject.Cost{
		Seconds: lawsStartCost + valueCost*float64(s.States)*values*n,
		Bytes:   16*float64(s.States)*values + 64*values,
	}
}

func lawsColumns() columns.List {
	type row = LawsRow
	fields := SettingColumns((*row).TheSetting, "toy", "kernel", "start", "warmup", "function", "N")
	add := func(name string, kind columns.Type, title, meaning string, kept *columns.Kept,
		of func(*row) any) {
		f := columns.Any(name, title, kind, meaning, of).Digits(digitsOfRESS)
		f.Kept = kept
		fields = append(fields, f)
	}
	bounded := func(name, title, meaning string, kept *columns.Kept, of func(*row) number.Bounded) {
		f := columns.Of(name, title, meaning, of).OrEmpty().Digits(digitsOfRESS)
		f.Kept = kept
		fields = append(fields, f)
	}
	probability := func(shown bool) *columns.Kept {
		return &columns.Kept{Low: -rounding, High: 1 + rounding, Missing: true, Shown: shown}
	}
	infinite := math.Inf(1)
	add("chains", columns.Int, "K", "the number of chains", nil, func(r *row) any { return r.Chains })
	bounded("ress_mean", "RESS", "the exact real effective sample size of the mean of one chain",
		&columns.Kept{High: infinite, Missing: true, Shown: true},
		func(r *row) number.Bounded { return r.RESS })
	bounded("tau", "", "the integrated autocorrelation time, the limit of N / RESS; empty for a reducible chain",
		&columns.Kept{Low: -infinite, High: infinite, Missing: true},
		func(r *row) number.Bounded { return r.Tau })
	add("p_success", columns.Float, "P(success)",
		"the probability that the RESS of all chains is at least 12; empty if only its bounds are known",
		probability(true),
		func(r *row) any { return r.Success.P })
	add("bracket_low", columns.Float, "", "a lower bound on p_success", probability(false),
		func(r *row) any { return r.Success.Low })
	add("bracket_high", columns.Float, "", "an upper bound on p_success", probability(false),
		func(r *row) any { return r.Success.High })
	bounded("p_success_gaussian", "Gaussian", "p_success with Gaussian errors of the same mean square",
		probability(true),
		func(r *row) number.Bounded { return r.GaussianSuccess })
	for _, other := range []struct {
		name, title, what string
		of                func(*row) averages.Bracket
	}{
		{"p_success_var", "P(var)", "the variance",
			func(r *row) averages.Bracket { return r.Others.Variance }},
		{"p_success_ks", "P(KS)", "the distribution, by the Kolmogorov-Smirnov distance",
			func(r *row) averages.Bracket { return r.Others.KS }},
	} {
		add(other.name, columns.Float, other.title, "p_success for "+other.what+
			": the middle of its bounds; empty if they take too long",
			nil, func(r *row) any {
				return other.of(r).Low + (other.of(r).High-other.of(r).Low)/2
			})
		add(other.name+"_low", columns.Float, "", "a lower bound on "+other.name,
			nil, func(r *row) any { return other.of(r).Low })
		add(other.name+"_high", columns.Float, "", "an upper bound on "+other.name, nil,
			func(r *row) any { return other.of(r).High })
	}
	bounded("coverage_95", "coverage",
		"the coverage of the nominal 95% interval around the mean of one chain; empty without tau",
		probability(true),
		func(r *row) number.Bounded { return r.Coverage })
	quantiles := func(prefix string, from func(*row) *Quantiles) {
		for _, q := range []struct {
			name   string
			bounds func(*Quantiles) averages.Bracket
		}{
			{"q05", func(q *Quantiles) averages.Bracket { return q.Q05 }},
			{"median", func(q *Quantiles) averages.Bracket { return q.Median }},
			{"q95", func(q *Quantiles) averages.Bracket { return q.Q95 }},
		} {
			add(prefix+q.name+"_low", columns.Float, "", "a lower bound on "+prefix+q.name,
				nil, func(r *row) any { return q.bounds(from(r)).Low })
			add(prefix+q.name+"_high", columns.Float, "", "an upper bound on "+prefix+q.name, nil,
				func(r *row) any { return q.bounds(from(r)).High })
		}
	}
	quantiles("ress_", func(r *row) *Quantiles { return &r.RESSQuantiles })
	quantiles("essd_", func(r *row) *Quantiles { return &r.ESSDQuantiles })
	rhat := func(name, title string, shown bool, meaning string, of func(*RHat) float64) {
		add(name, columns.Float, title, meaning, probability(shown),
			func(r *row) any {
				if r.RHat == nil {
					return math.NaN()
				}
				return of(r.RHat)
			})
	}
	rhat("p_rhat_below_1_1", "", false, "the probability that R-hat is below 1.1; "+
		"like those below, empty unless the function is 0 or 1",
		func(h *RHat) float64 { return h.BelowLoose })
	rhat("p_rhat_below_1_01", "R-hat < 1.01", true, "the probability that R-hat is below 1.01",
		func(h *RHat) float64 { return h.BelowStrict })
	rhat("p_assured_and_wrong_1_1", "",
		false, "p_rhat_below_1_1, and the pooled mean is wrong",
		func(h *RHat) float64 { return h.BelowLooseAndWrong })
	rhat("p_assured_and_wrong_1_01", "and wrong", true,
		"p_rhat_below_1_01, and the pooled mean is wrong",
		func(h *RHat) float64 { return h.BelowStrictAndWrong })
	rhat("p_constant", "constant", false, "the probability that all chains are constant and equal",
		func(h *RHat) float64 { return h.Constant })
	rhat("p_constant_and_wrong", "and wrong", false,
		"p_constant, and the pooled mean is wrong",
		func(h *RHat) float64 { return h.ConstantAndWrong })
	rhat("p_infinite", "", false, "the probability that all chains are constant and not all equal",
		func(h *RHat) float64 { return h.Infinite })
	rhat("p_wrong", "", false,
		"the probability that the pooled mean is wrong (off by more than half a standard deviation), whatever R-hat is",
		func(h *RHat) float64 { return h.Wrong })
	add("note", columns.String, "", columns.MeansNote, nil, func(r *row) any { return r.allNotes() })
	return columns.Answers(fields, "ress_mean", "p_success", "coverage_95",
		"p_rhat_below_1_01", "p_assured_and_wrong_1_01")
}
