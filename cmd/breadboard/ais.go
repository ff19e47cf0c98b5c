package main

import (
	"context"

	"github.com/spf13/cobra"

	"breadboard/experiments"
	"breadboard/experiments/ais"
	"breadboard/reports"
)

func (a *app) aisCommand() *cobra.Command {
	var selection experiments.Selection
	var options ais.Options
	c := &cobra.Command{
		Use:   "ais",
		Short: "Run chains: Monte Carlo estimates beside exact values",
		Long: `ais runs annealed importance sampling chains in both directions, as one would where no exact answer exists,
and compares each estimate with its exact expectation. The standard error of an estimate is exact where it can be.
The reverse chains start at exact draws from the target. The same seed gives the same numbers for any number
of workers.

With --out it also writes the log weights (.npy and CSV) and draws their histograms with the exact means.`,
		Example: `  breadboard ais
  breadboard ais --toy barrier -T 100 --chains 1e6 --seed 7
  breadboard ais --toy hard -T 1000 --format json --out results`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return a.ais(c.Context(), selection, options) },
	}
	addSelection(c, &selection, []int{1000})
	addChains(c, &options.Chains, &options.Seed, &options.Workers, 10_000)
	return c
}

func (a *app) ais(ctx context.Context, selection experiments.Selection, options ais.Options) error {
	cases, err := a.cases(ctx, selection, func(c []experiments.Case) error { return options.Validate(len(c)) })
	if err != nil {
		return err
	}
	runs, err := during(a, "chains", options.Steps(cases), func(progress func(int)) ([]ais.Row, error) {
		options.Progress = progress
		return ais.Run(ctx, cases, options)
	})
	return showRows(a, runs, err, func(runs []ais.Row) *reports.Report { return reports.AISReport(runs, inFlags) })
}
