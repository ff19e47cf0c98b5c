package main

import (
	"context"

	"github.com/spf13/cobra"

	"breadboard/experiments"
	"breadboard/experiments/evidence"

	"breadboard/reports/views/marginal"
)

func (a *app) evidenceCommand() *cobra.Command {
	var s experiments.Selection
	c := studyCommand(a, evidence.Study(), subjects[experiments.Case]{
		what: "setting up annealings",
		flags: func(c *cobra.Command) {
			addAnnealed(c, &s, evidence.DefaultToys(), "")
			addSchedule(c, &s, evidence.DefaultSchedule)
		},
		build: func(ctx context.Context, progress func(int)) ([]experiments.Case, error) {
			s.Programs, s.Progress = a.programs, progress
			return evidence.Cases(ctx, s)
		},
	}, marginal.EvidenceReport)
	exclude(c, "quick", "work")
	c.AddCommand(former(a.evidenceCheckCommand()), &cobra.Command{
		Use: "list", Short: "List the estimators that --estimator takes", Args: cobra.NoArgs,
		Example: "  breadboard evidence list --format json",
		RunE: func(*cobra.Command, []string) error {
			return a.showFixed(marginal.EstimatorsReport(evidence.Forms().Descriptions()))
		},
	})
	return c
}
