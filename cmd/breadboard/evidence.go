package main

import (
	"context"

	"github.com/spf13/cobra"

	"breadboard/experiments/marginal/evidence"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports"
)

func (a *app) evidenceCommand() *cobra.Command {
	asked := a.studyOf("evidence")
	s := subject.Selection{Factored: asked.Factored}
	d := a.deriveOn(asked, subjects{ // the default of the kernel depends on the toy
		what: "setting up annealings",
		flags: func(c *cobra.Command) {
			addAnnealed(c, &s, evidence.DefaultToys(), "")
			addSchedule(c, &s, evidence.DefaultSchedule)
		},
		build: func(ctx context.Context, in subject.Reader, progress func(int)) (on any, err error) {
			s.Reader = in
			s.Progress = progress
			return evidence.AnnealingsOf(ctx, s)
		},
	})
	d.AddCommand(a.evidenceCheckCommand())
	addTime(d.Flags(), &d.how.Time)
	return d.Command
}

func (a *app) evidenceCheckCommand() *cobra.Command {
	var selection subject.Selection
	var options evidence.CheckOptions
	var verbose bool
	c := &cobra.Command{
		Use:   "check [ESTIMATOR...]",
		Short: "Do estimators of the marginal likelihood have their exact distributions?",
		Long: `check runs estimators of Z once for every outcome of their random choices, at
the two smallest settings, and compares the results with the distributions that
breadboard evidence gives.

Without arguments it checks all estimators that a toy can take. The findings
are about E log Zhat, its variance, log E Zhat, E 1/Zhat, P(log Zhat > x) and
the work; -v shows all. The verdict is open if there is nothing to compare
with. The exit code is 1 if a finding is a fault.

See breadboard help logz.`,
		Example: `  breadboard evidence check
  breadboard evidence check cms:uniform chib --toy clu4 --kernel suwa-todo
  breadboard evidence check ns:2:together --work 10,20 --format json`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			options.Estimators = args
			if len(args) == 0 {
				options.Estimators = []string{evidence.All}
			}
			return a.evidenceCheck(c.Context(), selection, options, verbose)
		},
	}
	addAnnealed(c, &selection, evidence.CheckToys(), "")
	addSchedule(c, &selection, evidence.DefaultSchedule)
	f := c.Flags()
	addNumbers(f, &options.Work, "work", []float64{12}, "and exact draws, for an estimate")
	addWorkers(f, &options.Workers)
	a.addDetail(f, &verbose)
	return c
}

func (a *app) evidenceCheck(ctx context.Context, selection subject.Selection, options evidence.CheckOptions,
	verbose bool) error {
	selection.Most = subject.SlowStates
	cases, err := a.casesBy(ctx, selection, evidence.AnnealingsOf,
		func(cases []subject.Case) error { return options.Validate(ctx, cases) })
	var failed subject.Failures
	if err := failed.KeepBeside(ctx, len(cases), err); err != nil {
		return err
	}
	findings, err := during(a, "estimators", -1, func(progress func(int)) ([]evidence.Finding, error) {
		options.Progress = progress
		return evidence.Check(ctx, cases, options)
	})
	if err != nil {
		return err
	}
	return a.show(ctx, func() *reports.Report {
		return study.WithFailures(inDetail(evidence.CheckReport(findings), verbose), failed)
	})
}
