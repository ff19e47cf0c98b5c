package frontier

import (
	"slices"
	"strings"

	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/exact/gradient"
	"breadboard/experiments"
	"breadboard/experiments/annealing/schedule/placement"
	"breadboard/experiments/checks/external"
	"breadboard/experiments/columns"
	"breadboard/experiments/study"
)

// Study declares the study. A subject is the route to a toy.
func Study() *study.Study[experiments.Route, Options, Row] {
	return study.New(Options{
		Work: []float64{1e3, 1e4}, Kernels: []string{"metropolis", "barker", "heatbath"}, Repeats: []int{1, 2, 5}, Schedules: []string{"linear", "sigmoid", "acceptance"},
		Objective: gradient.ObjectiveJ, Best: 5,
	}, plan, study.Declaration{
		Name: "frontier",
		Asks: "Which kernel and schedule leave the least J for so much work?",
		Help: `frontier gives every combination of kernel, moves a stage and schedule as many distributions as the budget allows, solves
all of them exactly and shows those of each budget from the best on: J, B, and by how many per cent J, or what --objective names, is above
the best. Work counts what a run asks log f for: one for its first state, and for each move what its kernel takes where the value at
the present state is kept (metropolis 1, heatbath on a 7x7 grid 6). Weights take no more. T is the largest number of distributions whose
run takes no more than the budget; spent, for machines, is what it takes. The kernel of several moves a stage is repeat:N:KERNEL.

The schedule optimize is one that is looked for, for that kernel, T and objective, and stands in the results as the curve that it is. Up to
T = 9 it is the best of all schedules, as of schedule optimize, and with larger T a good curve through 9 betas, looked for with 64 to 4096
distributions, than which there may be better ones. It takes some tenths of a second for each row, and some
seconds for kernels without a derivative in closed form, such as wolff and tabu.

A combination that has no answer, such as a kernel that the toy's space does not take, is a row without numbers whose note says why. What is
estimated to take more than an hour on one core is refused. A note has the command line that makes the best row again. With --out it also draws,
for two budgets or more, the objective against work, the best of each kernel and the best of all.`,
		Examples: `  breadboard frontier
  breadboard frontier --toy barrier --work 1e3,1e4 --kernels metropolis,barker --repeats 1,2,5 --schedules linear,sigmoid,acceptance,optimize
  breadboard frontier --toy easy --work 100,1000,10000 --kernels metropolis,heatbath-scan --best 1 --out results
  breadboard frontier --toy ising:3x3:0.4 --kernels flip,heatbath,heatbath-scan --objective B --format json`,
		Counts: "annealings", Workers: "number of annealings solved at once",
		Options: options(), Columns: fields(),
		Unswept: "its rows are compared with one another; sweep tightness over the kernels and schedules",
	})
}

func options() []study.Option {
	listed := placement.Forms().Listing
	return []study.Option{
		{Name: "work", Doc: "budgets, in evaluations of log f in a run", Value: study.ValueOf(func(o *Options) study.Value { return study.Numbers(&o.Work) })},
		{
			Name: "kernels", Doc: "the Markov kernels, as tightness takes one (breadboard kernel list)", Complete: external.Forms().Listing.Complete,
			Value: study.ValueOf(func(o *Options) study.Value { return study.Texts(&o.Kernels) }),
		},
		{Name: "repeats", Doc: "how many moves there are in a stage", Value: study.ValueOf(func(o *Options) study.Value { return study.Wholes(&o.Repeats, "N", 1, experiments.MaxNumber) })},
		{
			Name: "schedules", Doc: "the schedules: " + strings.Join(listed.Syntaxes(), ", ") + "; or " + Optimized + ", which is looked for",
			Complete: func(typed string, beyond selector.Beyond) []selector.Completion {
				return append(listed.Complete(typed, beyond), selector.Beginning(selector.Plain([]string{Optimized}), typed)...)
			},
			Value: study.ValueOf(func(o *Options) study.Value { return study.Texts(&o.Schedules) }),
		},
		{
			Name: "objective", Doc: "by what combinations are compared: " + strings.Join(gradient.Objectives(), ", "), Complete: study.Among(gradient.Objectives()...),
			Value: study.ValueOf(func(o *Options) study.Value {
				return study.Named(&o.Objective, "OBJECTIVE", gradient.ParseObjective)
			}),
		},
		{Name: "best", Doc: "how many combinations of each toy and budget are shown; 0 shows all", Value: study.ValueOf(func(o *Options) study.Value { return study.Whole(&o.Best, "N", 0, experiments.MaxNumber) })},
	}
}

// fields lists the columns of the study.
func fields() columns.List {
	theCase := (*Row).TheCase
	value := func(o gradient.Objective, title, meaning string) columns.Field {
		return columns.Of(string(o), title, meaning, func(r *Row) number.Bounded { return r.of(o) }).Narrow()
	}
	return slices.Concat(
		experiments.CaseColumns(theCase, "toy"),
		columns.List{
			columns.Of("work", "work", "the budget, in evaluations of log f in a run", func(r *Row) float64 { return r.Budget }),
			columns.Of("T", "T", "the largest number of distributions within the budget", (*Row).Distributions).Positive(),
			columns.Of("kernel", "kernel", "the kernel of a stage, with its repeats", func(r *Row) string { return r.Param("kernel") }),
			columns.Of("move", "", "the kernel of one move", func(r *Row) string { return r.Move }),
			columns.Of("repeat", "repeat", "how many moves there are in a stage", func(r *Row) int { return r.Repeat }).DropOrder(1),
			columns.Any("schedule", "schedule", columns.String, "the schedule, as on the command line in canonical form; people see it as it was asked for", func(r *Row) any {
				return columns.Both{Machine: r.Param("schedule"), People: r.Schedule}
			}),
			value(gradient.ObjectiveJ, "J (nats)", columns.MeansJ).Answer(),
			value(gradient.ObjectiveB, "B (nats)", columns.MeansB).DropOrder(2),
			value(gradient.ObjectiveKLQP, "(nats)", columns.MeansKLQP),
			value(gradient.ObjectiveKLPQ, "(nats)", columns.MeansKLPQ),
			columns.Of("worse_percent", "worse (%)", "by how many per cent the objective is above the best one of the toy and budget", func(r *Row) float64 { return r.Worse }).OrEmpty().Digits(3).Answer(),
			columns.Of("spent", "", "the mean number of evaluations of log f in a run", func(r *Row) float64 { return r.Spent }).OrEmpty(),
			columns.Of("objective", "", "by what combinations are compared", func(r *Row) string { return string(r.Options.Objective) }),
			columns.Of("asked", "", "the schedule as it was asked for", func(r *Row) string { return r.Schedule }),
		},
		experiments.CaseColumns(theCase, "path", "initial"),
		columns.List{columns.Note(func(r *Row) string { return r.Note() })})
}
