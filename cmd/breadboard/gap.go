package main

import (
	"context"
	"errors"

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
		Short: "Where does B exceed J? The gap by stage",
		Long: `gap says what each stage of the annealing adds to B - J, exactly. B is the divergence of the forward from the
reverse chain and its mirror; each is one of the two divergences of J and a sum over the stages:

  KL(path_fwd || path_rev) = KL(q || p) + sum over t of [KL(q_{t-1} || p_t) - KL(q_t || p_t)]
  KL(path_rev || path_fwd) = KL(p || q) + sum over t of [E_{r_t} log(q_t/p_t) - E_{r_{t-1}} log(q_{t-1}/p_t)]

with q_t and r_t the laws of x_t in the forward and the reverse chain. No bracket is negative. The table sums
them over runs of stages; csv and json have every stage. There a row of kind "stage" has both brackets at t and
the Jeffreys divergence between q_t and r_t, and the last row, of kind "final", has KL(q||p), KL(p||q) and J in
the same places. Everything is checked against the solution that tightness prints; exit code 1 where they differ.

With --out it also draws both brackets per unit of beta, their sums and the Jeffreys divergence against beta.`,
		Example: `  breadboard gap
  breadboard gap --toy barrier -T 100 --format json
  breadboard gap --toy hard -T 1000 --schedule sigmoid --out results`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return a.gap(c.Context(), selection, options) },
	}
	addSelection(c, &selection, []int{100})
	c.Flags().IntVar(&options.Workers, "workers", 0, "annealings at once; 0 is one for each core")
	return c
}

func (a *app) gap(ctx context.Context, selection experiments.Selection, options gap.Options) error {
	cases, err := a.cases(ctx, selection, options.Validate)
	if err != nil {
		return err
	}
	steps := options.Steps(cases)
	add, done := a.progress("stages", steps)
	options.Progress = add
	gaps, err := gap.Run(ctx, cases, options)
	done()
	if err != nil {
		return studyFailure(err)
	}
	table := reports.Gap(gaps)
	if a.output.format.ForMachines() {
		table = reports.GapRows(gaps)
	}
	if err := a.table("gap", table); err != nil {
		return err
	}
	if a.output.files != nil {
		for i := range gaps {
			f, err := reports.StageGapFigure(&gaps[i])
			if err := a.caseFigure(&gaps[i].Case, f, err); err != nil {
				return err
			}
		}
	}
	return a.gapChecks(gaps)
}

// gapChecks says how the identities went.
func (a *app) gapChecks(gaps []gap.Row) error {
	holds, failed := 0, 0
	for i := range gaps {
		g := &gaps[i]
		for _, n := range g.Solution.Notes {
			a.note("%s: %s", &g.Case, n)
		}
		for _, id := range g.Identities {
			if id.OK {
				holds++
				continue
			}
			failed++
			a.note("%s: %s: %v and %v differ by %.3g, allowed %.3g", &g.Case, id.Name, id.Got, id.Want, id.Error, id.Tolerance)
		}
	}
	if failed > 0 {
		return fault(errors.New("an identity does not hold; see above"))
	}
	a.note("all %d identities hold", holds)
	return nil
}
