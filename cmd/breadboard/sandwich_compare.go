package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"breadboard/chains"
	"breadboard/experiments/sandwich"
	"breadboard/experiments/sandwich/compare"
	"breadboard/experiments/study"
	"breadboard/experiments/sweep"
	"breadboard/reports"
)

// sandwichCompareFlags are the flags of the comparison of estimators.
type sandwichCompareFlags struct {
	options compare.Options
	budget  time.Duration
	workers int
}

func (a *app) sandwichCompareCommand() *cobra.Command {
	var f sandwichCompareFlags
	o := &f.options
	c := &cobra.Command{
		Use:   "compare",
		Short: "How wrong is each estimator of log p(y), and how long does it take?",
		Long: `compare holds estimators of the marginal likelihood against the ground truth of simulated data, as sections 4 to 6 of
Grosse, Ghahramani and Adams (2015) do. Each estimator has one knob, which goes up 1, 3, 10, 30 and so on as far as
--budget pays for: the time of an estimator on a data set, that of all its settings with --trials independent trials each.
The ground truth is the middle of annealing forward and in reverse (ais, rais) with the largest T, which are therefore
always compared, and the trials that it comes from are given no error. It has an error itself, which the rows in the files
have as truth_doubt and truth_se: errors of estimates that are smaller than these mean nothing. The table has for each
estimator

  best RMSE, at, time   the smallest root of the mean squared error of a single trial, the knob and the time of a trial there
  first below 10 nats   the time of a trial with the first setting that is as accurate as telling models apart takes
  bias, RMSE combined   of the largest setting that has an error: of single trials, and of all trials together
  > 1, > 3              the share of trials so many nats above the truth: of a stochastic lower bound at most
                        exp(-1) = 0.37 and exp(-3) = 0.05 on average
  exact start           it starts at the exact draw, which data that were measured do not have

The estimators are lw, hme, ais, rais, smc, shme, cms, cms:first, ns, vb and bic; a vb has a second row with log K! added,
and ns four: with both kinds of volumes, and with the stops 1 + 1e-10 and 1 + exp(-10) of the paper. Where states are
discrete both particles mostly come to tie before either stop, so that the stops hardly differ there.

With --out the trials are a sweep in the folder DIR/trials. The same command goes on there after an interruption, and
breadboard sweep and breadboard report read it. Settings follow from the budget by an estimate of the time of each, so that
the same command always makes the same trials; what they took is measured. Two figures are drawn for each model: the
estimates against time, single and combined, on an axis that is logarithmic beyond a nat from the truth, and the errors
with a line at 10 nats.`,
		Example: `  breadboard sandwich compare
  breadboard sandwich compare --model clustering,lowrank --budget 60s --out results
  breadboard sandwich compare --estimator ais,smc,ns --datasets 8 --budget 10s --format csv`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return a.sandwichCompare(c, f) },
	}
	flags := c.Flags()
	addModels(c, &o.Models, []string{"clustering"})
	flags.StringSliceVar(&o.Estimators, "estimator", nil, "estimators, separated by commas; left out, all of them")
	completeList(c, "estimator", among(plain(sandwich.ChoiceNames())))
	f.budget = time.Second
	flags.DurationVar(&f.budget, "budget", f.budget, "time of an estimator on a data set, as 60s or 5m")
	o.Trials, o.Datasets = compare.DefaultTrials, 1
	flags.Var(study.Whole(&o.Trials, "N", 0, maxCount), "trials", "number of independent trials at each setting")
	flags.Var(study.Whole(&o.Datasets, "N", 0, maxCount), "datasets", "number of data sets of each model")
	addSize(c, &o.Rows, &o.Columns)
	addSeed(flags, &o.Seed, "seed of data and trials")
	flags.IntVar(&f.workers, "workers", 0, "number of trials made at once; 0 is one for each core")
	return c
}

func (a *app) sandwichCompare(c *cobra.Command, f sandwichCompareFlags) error {
	f.options.Budget = f.budget.Seconds()
	plan, err := f.options.Plan()
	if err == nil && f.workers < 0 {
		err = fmt.Errorf("--workers %d; give a number of trials, or 0 for one on each core", f.workers)
	}
	if err != nil {
		return badInput(err)
	}
	dir, remove, err := a.trialsFolder(plan)
	if err != nil {
		return err
	}
	defer remove()
	for _, left := range plan.Omitted {
		a.note("%s", reports.OneLine(chains.InWords(left, inFlags)))
	}
	progress := a.sweepProgress(isTerminal(a.stderr))
	account, err := sweep.Run(c.Context(), plan.Sweep, dir, sweep.Options{Workers: f.workers, Version: version(), Acknowledged: progress.update})
	progress.done()
	if account.Finished > 0 {
		a.note("%d of %d trials were there already", account.Finished, account.Cells)
	}
	if err != nil {
		if c.Context().Err() != nil && a.output.dir != "" {
			a.note("what is done is in %s; the same command goes on from there", dir)
		}
		if errors.Is(err, c.Context().Err()) {
			return err
		}
		return sweepFailure(err)
	}
	merged, err := sweep.Merge(dir)
	if err != nil {
		return sweepFailure(err)
	}
	rows, err := compare.Rows(merged.Rows)
	if err != nil {
		return badInput(err)
	}
	return a.show(func() *reports.Report { return reports.SandwichCompareReport(rows) })
}

// trialsFolder returns the folder of the trials, which is one in the folder of the results, or one that the returned function removes. It
// is refused where it holds other trials, before anything is written.
func (a *app) trialsFolder(plan *compare.Plan) (dir string, remove func(), err error) {
	if a.output.dir == "" {
		dir, err := os.MkdirTemp("", "breadboard-trials-")
		if err != nil {
			return "", nil, ioFailure(err)
		}
		remove := func() { _ = os.RemoveAll(dir) }
		a.leftovers.add(remove)
		return dir, remove, nil
	}
	dir = filepath.Join(a.output.dir, "trials")
	if err := sweep.Check(dir, plan.Sweep, false); err != nil {
		if _, other := errors.AsType[sweep.Refusal](err); other {
			err = fmt.Errorf("--out %s holds the trials of another comparison; give another folder, or the same flags as before, with which it goes on", a.output.dir)
		}
		return "", nil, badInput(err)
	}
	return dir, func() {}, a.output.open(a.leftovers)
}
