package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"breadboard/experiments"
	"breadboard/experiments/tightness"
	"breadboard/reports"
)

func (a *app) tightnessCommand() *cobra.Command {
	var selection experiments.Selection
	var options tightness.Options
	var certify bool
	c := &cobra.Command{
		Use:   "tightness",
		Short: "How tight is the bound? Exact J beside exact B",
		Long: `tightness computes, exactly, the Jeffreys divergence J between the output of annealed importance sampling
and its target, and the expectation B of the bound on it that bidirectional Monte Carlo reports. Without
flags it makes the study of Grosse, Ancha and Roy 2016, Appendix B, and compares the printed numbers with ours.

The formats for machines have more than the table. There log_z_ratio is log(Z_T/Z_1), also exact. From uniform, log Z of
the target is that plus the log of the number of states. One table of several kernels, paths or schedules is a sweep.

With --out it also draws Figure 3 (J and B against T) and Figure 4 (the targets, distributions on the way at
beta = 0.1, 0.25 and 0.5, and the sampler's output at T = 100, or the first T where 100 is not among them).

With --certify J, B and both divergences are computed again in floating point of 256 bits, with a bound on the
error that is derived in package exact/certified, and of 320 bits, which must overlap. The table then says how
many decimal digits of each are right, and --out also gets certificates, with up to 60 digits of each. It takes
the geometric path from uniform, the kernels metropolis and barker, the schedules linear, sigmoid, power and
file, and targets without zeros.`,
		Example: `  breadboard tightness
  breadboard tightness -T 100,1000 --format json
  breadboard tightness --toy file:target.csv -T 50 --kernel barker
  breadboard tightness --schedule sigmoid:4 --out results --format csv
  breadboard tightness -T 1000 --check
  breadboard tightness -T 1000 --certify`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return a.tightness(c.Context(), selection, options, certify)
		},
	}
	addSelection(c, &selection, experiments.PaperDistributions())
	c.Flags().IntVar(&options.Workers, "workers", 0, "number of annealings solved at once; where there are fewer, several share a large one; 0 is one for each core")
	c.Flags().BoolVar(&options.Check, "check", false, "compute everything again by independent routes; exit code 1 where they differ")
	c.Flags().BoolVar(&certify, "certify", false, "compute J, B and both divergences again in 256 bits, and say how many digits are right; exit code 1 where they are fewer than 12")
	return c
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
