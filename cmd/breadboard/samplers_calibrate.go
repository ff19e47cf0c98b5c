package main

import (
	"context"

	"github.com/spf13/cobra"

	"breadboard/experiments/samplers"
	"breadboard/experiments/samplers/diagnose"
	"breadboard/experiments/study"
	"breadboard/reports"
)

func (a *app) samplersCalibrateCommand() *cobra.Command {
	selection := samplers.Selection{Corpus: "small", Kernels: []string{"metropolis", "heatbath"}, Starts: []string{"uniform"}, Functions: []string{"x0", "g"}}
	options := diagnose.CalibrateOptions{Chains: 8, N: []int{1000}}
	c := &cobra.Command{
		Use:   "calibrate",
		Short: "Is the ESS of a chain what its errors say, and do diagnostics alarm where chains fail?",
		Long: `calibrate sets diagnostics of chains beside the errors that they should foretell, for every target, kernel, start, function and N.

The ESS of one chain stands beside the real effective sample size (RESS) of its mean, its variance and its distribution
(Cramer-von Mises). "exact" is the ESS that the exact expectations of its autocovariances give, beside the exact RESS; "simulated"
is the mean ESS of K simulated chains, beside the RESS of these very chains (Turner and Neal 2017, Eq. 4 and Figure 3). If K chains were
as good as their ESS says, their RESS would lie within a region around it 95% of the time, and below it 2.5% of the time (Eq. 9).

Chains are good if the RESS of their mean is at least 12, and otherwise they fail. An error of type I is an alarm although they
are good, an error of type II is no alarm although they fail. A diagnostic raises no alarm at R-hat below 1.1 or 1.01 (of whole chains, split, or of
ranks), a bulk ESS of all chains of at least 100 for each, and |z| <= 1.96 in Geweke's test for every chain. Among the exact ones are
R-hat and ESS at the exact expectations, and the root mean square of Geweke's z.

With --out it also writes the numbers of every setting, and draws RESS against ESS.`,
		Example: `  breadboard samplers calibrate
  breadboard samplers calibrate --toy barrier,hard --kernel heatbath --start target,uniform -N 100,1000
  breadboard samplers calibrate --corpus standard -N 300 --out results`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return a.samplersCalibrate(c.Context(), selection, options)
		},
	}
	addSamplers(c, &selection)
	addStarts(c, &selection)
	f := c.Flags()
	f.VarP(samplesFlag(&options.N), "samples", "N", "numbers of samples of a chain, the first state among them")
	f.Var(study.Whole(&options.Chains, "N", 0, maxCount), "chains", "number of simulated chains")
	addSeed(f, &options.Seed, "seed of the simulated chains")
	f.IntVar(&options.Workers, "workers", 0, "number of settings at once; 0 is one for each core")
	return c
}

func (a *app) samplersCalibrate(ctx context.Context, selection samplers.Selection, options diagnose.CalibrateOptions) error {
	toysFirst(&selection)
	problems, err := a.sampled(ctx, selection, func(problems []samplers.Problem) error { return options.Validate(problems) })
	if err != nil {
		return err
	}
	rows, err := during(a, "settings", options.Steps(problems), func(progress func(int)) ([]diagnose.CalibrateRow, error) {
		options.Progress = progress
		return diagnose.RunCalibrate(ctx, problems, options)
	})
	return showRows(a, rows, err, func(rows []diagnose.CalibrateRow) *reports.Report {
		return reports.SamplersCalibrateReport(rows, options.Chains)
	})
}

// toysFirst leaves the corpus out, which is then the default, where toys are given.
func toysFirst(s *samplers.Selection) {
	if len(s.Toys) > 0 {
		s.Corpus = ""
	}
}
