package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"breadboard/exact"
	"breadboard/experiments/annealing/frontier"
	"breadboard/experiments/annealing/represent"
	"breadboard/experiments/annealing/schedule"
	"breadboard/experiments/annealing/tightness"
	"breadboard/experiments/annealing/weights"
	"breadboard/experiments/mcmc/temper"
	"breadboard/experiments/particles/smc"
	"breadboard/experiments/particles/smc/adaptive"
	"breadboard/experiments/particles/smc/gibbs"
	"breadboard/experiments/placement"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/views/annealing"
	"breadboard/reports/views/mcmc"
	"breadboard/reports/views/particles"
	"breadboard/toys"
)

// tightnessCommand is the command of the study, which with --until looks for T itself.
func (a *app) tightnessCommand() *cobra.Command {
	var s subject.Selection
	c, options, how := questionCommand(a, tightness.Study(), a.selected(&s, subject.PaperDistributions()), annealing.TightnessReport)
	a.withUntil(c, tightness.Study().Declaration, a.lengths(&s), options, how, reports.Untyped(annealing.TightnessReport))
	exclude(c, "until", "certify")
	return c
}

// weightsQuestions are the other questions that the command weights answers; at most one of them
// may be asked.
type weightsQuestions struct {
	samples   weights.SampleOptions
	tails     []float64
	quantiles []float64
}

// weightsCommand is the command of the distributions of log weights, from which tails and quantiles
// are read, and of bounds of many samples.
func (a *app) weightsCommand() *cobra.Command {
	var q weightsQuestions
	about, samples := a.annealings(100), weights.Samples()
	c, laws, how := questionCommand(a, weights.Laws(), about, q.report)
	ask := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := q.validate(laws); err != nil {
			return badInput(err)
		}
		if len(q.samples.K) > 0 {
			return a.answer(c.Context(), samples.Declaration, about, &q.samples, *how, reports.Untyped(annealing.SamplesReport))
		}
		return ask(c, args)
	}
	addOptions(c, samples.Declaration, &q.samples)
	addNumbers(c.Flags(), &q.tails, "tails", nil, "")
	addNumbers(c.Flags(), &q.quantiles, "quantiles", nil, "")
	return c
}

// validate returns an error that says what is wrong with the flags, and nil if they are valid.
func (q *weightsQuestions) validate(o *weights.Options) error {
	if s, t, q := len(q.samples.K) > 0, len(q.tails) > 0, len(q.quantiles) > 0; s && t || s && q || t && q {
		return errors.New("one question at a time: give one of --samples, --tails and --quantiles")
	}
	if len(q.samples.K) > 0 && o.Frequencies > 0 {
		return errors.New("--frequencies is for the distribution of the log weight, and --samples takes none of it; leave it out")
	}
	for _, b := range q.tails {
		if !(b >= 0 && b <= exact.MaxLogRange) {
			return fmt.Errorf("--tails %v; give nats, from 0 to %v", b, strconv.Itoa(exact.MaxLogRange))
		}
	}
	for _, p := range q.quantiles {
		if !(p > 0 && p < 1) {
			return fmt.Errorf("--quantiles %v; a quantile is above 0 and below 1", p)
		}
	}
	return nil
}

// report returns the report that answers the question which the flags ask.
func (q *weightsQuestions) report(rows []weights.Row) *reports.Report {
	switch {
	case len(q.tails) > 0:
		return annealing.TailsReport(rows, q.tails, inFlags)
	case len(q.quantiles) > 0:
		return annealing.QuantilesReport(rows, q.quantiles, inFlags)
	}
	return annealing.WeightsReport(rows, inFlags)
}

// scheduleHelp returns what the help of schedule says, with the schedules in its details.
func scheduleHelp() string {
	return "schedule lists, compares and optimises annealing schedules.\n\nThe schedules that --schedule of other commands takes:\n" +
		formsHelp(placement.Forms().Listing)
}

func (a *app) scheduleCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "schedule", Short: "List, compare and optimise annealing schedules", Args: subcommandsOnly,
		Long:    scheduleHelp(),
		Example: "  breadboard schedule\n  breadboard schedule optimize --toy barrier -T 50\n  breadboard schedule compare --toy easy",
		RunE:    func(*cobra.Command, []string) error { return a.scheduleList() },
	}
	optimize := studyCommand(a, schedule.Optimize(), a.crossed(&subject.Crossed{Schedules: []string{"linear"}}, []int{tightness.PaperT}), a.optimizedReport)
	c.AddCommand(optimize, a.scheduleCompareCommand())
	return c
}

// scheduleCompareCommand is the command of the comparison, which with --until looks for the T of
// each schedule.
func (a *app) scheduleCompareCommand() *cobra.Command {
	s := subject.Selection{Schedule: "linear"}
	c, options, how := questionCommand(a, schedule.Compare(), a.unscheduled(&s, 10, 20, 40), annealing.ComparedReport)
	return a.withUntil(c, schedule.Compare().Declaration, a.lengths(&s), options, how, reports.Untyped(annealing.ComparedReport))
}

func (a *app) scheduleList() error {
	return a.showFixed(annealing.SchedulesReport(placement.Forms().Listing.Descriptions()))
}

// unscheduled are annealings that flags select, apart from their schedules: theirs is that of the
// selection.
func (a *app) unscheduled(s *subject.Selection, T ...int) subjects {
	about := a.selected(s, T)
	about.flags = func(c *cobra.Command) { addProblem(c, s, T) }
	return about
}

// optimizedReport returns the report of best schedules. It names the files of their betas, which a
// run that was interrupted does not write.
func (a *app) optimizedReport(rows []schedule.OptimumRow) *reports.Report {
	folder := a.output.dir
	if a.ctx.Err() != nil {
		folder = ""
	}
	return annealing.OptimizedReport(rows, folder)
}

// represented are the annealings of all representations of the models that flags select, with a
// default of T.
func (a *app) represented(T ...int) subjects {
	s, all := subject.Selection{Toys: toys.RepresentedNames(), Schedule: "sigmoid:4", Kernel: "heatbath-scan"}, subject.Selection{}
	about := a.selected(&all, T)
	build := about.build
	about.flags = func(c *cobra.Command) { addSelection(c, &s, T) }
	about.build = func(ctx context.Context, progress func(int)) (on any, err error) {
		if all, err = represent.Expand(ctx, s); err != nil {
			return nil, err
		}
		return build(ctx, progress)
	}
	return about
}

// frontierCommand is the command of the study whose subjects are toys with a path to each, and
// whose options name the rest.
func (a *app) frontierCommand() *cobra.Command {
	var s subject.Selection
	var options *frontier.Options
	c, options, _ := questionCommand(a, frontier.Study(), subjects{
		what:  "setting up targets",
		flags: func(c *cobra.Command) { addRoutes(c, &s, subject.PaperToys()) },
		build: func(ctx context.Context, progress func(int)) (on any, err error) {
			s.Programs, s.Progress = a.programs, progress
			return s.Routes(ctx, options.Kernels)
		},
	}, annealing.FrontierReport)
	return c
}

// setDefault makes help show another default of a flag of addSelection than that of most studies.
func setDefault(c *cobra.Command, name, shown string) { c.Flags().Lookup(name).DefValue = shown }

// smcCommand is the command of sequential Monte Carlo, which with --adaptive has the particles
// place the schedule. It has that of particle Gibbs, which is about hidden Markov models.
func (a *app) smcCommand() *cobra.Command {
	var s subject.Selection
	about, systems, adapted := a.selected(&s, []int{100}), smc.Study(), adaptive.Study()
	c, fixed, how := questionCommand(a, systems, about, particles.SMCReport)
	withCheck(a, c, systems.Declaration, about, fixed, how, particles.SMCReport, systemsOfRow(fixed))
	ask, o := c.RunE, adapted.Standard
	addOptions(c, adapted.Declaration, &o)
	c.RunE = func(c *cobra.Command, args []string) error {
		given := c.Flags().Changed
		if len(o.Rho) == 0 {
			return ask(c, args)
		}
		if given("distributions") || given("schedule") {
			return badInput(errors.New("--adaptive has the particles place the distributions, so that there is no -T and no --schedule; leave them out"))
		}
		if s.Distributions = []int{2}; !given("toy") {
			s.Toys = adaptive.DefaultToys()
		}
		o.Options = *fixed
		return a.answer(c.Context(), adapted.Declaration, about, &o, *how, reports.Untyped(particles.AdaptiveReport))
	}
	c.AddCommand(studyCommand(a, gibbs.Study(), alone(), particles.GibbsReport))
	a.withUntil(c, systems.Declaration, a.askedOf(systems.Declaration, about), fixed, how, reports.Untyped(particles.SMCReport))
	exclude(c, "until", "adaptive")
	exclude(c, "check", "until", "adaptive")
	exclude(c, "verbose", "adaptive")
	return c
}

// temperCommand is the command of parallel tempering, with those of ladders, of log Z and of the
// comparison with annealing.
func (a *app) temperCommand() *cobra.Command {
	about, trips := a.ladders(true), temper.Study()
	c, o, how := questionCommand(a, trips, about, mcmc.TemperReport)
	withCheck(a, c, trips.Declaration, about, o, how, mcmc.TemperReport, runsOfRow(o))
	c.AddCommand(
		studyCommand(a, temper.Ladders(), a.ladders(false), mcmc.TemperLadderReport),
		studyCommand(a, temper.Stones(), a.ladders(true), mcmc.TemperStonesReport),
		studyCommand(a, temper.Comparison(), a.ladders(true), mcmc.TemperCompareReport),
	)
	return c
}

// ladders are annealings whose distributions are the rungs of a ladder. If they are not scheduled,
// the schedule is no flag.
func (a *app) ladders(scheduled bool) subjects {
	s := &subject.Selection{Toys: []string{"random:2:7:3x3", "barrier:3x3"}, Schedule: "acceptance", Levels: true}
	about := a.selected(s, []int{3})
	if !scheduled {
		s.Schedule = subject.Default("schedule")
		about.flags = func(c *cobra.Command) { addProblem(c, s, []int{3}) }
	}
	return about
}
