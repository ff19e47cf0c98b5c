package main

import (
	"strings"

	"github.com/spf13/cobra"

	"breadboard/chains/selector"
	"breadboard/experiments/evidence"
	"breadboard/experiments/sandwich"
	"breadboard/experiments/study"
	"breadboard/experiments/study/check"
	"breadboard/reports"
	"breadboard/reports/views/checks"
	"breadboard/toys"
)

func (a *app) sandwichCheckCommand() *cobra.Command {
	options := sandwich.CheckOptions{Runs: sandwich.DefaultCheckRuns}
	verbose := false
	c := &cobra.Command{
		Use:   "check [ESTIMATOR...]",
		Short: "Do the samplers of the sandwich have the exact laws of their algorithms?",
		Long: `It runs the samplers of the sandwich on the data of toys that are small enough for exact laws, and holds what they
estimate to the laws that breadboard evidence gives for the same algorithms, in which nothing is sampled: all estimators,
or the named ones among ` + strings.Join(sandwich.CheckEstimators(), ", ") + `.

The samplers hold assignments and sums of rows, as they do at any size, and the laws are of states on a lattice: the two
have no code of a move in common. Every run in reverse starts at an exact draw of its own.

Runs are tested by e-processes, which may look at the runs as often as they like: over all tests a false alarm has
probability at most --alpha. An e-value near 0 is evidence for the law, and one of at least the tolerance, which is the
number of tests over alpha, is a fault.

  levels_e_value        how many estimates are above each of some levels around log Z and around the mean
  mean_e_value          the mean of Zhat is not larger than the law says
  reciprocal_e_value    the mean of 1/Zhat is not larger than 1/Z, where it should be 1/Z

Noise that is 5% too large in the moves takes some 8,000 runs to be found, and a scan in the wrong order in reverse some
60,000. The exit code is 1 where a finding is a fault. The results begin with a summary, and have the findings that say fault
or open behind it; -v shows all, and so do all formats but table.`,
		Example: `  breadboard selfcheck sandwich
  breadboard selfcheck sandwich rais -v
  breadboard selfcheck sandwich rais shme --toy clu8 --chains 1e5`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: completed(among(selector.Plain(sandwich.CheckEstimators())), false),
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
