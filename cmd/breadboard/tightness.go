package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"breadboard/experiments"
	"breadboard/experiments/study"
	"breadboard/experiments/tightness"
	"breadboard/reports"
	"breadboard/reports/table"
	"breadboard/reports/views/annealing"
)

// tightnessCommand is the command of the study, which with --until looks for T itself.
func (a *app) tightnessCommand() *cobra.Command {
	var selection experiments.Selection
	goal := tightness.Goal{MostT: tightness.DefaultMostT, Within: tightness.DefaultWithin}
	c, options, how := questionCommand(a, tightness.Study(), a.selected(&selection, experiments.PaperDistributions()), annealing.TightnessReport)
	ask := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		switch most, within := c.Flags().Changed("most-T"), c.Flags().Changed("within"); {
		case goal.Quantity == "" && (most || within):
			return badInput(errors.New("--most-T and --within bound the search of --until; give it, as in --until J=0.01, or leave them out"))
		case goal.Quantity != "" && options.Certify:
			return badInput(errors.New("--until and --certify do not go together; find T first, and then certify with -T"))
		case goal.Quantity != "":
			return a.tightnessUntil(c.Context(), selection, goal, *options, *how)
		}
		return ask(c, args)
	}
	c.Flags().Var((*goalValue)(&goal), "until", "find the T with which J or B is within a limit, as in `J=0.01`")
	c.Flags().Var(study.Whole(&goal.MostT, "T", 2, maxDistributions), "most-T", "the largest T that --until tries")
	c.Flags().DurationVar(&goal.Within, "within", goal.Within, "no further T is tried by --until on a toy once this time has passed, as in 90s or 10m")
	return c
}

// goalValue is a flag that takes the quantity of a goal and its limit.
type goalValue tightness.Goal

func (g *goalValue) Type() string { return "J=LIMIT" }
func (g *goalValue) String() string {
	if g.Quantity == "" {
		return ""
	}
	sign := "="
	if g.Below {
		sign = "<"
	}
	return g.Quantity + sign + table.Shortest(g.Limit)
}
func (g *goalValue) Set(s string) error { return (*tightness.Goal)(g).Parse(s) }

// tightnessUntil looks for the T of each toy that meets a goal.
func (a *app) tightnessUntil(ctx context.Context, selection experiments.Selection, goal tightness.Goal, options tightness.Options, how study.How) error {
	if err := how.Validate(); err != nil {
		return badInput(err)
	}
	if err := tightness.CheckUntil(selection, goal); err != nil {
		return badInput(err)
	}
	shortest := selection // what is wrong with the input shows before anything long is computed
	shortest.Distributions = []int{2}
	if _, err := a.cases(ctx, shortest, func([]experiments.Case) error { return nil }); err != nil {
		return err
	}
	selection.Programs = a.programs
	found, err := during(a, "steps of annealings", -1, func(progress func(int)) ([]tightness.Reached, error) {
		how.Progress = progress
		return tightness.Until(ctx, selection, goal, options, how)
	})
	if err != nil {
		return err
	}
	return a.show(func() *reports.Report { return annealing.UntilReport(found, goal) })
}
