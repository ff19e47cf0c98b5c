package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"breadboard/exact/gradient"
	"breadboard/experiments"
	"breadboard/experiments/placement"
	"breadboard/experiments/study"
	"breadboard/experiments/tightness"
	"breadboard/experiments/tuning"
	"breadboard/reports"
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
		a.scheduleOptimizeCommand(), a.scheduleCompareCommand())
	return c
}

func (a *app) scheduleList() error {
	return a.showFixed(reports.SchedulesReport(placement.Forms().Descriptions()))
}

// objectiveValue is a flag that takes the name of an objective.
type objectiveValue struct{ *gradient.Objective }

func (v objectiveValue) String() string {
	if v.Objective == nil {
		return ""
	}
	return string(*v.Objective)
}
func (v objectiveValue) Type() string { return "OBJECTIVE" }
func (v objectiveValue) Set(s string) (err error) {
	*v.Objective, err = gradient.ParseObjective(s)
	return err
}

func (a *app) scheduleOptimizeCommand() *cobra.Command {
	var selection experiments.Selection
	objective := gradient.ObjectiveB
	var options tuning.Options
	c := &cobra.Command{
		Use:   "optimize",
		Short: "Find the best schedule, by exact gradients",
		Long: `optimize finds where T distributions should sit on the path so that B, J or a one-sided divergence is smallest, over
all schedules that never decrease. It descends by quasi-Newton steps on the exact gradient, from the linear
schedule and from those of constant speed, and keeps the best result; there may be other local minima. The column
vanished counts increments of zero, at which the kernel moves more than once under one distribution.

With --out it writes the betas to schedule.csv, one a line, for --schedule file:PATH; with several problems each has
a file of its own. The exit code is 1 where the gradient did not vanish.`,
		Example: `  breadboard schedule optimize --toy barrier -T 50
  breadboard schedule optimize --toy easy -T 100 --objective J --out best
  breadboard tightness --toy easy --schedule file:best/schedule.csv`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return a.scheduleOptimize(c.Context(), selection, objective, options)
		},
	}
	addProblem(c, &selection, []int{tightness.PaperT})
	c.Flags().Var(objectiveValue{&objective}, "objective", "what is minimised: "+strings.Join(gradient.Objectives(), ", "))
	completeOne(c, "objective", among(plain(gradient.Objectives())))
	addDescent(c, &options)
	return c
}

// addDescent adds the flags that say how best schedules are searched.
func addDescent(c *cobra.Command, o *tuning.Options) {
	o.Iterations = placement.DefaultIterations
	c.Flags().Var(study.Whole(&o.Iterations, "N", 0, maxCount), "iterations", "largest number of quasi-Newton steps from the best start")
	c.Flags().IntVar(&o.Workers, "workers", 0, "number of problems solved at once; where there are fewer, several share a large one; 0 is one for each core")
}

// problems builds the problems of a selection, opens the output and sets up progress.
func (a *app) problems(ctx context.Context, selection experiments.Selection, o *tuning.Options, validate func([]tuning.Problem) error) (problems []tuning.Problem, done func(), err error) {
	switch {
	case o.Workers < 0:
		return nil, nil, badInput(fmt.Errorf("--workers %d; give a number of problems, or 0 for one on each core", o.Workers))
	case o.Iterations < 1:
		return nil, nil, badInput(fmt.Errorf("--iterations %d; give at least 1", o.Iterations))
	}
	selection.Programs = a.programs
	add, done := a.progress("setting up annealings", -1)
	selection.Progress = add
	defer done()
	if problems, err = tuning.Problems(ctx, selection); err == nil {
		err = validate(problems)
	}
	if err != nil {
		return nil, nil, studyFailure(err)
	}
	if err := a.output.open(a.leftovers); err != nil {
		return nil, nil, err
	}
	o.Progress, done = a.progress("steps of gradients", -1)
	return problems, done, nil
}

func (a *app) scheduleOptimize(ctx context.Context, selection experiments.Selection, objective gradient.Objective, options tuning.Options) error {
	problems, done, err := a.problems(ctx, selection, &options, func([]tuning.Problem) error { return nil })
	if err != nil {
		return err
	}
	rows, err := tuning.Optimize(ctx, problems, objective, options)
	done()
	if err != nil {
		return studyFailure(err)
	}
	return a.show(func() *reports.Report { return reports.OptimizedReport(rows, a.output.dir) })
}

func (a *app) scheduleCompareCommand() *cobra.Command {
	var selection experiments.Selection
	var families []string
	var options tuning.Options
	c := &cobra.Command{
		Use:   "compare",
		Short: "Compare schedules with the best ones",
		Long: `compare computes, exactly, B and J of annealing on every schedule, and the ratios of these to the smallest values
that any schedule has. It also computes the limit of T B as T grows: the integral of s2 (db/du)^2 over u = (t-1)/(T-1),
where s2 is the asymptotic variance of d log f/db under the kernel at b. The smallest limit, (integral of sqrt(s2))^2,
is that of optimal:B and of friction; friction need not be good where T is not large.

With --out it also draws beta against t, B and J against T with the limits of B, and on which part of the path B arises.`,
		Example: `  breadboard schedule compare
  breadboard schedule compare --toy barrier -T 10,100,1000 --schedule linear,sigmoid:4,friction
  breadboard schedule compare --toy easy -T 50 --kernel heatbath --format csv --out results`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return a.scheduleCompare(c.Context(), selection, families, options)
		},
	}
	addProblem(c, &selection, []int{10, 30, 100})
	c.Flags().StringSliceVar(&families, "schedule", tuning.Families(), "schedules: "+strings.Join(placement.Forms().Syntaxes(), ", "))
	completeList(c, "schedule", ofForms(placement.Forms()))
	addDescent(c, &options)
	return c
}

func (a *app) scheduleCompare(ctx context.Context, selection experiments.Selection, families []string, options tuning.Options) error {
	problems, done, err := a.problems(ctx, selection, &options, func(p []tuning.Problem) error { return tuning.Validate(ctx, p, families) })
	if err != nil {
		return err
	}
	comparison, err := tuning.Compare(ctx, problems, families, options)
	done()
	if err != nil {
		return studyFailure(err)
	}
	return a.show(func() *reports.Report { return reports.ComparedReport(comparison) })
}
