package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"breadboard/experiments"
	"breadboard/experiments/conform"
	"breadboard/experiments/study"
)

func (a *app) conformEstimatesCommand() *cobra.Command {
	var from chainFiles
	var selection experiments.Selection
	var o conform.Options
	var verbose bool
	c := &cobra.Command{
		Use:   "estimates FILE",
		Short: "Test estimates of Z by any algorithm against the exact Z of a toy, without the folder of a task",
		Long: `estimates reads estimates of log(Z_T/Z_1), one a row in the column log_z, and tests whether what --claim says of them is true. For a
model of data Z_T/Z_1 is the marginal likelihood, and f_1 the prior. FILE is CSV, .npy, Parquet or JSON Lines, or - for
standard input.

` + claimsHelp() + `

The test is an e-process: however often one looks, a false alarm has at most the probability --alpha. The exit code is 1
where the claim does not hold. breadboard help validate has an example for nested sampling.`,
		Example: `  breadboard conform estimates logz.csv --toy bin4 --claim law:ns:100
  breadboard conform estimates logz.csv --toy bin4 --claim within:0.05:0.9
  my_sampler | breadboard conform estimates - --toy file:target.npy --claim calibrated:0.02`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if !c.Flags().Changed("toy") {
				return badInput(fmt.Errorf("no toy whose Z is estimated; give one, as in --toy bin4 (breadboard toys lists them)"))
			}
			if from.estimates = args[0]; args[0] == standardInput {
				from.estimates, from.stdin = "", "estimates"
			}
			return a.conformEstimates(c.Context(), &from, selection, o, verbose)
		},
	}
	addSelection(c, &selection, []int{12})
	c.Flags().Lookup("toy").DefValue = ""
	addAlpha(c, &o.Alpha)
	a.addDetail(c.Flags(), &verbose)
	addEstimates(c, &o.Estimates)
	from.addColumns(c, "log_z,se")
	c.Flags().BoolVar(&o.LogZIncluded, "log-z-included", false, "estimates hold log Z_1 as well: they are of log Z_T, the logarithm of the sum of f_T over all states")
	c.Flags().Var(study.Whole(&o.Chains, "N", 0, maxCount), "chains", "largest number of estimates that are read; 0 is all")
	addWorkers(c.Flags(), &o.Workers, "number of laws computed at once")
	return c
}

// conformEstimates tests estimates of the Z of one annealing.
func (a *app) conformEstimates(ctx context.Context, from *chainFiles, selection experiments.Selection, o conform.Options, verbose bool) error {
	if err := o.Validate(); err != nil {
		return badInput(err)
	}
	t, err := a.conformTask(ctx, selection)
	if err != nil {
		return err
	}
	in, done, err := from.open(ctx, a.stdin, t.Space())
	defer done()
	if err != nil {
		return badInput(err)
	}
	return a.conform(ctx, t, in, o, verbose)
}
