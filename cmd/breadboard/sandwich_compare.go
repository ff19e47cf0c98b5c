package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"breadboard/chains"
	"breadboard/experiments/sandwich/compare"
	"breadboard/experiments/study"
	"breadboard/experiments/sweep"
	"breadboard/reports"
	"breadboard/reports/views/marginal"
)

func (a *app) sandwichCompareCommand() *cobra.Command {
	c, o, how := questionCommand(a, compare.Study(), alone(), marginal.SandwichCompareReport)
	c.RunE = func(c *cobra.Command, _ []string) error { return a.sandwichCompare(c.Context(), o, *how) }
	return c
}

// sandwichCompare makes the trials in the folder --out, where the same command goes on.
func (a *app) sandwichCompare(ctx context.Context, o *compare.Options, how study.How) error {
	plan, err := o.Plan()
	if err == nil {
		err = how.Validate()
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
	rows, account, err := plan.Run(ctx, dir, sweep.Options{Workers: how.Workers, Version: version(), Acknowledged: progress.update})
	progress.done()
	if account.Finished > 0 {
		a.note("%d of %d trials were there already", account.Finished, account.Cells)
	}
	if err != nil {
		if ctx.Err() != nil && a.output.dir != "" {
			a.note("what is done is in %s; the same command goes on from there", dir)
		}
		if errors.Is(err, ctx.Err()) {
			return err
		}
		return sweepFailure(err)
	}
	return a.show(func() *reports.Report { return marginal.SandwichCompareReport(rows) })
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
