package main

import (
	"context"

	"github.com/spf13/cobra"

	"breadboard/experiments/marginal/evidence"
	"breadboard/experiments/study"
	"breadboard/experiments/study/check"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/views/checks"
	"breadboard/reports/views/marginal"
)

func (a *app) evidenceCommand() *cobra.Command {
	asked := evidence.Study()
	s := subject.Selection{Factored: asked.Declaration.Factored}
	c := studyCommand(a, asked, subjects{
		what: "setting up annealings",
		flags: func(c *cobra.Command) {
			addAnnealed(c, &s, evidence.DefaultToys(), "")
			addSchedule(c, &s, evidence.DefaultSchedule)
		},
		build: func(ctx context.Context, progress func(int)) (on any, err error) {
			s.Programs, s.Progress = a.programs, progress
			return evidence.Cases(ctx, s)
		},
	}, marginal.EvidenceReport)
	exclude(c, "quick", "work")
	c.AddCommand(&cobra.Command{
		Use: "list", Short: "List the estimators that --estimator takes", Args: cobra.NoArgs,
		Example: "  breadboard evidence list --format json",
		RunE: func(*cobra.Command, []string) error {
			return a.showFixed(marginal.EstimatorsReport(evidence.Forms().Listing.Descriptions()))
		},
	})
	return c
}

func (a *app) evidenceCheckCommand() *cobra.Command {
	var selection subject.Selection
	options := evidence.CheckOptions{Runs: 4096}
	var verbose bool
	c := &cobra.Command{
		Use: "check [ESTIMATOR...]", Short: "Do estimators of the marginal likelihood have their exact distributions?",
		Long: `It holds estimators of Z to the distributions that breadboard evidence gives for them: all that a toy can take, or the named ones.

Runs of the same code that makes every estimate are tested by e-processes, which may look at the runs as often as they like: over
all tests of a run a false alarm has probability at most --alpha. An e-value near 0 is evidence for the distribution, and one of at
least the tolerance, which is the number of tests over alpha, is a fault.

  levels_e_value        how many estimates are above each of some levels around log Z and around the mean
  mean_e_value          the mean of Zhat is not larger than the distribution says
  reciprocal_e_value    the mean of 1/Zhat is not larger than 1/Z, where it should be 1/Z

Where a run can come out in few ways, it is made once for every one of them, at the two smallest settings. The distribution that is so
found must be the exact one, and each finding is how far it is from that.

  enumerated_mean, enumerated_variance, enumerated_log_mean_z
                        E log Zhat, the variance of log Zhat, and log E Zhat
  enumerated_reciprocal minus log E 1/Zhat is log Z, where it should be
  enumerated_above      P(log Zhat > x) is within its bounds
  work                  the estimator and its distribution say the same work

The verdict is open if there is nothing to compare with; the exit code is 1 if a finding is a fault. The results begin
with a summary, and have the findings that say fault or open behind it; -v shows all, and so do all formats but table.`,
		Example: `  breadboard selfcheck evidence
  breadboard selfcheck evidence cms:uniform chib --toy clu4 --kernel suwa-todo
  breadboard selfcheck evidence ns:2:together --work 10,20 --format json`,
		Args: cobra.ArbitraryArgs, ValidArgsFunction: completed(ofForms(evidence.Forms()), false),
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
	addNumbers(f, &options.Work, "work", []float64{12}, "what an estimate may cost, in evaluations of log f and exact draws")
	f.Var(study.Whole(&options.Runs, "N", 2, maxCount), "chains", "largest number of runs of each estimator, 256 or more")
	addSeed(f, &options.Seed, "seed of the runs, 0 to 2^64-1")
	f.Float64Var(&options.Alpha, "alpha", check.DefaultAlpha, "largest probability of a false alarm in the run")
	addWorkers(f, &options.Workers, "number of computations at once")
	a.addDetail(f, &verbose)
	return c
}

func (a *app) evidenceCheck(ctx context.Context, selection subject.Selection, options evidence.CheckOptions, verbose bool) error {
	cases, err := a.casesBy(ctx, selection, evidence.Cases, func(cases []subject.Case) error { return options.Validate(ctx, cases) })
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
	return a.show(func() *reports.Report {
		return inDetail(checks.EvidenceCheckReport(findings), verbose).WithFailures(failed)
	})
}
