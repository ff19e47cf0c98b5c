package rank

import (
	"breadboard/experiments/columns"
	"breadboard/experiments/samplers"
	"breadboard/experiments/study"
)

// Study declares the study of kernels at equal work. Its subjects are contests.
func Study() *study.Study[Contest, Options, Row] {
	return &study.Study[Contest, Options, Row]{
		Name: "samplers rank",
		Asks: "Which kernel is best, and where? A leaderboard at equal work, every number exact",
		Help: `rank sets kernels side by side on the targets of a corpus, at equal work: every chain takes as many samples as --budget
evaluations of log f pay for, one for its start and then those of each move. It scores the mean, the variance and the
distribution of a function (by the Cramer-von Mises distance, CvM) by their real effective sample sizes, RESS.

NESS is RESS over the median number of samples of the competitors on the same target (Turner and Neal 2017, Eq. 7), and the
leaderboard has its mean and median over the targets, as Table 1 of the paper does. Ranks are by RESS, one is the best, and
kernels that are equal share a rank; a win that is shared counts in parts. RESS/N is the median efficiency (Eq. 6).
P(success) is how likely --chains chains have a RESS of at least 12: from the exact law of the mean where that is small enough ("law", or
"bounds" where two bounds of it agree to 0.001), and else with Gaussian errors of the exact RESS ("Gaussian"). That of the
variance is known in the same ways, and that of the distribution by its Kolmogorov-Smirnov distance (KS) where bounds are, for
functions of few values and small budgets: the other score of the distribution, CvM, has none.

"Warm-up pays" is the share of the targets on which dropping samples at the start, of the same budget, gains more than a
hundredth in RESS of the mean; --drop says which shares of the samples are tried.

A second table says which kernel is best on each target. A kernel that cannot move on a target's space, or that does not say
how much work a move is, is left out there, and a note says so. A corpus of your own is FILE.toml (breadboard samplers corpus --help).

With --out it also writes the scores of every kernel on every target, and draws box plots of NESS and efficiency, of all
targets beside those with RESS of at least 12, and a map of NESS by kernel and target.`,
		Examples: `  breadboard samplers rank
  breadboard samplers rank --corpus standard --budget 1e4 --out results
  breadboard samplers rank --toy easy,barrier --kernel metropolis,heatbath,lazy:0.5 --start uniform,target --budget 1000
  breadboard samplers rank --function all --format json`,
		Counts: "chains", Workers: "number of chains solved at once",
		Standard: Options{Budget: 1e4, Chains: 8, Drop: []float64{0.1, 0.5}},
		Options: []study.Option[Options]{
			{Name: "budget", Doc: "how many evaluations of log f a chain may take", Value: func(o *Options) study.Value { return study.Number(&o.Budget) }},
			study.CountOption("chains", "number of independent chains whose success is asked about", func(o *Options) *int { return &o.Chains }, nil),
			{Name: "drop", Doc: "shares of the samples that are tried as warm-up and dropped, from 0 on and below 1", Value: func(o *Options) study.Value { return study.Numbers(&o.Drop) }},
		},
		Columns: fields(), Plan: plan,
		Unswept: "kernels compete with one another, and a row says nothing without the others",
	}
}

// Name returns the name of the estimate in columns for machines.
func (e Estimate) Name() string { return [estimates]string{"mean", "var", "cvm"}[e] }

// Title returns the name of the estimate in columns for people.
func (e Estimate) Title() string { return [estimates]string{"mean", "variance", "CvM"}[e] }

// fields lists the columns of the study.
func fields() []columns.Field[Row] {
	fields := samplers.SettingColumns(func(r *Row) *samplers.Setting { return &r.Setting }, "toy", "kernel", "start", "warmup", "function", "N")
	add := func(name string, kind columns.Type, title, meaning string, of func(*Row) any) {
		fields = append(fields, columns.Field[Row]{Column: columns.Column{Name: name, Type: kind, Title: title, Digits: 4, Meaning: meaning}, Of: of})
	}
	add("work", columns.Float, "work", "the evaluations of log f of a chain", func(r *Row) any { return r.Work })
	add("median_N", columns.Float, "", "the median number of samples of the competitors on the same example", func(r *Row) any { return r.Median })
	add("competitors", columns.Int, "", "the number of competitors on the example, this one among them", func(r *Row) any { return r.Competitors })
	for e := range estimates {
		add("ress_"+e.Name(), columns.Float, "RESS "+e.Title(), "the real effective sample size of the "+e.Title(), func(r *Row) any { return r.Scores[e].RESS })
		add("ness_"+e.Name(), columns.Float, "", "ress_"+e.Name()+" over median_N", func(r *Row) any { return r.Scores[e].NESS })
		add("rank_"+e.Name(), columns.Float, "", "the rank by ress_"+e.Name()+" among the competitors, from 1, the best; those that are equal share the mean", func(r *Row) any { return r.Scores[e].Rank })
	}
	add("eff", columns.Float, "", "the real effective sample size of the mean over N", func(r *Row) any { return r.Scores[Mean].RESS / float64(r.N) })
	add("p_success", columns.Float, "P(success)", "the probability that the real effective sample size of all chains is enough", func(r *Row) any { return r.Success })
	add("p_success_by", columns.String, "by", "how p_success is known: law, bounds or Gaussian", func(r *Row) any { return string(r.SuccessBy) })
	add("p_success_var", columns.Float, "of variance", "the same probability for the variance", func(r *Row) any { return r.SuccessVariance })
	add("p_success_var_by", columns.String, "", "how p_success_var is known: bounds or Gaussian", func(r *Row) any { return string(r.SuccessVarianceBy) })
	add("p_success_ks", columns.Float, "of KS", "the same for the distribution, by the Kolmogorov-Smirnov distance; NaN unless the law of how many samples are at each level is small", func(r *Row) any { return r.SuccessKS })
	add("dropped", columns.Int, "best dropped", "how many of the first samples it is best to drop", func(r *Row) any { return int(r.Dropped) })
	add("drop_gain", columns.Float, "its gain", "by which factor dropping them makes RESS of the mean larger", func(r *Row) any { return r.DropGain })
	return fields
}
