package main

import (
	"context"
	"fmt"

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
and sets each estimate beside its exact expectation, with a standard error that is exact where it can be.
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
	steps := options.Steps(cases)
	add, done := a.progress("chains", steps)
	options.Progress = add
	runs, err := ais.Run(ctx, cases, options)
	done()
	if err != nil {
		return studyFailure(err)
	}
	if err := a.table("ais", reports.AIS(runs)); err != nil {
		return err
	}
	var failed error
	for i := range runs {
		r := &runs[i]
		if r.Err != nil {
			failed = graver(failed, studyFailure(fmt.Errorf("%s: %w", &r.Case, r.Err)))
			continue
		}
		if a.output.files != nil {
			if err := a.aisFiles(r); err != nil {
				return err
			}
		}
		for _, n := range r.Exact.Notes {
			a.note("%s: %s", &r.Case, n)
		}
		for _, q := range r.Quantities {
			if q.Note != "" {
				a.note("%s: %s: %s", &r.Case, q.Name, q.Note)
			}
		}
	}
	return failed
}

// aisFiles writes the log weights of a run and draws them.
func (a *app) aisFiles(r *ais.Row) error {
	f, err := reports.Sandwich(r)
	if err := a.caseFigure(&r.Case, f, err); err != nil {
		return err
	}
	name := reports.FileName("log_weights_" + r.Toy.Name + "_T" + lengthsText([]int{r.T}))
	npy, err := reports.LogWeightsNPY(r)
	if err != nil {
		return err
	}
	if err := a.file(name+".npy", npy); err != nil {
		return err
	}
	return a.file(name+".csv", reports.LogWeightsCSV(r))
}
