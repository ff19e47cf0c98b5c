package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"breadboard/experiments"
	"breadboard/experiments/study"
	"breadboard/experiments/tightness"
	"breadboard/reports"
	"breadboard/reports/table"
)

func (a *app) tightnessCommand() *cobra.Command {
	var selection experiments.Selection
	var options tightness.Options
	var certify bool
	goal := tightness.Goal{MostT: tightness.DefaultMostT, Within: tightness.DefaultWithin}
	c := &cobra.Command{
		Use:   "tightness",
		Short: "How tight is the bound? Exact J beside exact B",
		Long: `tightness computes, exactly, the Jeffreys divergence J between the output of annealed importance sampling
and its target, and the expectation B of the bound on it that bidirectional Monte Carlo reports. Without
flags it makes the study of Grosse, Ancha and Roy 2016, Appendix B, and compares the printed numbers with ours.

csv, json and parquet have more columns than the table. One of them, log_z_ratio, is log(Z_T/Z_1), also exact; if the path
starts from the uniform distribution, log Z of the target is log_z_ratio plus the log of the number of states. To compare
several kernels, paths or schedules in one table, run a sweep (breadboard sweep).

With --out it also draws Figure 3 (J and B against T) and Figure 4 (the targets, distributions on the way at
beta = 0.1, 0.25 and 0.5, and the sampler's output at T = 100, or the first T where 100 is not among them).

With --certify J, B and both divergences are computed again in floating point of 256 bits, with a bound on the
error that is derived in package exact/certified, and of 320 bits, which must overlap. The table then says how
many decimal digits of each are right, and --out also gets certificates, with up to 60 digits of each. It takes
the geometric path from uniform, the kernels metropolis and barker, the schedules linear, sigmoid, power and
file, and targets without zeros.

With --until J=0.01 (or B=...) it looks for T itself: it doubles T until the limit is met and bisects the last octave, so
that T meets the limit and T - 1 does not. J need not fall with T, so that a smaller T may meet it as well. It gives up at
--most-T and after --within for each toy, and then shows the longest annealing that it tried and exits with code 1, as
--check-that does for a condition that is not held.`,
		Example: `  breadboard tightness
  breadboard tightness -T 100,1000 --format json
  breadboard tightness --toy file:target.csv -T 50 --kernel barker
  breadboard tightness --schedule sigmoid:4 --out results --format csv
  breadboard tightness --out results --figures svg,pdf --width 3.25in --style print
  breadboard tightness -T 1000 --check
  breadboard tightness -T 1000 --certify
  breadboard tightness --columns toy,T,J,B --digits 3
  breadboard tightness -T 100,1000 --columns toy,T,J --latex siunitx
  breadboard tightness --toy easy,barrier --until J=0.01
  breadboard tightness --toy easy -T 1000 --check-that "J<0.1,B<=1"`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			switch most, within := c.Flags().Changed("most-T"), c.Flags().Changed("within"); {
			case goal.Quantity == "" && (most || within):
				return badInput(errors.New("--most-T and --within bound the search of --until; give it, as in --until J=0.01, or leave them out"))
			case goal.Quantity != "" && certify:
				return badInput(errors.New("--until and --certify do not go together; find T first, and then certify with -T"))
			case goal.Quantity != "":
				return a.tightnessUntil(c.Context(), selection, options, goal)
			}
			return a.tightness(c.Context(), selection, options, certify)
		},
	}
	addSelection(c, &selection, experiments.PaperDistributions())
	c.Flags().IntVar(&options.Workers, "workers", 0, "number of annealings solved at once; where there are fewer, several share a large one; 0 is one for each core")
	c.Flags().BoolVar(&options.Check, "check", false, "compute everything again by independent routes; exit code 1 where they differ")
	c.Flags().BoolVar(&certify, "certify", false, "compute J, B and both divergences again in 256 bits, and say how many digits are right; exit code 1 where they are fewer than 12")
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
func (a *app) tightnessUntil(ctx context.Context, selection experiments.Selection, options tightness.Options, goal tightness.Goal) error {
	if options.Workers < 0 {
		return badInput(fmt.Errorf("--workers %d; give a number of annealings, or 0 for one on each core", options.Workers))
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
		options.Progress = progress
		return tightness.Until(ctx, selection, goal, options)
	})
	if err != nil {
		return err
	}
	return a.show(func() *reports.Report { return reports.UntilReport(found, goal) })
}

func (a *app) tightness(ctx context.Context, selection experiments.Selection, options tightness.Options, certify bool) error {
	if options.Workers < 0 {
		return badInput(fmt.Errorf("--workers %d; give a number of annealings, or 0 for one on each core", options.Workers))
	}
	cases, err := a.cases(ctx, selection, func(c []experiments.Case) error {
		if certify {
			return tightness.Certifiable(c)
		}
		return nil
	})
	if err != nil {
		return err
	}
	rows, err := during(a, "solving", options.Steps(cases), func(progress func(int)) ([]tightness.Row, error) {
		options.Progress = progress
		return tightness.Run(ctx, cases, options)
	})
	if err == nil && certify {
		_, err = during(a, "certifying", tightness.CertifySteps(cases), func(progress func(int)) ([]tightness.Row, error) {
			return rows, tightness.Certify(ctx, rows, options.Workers, progress)
		})
	}
	return showRows(a, rows, err, reports.TightnessReport)
}
