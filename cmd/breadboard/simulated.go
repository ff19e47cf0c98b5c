package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"breadboard/chains/errs"
	"breadboard/experiments/annealing/ais"
	"breadboard/experiments/checks/simulated"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/check"
	"breadboard/reports/columns"
)

// chainsOfRow tests the chains of a row of annealing.
func chainsOfRow(ctx context.Context, r *ais.Row, o simulated.Options) ([]simulated.Finding, error) {
	if r.Err != nil {
		return nil, nil // the report says so
	}
	return simulated.CheckAnnealing(ctx, r.Case, r.Forward, r.Reverse, o)
}

// withCheck gives the command of a study that draws chains the flag --check.
func withCheck(a *app, d *derived) {
	c, s := d.Command, d.study
	var checked, verbose bool
	c.Flags().BoolVar(&checked, "check", false, ", or if that is open")
	c.Flags().BoolVarP(&verbose, "verbose", "v", false, "")
	onlyPresents(c.Flags(), "verbose")
	ask := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		chains := c.Flags().Lookup("chains")
		switch {
		case verbose && !checked:
			return badInput(errs.New("--verbose shows the findings of --check; give it, or leave --verbose out"))
		case !checked:
			return ask(c, args)
		case chains.Value.String() == "0":
			return badInput(errors.New("--check needs chains, but --chains is 0"))
		}
		ctx := c.Context()
		rows, err := a.answered(ctx, d)
		shown := reports.Plotting(s.Columns, s.Plots, d.view)
		list, _ := rows.([]ais.Row)
		var failed subject.Failures
		n, _ := columns.Rows(rows)
		if failed.KeepBeside(ctx, n, err) != nil {
			return a.showRows(ctx, rows, err, shown)
		}
		findings, err := during(a, "exact distributions of the chains",
			-1, func(progress func(int)) (all []simulated.Finding, err error) {
				for i := range list {
					found, err := chainsOfRow(ctx, &list[i], simulated.Options{Alpha: check.DefaultAlpha /
						float64(len(list)), Workers: d.how.Workers, Progress: progress})
					if err != nil {
						return nil, err
					}
					all = append(all, found...)
				}
				return all, nil
			})
		if err != nil {
			return err
		}
		return a.show(ctx, func() *reports.Report {
			r := shown(rows)
			simulated.AddFindings(r, s.Name, findings)
			return study.WithFailures(inDetail(r, verbose), failed)
		})
	}
}
