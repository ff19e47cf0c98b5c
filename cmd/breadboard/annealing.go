package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"breadboard/chains/errs"
	"breadboard/exact"
	"breadboard/experiments/annealing/represent"
	"breadboard/experiments/annealing/schedule"
	"breadboard/experiments/annealing/weights"
	"breadboard/experiments/placement"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/toys"
)

func (a *app) tightnessCommand() *cobra.Command {
	d := a.derive("tightness")
	exclude(d.Command, "until", "certify")
	var quotient string
	d.Flags().StringVar(&quotient, "quotient", "", "")
	d.PreRunE = func(*cobra.Command, []string) (err error) {
		about := d.study.About.(*subject.Annealings)
		if quotient == "" {
			return nil
		}
		about.Toys, err = subject.OnClasses(quotient, about.Toys, append(about.Kernels, about.Kernel))
		if err != nil {
			err = badInput(fmt.Errorf("--quotient %w", err))
		}
		return err
	}
	return d.Command
}

// weightsQuestions are other questions about the rows of the command weights; at most one of them
// may be asked.
type weightsQuestions struct {
	tails     []float64
	quantiles []float64
}

// weightsCommand is the command of the distributions of log weights, from which tails and quantiles
// are read.
func (a *app) weightsCommand() *cobra.Command {
	var q weightsQuestions
	d := a.derive("weights")
	d.view = reports.Untyped(q.report)
	ask := d.RunE
	d.RunE = func(c *cobra.Command, args []string) error {
		if err := q.validateFlags(); err != nil {
			return badInput(err)
		}
		return ask(c, args)
	}
	addNumbers(d.Flags(), &q.tails, "tails", nil, "")
	addNumbers(d.Flags(), &q.quantiles, "quantiles", nil, "")
	return d.Command
}

// validateFlags returns an error that says what is wrong with the flags, and nil if they are valid.
func (q *weightsQuestions) validateFlags() error {
	if len(q.tails) > 0 && len(q.quantiles) > 0 {
		return errors.New("one question at a time: give one of --samples, --tails and --quantiles")
	}
	for _, b := range q.tails {
		if !(b >= 0 && b <= exact.MaxLogRange) {
			return errs.New("--tails %v; give nats, from 0 to %v", b, strconv.Itoa(exact.MaxLogRange))
		}
	}
	for _, p := range q.quantiles {
		if !(p > 0 && p < 1) {
			return errs.New("--quantiles %v; a quantile is above 0 and below 1", p)
		}
	}
	return nil
}

// report returns the report that answers the question which the flags ask.
func (q *weightsQuestions) report(rows []weights.Row) *reports.Report {
	switch {
	case len(q.tails) > 0:
		return weights.TailsReport(rows, q.tails, inFlags)
	case len(q.quantiles) > 0:
		return weights.QuantilesReport(rows, q.quantiles, inFlags)
	}
	return weights.Report(rows, inFlags)
}

func (a *app) scheduleCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "schedule", Short: "List, compare and optimise annealing schedules", Args: subcommandsOnly,
		Long: "schedule lists, compares and optimises annealing schedules.\n\nSee breadboard help " +
			"reference schedules.",
		Example: "  breadboard schedule\n  breadboard schedule optimize --toy barrier -T 50\n  breadboard " +
			"schedule compare --toy easy",
		RunE: func(c *cobra.Command, _ []string) error { return a.scheduleList(c.Context()) },
	}
	optimize := a.derive("schedule optimize")
	optimize.view = reports.Untyped(func(rows []schedule.OptimumRow) *reports.Report {
		return a.optimizedReport(optimize.Context(), rows)
	})
	c.AddCommand(optimize.Command, a.derived("schedule compare"))
	return c
}

func (a *app) scheduleList(ctx context.Context) error {
	return a.showFixed(ctx, schedule.SchedulesReport(placement.Forms().Listing.Descriptions()))
}

// optimizedReport returns the report of best schedules. It names the files of their betas, which a
// run that was interrupted does not write.
func (a *app) optimizedReport(ctx context.Context, rows []schedule.OptimumRow) *reports.Report {
	if a.output.dir == "" || ctx.Err() != nil {
		return schedule.OptimizedReport(rows, nil)
	}
	return schedule.OptimizedReport(rows, func(name string) string {
		return filepath.Join(a.output.dir, a.output.names.OfFile(name))
	})
}

// representCommand is about the annealings of all representations of the models that flags select.
func (a *app) representCommand() *cobra.Command {
	s := subject.Selection{Toys: toys.RepresentedNames(), Schedule: "sigmoid:4", Kernel: "heatbath-scan"}
	return a.deriveOn(a.studyOf("represent"), subjects{
		what:  "setting up annealings",
		flags: func(c *cobra.Command) { addSelection(c, &s, []int{10, 100, 1000}) },
		build: func(ctx context.Context, in subject.Reader, progress func(int)) (on any, err error) {
			s.Reader = in
			all, err := represent.Expand(ctx, s)
			if err != nil {
				return nil, err
			}
			all.Progress = progress
			return all.Cases(ctx)
		},
	}).Command
}

// setDefault makes help show another default of a flag of addSelection than that of most studies.
func setDefault(c *cobra.Command, name, shown string) { c.Flags().Lookup(name).DefValue = shown }

// smcCommand is the command of sequential Monte Carlo. It has that of particle Gibbs, which is
// about hidden Markov models.
func (a *app) smcCommand() *cobra.Command {
	c := a.derived("smc")
	c.AddCommand(a.derived("smc gibbs"))
	return c
}

// temperCommand is the command of parallel tempering, with those of ladders, of log Z and of the
// comparison with annealing.
func (a *app) temperCommand() *cobra.Command {
	d := a.derive("temper")
	d.AddCommand(a.derived("temper ladder"), a.derived("temper z"), a.derived("temper compare"))
	return d.Command
}
