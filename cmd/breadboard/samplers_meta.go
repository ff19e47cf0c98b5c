package main

import (
	"context"

	"github.com/spf13/cobra"

	"breadboard/experiments/samplers"
	"breadboard/experiments/samplers/diagnose"
	"breadboard/experiments/study"
	"breadboard/reports"
)

func (a *app) samplersMetaCommand() *cobra.Command {
	selection := samplers.Selection{Corpus: "standard", Kernels: []string{"metropolis", "heatbath"}, Starts: []string{"uniform"}, Functions: []string{"x0"}}
	options := diagnose.MetaOptions{N: []int{300}, Chains: 8, Repeats: 10}
	label := string(diagnose.Exact)
	c := &cobra.Command{
		Use:   "meta",
		Short: "What do the diagnostics of a chain, taken together, say of how far its mean is off?",
		Long: `meta predicts the error of the mean of a chain from its diagnostics, and scores the predictions on targets that were held out
(Turner and Neal 2017, section 4.6 and Table 2).

Label: exact is log(ESS/RESS) of the exact expectations and the exact error; essd is the ESS deviation (Eq. 8) of K simulated chains, as
in the paper. Features: ESS is log ESS, GR is log |GR - 1| with Gelman and Rubin's R-hat GR, G is log |G| with Geweke's score G (of simulated
chains the median), and D is the number of coordinates of a state. Points at which one of these is not finite are left out and counted.

GP is a regression by a Gaussian process, GP-D and so on the same without a feature, linear is least squares, and iid a normal
distribution that knows no features. A fifth of the targets is held out at random, again and again. MSE is the mean squared error, and
NLL the mean negative log density less that of GP; beside each are the standard error of its difference from GP over the splits, and
the p-value of a paired t-test.

With --out it also draws both for every method.`,
		Example: `  breadboard samplers meta
  breadboard samplers meta --label essd -N 1000
  breadboard samplers meta --corpus small --kernel metropolis,barker,heatbath --start uniform,target --function x0,g --repeats 50 --out results`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			options.Label = diagnose.Label(label)
			return a.samplersMeta(c.Context(), selection, options)
		},
	}
	addSamplers(c, &selection)
	addStarts(c, &selection)
	f := c.Flags()
	f.VarP(samplesFlag(&options.N), "samples", "N", "numbers of samples of a chain, the first state among them")
	var labels []string
	for _, l := range diagnose.Labels() {
		labels = append(labels, string(l))
	}
	addSelector(f, &label, "label", label, labels, "what is foretold: exact or essd")
	f.Var(study.Whole(&options.Chains, "N", 0, maxCount), "chains", "number of simulated chains, with --label essd")
	f.Var(study.Whole(&options.Repeats, "N", 0, maxCount), "repeats", "number of splits of the targets")
	addSeed(f, &options.Seed, "seed of the splits and of the simulated chains")
	f.IntVar(&options.Workers, "workers", 0, "number of computations at once; 0 is one for each core")
	return c
}

func (a *app) samplersMeta(ctx context.Context, selection samplers.Selection, options diagnose.MetaOptions) error {
	toysFirst(&selection)
	problems, err := a.sampled(ctx, selection, func(problems []samplers.Problem) error { return options.Validate(problems) })
	if err != nil {
		return err
	}
	result, err := during(a, "steps", options.Steps(problems), func(progress func(int)) (*diagnose.Result, error) {
		options.Progress = progress
		return diagnose.RunMeta(ctx, problems, options)
	})
	if err != nil {
		return err
	}
	return a.show(func() *reports.Report { return reports.SamplersMetaReport(result) })
}
