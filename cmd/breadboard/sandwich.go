package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"breadboard/experiments/sandwich"
	"breadboard/experiments/sandwich/compare"
	"breadboard/experiments/study"
	"breadboard/reports"
	"breadboard/reports/views/marginal"
)

// sandwichFlags are the flags of the sandwich that are no options of the study.
type sandwichFlags struct {
	starts int // the value of --exact-starts, and 0 where it is not given
	data   string
	save   string
}

func (a *app) sandwichCommand() *cobra.Command {
	var f sandwichFlags
	c, o, how := questionCommand(a, sandwich.Study(), alone(), marginal.SandwichReport)
	answer := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := a.sandwichData(c, f, o, *how); err != nil {
			return err
		}
		return answer(c, args)
	}
	flags := c.Flags()
	flags.Var(study.Whole(&f.starts, "N", 0, maxCount), "exact-starts", "number of data sets with one chain of each direction each, in place of --chains and --datasets")
	flags.StringVar(&f.data, "data", "", "take the data from `FILE`: a folder of --save-data, or a table in CSV with --model")
	flags.StringVar(&f.save, "save-data", "", "save the data sets, what they were simulated with and the model in this `DIR`")
	exclude(c, "data", "data-rows", "data-columns", "datasets", "exact-starts", "save-data")
	c.AddCommand(
		a.sandwichCompareCommand(), studyCommand(a, compare.Crossed(), alone(), marginal.SandwichTableReport),
		studyCommand(a, compare.Representations(), alone(), marginal.SandwichRepresentReport), a.sandwichFitCommand(), former(a.sandwichCheckCommand()))
	return c
}

// sandwichData has the options say what the flags do, and saves the data. What would be refused is refused before anything is written.
func (a *app) sandwichData(c *cobra.Command, f sandwichFlags, o *sandwich.Options, how study.How) error {
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
		given, err := a.givenData(c, f, o)
		if err != nil {
			return badInput(fmt.Errorf("--data: %w", err))
		}
		o.Given = given
	}
	if f.save == "" {
		return nil
	}
	if err := how.Validate(); err != nil {
		return badInput(err)
	}
	if _, err := sandwich.Study().Plan(c.Context(), nil, o); err != nil {
		return badInput(err)
	}
	if err := a.output.open(a.leftovers); err != nil {
		return err
	}
	return a.saveData(c.Context(), f.save, o)
}

// givenData reads the data of --data: saved ones, with their models and seeds, or a table for the models of --model.
func (a *app) givenData(c *cobra.Command, f sandwichFlags, o *sandwich.Options) (given []sandwich.Given, err error) {
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
