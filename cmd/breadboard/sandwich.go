package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"breadboard/experiments/sandwich"
	"breadboard/experiments/study"
	"breadboard/reports"
)

// sandwichFlags are the flags of the sandwich.
type sandwichFlags struct {
	options sandwich.Options
	starts  int // the value of --exact-starts, and 0 where it is not given
	data    string
	save    string
}

func (a *app) sandwichCommand() *cobra.Command {
	var f sandwichFlags
	o := &f.options
	o.T, o.Scans = []int{100, 1000}, []int{1, 10}
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
draw: B of one data set may be negative. Its mean over data sets is not, and its standard error is taken over data sets. With
--exact-starts R there are R data sets and one chain of each direction on each, so that every start is an exact draw.

Models are clustering, lowrank and binary with 50 rows, 25 columns and 10, 5 and 10 components, where nothing else is
said. clustering:5 has five components, and clustering:5:2:1 those with variances 2 of centres and 1 of the noise.

--save-data DIR saves the data sets before chains run: tables in CSV with all digits, and data.json, which says for each its model
in formulas, its seed, and which tables hold the parameters and latent variables that it was simulated with. --data DIR takes
them from there and gives the same numbers bit for bit, or those of other chains with another --seed. Anybody can check them
so, and can write such a folder for simulated data of another program.

--data FILE.csv takes data that were measured, a row for each datum, with --model. They have no exact draw from the posterior,
so that no chain runs in reverse: lower is all there is. The upper end, B and log p(y) are left empty, and are not made up
from a start that is no exact draw. sandwich fit says whether annealing behaves on such data as on simulated ones.

Tables show all data sets together; the formats for machines and the files have each of them. With --out it also draws
the ends against T and against the number of scans.`,
		Example: `  breadboard sandwich
  breadboard sandwich --model clustering -T 100,1000,10000,30000 --chains 25 --datasets 8 --out results
  breadboard sandwich --model lowrank:3,clustering:4 --data-rows 20 --data-columns 10 --datasets 20
  breadboard sandwich --model clustering -T 1000 --scans 0 --exact-starts 100 --format csv
  breadboard sandwich --model clustering:3 --save-data saved
  breadboard sandwich --data saved
  breadboard sandwich --data faithful.csv --model clustering:2`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return a.sandwich(c, f) },
	}
	flags := c.Flags()
	addModels(c, &o.Models, []string{"clustering"})
	flags.VarP(study.Wholes(&o.T, "T", 2, sandwich.MaxT), "distributions", "T", "numbers of distributions of annealing, both ends included, separated by commas")
	flags.Var(study.Wholes(&o.Scans, "M", 0, sandwich.MaxScans), "scans", "numbers M of scans after a datum of sequential Monte Carlo, separated by commas")
	o.Chains, o.Datasets = 10, 4
	flags.Var(study.Whole(&o.Chains, "N", 0, maxCount), "chains", "number of chains of each direction on each data set")
	flags.Var(study.Whole(&o.Datasets, "N", 0, maxCount), "datasets", "number of data sets of each model")
	flags.Var(study.Whole(&f.starts, "N", 0, maxCount), "exact-starts", "number of data sets with one chain of each direction each, in place of --chains and --datasets")
	addSize(c, &o.Rows, &o.Columns)
	addSeed(flags, &o.Seed, "seed of data and chains, 0 to 2^64-1")
	flags.IntVar(&o.Workers, "workers", 0, "number of chains run at once; 0 is one for each core")
	flags.StringVar(&f.data, "data", "", "take the data from `FILE`: a folder of --save-data, or a table in CSV with --model")
	flags.StringVar(&f.save, "save-data", "", "save the data sets, what they were simulated with and the model in this `DIR`")
	exclude(c, "data", "data-rows", "data-columns", "datasets", "exact-starts", "save-data")
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
	c.Flags().Var(study.Whole(rows, "N", 0, maxCount), "data-rows", "number N of rows of the data")
	c.Flags().Var(study.Whole(columns, "N", 0, maxCount), "data-columns", "number D of columns of the data")
}

func (a *app) sandwich(c *cobra.Command, f sandwichFlags) error {
	o := f.options
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
	if f.data != "" {
		given, err := a.givenData(c, f)
		if err != nil {
			return badInput(fmt.Errorf("--data: %w", err))
		}
		o.Given = given
	}
	if err := o.Validate(); err != nil {
		return badInput(err)
	}
	if err := a.output.open(a.leftovers); err != nil {
		return err
	}
	if f.save != "" {
		if err := a.saveData(c.Context(), f.save, &o); err != nil {
			return err
		}
	}
	rows, err := during(a, "chains", o.Steps(), func(progress func(int)) ([]sandwich.Row, error) {
		o.Progress = progress
		return sandwich.Run(c.Context(), o)
	})
	return showRows(a, rows, err, reports.SandwichReport)
}

// givenData reads the data of --data: saved ones, with their models and seeds, or a table for the models of --model.
func (a *app) givenData(c *cobra.Command, f sandwichFlags) (given []sandwich.Given, err error) {
	o := f.options
	named, seeded := c.Flags().Changed("model"), c.Flags().Changed("seed")
	saved := sandwich.IsSaved(f.data)
	switch {
	case saved && named:
		return nil, fmt.Errorf("%s says which model its data are of; leave --model out", f.data)
	case !saved && !named:
		return nil, errors.New("a table does not say of which model it is; give one, as in --model clustering:2")
	}
	err = a.inTime(func() (err error) {
		if saved {
			given, err = sandwich.ReadSaved(f.data)
			return err
		}
		y, err := sandwich.ReadTable(f.data)
		if err == nil {
			given, err = sandwich.Measured(o.Models, y, o.Seed)
		}
		return err
	})
	if seeded {
		for i := range given {
			given[i].Seed = o.Seed
		}
	}
	return given, err
}

// saveData draws the data sets, saves them, and has the chains run on them.
func (a *app) saveData(ctx context.Context, dir string, o *sandwich.Options) (err error) {
	if o.Given, err = sandwich.Simulate(ctx, *o); err != nil {
		return err
	}
	if err := o.Validate(); err != nil { // as where two selectors are of one model
		return badInput(err)
	}
	files, err := sandwich.Save(o.Given)
	if err != nil {
		return ioFailure(err)
	}
	folder, err := reports.OpenDirectory(dir)
	if err != nil {
		return ioFailure(fmt.Errorf("--save-data: %w", err))
	}
	a.leftovers.add(folder.Abandon)
	for _, file := range files {
		if _, err := folder.Write(file.Name, file.Text); err != nil {
			return ioFailure(fmt.Errorf("--save-data: %w", err))
		}
	}
	a.note("saved %d data sets in %s; breadboard sandwich --data %s takes them from there", len(o.Given), filepath.Join(dir, sandwich.SavedName), dir)
	return nil
}
