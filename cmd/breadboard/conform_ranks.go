package main

import (
	"context"

	"github.com/spf13/cobra"

	"breadboard/experiments/checks/conform/ranks"
	"breadboard/experiments/study"
)

func (a *app) conformRanksCommand() *cobra.Command {
	var alpha float64
	var most int
	var verbose bool
	c := &cobra.Command{
		Use: "ranks FILE", Short: "Test whether the ranks of simulation-based calibration are uniform",
		Long: `ranks reads the ranks of simulation-based calibration (SBC), one row a run, and
tests for each variable whether they are uniform on 0 to L.

The file has a column for each variable, or the columns variable, rank and
max_rank, which the stats of R's package SBC have. A fault names a cause if one
explains the ranks: draws that are too high or low, too narrow or wide, or
dependent. Too many ranks at both ends may have several causes: thin the draws
and test again. Break ties at random, or discrete values look shifted.

See breadboard help tests.`,
		Example: `  breadboard conform ranks ranks.csv --draws 99
  breadboard conform ranks stats.csv --out results`,
		Args: takes(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			return a.conformRanks(c.Context(), args[0], most, alpha, verbose)
		},
	}
	f := c.Flags()
	f.Var(study.Whole(&most, "L", 0, ranks.MaxDraws), "draws", "; 0 is that of the column max_rank")
	addAlpha(c, &alpha)
	a.addDetail(f, &verbose)
	return c
}

func (a *app) conformRanks(ctx context.Context, path string, most int, alpha float64, verbose bool) error {
	list, err := ranks.ReadVariables(ctx, path, most)
	if err != nil {
		return badInput(err)
	}
	findings, err := during(a, "variables", len(list), func(progress func(int)) ([]ranks.Finding, error) {
		return ranks.Check(ctx, list, alpha, progress)
	})
	if err != nil {
		return err
	}
	return a.showFixed(ctx, inDetail(ranks.Report(path, findings), verbose))
}
