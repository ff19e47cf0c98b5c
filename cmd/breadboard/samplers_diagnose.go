package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"breadboard/chains"
	"breadboard/experiments"
	"breadboard/experiments/samplers"
	"breadboard/experiments/samplers/diagnose"
	"breadboard/experiments/samples/files"
	"breadboard/experiments/study"
	"breadboard/reports"
)

func (a *app) samplersDiagnoseCommand() *cobra.Command {
	selection := samplers.Selection{
		Toys: experiments.PaperToys(), Kernels: []string{"metropolis", "heatbath"},
		Starts: []string{"uniform"}, Functions: []string{"x0"},
	}
	options := diagnose.Options{Chains: 8, N: []int64{100, 300, 1000, 3000}}
	var files []string
	c := &cobra.Command{
		Use:   "diagnose",
		Short: "What do ESS, R-hat and their like say, and what is the truth? Also for your own draws",
		Long: `diagnose simulates chains and sets the diagnostics of convergence beside the exact real effective sample size (RESS), the
number of independent draws whose mean is as good as that of one chain.

Simulated: the effective sample size (ESS) of Stan and ArviZ, on average for each chain by itself (ess_chain) and of all
chains (ess_basic of whole, ess_mean of split, ess_bulk of rank-normalised and split chains, ess_tail of the 5% and 95%
quantiles), ESS by batch means; R-hat of Gelman and Rubin, of split, and of rank-normalised and folded chains; the largest
|z| of Geweke's test (first 10% against last 50%) in a chain; and ESSD, how many standard deviations ess_chain lies above
what the errors of these very chains support (Eq. 8). ESSD is standard normal where ESS is right.

Exact, without any simulation: the means over all runs of what the diagnostics are computed from (sample variance,
autocovariances, batch means, the variance between chains, Geweke's squared difference), in units of the target's
variance, and the ESS and R-hat that these means give. RESS is exact too: ress_mean of one chain, and ress_all of the mean of
all chains, with which ess_basic compares. ress_chains is what the simulated chains had.

With --draws it diagnoses draws of your own, of which the truth is not known: .npy of shape (chains, draws) or (draws,),
or text (.csv, .tsv, .txt) with a column for each chain. Chains and draws are counted from 0.

With --out it also draws simulated ESS and R-hat against N, beside what the exact means give and the exact RESS.`,
		Example: `  breadboard samplers diagnose
  breadboard samplers diagnose --toy barrier --kernel metropolis --start uniform,target --function x0,mode -N 100,1000 --out results
  breadboard samplers diagnose --toy ising:3x3:0.4 --kernel heatbath --function sum --chains 4 --format json
  breadboard samplers diagnose --draws fit.npy`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if c.Flags().Changed("draws") {
				return a.diagnoseDraws(c.Context(), files)
			}
			return a.samplersDiagnose(c.Context(), selection, options)
		},
	}
	addSamplers(c, &selection)
	addStarts(c, &selection)
	f := c.Flags()
	f.VarP(samplesFlag(&options.N), "samples", "N", "numbers of samples, the start among them")
	f.Var(study.Whole(&options.Chains, "N", 0, maxCount), "chains", "number of chains that are simulated")
	addSeed(f, &options.Seed, "seed of all random numbers, 0 to 2^64-1")
	f.IntVar(&options.Workers, "workers", 0, "number of rows computed at once; 0 is one for each core")
	f.StringArrayVar(&files, "draws", nil, "in place of simulations, a file of draws (.npy, .csv, .tsv, .txt); several by repeating the flag")
	exclude(c, "draws", "toy", "corpus", "kernel", "start", "function", "warmup", "samples", "chains", "seed", "workers")
	return c
}

func (a *app) samplersDiagnose(ctx context.Context, selection samplers.Selection, options diagnose.Options) error {
	problems, err := a.sampled(ctx, selection, options.Validate)
	if err != nil {
		return err
	}
	rows, err := during(a, "rows", options.Steps(problems), func(progress func(int)) ([]diagnose.Row, error) {
		options.Progress = progress
		return diagnose.Run(ctx, problems, options)
	})
	return showRows(a, rows, err, reports.SamplersDiagnoseReport)
}

// diagnoseDraws diagnoses the draws in files.
func (a *app) diagnoseDraws(ctx context.Context, paths []string) error {
	rows, err := during(a, "files", len(paths), func(progress func(int)) (rows []diagnose.Row, err error) {
		for _, path := range paths {
			if path == "" {
				return nil, chains.NewAdvice("{draws} names no file; write its path, as in {draws} fit.npy")
			}
			draws, err := files.Series(ctx, path, diagnose.MaxDraws)
			if err != nil {
				return nil, err
			}
			row, err := diagnose.OfDraws(ctx, path, draws)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			rows = append(rows, row)
			progress(1)
		}
		return rows, nil
	})
	if err != nil {
		return err
	}
	if err := a.output.open(a.leftovers); err != nil {
		return err
	}
	return a.show(func() *reports.Report { return reports.SamplersDiagnoseReport(rows) })
}
