package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/experiments/marginal/evidence"
	"breadboard/experiments/marginal/sandwich"
	"breadboard/experiments/marginal/sandwich/compare"
	"breadboard/experiments/study"
	"breadboard/experiments/study/check"
	"breadboard/experiments/sweeps/sweep"
	"breadboard/reports"
	"breadboard/reports/views/checks"
	"breadboard/reports/views/marginal"
	"breadboard/toys"
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
	c, o, how := questionCommand(a, sandwich.Study(), alone(), marginal.SandwichReport)
	answer := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := a.sandwichData(c, f, o, *how); err != nil {
			return err
		}
		return answer(c, args)
	}
	flags := c.Flags()
	flags.Var(study.Whole(&f.starts, "N", 0, maxCount), "exact-starts",
		"number of data sets with one chain of each direction each, in place of --chains and --datasets")
	flags.StringVar(&f.data, "data", "", "take the data from `FILE`: a folder of --save-data, or a table in CSV with --model")
	flags.StringVar(&f.save, "save-data", "", "save the data sets, what they were simulated with and the model in this `DIR`")
	exclude(c, "data", "data-rows", "data-columns", "datasets", "exact-starts", "save-data")
	c.AddCommand(
		a.sandwichCompareCommand(), studyCommand(a, compare.Crossed(), alone(), marginal.SandwichTableReport),
		studyCommand(a, compare.Representations(), alone(), marginal.SandwichRepresentReport), a.sandwichFitCommand())
	return c
}

// sandwichData has the options say what the flags do, and saves the data. What would be refused is
// refused before anything is written.
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

// givenData reads the data of --data: saved ones, with their models and seeds, or a table for the
// models of --model.
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

func (a *app) sandwichCompareCommand() *cobra.Command {
	c, o, how := questionCommand(a, compare.Study(), alone(), marginal.SandwichCompareReport)
	inMemory := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		plan, err := o.Plan(a.sweeps())
		if err == nil {
			err = how.Validate()
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
			a.note("%s", reports.OneLine(chains.InWords(left, inFlags)))
		}
		if a.output.dir == "" {
			return inMemory(c, args)
		}
		return a.sandwichCompare(c.Context(), plan, dir, *how)
	}
	return c
}

// sandwichCompare makes the trials in a folder, where the same command goes on.
func (a *app) sandwichCompare(ctx context.Context, plan *compare.Plan, dir string, how study.How) error {
	progress := a.sweepProgress(isTerminal(a.stderr) && !a.plainTerminal())
	rows, account, err := plan.Run(ctx, dir, sweep.Options{Workers: how.Workers, Version: version(), Acknowledged: progress.update})
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
	return a.show(func() *reports.Report { return marginal.SandwichCompareReport(rows) })
}

// trialsFolder opens the folder of the results, in which that of the trials is. It is refused if it
// holds other trials, before anything is written.
func (a *app) trialsFolder(dir string, plan *compare.Plan) error {
	if err := sweep.Check(dir, plan.Sweep, false); err != nil {
		if _, other := errors.AsType[sweep.Refusal](err); other {
			err = fmt.Errorf("--out %s holds the trials of another comparison; give another folder, or the same flags as before, with which it goes on", a.output.dir)
		}
		return badInput(err)
	}
	return a.output.open(a.leftovers)
}

func (a *app) sandwichFitCommand() *cobra.Command {
	var data string
	c, o, _ := questionCommand(a, compare.FitStudy(), alone(), marginal.SandwichFitReport)
	answer := c.RunE
	c.RunE = func(c *cobra.Command, args []string) (err error) {
		if o.Table, err = readData(data); err != nil {
			return err
		}
		return answer(c, args)
	}
	c.Flags().StringVar(&data, "data", "", "`FILE` of the data in CSV")
	return c
}

// readData reads the table of --data.
func readData(path string) (*models.Table, error) {
	if path == "" {
		return nil, badInput(errors.New("no data; give a file with --data, as in --data FILE.csv"))
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

func (a *app) sandwichCheckCommand() *cobra.Command {
	options := sandwich.CheckOptions{Runs: sandwich.DefaultCheckRuns}
	verbose := false
	c := &cobra.Command{
		Use: "check [ESTIMATOR...]", Short: "Do the samplers of the sandwich have the exact distributions of their algorithms?",
		Long: `It runs the samplers of the sandwich on the data of toys that are small enough for exact distributions, and holds what they
estimate to the distributions that breadboard evidence gives for the same algorithms, in which nothing is sampled: all estimators,
or the named ones among ` + strings.Join(sandwich.CheckEstimators(), ", ") + `.

The samplers hold assignments and sums of rows, as they do at any size, and the distributions are of states on a lattice: the two
have no code of a move in common. Every run in reverse starts at an exact draw of its own.

Runs are tested by e-processes, which may look at the runs as often as they like: over all tests a false alarm has
probability at most --alpha. An e-value near 0 is evidence for the distribution, and one of at least the tolerance, which is the
number of tests over alpha, is a fault.

  levels_e_value        how many estimates are above each of some levels around log Z and around the mean
  mean_e_value          the mean of Zhat is not larger than the distribution says
  reciprocal_e_value    the mean of 1/Zhat is not larger than 1/Z, where it should be 1/Z

Noise that is 5% too large in the moves takes some 8,000 runs to be found, and a scan in the wrong order in reverse some
60,000. The exit code is 1 if a finding is a fault. The results begin with a summary, and have the findings that say fault
or open behind it; -v shows all, and so do all formats but table.`,
		Example: `  breadboard selfcheck sandwich
  breadboard selfcheck sandwich rais -v
  breadboard selfcheck sandwich rais shme --toy clu8 --chains 1e5`,
		Args: cobra.ArbitraryArgs, ValidArgsFunction: completed(among(selector.Plain(sandwich.CheckEstimators())), false),
		RunE: func(c *cobra.Command, args []string) error {
			options.Estimators = args
			err := study.How{Workers: options.Workers}.Validate()
			if err == nil {
				err = options.Validate(c.Context())
			}
			if err != nil {
				return badInput(err)
			}
			if err := a.output.open(a.leftovers); err != nil {
				return err
			}
			findings, err := during(a, "samplers", options.Claims(), func(progress func(int)) ([]evidence.Finding, error) {
				options.Progress = progress
				return sandwich.Check(c.Context(), options)
			})
			if err != nil {
				return err
			}
			return a.show(func() *reports.Report { return inDetail(checks.SandwichAgreementReport(findings), verbose) })
		},
	}
	f := c.Flags()
	options.Toys = sandwich.DefaultCheckToys()
	addToys(f, &options.Toys, "models of data, such as clu6, bin4 or model:PATH")
	completeList(c, "toy", ofForms(toys.Forms()))
	f.Var(study.Whole(&options.Runs, "N", 2, maxCount), "chains", "largest number of runs of each estimator, 256 or more")
	addSeed(f, &options.Seed, "seed of the runs, 0 to 2^64-1")
	f.Float64Var(&options.Alpha, "alpha", check.DefaultAlpha, "largest probability of a false alarm in the run")
	addWorkers(f, &options.Workers, "number of computations at once")
	a.addDetail(f, &verbose)
	return c
}
