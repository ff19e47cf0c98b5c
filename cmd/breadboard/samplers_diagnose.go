package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"breadboard/chains"
	"breadboard/experiments/samplers"
	"breadboard/experiments/samplers/diagnose"
	"breadboard/experiments/samples/files"
	"breadboard/reports"
	"breadboard/reports/views/mcmc"
)

// samplersDiagnoseCommand returns the command of the study of simulated chains, which diagnoses draws from files in their place.
func (a *app) samplersDiagnoseCommand(about subjects[samplers.Problem]) *cobra.Command {
	c := studyCommand(a, diagnose.Study(), about, mcmc.SamplersDiagnoseReport)
	var files []string
	c.Flags().StringArrayVar(&files, "draws", nil, "in place of simulations, a file of draws (.npy, .csv, .tsv, .txt); several by repeating the flag")
	exclude(c, "draws", "toy", "corpus", "kernel", "start", "function", "warmup", "samples", "chains", "seed", "workers")
	simulated := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		if c.Flags().Changed("draws") {
			return a.diagnoseDraws(c.Context(), files)
		}
		return simulated(c, args)
	}
	return c
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
	return a.show(func() *reports.Report { return mcmc.SamplersDiagnoseReport(rows) })
}
