package main

import (
	"github.com/spf13/cobra"

	"breadboard/experiments"
	"breadboard/experiments/placement"
	"breadboard/experiments/tightness"
	"breadboard/experiments/tuning"
	"breadboard/reports"
	"breadboard/reports/views/annealing"
)

func (a *app) scheduleCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "schedule", Short: "List, compare and optimise annealing schedules", Args: cobra.NoArgs,
		Example: "  breadboard schedule list\n  breadboard schedule optimize --toy barrier -T 50\n  breadboard schedule compare --toy easy",
		RunE:    func(*cobra.Command, []string) error { return a.scheduleList() },
	}
	c.AddCommand(
		&cobra.Command{
			Use: "list", Short: "List the schedules that --schedule takes, with formula and source", Args: cobra.NoArgs,
			Example: "  breadboard schedule list --format markdown",
			RunE:    func(*cobra.Command, []string) error { return a.scheduleList() },
		},
		studyCommand(a, tuning.Optimize(), a.unscheduled(tightness.PaperT), a.optimizedReport),
		studyCommand(a, tuning.Compare(), a.unscheduled(10, 30, 100), annealing.ComparedReport))
	return c
}

func (a *app) scheduleList() error {
	return a.showFixed(annealing.SchedulesReport(placement.Forms().Descriptions()))
}

// unscheduled are annealings that flags select, apart from their schedules: theirs is linear.
func (a *app) unscheduled(T ...int) subjects[experiments.Case] {
	s := experiments.Selection{Schedule: "linear"}
	about := a.selected(&s, T)
	about.flags = func(c *cobra.Command) { addProblem(c, &s, T) }
	return about
}

// optimizedReport returns the report of best schedules. It names the files of their betas, which a run that was interrupted does not write.
func (a *app) optimizedReport(rows []tuning.OptimumRow) *reports.Report {
	folder := a.output.dir
	if a.ctx.Err() != nil {
		folder = ""
	}
	return annealing.OptimizedReport(rows, folder)
}
