package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
	"breadboard/experiments/draws/files"
	"breadboard/experiments/marginal/sandwich"
	"breadboard/experiments/marginal/sandwich/compare"
	"breadboard/experiments/marginal/sandwich/pair"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
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
	own := optionNames(d)
	both := pairFlags{logZ: math.NaN()}
	c.RunE = func(c *cobra.Command, args []string) error {
		if c.Flags().Changed("forward") {
			return a.sandwichPair(c, both, d)
		}
		if err := both.unused(c); err != nil {
			return badInput(err)
		}
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
	flags.StringVar(&both.forward, "forward", "", "")
	flags.StringVar(&both.reverse, "reverse", "", "")
	flags.Var(known(&both.logZ), "log-z", ", for --forward")
	addToys(flags, &both.toys, ", for --forward")
	exclude(c, "forward", slices.DeleteFunc(append(own, "data", "exact-starts", "save-data"),
		func(name string) bool { return name == "distributions" })...)
	c.AddCommand(a.sandwichCompareCommand(), a.derived("sandwich table"), a.derived("sandwich represent"),
		a.sandwichFitCommand())
	return c
}

// optionNames returns the flags of the options of a study.
func optionNames(d *derived) (names []string) {
	for _, o := range d.study.Options {
		names = append(names, o.Name)
	}
	return names
}

// pairFlags are the flags of log weights of both directions from another program.
type pairFlags struct {
	forward, reverse string
	logZ             float64
	toys             []string
}

// unused refuses the flags that need --forward.
func (f *pairFlags) unused(c *cobra.Command) error {
	for _, flag := range []string{"reverse", "log-z", "toy"} {
		if f := c.Flags().Lookup(flag); f.Changed {
			return errs.New("--%s %s is about log weights in files; give them with --forward FILE --reverse FILE",
				flag, f.Value)
		}
	}
	return nil
}

// sandwichPair answers what log weights of both directions say.
func (a *app) sandwichPair(c *cobra.Command, f pairFlags, d *derived) error {
	toy, lengths := c.Flags().Changed("toy"), c.Flags().Changed("distributions")
	switch {
	case f.reverse == "":
		return badInput(errs.New("log weights of one direction; give those of the other too, as in --reverse FILE, " +
			"or test one by breadboard conform estimates --claim lower"))
	case toy != lengths:
		return badInput(errs.New("exact values need the annealing; give both --toy and -T"))
	}
	s := a.studyOf("sandwich pair")
	o := s.NewOptions().(*pair.Options)
	o.LogZ = f.logZ
	for _, side := range []struct {
		name, path string
		to         *[]float64
	}{{"forward", f.forward, &o.Forward}, {"reverse", f.reverse, &o.Reverse}} {
		logW, omitted, err := files.ReadLogWeights(c.Context(), side.path, side.name, pair.Most)
		if err != nil {
			return badInput(fmt.Errorf("--%s: %w", side.name, err))
		}
		if len(omitted) > 0 {
			a.note("%s: left out %s", side.path, selector.Listed(omitted))
		}
		*side.to = logW
	}
	about := subjects{what: "setting up the annealing", build: func(ctx context.Context, in subject.Reader,
		progress func(int)) (any, error) {
		if !toy {
			return []subject.Case(nil), nil
		}
		return subject.Selection{
			Reader: in, Toys: f.toys, Distributions: d.o.(*sandwich.Options).T,
			Path: subject.Default("path"), Schedule: subject.Default("schedule"), Kernel: subject.Default("kernel"),
			Progress: progress,
		}.Cases(ctx)
	}}
	return a.answer(c.Context(), &derived{study: s, about: about, o: o, how: d.how, view: s.Show})
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
	if err := a.makeFolder(c.Context()); err != nil {
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
			if err := a.trialsFolder(c.Context(), dir, plan); err != nil {
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
func (a *app) trialsFolder(ctx context.Context, dir string, plan *compare.Plan) error {
	if err := sweep.CheckFolder(dir, plan.Sweep, false); err != nil {
		if _, other := errors.AsType[sweep.Refusal](err); other {
			err = errs.New("--out %s holds the trials of another comparison; give another folder, or the same flags "+
				"as before, with which it goes on",
				a.output.dir)
		}
		return badInput(err)
	}
	return a.makeFolder(ctx)
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
