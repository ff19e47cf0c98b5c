package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
	"breadboard/experiments/marginal/sandwich"
	"breadboard/experiments/marginal/sandwich/compare"
	"breadboard/experiments/study"
	"breadboard/experiments/sweeps/sweep"
	"breadboard/reports"
	"breadboard/toys/models"
)

// sandwichFlags are the flags of the sandwich that are no options of the study.
type sandwichFlags struct {
	starts int // the value of --exact-starts, and 0 if it is not given
	data   string
	save   string
}

func (a *app) sandwichCommand() *cobra.Command {
	var f sandwichFlags
	d := a.derive("sandwich")
	c := d.Command
	answer := d.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := a.sandwichData(c, f, d.o.(*sandwich.Options), d.how); err != nil {
			return err
		}
		return answer(c, args)
	}
	flags := c.Flags()
	flags.Var(study.Whole(&f.starts, "N", 0, maxCount), "exact-starts", "")
	flags.StringVar(&f.data, "data", "", ": `FILE` is a folder of --save-data, or a table in CSV with --model")
	flags.StringVar(&f.save, "save-data", "", "")
	exclude(c, "data", "data-rows", "data-columns", "datasets", "exact-starts", "save-data")
	c.AddCommand(a.sandwichCompareCommand(), a.derived("sandwich table"), a.derived("sandwich represent"),
		a.sandwichFitCommand())
	return c
}

// sandwichData has the options say what the flags do, and saves the data. What would be refused is
// refused before anything is written.
func (a *app) sandwichData(c *cobra.Command, f sandwichFlags, o *sandwich.Options, how study.How) error {
	if c.Flags().Changed("exact-starts") {
		for _, other := range []string{"chains", "datasets"} {
			if c.Flags().Changed(other) {
				return badInput(errs.New(
					"--exact-starts stands for that many data sets with one chain each, and --%s says "+
						"something else; give one of the two",
					other,
				))
			}
		}
		if f.starts < 1 || f.starts > sandwich.MaxDatasets {
			return badInput(errs.New("--exact-starts %d; give a whole number from 1 to %d",
				f.starts, sandwich.MaxDatasets))
		}
		o.Datasets = f.starts
		o.Chains = 1
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
	if err := a.output.makeFolder(a.leftovers); err != nil {
		return err
	}
	return a.saveData(c.Context(), f.save, o)
}

// givenData reads the data of --data: saved ones, with their models and seeds, or a table for the
// models of --model.
func (a *app) givenData(c *cobra.Command, f sandwichFlags,
	o *sandwich.Options) (given []sandwich.Given, err error) {
	named := c.Flags().Changed("model")
	seeded := c.Flags().Changed("seed")
	saved := sandwich.IsSaved(f.data)
	switch {
	case saved && named:
		return nil, errs.New("%s says which model its data are of; leave --model out", f.data)
	case !saved && !named:
		return nil, errs.New("a table does not say of which model it is; give one, as in --model clustering:2")
	}
	err = a.inTime(c.Context(), func() (err error) {
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
	o.Given, err = sandwich.Simulate(ctx, *o)
	if err != nil {
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
	a.leftovers.addCleanup(folder.Abandon)
	for _, file := range files {
		if _, err := folder.Write(file.Name, file.Text); err != nil {
			return ioFailure(fmt.Errorf("--save-data: %w", err))
		}
	}
	a.note("saved %d data sets in %s; breadboard sandwich --data %s takes them from there", len(o.Given),
		filepath.Join(dir, sandwich.SavedName), dir)
	return nil
}

func (a *app) sandwichCompareCommand() *cobra.Command {
	d := a.derive("sandwich compare")
	inMemory := d.RunE
	d.RunE = func(c *cobra.Command, args []string) error {
		plan, err := d.o.(*compare.Options).Plan(a.sweeps())
		if err == nil {
			err = d.how.Validate()
		}
		if err != nil {
			return badInput(err)
		}
		dir := filepath.Join(a.output.dir, "trials")
		if a.output.dir != "" {
			if err := a.trialsFolder(dir, plan); err != nil {
				return err
			}
		}
		for _, left := range plan.Omitted {
			a.note("%s", reports.OneLine(errs.InWords(left, inFlags)))
		}
		if a.output.dir == "" {
			return inMemory(c, args)
		}
		return a.sandwichCompare(c.Context(), plan, dir, d.how)
	}
	return d.Command
}

// sandwichCompare makes the trials in a folder, where the same command goes on.
func (a *app) sandwichCompare(ctx context.Context, plan *compare.Plan, dir string, how study.How) error {
	progress := a.sweepProgress(isTerminal(a.stderr) && !a.plainTerminal())
	rows, account, err := plan.Run(
		ctx,
		dir,
		sweep.Options{Workers: how.Workers, Version: version(), Acknowledged: progress.update},
	)
	progress.done()
	if account.Finished > 0 {
		a.note("%d of %d trials were there already", account.Finished, account.Cells)
	}
	if err != nil {
		if ctx.Err() != nil {
			a.note("what is done is in %s; the same command goes on from there", dir)
		}
		if errors.Is(err, ctx.Err()) {
			return err
		}
		return sweepFailure(err)
	}
	return a.show(ctx, func() *reports.Report { return compare.Report(rows) })
}

// trialsFolder opens the folder of the results, in which that of the trials is. It is refused if it
// holds other trials, before anything is written.
func (a *app) trialsFolder(dir string, plan *compare.Plan) error {
	if err := sweep.CheckFolder(dir, plan.Sweep, false); err != nil {
		if _, other := errors.AsType[sweep.Refusal](err); other {
			err = errs.New("--out %s holds the trials of another comparison; give another folder, or the same flags "+
				"as before, with which it goes on",
				a.output.dir)
		}
		return badInput(err)
	}
	return a.output.makeFolder(a.leftovers)
}

func (a *app) sandwichFitCommand() *cobra.Command {
	var data string
	d := a.derive("sandwich fit")
	c := d.Command
	answer := d.RunE
	c.RunE = func(c *cobra.Command, args []string) (err error) {
		d.o.(*compare.FittedOptions).Table, err = readData(data)
		if err != nil {
			return err
		}
		return answer(c, args)
	}
	c.Flags().StringVar(&data, "data", "", ": `FILE` is a table in CSV")
	return c
}

// readData reads the table of --data.
func readData(path string) (*models.Table, error) {
	if path == "" {
		return nil, badInput(errs.New("no data; give a file with --data, as in --data FILE.csv"))
	}
	text, err := selector.ReadFile(path, compare.MaxFittedBytes)
	if err != nil {
		return nil, ioFailure(fmt.Errorf("--data: %w", err))
	}
	table, err := models.ParseNamedTable(text, compare.FittedLimits())
	if err != nil {
		return nil, badInput(fmt.Errorf("--data %s: %w", path, err))
	}
	return table, nil
}
