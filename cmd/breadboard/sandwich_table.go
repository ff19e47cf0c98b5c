package main

import (
	"context"

	"github.com/spf13/cobra"

	"breadboard/experiments/sandwich"
	"breadboard/experiments/sandwich/compare"
	"breadboard/experiments/study"
	"breadboard/reports"
)

func (a *app) sandwichTableCommand() *cobra.Command {
	o := compare.CrossedOptions{T: 1000, Chains: 3, Datasets: 3}
	c := &cobra.Command{
		Use:   "table",
		Short: "Do marginal likelihoods tell from which model data come? Every model fitted to the data of every model",
		Long: `table draws data from each model and fits all of the models to them by annealed importance sampling (sigmoid:4), as section
6.3 and Table 1 of Grosse, Ghahramani and Adams (2015). Data are drawn with known hyperparameters. As these mean nothing to a
model that did not make the data, all models have theirs in the state when they are fitted: variances with inverse gamma priors
of shape and scale one, probabilities with uniform ones.

  log mean w   the logarithm of the mean weight over the chains of a data set, which is at most log p(y) on average
  (behind)     by how much it is below that of the model that made the data, on the same data
  mean log w   the mean log weight, which is further below; a chain of lowrank that starts at a huge variance spoils it
  paper        what Table 1 has, for other data of the same models and size; expect it to be similar, and not equal

Numbers are means over data sets, and their standard errors are over data sets, or over chains where there is one alone.
Standard error says which other model comes nearest on the data of each model, and by how many standard errors.

How far below log p(y) the numbers are is not known, as a model that did not make the data has no exact draw to anneal from in
reverse. The paper takes -T 30000. Models that anneal badly are further behind at a smaller T.

With --out it also draws the table.`,
		Example: `  breadboard sandwich table
  breadboard sandwich table -T 30000 --chains 10 --datasets 8 --out results
  breadboard sandwich table --model clustering:4,lowrank:2 --data-rows 30 --data-columns 10 -T 300`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return a.sandwichTable(c.Context(), o) },
	}
	f := c.Flags()
	addModels(c, &o.Models, sandwich.ModelNames())
	f.VarP(study.Whole(&o.T, "N", 0, maxCount), "distributions", "T", "number of distributions of annealing, both ends included")
	f.Var(study.Whole(&o.Chains, "N", 0, maxCount), "chains", "number of chains of each model on each data set")
	f.Var(study.Whole(&o.Datasets, "N", 0, maxCount), "datasets", "number of data sets of each model")
	addSize(c, &o.Rows, &o.Columns)
	addSeed(f, &o.Seed, "seed of data and chains, 0 to 2^64-1")
	f.IntVar(&o.Workers, "workers", 0, "number of chains run at once; 0 is one for each core")
	return c
}

func (a *app) sandwichTable(ctx context.Context, o compare.CrossedOptions) error {
	if err := o.Validate(); err != nil {
		return badInput(err)
	}
	if err := a.output.open(a.leftovers); err != nil {
		return err
	}
	rows, err := during(a, "chains", o.Steps(), func(progress func(int)) ([]compare.CrossedRow, error) {
		o.Progress = progress
		return compare.RunCrossed(ctx, o)
	})
	return showRows(a, rows, err, reports.SandwichTableReport)
}
