package main

import (
	"context"

	"github.com/spf13/cobra"

	branches "breadboard/exact/program"
	"breadboard/experiments/particles/aide"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports"
)

func (a *app) aideCommand() *cobra.Command {
	c := a.derived("aide")
	c.AddCommand(a.aideCheckCommand())
	return c
}

func (a *app) aideCheckCommand() *cobra.Command {
	var selection subject.Selection
	var verbose bool
	c := &cobra.Command{
		Use:   "check ALG",
		Short: "Is the meta-inference of this algorithm right, and for which output is it not?",
		Long: `check runs an algorithm once for every outcome of its random choices, and its
meta-inference for every output, and tests the identities on which AIDE
depends.

Each finding is how far an identity is from holding, in nats for logarithms and
otherwise in probabilities; a fault names the output. A finding about the mean
of AIDE is open if a run may lose all its weight. -v shows all findings. The
exit code is 1 if an identity does not hold. Spaces must be small.

See breadboard help estimators.`,
		Example: `  breadboard aide check smc:2:systematic
  breadboard aide check mh:3 --toy random:2:1:2x2 --kernel suwa-todo
  breadboard aide check sir:3 --format json`,
		Args: takes(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			return a.aideCheck(c.Context(), args[0], selection, verbose)
		},
	}
	selection.Toys = aide.CheckToys()
	addSelection(c, &selection, []int{aide.CheckDistributions})
	a.addDetail(c.Flags(), &verbose)
	return c
}

func (a *app) aideCheck(ctx context.Context, algorithm string, selection subject.Selection,
	verbose bool) error {
	choice, err := aide.Parse(algorithm)
	if err != nil {
		return badInput(err)
	}
	selection.Most = branches.DefaultBranches
	cases, err := a.cases(ctx, selection, func([]subject.Case) error { return nil })
	var failed subject.Failures
	if err := failed.KeepBeside(ctx, len(cases), err); err != nil {
		return err
	}
	findings, err := during(a, "walks", -1, func(progress func(int)) ([]aide.Finding, error) {
		return aide.Check(ctx, choice, cases, progress)
	})
	if err != nil {
		return err
	}
	return a.show(ctx, func() *reports.Report {
		return study.WithFailures(inDetail(aide.CheckReport(choice.Name, findings), verbose), failed)
	})
}
