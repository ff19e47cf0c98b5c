package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"breadboard/experiments/sandwich"
	"breadboard/reports"
)

// sandwichFlags are the flags of the sandwich.
type sandwichFlags struct {
	options sandwich.Options
	T       wholes
	scans   wholes
	starts  int // the value of --exact-starts, and 0 where it is not given
}

func (a *app) sandwichCommand() *cobra.Command {
	f := sandwichFlags{
		T:     wholes{numbers: []int{100, 1000}, unit: "T", least: 2, most: sandwich.MaxT},
		scans: wholes{numbers: []int{1, 10}, unit: "M", least: 0, most: sandwich.MaxScans},
	}
	o := &f.options
	c := &cobra.Command{
		Use:   "sandwich",
		Short: "What is log p(y) of simulated data? Bounds from annealing forward and in reverse",
		Long: `sandwich draws data sets from a model of any size and finds their marginal likelihood p(y) between two ends (Grosse,
Ghahramani and Adams 2015). Annealed importance sampling (sigmoid:4) and one-particle sequential Monte Carlo run forward
from the prior, where the mean log weight is at most log p(y), and in reverse from the latent variables that the data were
drawn with, which are an exact draw from the posterior: there it is at least log p(y). B is the gap between the two ends.

  lower, upper   the mean log weights of chains forward and in reverse
  B              upper - lower, on average over data sets; it bounds the Jeffreys divergence of the sampler
  log p(y)       the ground truth: the mean of both ends of the longest annealing, where they are within a nat

All reverse chains of a data set share its one exact draw, so that the ends of a single data set have the error of that
draw: B may be below zero there. Over data sets it is not on average, and its standard error is over data sets. With
--exact-starts R there are R data sets and one chain of each direction on each, so that every start is an exact draw.

Models are clustering, lowrank and binary with 50 rows, 25 columns and 10, 5 and 10 components, where nothing else is
said. clustering:5 has five components, and clustering:5:2:1 those with variances 2 of centres and 1 of the noise.

Tables show all data sets together; the formats for machines and the files have each of them. With --out it also draws
the ends against T and against the number of scans.`,
		Example: `  breadboard sandwich
  breadboard sandwich --model clustering -T 100,1000,10000,30000 --chains 25 --datasets 8 --out results
  breadboard sandwich --model lowrank:3,clustering:4 --data-rows 20 --data-columns 10 --datasets 20
  breadboard sandwich --model clustering -T 1000 --scans 0 --exact-starts 100 --format csv`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return a.sandwich(c, f) },
	}
	flags := c.Flags()
	addModels(c, &o.Models, []string{"clustering"})
	flags.VarP(&f.T, "distributions", "T", "numbers of distributions of annealing, both ends included, separated by commas")
	flags.Var(&f.scans, "scans", "numbers M of scans after a datum of sequential Monte Carlo, separated by commas")
	o.Chains, o.Datasets = 10, 4
	flags.Var((*count)(&o.Chains), "chains", "number of chains of each direction on each data set")
	flags.Var((*count)(&o.Datasets), "datasets", "number of data sets of each model")
	flags.Var((*count)(&f.starts), "exact-starts", "number of data sets with one chain of each direction each, in place of --chains and --datasets")
	addSize(c, &o.Rows, &o.Columns)
	addSeed(flags, &o.Seed, "seed of data and chains, 0 to 2^64-1")
	flags.IntVar(&o.Workers, "workers", 0, "number of chains run at once; 0 is one for each core")
	c.AddCommand(a.sandwichCompareCommand(), a.sandwichTableCommand(), a.sandwichRepresentCommand(), a.sandwichFitCommand(), former(a.sandwichCheckCommand()))
	return c
}

// addModels adds the flag of models of data of any size.
func addModels(c *cobra.Command, to *[]string, standard []string) {
	*to = standard
	c.Flags().StringSliceVar(to, "model", standard, "models, separated by commas: "+strings.Join(sandwich.Models().Syntaxes(), ", "))
	completeList(c, "model", ofForms(sandwich.Models()))
}

// addSize adds the flags of the size of data. The flag columns is that of tables.
func addSize(c *cobra.Command, rows, columns *int) {
	*rows, *columns = sandwich.DefaultRows, sandwich.DefaultColumns
	c.Flags().Var((*count)(rows), "data-rows", "number N of rows of the data")
	c.Flags().Var((*count)(columns), "data-columns", "number D of columns of the data")
}

func (a *app) sandwich(c *cobra.Command, f sandwichFlags) error {
	o := f.options
	o.T, o.Scans = f.T.numbers, f.scans.numbers
	if c.Flags().Changed("exact-starts") {
		for _, other := range []string{"chains", "datasets"} {
			if c.Flags().Changed(other) {
				return badInput(fmt.Errorf("--exact-starts stands for that many data sets with one chain each, and --%s says something else; give one of the two", other))
			}
		}
		if f.starts < 1 || f.starts > sandwich.MaxDatasets {
			return badInput(fmt.Errorf("--exact-starts %d; give a whole number from 1 to %d", f.starts, sandwich.MaxDatasets))
		}
		o.Datasets, o.Chains = f.starts, 1
	}
	if err := o.Validate(); err != nil {
		return badInput(err)
	}
	if err := a.output.open(a.leftovers); err != nil {
		return err
	}
	rows, err := during(a, "chains", o.Steps(), func(progress func(int)) ([]sandwich.Row, error) {
		o.Progress = progress
		return sandwich.Run(c.Context(), o)
	})
	return showRows(a, rows, err, reports.SandwichReport)
}
