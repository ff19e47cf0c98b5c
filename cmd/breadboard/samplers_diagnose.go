package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"breadboard/chains"
	"breadboard/experiments"
	"breadboard/experiments/samplers"
	"breadboard/experiments/samplers/diagnose"
	"breadboard/experiments/samples/files"
	"breadboard/reports"
	"breadboard/reports/views/mcmc"
	"breadboard/toys"
)

// samplersDiagnoseCommand returns the command of the study of simulated chains, which diagnoses draws from files in their place.
func (a *app) samplersDiagnoseCommand(about subjects[samplers.Problem]) *cobra.Command {
	c := studyCommand(a, diagnose.Study(), about, mcmc.SamplersDiagnoseReport)
	simulates := []string{"corpus", "kernel", "start", "warmup", "samples", "chains", "seed", "workers"}
	var series []string
	c.Flags().StringArrayVar(&series, "draws", nil, "in place of simulations, a file of draws of one quantity, with a column for each chain (.npy, .csv, .tsv, .txt); several by repeating the flag")
	exclude(c, "draws", append([]string{"toy", "function"}, simulates...)...)
	c.Use += " [FILE]..."
	c.Args = cobra.ArbitraryArgs
	simulated := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		switch {
		case len(args) > 0 && toys.Forms().Named(args[0]):
			return badInput(fmt.Errorf("%s takes files of draws as arguments; did you mean --toy %s?", c.CommandPath(), args[0]))
		case len(args) > 0:
			for _, flag := range append(simulates, "draws") {
				if c.Flags().Changed(flag) {
					return badInput(fmt.Errorf("--%s and the file %s are both given; draws from files are diagnosed as they are: leave one out", flag, args[0]))
				}
			}
			return a.diagnoseFiles(c.Context(), args, given(c, "toy"), given(c, "function"))
		case c.Flags().Changed("draws"):
			return a.diagnoseDraws(c.Context(), series)
		}
		return simulated(c, args)
	}
	return c
}

// given returns the values of a flag of a list, and none where it is not given.
func given(c *cobra.Command, name string) []string {
	flag := c.Flags().Lookup(name)
	if !flag.Changed {
		return nil
	}
	return flag.Value.(pflag.SliceValue).GetSlice()
}

// diagnoseFiles diagnoses the variables in files of one run, beside the truth where a target is named.
func (a *app) diagnoseFiles(ctx context.Context, paths, targets, functions []string) error {
	target, err := drawsTarget(ctx, targets, functions)
	if err != nil {
		return studyFailure(err)
	}
	options := files.DrawsOptions{Most: diagnose.MaxDraws}
	if target != nil {
		options.Domain = target.Domain
	}
	draws, err := files.ReadDraws(ctx, paths, options)
	if err != nil {
		return studyFailure(err)
	}
	rows, err := during(a, "variables", diagnose.Steps(draws, target), func(progress func(int)) ([]diagnose.Variable, error) {
		return diagnose.Variables(ctx, draws, target, progress)
	})
	if err != nil {
		return err
	}
	if err := a.output.open(a.leftovers); err != nil {
		return err
	}
	return a.show(func() *reports.Report { return mcmc.SamplersVariablesReport(rows) })
}

// drawsTarget returns the target of draws; nil where none is named.
func drawsTarget(ctx context.Context, targets, functions []string) (*diagnose.Target, error) {
	switch {
	case len(targets) == 0 && len(functions) > 0:
		return nil, chains.NewAdvice("{function} %s is of the states of a target; name it, as in {toy} ising:3x3:0.4", functions[0])
	case len(targets) == 0:
		return nil, nil
	case len(targets) > 1:
		return nil, chains.NewAdvice("{toy} names %d targets, and draws are of one", len(targets))
	}
	toy, err := experiments.ParseToy(ctx, targets[0])
	if err != nil {
		return nil, err
	}
	return diagnose.NewTarget(toy, functions)
}

// diagnoseDraws diagnoses the draws in files of one quantity each.
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
