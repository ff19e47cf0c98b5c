package main

import (
	"context"
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"breadboard/chains/errs"
	"breadboard/experiments/sweeps/sweep"
	"breadboard/reports"
)

func (a *app) sweepMergeCommand() *cobra.Command {
	var partial bool
	c := &cobra.Command{
		Use: "merge DIR...", Short: "Make one table of the results of a sweep",
		Long: `merge reads the results of a sweep from one or more folders and writes one
table: the same bytes for any number of shards, workers and restarts, except
wall-clock times.

The column error says why a cell failed; the exit code is then 1, after the
whole table is written. If cells have no result, merge writes nothing and exits
with 1, unless --partial is given. In csv a text that a spreadsheet would take
for a formula has a ' before it.

See breadboard help sweeps.`,
		Example: `  breadboard sweep merge grid
  breadboard sweep merge grid --format json > grid.json
  breadboard sweep merge node1/grid node2/grid --format csv --out results`,
		Args: takes(1, math.MaxInt),
		RunE: func(c *cobra.Command, dirs []string) error {
			merged, err := a.mergeSweep(c.Context(), dirs, partial)
			if err != nil {
				return err
			}
			return a.present(c.Context(), func() *reports.Report { return sweep.MergedReport(merged, a.output.dir != "") })
		},
	}
	addPartial(c, &partial)
	return c
}

func addPartial(c *cobra.Command, partial *bool) {
	c.Flags().BoolVar(partial, "partial", false, "")
}

// mergeSweep reads the results in folders, and fails if some are missing.
func (a *app) mergeSweep(ctx context.Context, dirs []string, partial bool) (*sweep.Merged, error) {
	var merged *sweep.Merged
	err := a.inTime(ctx, func() (err error) {
		merged, err = sweep.Merge(a.sweeps(), dirs...)
		return err
	})
	if err != nil {
		return nil, sweepFailure(err)
	}
	if merged.Missing == 0 {
		return merged, nil
	}
	missing := fmt.Sprintf("%d of %d cells have no result, the first of them %s", merged.Missing,
		merged.Sweep.Len(), merged.First)
	if partial {
		a.note("%s", missing)
		return merged, nil
	}
	return nil,
		fault(errs.New("%s; finish the sweep with breadboard sweep run SPEC --out %s, name the folders of its "+
			"other shards, or take what there is with --partial",
			missing, dirs[0]))
}
