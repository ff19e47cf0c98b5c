package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"breadboard/experiments"
	"breadboard/experiments/represent"
	"breadboard/reports"
	"breadboard/toys"
)

func (a *app) representCommand() *cobra.Command {
	var selection experiments.Selection
	var options represent.Options
	c := &cobra.Command{
		Use:   "represent",
		Short: "In which representation of a model is annealing best?",
		Long: `represent compares, exactly, the ways to write a model that differ in the latent variables that are summed out
(collapsed): J and B of annealing in each of them, beside work, the mean number of evaluations of log f in a
run. Each representation is also a target of its own for every other command, as low:collapsed or gridclu:z.

The marginal likelihood must be the same in every representation; the exit code is 1 if two differ by more than 1e-13. J of a
collapsed sampler is also J of its sample completed with the variables that were summed out, drawn from their
conditional distribution. Where variables are summed out one evaluation of log f costs more, which work does
not count.

With --out it also draws J and B against T and against work.`,
		Example: `  breadboard represent
  breadboard represent --toy low,gridclu -T 10,100,1000 --out results
  breadboard represent --toy gridclu --kernel metropolis --format json`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return a.represent(c.Context(), selection, options) },
	}
	addSelection(c, &selection, []int{10, 100, 1000})
	selection.Toys = toys.RepresentedNames()
	setDefault(c, "toy", "["+strings.Join(selection.Toys, ",")+"]")
	selection.Schedule, selection.Kernel = "sigmoid:4", "heatbath-scan"
	setDefault(c, "schedule", selection.Schedule)
	setDefault(c, "kernel", selection.Kernel)
	c.Flags().IntVar(&options.Workers, "workers", 0, "number of annealings solved at once; where there are fewer, several share a large one; 0 is one for each core")
	return c
}

// setDefault makes help show another default of a flag of addSelection than that of most studies.
func setDefault(c *cobra.Command, name, shown string) { c.Flags().Lookup(name).DefValue = shown }

func (a *app) represent(ctx context.Context, selection experiments.Selection, options represent.Options) error {
	selection, err := represent.Expand(ctx, selection)
	if err != nil {
		return studyFailure(err)
	}
	cases, err := a.cases(ctx, selection, options.Validate)
	if err != nil {
		return err
	}
	rows, err := during(a, "steps", options.Steps(cases), func(progress func(int)) ([]represent.Row, error) {
		options.Progress = progress
		return represent.Run(ctx, cases, options)
	})
	if err != nil {
		return err
	}
	return a.show(func() *reports.Report { return reports.RepresentReport(rows) })
}
