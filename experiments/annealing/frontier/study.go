package frontier

import (
	"slices"
	"strings"

	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/exact/gradient"
	"breadboard/experiments/columns"
	"breadboard/experiments/placement"
	"breadboard/experiments/programs"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
)

// Study declares the study. Its subjects are routes to toys.
func Study() *study.Study[subject.Route, Options, Row] {
	return study.New(Options{
		Work: []float64{1e3, 1e4}, Kernels: []string{"metropolis", "barker", "heatbath"}, Repeats: []int{1, 2, 5},
		Schedules: []string{"linear", "sigmoid", "acceptance"},
		Objective: gradient.ObjectiveJ, Best: 5,
	}, plan, study.Declaration{
		Says: columns.Sentence{Least: "J", Text: "{toy}: {kernel} with T = {T} and the schedule {schedule} has the smallest J, {J} nats, for {work} evaluations"},
		Name: "frontier",
		Asks: "Which kernel and schedule have the smallest J for equal work?",
		Help: `frontier shows which combination of kernel, steps per stage and schedule gives the smallest J, or
the smallest --objective, within a budget of work.

It gives each combination as many distributions T as the budget allows, solves all of them exactly
and sorts them for each budget. The column worse is the percentage by which a row exceeds the best.
Work counts evaluations of log f: one for the first state, and for each step those that its kernel
makes if the value at the present state is stored (metropolis 1, heatbath on a 7x7 grid 6). Weights
need no further evaluations. The column work, in csv and json, is the work that a row uses. The
kernel of several steps per stage is repeat:N:KERNEL.

The schedule optimize is searched for each kernel, T and objective; the results contain its curve.
Up to T = 9 it is the best schedule that schedule optimize finds. For larger T it is a
good curve through 9 betas, found with 64 to 4096 distributions; better curves may exist. The search
takes some tenths of a second for each row, and some seconds for kernels without a derivative in
closed form, such as wolff and tabu.

A combination without an answer, such as a kernel that the toy's space does not allow, has a row
without numbers and a note that says why. Runs estimated at more than a day on one core are
refused. A note gives the command line that reproduces the best row. With --out and at least two
budgets it also draws the objective against work, for each kernel and for the best of all.`,
		Examples: `  breadboard frontier
  breadboard frontier --toy barrier --work 1e3,1e4 --kernel metropolis,barker --repeats 1,2,5 --schedule linear,sigmoid,acceptance,optimize
  breadboard frontier --toy easy --work 100,1000,10000 --kernel metropolis,heatbath-scan --rows 1 --out results
  breadboard frontier --toy ising:3x3:0.4 --kernel flip,heatbath,heatbath-scan --objective B --format json`,
		Counts: "annealings", Workers: true,
		Options: study.OptionsOf(options), Columns: fields(),
		Unswept: "it compares its rows with one another; sweep tightness over the kernels and schedules instead",
	})
}

func options(o *Options) []study.Option {
	listed := placement.Forms().Listing
	return []study.Option{
		{Name: "work", To: study.Numbers(&o.Work)},
		{
			Name: "kernel", Complete: programs.Forms().Listing.Complete,
			To: study.Texts(&o.Kernels),
		},
		{Name: "repeats",
			To: study.Wholes(&o.Repeats, "N", 1, subject.MaxNumber)},
		{
			Name: "schedule", Doc: "; " + Optimized + " searches for the best one",
			Complete: func(typed string, beyond selector.Beyond) []selector.Completion {
				return append(listed.Complete(typed, beyond), selector.Beginning(selector.Plain([]string{Optimized}), typed)...)
			},
			To: study.Texts(&o.Schedules),
		},
		{
			Name: "objective", Doc: ": " + strings.Join(gradient.Divergences(), ", "), Complete: study.Among(gradient.Divergences()...),
			To: study.Named(&o.Objective, "OBJECTIVE", gradient.ParseObjective),
		},
		{Name: "rows",
			To: study.Whole(&o.Best, "N", 0, subject.MaxNumber)},
	}
}

// fields lists the columns of the study.
func fields() columns.List {
	theCase := (*Row).TheCase
	value := func(o gradient.Objective, title, meaning string) columns.Field {
		return columns.Of(string(o), title, meaning, func(r *Row) number.Bounded { return r.of(o) })
	}
	return slices.Concat(
		subject.CaseColumns(theCase, "toy"),
		columns.List{
			columns.Of("budget", "budget", "the budget, in evaluations of log f in a run", func(r *Row) float64 { return r.Budget }),
			columns.Of("T", "T", "the largest number of distributions within the budget", (*Row).Distributions).Positive(),
			columns.Of("kernel", "kernel", "the kernel of a stage, with its repeats", func(r *Row) string { return r.Param("kernel") }),
			columns.Of("move", "", "the kernel of one step", func(r *Row) string { return r.Move }),
			columns.Of("repeat", "repeat", "the number of kernel steps in a stage", func(r *Row) int { return r.Repeat }).DropOrder(1),
			columns.Any("schedule", "schedule", columns.String, "the schedule in canonical form; the table shows it as given on the command line", func(r *Row) any {
				return columns.Both{Machine: r.Param("schedule"), People: r.Schedule}
			}),
			value(gradient.ObjectiveJ, "J (nats)", columns.MeansJ).Answer(),
			value(gradient.ObjectiveB, "B (nats)", columns.MeansB).DropOrder(2),
			value(gradient.ObjectiveKLQP, "(nats)", columns.MeansKLQP),
			value(gradient.ObjectiveKLPQ, "(nats)", columns.MeansKLPQ),
			columns.Of("worse_percent", "worse (%)", "the percentage by which the objective exceeds the best one of the toy and budget",
				func(r *Row) float64 { return r.Worse }).OrEmpty().Digits(3).Answer(),
			columns.Of("work", "", "the mean number of evaluations of log f in a run", func(r *Row) float64 { return r.Spent }).OrEmpty(),
			columns.Of("objective", "", "what is minimised", func(r *Row) string { return string(r.Options.Objective) }),
			columns.Of("asked", "", "the schedule as given on the command line", func(r *Row) string { return r.Schedule }),
		},
		subject.CaseColumns(theCase, "path", "initial"),
		columns.List{columns.Note(func(r *Row) string { return r.Note() })})
}
