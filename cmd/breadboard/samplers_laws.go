package main

import (
	"context"

	"github.com/spf13/cobra"

	"breadboard/experiments"
	"breadboard/experiments/samplers"
	"breadboard/experiments/study"

	"breadboard/reports"
)

func (a *app) samplersLawsCommand() *cobra.Command {
	selection := samplers.Selection{Toys: experiments.PaperToys(), Kernels: []string{"metropolis", "heatbath"}, Starts: []string{"uniform"}}
	options := samplers.LawsOptions{N: []int{100}, Chains: 8}
	c := &cobra.Command{
		Use:   "laws",
		Short: "How often do several chains succeed, and how often does R-hat assure what is wrong?",
		Long: `laws gives the exact law of the mean of a chain, and of what K independent chains of N samples make of it, for functions that
are whole numbers: coordinates, their sum, the mode and indicators.

RESS is that of one chain. Success is that of K chains: that their RESS, K over the sum of their squared errors, is at least 12
(Turner and Neal 2017, section 5). Where the joint law is too large for an exact number, machines read two proven
bounds of it, bracket_low and bracket_high, and people the digits on which these agree. Gaussian is what it would be with
independent Gaussian errors of that RESS: 0.5665 for eight chains of RESS 12. Coverage is the probability that the nominal 95%
interval, 1.96 sqrt(tau/N) on either side of the mean, holds the truth, with tau exact.

R-hat is that of Gelman and Rubin, of K whole chains, and has a law for functions with the values 0 and 1, such as mode or
x0<=3; for others its columns are empty (NaN). "Wrong" means that the mean of all K N samples is off by more than half a standard
deviation. "Constant" means that the K chains never change and are all equal: they have no R-hat. Chains that never change but differ
have R-hat +Inf (p_infinite).

csv, json and parquet also have the quantiles of RESS_K, and those of ESSD (Eq. 8) of an ESS of N/tau in each chain. All quantiles stand
between two bounds.

Without --function it takes x0, and for R-hat mode where the toy names one, else whether x0 is at most its median.

With --out it also draws the law of the mean with its normal limit and the law of R-hat with its wrong part, for the first nine
kinds of chains at their largest N, and against N how often R-hat raises no alarm although the mean is wrong.`,
		Example: `  breadboard samplers laws
  breadboard samplers laws --toy barrier --kernel heatbath -N 100 --chains 8
  breadboard samplers laws --toy barrier --kernel metropolis --function 'x0<=1' -N 10,20,50,100 --chains 4 --out results`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			options.RHatLaws = a.output.dir != ""
			return a.samplersLaws(c.Context(), selection, options)
		},
	}
	addSamplers(c, &selection)
	addStarts(c, &selection)
	setDefault(c, "function", "x0 and mode, or an indicator of x0")
	f := c.Flags()
	f.VarP(samplesFlag(&options.N), "samples", "N", "numbers of samples of a chain, the first state among them")
	f.Var(study.Whole(&options.Chains, "N", 0, maxCount), "chains", "number of independent chains")
	f.IntVar(&options.Workers, "workers", 0, "number of laws computed at once; 0 is one for each core")
	return c
}

func (a *app) samplersLaws(ctx context.Context, selection samplers.Selection, options samplers.LawsOptions) error {
	problems, err := a.sampled(ctx, selection, func(problems []samplers.Problem) error {
		if err := options.AddFunctions(problems); err != nil {
			return err
		}
		return options.Validate(problems)
	})
	if err != nil {
		return err
	}
	rows, err := during(a, "laws", options.Steps(problems), func(progress func(int)) ([]samplers.LawsRow, error) {
		options.Progress = progress
		return samplers.RunLaws(ctx, problems, options)
	})
	return showRows(a, rows, err, reports.SamplersLawsReport)
}
