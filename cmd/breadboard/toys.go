package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"breadboard/chains/errs"
	"breadboard/experiments/data/show"
	"breadboard/reports"
	"breadboard/reports/table"
	"breadboard/toys"
)

func (a *app) toysCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "toys", Short: "List, show and export the targets",
		Long: `toys lists the targets of Grosse, Ancha and Roy (2016).

toys show and toys export take any target that --toy takes; breadboard help
reference targets lists all. g is log f in nats, and -inf is a zero of f.
NAME=TOY gives a target a name for tables, figures and files, as in
ring=file:mine.npy. Targets with many seeds are written 'random:2:{0..99}'. Quote
a path with a comma twice, as in '"file:a,b.csv"'.

See breadboard help files and breadboard help models.`,
		Example: "  breadboard toys\n  breadboard toys show barrier\n  breadboard toys export " +
			"random:2:7:5x5 > target.csv\n  breadboard toys show 'mixture:0.3*random:2:0:5x5+0.7*barrier:5x5'",
		Args: subcommandsOnly, RunE: func(c *cobra.Command, _ []string) error { return a.toysList(c.Context()) },
	}
	c.AddCommand(&cobra.Command{
		Use:   "show NAME",
		Short: "Show a target: its description, published numbers and states",
		Args:  takes(1, 1),
		Long: `show prints the description of a target, what has been published about it, and
a drawing of it: a heat map, or a bar for each state of a graph.

On a grid of three axes or more the drawing has slices, marginals of pairs of
axes, or how the states are spread over g. csv and json have every state with g
= log f and its probability p.

See breadboard help files.`,
		Example: "  breadboard toys show barrier\n  breadboard toys show random:2:7 --format csv",
		RunE:    func(c *cobra.Command, args []string) error { return a.toysShow(c.Context(), args[0]) },
	},
		&cobra.Command{
			Use:   "export NAME",
			Short: "Write g = log f of a target as CSV, and with --out also as .npy",
			Args:  takes(1, 1),
			Long: `export prints g = log f of a target as CSV, one row of the grid a line, as
--toy file:PATH reads it.

If values of axes have names, it prints a table with a row for each state. With
--out DIR it writes DIR/NAME.csv and DIR/NAME.npy instead. For a target on a
graph it prints a line label,g for each state, as --toy graph:EDGES:G reads it,
and writes no .npy.

See breadboard help files.`,
			Example: "  breadboard toys export hard > hard.csv\n  breadboard toys export random:1:0:2x2x2 " +
				"--out targets",
			RunE: func(c *cobra.Command, args []string) error { return a.toysExport(c, args[0]) },
		})
	for _, below := range c.Commands() {
		if below.Name() == "export" {
			below.SetFlagErrorFunc(func(export *cobra.Command, err error) error {
				if wrong, is := errors.AsType[*pflag.InvalidValueError](err); is && wrong.GetFlag().Name == "format" {
					return csvAlone(wrong.GetValue())
				}
				return c.FlagErrorFunc()(export, err)
			})
		}
	}
	return c
}

func (a *app) toysList(ctx context.Context) error {
	return a.showFixed(ctx, show.ToysReport(toys.Paper()))
}

func (a *app) toysShow(ctx context.Context, selector string) error {
	toy, p, err := a.reader.Target(ctx, selector)
	if err != nil {
		return badInput(err)
	}
	if a.output.format != table.Text {
		if err := show.CheckStates(toy); err != nil {
			return studyFailure(err)
		}
	}
	return a.present(ctx, func() *reports.Report { return show.ToyReport(toy, p) })
}

// csvAlone refuses a format of which toys export writes nothing.
func csvAlone(format string) error {
	return badInput(errs.New("toys export does not write %s; leave --format out, or write --format csv", format))
}

func (a *app) toysExport(c *cobra.Command, selector string) error {
	ctx := c.Context()
	if c.Flags().Changed("format") && a.output.format != table.CSV {
		return csvAlone(string(a.output.format))
	}
	toy, err := a.reader.ParseToy(ctx, selector)
	if err != nil {
		return badInput(err)
	}
	if toy.Members != nil {
		return badInput(errs.New(
			"toy %s is of classes of states, and a file has no room for their sizes; name it by --toy %[1]s instead",
			toy.Name,
		))
	}
	if toy.ByLabel() {
		a.note("a line is the label of a state and log f, which --toy graph:EDGES:FILE reads, and file: does not")
	}
	if a.output.dir != "" {
		return a.showFixed(ctx, show.ExportReport(toy))
	}
	csv, err := show.ExportText(toy)
	if err != nil {
		return badInput(err)
	}
	return a.write(ctx, csv)
}
