package main

import (
	"context"

	"github.com/spf13/cobra"

	"breadboard/experiments"
	"breadboard/experiments/gap"
	"breadboard/reports"
)

func (a *app) gapCommand() *cobra.Command {
	var selection experiments.Selection
	var options gap.Options
	c := &cobra.Command{
		Use:   "gap",
		Short: "At which stages does B exceed J? The gap B - J by stage",
		Long: `gap says what each stage of the annealing adds to B - J, exactly. B is the sum of two divergences, of the forward
from the reverse chain and of the reverse from the forward chain. Each of them is one of the two divergences of J plus
a sum over the stages:

  KL(path_fwd || path_rev) = KL(q || p) + sum over t of [KL(q_{t-1} || p_t) - KL(q_t || p_t)]
  KL(path_rev || path_fwd) = KL(p || q) + sum over t of [E_{r_t} log(q_t/p_t) - E_{r_{t-1}} log(q_{t-1}/p_t)]

with q_t and r_t the laws of x_t in the forward and the reverse chain. No bracket is negative. The table sums
them over runs of stages; csv and json have every stage. There a row of kind "stage" has both brackets at t and
the Jeffreys divergence between q_t and r_t, and the last row, of kind "final", has KL(q||p), KL(p||q) and J in
the same columns. All sums are checked against the J and B that tightness prints; the exit code is 1 if they differ.

With --out it also draws both brackets per unit of beta, their sums and the Jeffreys divergence against beta.`,
		Example: `  breadboard gap
  breadboard gap --toy barrier -T 100 --format json
  breadboard gap --toy hard -T 1000 --schedule sigmoid --out results`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return a.gap(c.Context(), selection, options) },
	}
	addSelection(c, &selection, []int{100})
	c.Flags().IntVar(&options.Workers, "workers", 0, "number of annealings solved at once; where there are fewer, several share a large one; 0 is one for each core")
	return c
}

func (a *app) gap(ctx context.Context, selection experiments.Selection, options gap.Options) error {
	cases, err := a.cases(ctx, selection, options.Validate)
	if err != nil {
		return err
	}
	gaps, err := during(a, "stages", options.Steps(cases), func(progress func(int)) ([]gap.Row, error) {
		options.Progress = progress
		return gap.Run(ctx, cases, options)
	})
	return showRows(a, gaps, err, reports.GapReport)
}
