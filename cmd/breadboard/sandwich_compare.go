package main

import (
	"context"
	"errors"
	"fmt"
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
	progress := a.sweepProgress(isTerminal(a.stderr))
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

// trialsFolder opens the folder of the results, in which that of the trials is. It is refused where it holds other trials, before anything is
// written.
func (a *app) trialsFolder(dir string, plan *compare.Plan) error {
	if err := sweep.Check(dir, plan.Sweep, false); err != nil {
		if _, other := errors.AsType[sweep.Refusal](err); other {
			err = fmt.Errorf("--out %s holds the trials of another comparison; give another folder, or the same flags as before, with which it goes on", a.output.dir)
		}
		return badInput(err)
	}
	return a.output.open(a.leftovers)
}
