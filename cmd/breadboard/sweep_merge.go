package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"breadboard/chains/selector"
	"breadboard/experiments/sweeps/sweep"
	"breadboard/reports"
	"breadboard/reports/views/sweeps"
)

func (a *app) sweepMergeCommand() *cobra.Command {
	var partial bool
	c := &cobra.Command{
		Use: "merge DIR...", Short: "Make one table of the results of a sweep",
		Long: `merge reads the results of a sweep from one or more folders and writes one table, in the order of the cells: the
same bytes for any number of shards, workers, interruptions and restarts, but for times on the clock. The rows have the parameters and the
values of the study (breadboard sweep --help), and error, which says why a cell failed. Where a cell has failed the exit code is 1, after
the whole table has been written. Where cells have no result yet merge stops with exit code 1 and writes nothing, unless --partial is given.

With --format csv a text that a spreadsheet would take for a formula has a ' before it.`,
		Example: `  breadboard sweep merge grid
  breadboard sweep merge grid --format json > grid.json
  breadboard sweep merge node1/grid node2/grid --format csv --out results`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, dirs []string) error {
			merged, err := a.mergeSweep(dirs, partial)
			if err != nil {
				return err
			}
			return a.present(func() *reports.Report { return sweeps.SweepReport(merged) })
		},
	}
	addPartial(c, &partial)
	return c
}

func addPartial(c *cobra.Command, partial *bool) {
	c.Flags().BoolVar(partial, "partial", false, "")
}

// mergeSweep reads the results in folders, and fails if some are missing.
func (a *app) mergeSweep(dirs []string, partial bool) (*sweep.Merged, error) {
	var merged *sweep.Merged
	err := a.inTime(func() (err error) {
		merged, err = sweep.Merge(a.sweeps(), dirs...)
		return err
	})
	if err != nil {
		return nil, sweepFailure(err)
	}
	if merged.Missing == 0 {
		return merged, nil
	}
	missing := fmt.Sprintf("%d of %d cells have no result, the first of them %s", merged.Missing, merged.Sweep.Len(), merged.First)
	if partial {
		a.note("%s", missing)
		return merged, nil
	}
	return nil,
		fault(
			fmt.Errorf(
				"%s; finish the sweep with breadboard sweep run SPEC --out %s, name the folders of its other shards, or take what there is with --partial",
				missing, dirs[0]))
}

func (a *app) sweepPlotCommand() *cobra.Command {
	var partial bool
	var where []string
	var o sweeps.SweepPlot
	c := &cobra.Command{
		Use: "plot DIR... [--out OUT]", Short: "Draw a measure of a sweep against a parameter",
		Long: `plot draws a measure against a parameter: a line for each combination of the other parameters that vary, or of
those of --series, and a panel for each value of --facet. Axes are logarithmic where the numbers are positive and
span a factor of ten. A parameter whose values are selectors with one name and one number, such as power:0.5 and
power:2, is placed by the number.

With --over a point stands for many cells, those that differ in one parameter alone, such as the seeds of a toy. --stat says
what is drawn of them: mean or median as a line, two quantiles that belong together, such as q10 and q90, or min and max, as
a shaded band, and sd, the standard deviation, as a band around the mean. Quantiles are interpolated as NumPy does. The
numbers are shown as a table, also without --out, to which --digits and --columns apply.

The parameters and measures are those of the study of the sweep (breadboard sweep --help).`,
		Example: `  breadboard sweep plot grid --out figures
  breadboard sweep plot grid --over toy --stat median,q10,q90 --out figures
  breadboard sweep plot grid --over toy --digits 3
  breadboard sweep plot grid --y B_over_J --facet kernel --series toy --where schedule=linear --out figures`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, dirs []string) error {
			if c.Flags().Changed("stat") && len(o.Statistics) == 0 {
				return badInput(errors.New("no statistic is named; give some, as in --stat median,q10,q90"))
			}
			if !c.Flags().Changed("stat") {
				o.Statistics = nil
			}
			if !c.Flags().Changed("series") {
				o.Series = nil
			}
			if c.Flags().Changed("x") && o.X == "" {
				return badInput(errors.New("--x is empty; give a parameter of the study, or leave it out"))
			}
			return a.sweepPlot(dirs, o, where, partial)
		},
	}
	flags := c.Flags()
	flags.StringVarP(&o.X, "x", "x", "", "")
	flags.StringVarP(&o.Y, "y", "y", "", "")
	onlyPresents(flags, "x") // the names of figures have both
	onlyPresents(flags, "y")
	flags.StringSliceVar(&o.Series, "series", nil, "")
	flags.StringVar(&o.Facet, "facet", "", "")
	flags.StringVar(&o.Over, "over", "", "")
	flags.StringSliceVar(&o.Statistics, "stat", nil, ": "+strings.Join(sweeps.StatisticForms(), ", ")+" (default "+
		strings.Join(sweeps.DefaultStatistics(), ",")+")")
	flags.StringArrayVar(&where, "where", nil, "")
	addPartial(c, &partial)
	names, values := namesIn(a.sweeps())
	parameters := selector.Plain(names)
	completeOne(c, "x", among(parameters))
	completeList(c, "series", among(parameters))
	completeOne(c, "facet", among(parameters))
	completeOne(c, "over", among(parameters))
	completeList(c, "stat", among(selector.Plain(sweeps.StatisticForms())))
	completeOne(c, "y", among(selector.Plain(values)))
	return c
}

func (a *app) sweepPlot(dirs []string, o sweeps.SweepPlot, where []string, partial bool) error {
	if a.output.dir == "" && o.Over == "" {
		return badInput(errors.New("give the folder for the figure, as in --out figures, or have numbers printed with --over"))
	}
	o.Where = map[string][]string{}
	for _, w := range where {
		name, value, ok := strings.Cut(w, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok || name == "" || strings.ContainsAny(name, "<>!") || strings.HasPrefix(value, "=") {
			return badInput(fmt.Errorf("--where %s: write PARAMETER=VALUE, as in --where toy=easy, once for each value; there is no other comparison",
				selector.ShellQuote(w)))
		}
		o.Where[name] = append(o.Where[name], value)
	}
	merged, err := a.mergeSweep(dirs, partial)
	if err != nil {
		return err
	}
	var plot *reports.Report
	err = a.inTime(func() (err error) {
		plot, err = o.Report(merged)
		return err
	})
	if err != nil {
		return badInput(err)
	}
	return a.present(func() *reports.Report { return plot })
}
