package diagnose

import (
	"breadboard/experiments/columns"
	"breadboard/experiments/samplers"
	"breadboard/experiments/study"
)

// Meta declares the study of how well diagnostics predict, together, how far the mean of a chain is off.
func Meta() *study.Study[samplers.Problem, MetaOptions, MetaRow] {
	var labels []string
	for _, l := range Labels() {
		labels = append(labels, string(l))
	}
	return &study.Study[samplers.Problem, MetaOptions, MetaRow]{
		Name: "samplers meta",
		Asks: "What do the diagnostics of a chain, taken together, say of how far its mean is off?",
		Help: `meta predicts the error of the mean of a chain from its diagnostics, and scores the predictions on targets that were held out
(Turner and Neal 2017, section 4.6 and Table 2).

Label: exact is log(ESS/RESS) of the exact expectations and the exact error; essd is the ESS deviation (Eq. 8) of K simulated chains, as
in the paper. Features: ESS is log ESS, GR is log |GR - 1| with Gelman and Rubin's R-hat GR, G is log |G| with Geweke's score G (of simulated
chains the median), and D is the number of coordinates of a state. Points at which one of these is not finite are left out and counted.

GP is a regression by a Gaussian process, GP-D and so on the same without a feature, linear is least squares, and iid a normal
distribution that knows no features. A fifth of the targets is held out at random, again and again. MSE is the mean squared error, and
NLL the mean negative log density less that of GP; beside each are the standard error of its difference from GP over the splits, and
the p-value of a paired t-test.

With --out it also draws both for every method.`,
		Examples: `  breadboard samplers meta
  breadboard samplers meta --label essd -N 1000
  breadboard samplers meta --corpus small --kernel metropolis,barker,heatbath --start uniform,target --function x0,g --repeats 50 --out results`,
		Counts: "steps", Workers: "number of computations at once",
		Standard: MetaOptions{N: []int{300}, Label: Exact, Chains: 8, Repeats: 10, Seed: 1},
		Options: []study.Option[MetaOptions]{
			samplers.SamplesOption(func(o *MetaOptions) *[]int { return &o.N }, "numbers of samples of a chain, the first state among them", nil),
			{Name: "label", Doc: "what is predicted: exact or essd", Complete: study.Among(labels...), Value: func(o *MetaOptions) study.Value { return study.Selector((*string)(&o.Label), labels) }},
			study.CountOption(paramChains, "number of simulated chains, for the label essd", func(o *MetaOptions) *int { return &o.Chains }, nil),
			study.CountOption("repeats", "number of splits of the targets", func(o *MetaOptions) *int { return &o.Repeats }, nil),
			study.SeedOption("seed of the splits and of the simulated chains", func(o *MetaOptions) *uint64 { return &o.Seed }, nil),
		},
		Columns: metaColumns(), Plan: metaPlan,
		Unswept: "it learns from the chains of many targets at once",
	}
}

// metaColumns lists the columns of the study, those of Table 2 of Turner and Neal 2017.
func metaColumns() []columns.Field[MetaRow] {
	type row = MetaRow
	number := func(name, title, unit string, digits int, meaning string, of func(*row) float64) columns.Field[row] {
		c := columns.Column{Name: name, Type: columns.Float, Title: title, Unit: unit, Digits: digits, Meaning: meaning}
		return columns.Field[row]{Column: c, Of: func(r *row) any { return columns.OrEmpty(of(r)) }}
	}
	return []columns.Field[row]{
		{Column: columns.Column{Name: "method", Type: columns.String, Title: "method", Meaning: "the regression that predicts"}, Of: func(r *row) any { return r.Method }},
		{Column: columns.Column{Name: "label", Type: columns.String, Title: "label", Meaning: "what is predicted: exact is log(ESS/RESS), and essd the ESS deviation"}, Of: func(r *row) any {
			return columns.Both{Machine: string(r.Label), People: r.Label.Column()}
		}},
		number("mse", "MSE", "", 4, "the mean squared error on targets that were held out", func(r *row) float64 { return r.MSE }),
		number("mse_se", "+/- of MSE", "", 2, "the standard error over the splits of the difference of mse from that of GP; empty for GP itself and for a single split", func(r *row) float64 { return r.MSEError }),
		number("p_mse", "p of MSE", "", 2, "the p-value of a paired t-test of that difference", func(r *row) float64 { return r.MSEP }),
		number("nll", "NLL", "nats", 4, "the mean negative log density on targets that were held out, less that of GP", func(r *row) float64 { return r.NLL }),
		number("nll_se", "+/- of NLL", "nats", 2, "the standard error over the splits of nll; empty for GP itself and for a single split", func(r *row) float64 { return r.NLLError }),
		number("p_nll", "p of NLL", "", 2, "the p-value of a paired t-test of nll", func(r *row) float64 { return r.NLLP }),
	}
}
