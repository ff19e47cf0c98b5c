package main

import (
	"github.com/spf13/cobra"

	"breadboard/experiments/sweeps/compare"
	"breadboard/reports"
	"breadboard/reports/table"
	"breadboard/reports/views/sweeps"
)

func (a *app) compareCommand() *cobra.Command {
	c := compare.Comparison{Tolerance: defaultTolerance}
	command := &cobra.Command{
		Use: "compare A B", Short: "Do two tables in JSON or CSV say the same? Differences by cell",
		Long: `compare reads two tables that this program has written as json or csv, and prints each cell in which they differ, with
the absolute and the relative difference, and each row and column that one of them has alone. Rows are matched by the
parameters that both have, such as toy, T and kernel, and where these do not tell all rows apart by columns of text too; --by
names other columns. Rows that are the same in all of these are matched in their order.

Two numbers are the same where their difference, divided by the larger of their sizes, is at most --tolerance, or where
it is at most --absolute. Processors of different kinds round differently: between them, --absolute 9e-16 (4 units in the last place of 1)
leaves out numbers near zero that are rounding alone. Texts, and whole numbers of more than 15 digits, are the same where they are written alike. The exit code is 1
where the tables differ, and 0 if they do not.`,
		Example: `  breadboard compare before.json after.json
  breadboard compare before.csv after.json --tolerance 1e-9
  breadboard compare a.csv b.csv --by toy,T --absolute 1e-15 --format json`,
		Args: cobra.ExactArgs(2), RunE: func(_ *cobra.Command, args []string) error { return a.compare(c, args) },
	}
	flags := command.Flags()
	flags.Float64Var(&c.Tolerance, "tolerance", c.Tolerance, "")
	flags.Float64Var(&c.Absolute, "absolute", 0, "")
	flags.StringSliceVar(&c.By, "by", nil, "")
	return command
}

func (a *app) compare(c compare.Comparison, args []string) error {
	c.First, c.Second = args[0], args[1]
	for _, side := range []struct {
		to   **compare.Table
		path string
	}{{&c.A, c.First}, {&c.B, c.Second}} {
		if err := a.inTime(func() error {
			d, err := table.ReadData(side.path)
			*side.to = (*compare.Table)(d)
			return err
		}); err != nil {
			return badInput(err)
		}
	}
	c.Parameters, _ = namesIn(a.sweeps())
	if err := c.Validate(); err != nil {
		return badInput(err)
	}
	return a.present(func() *reports.Report { return sweeps.CompareReport(&c) })
}
