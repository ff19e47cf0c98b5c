package main

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"breadboard/chains/errs"
	"breadboard/experiments/checks/sbc"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/particles/policy"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/columns"
)

// subjects says by which flags a command gets the subjects of a study. What they build is a slice
// of subjects.
type subjects struct {
	what  string // what is set up, for progress
	flags func(c *cobra.Command)
	build func(ctx context.Context, in subject.Reader, progress func(int)) (on any, err error)
}

// subjectsOf returns what the flags of the command of a study name, with the defaults of the
// catalogue.
func (a *app) subjectsOf(s *study.Declaration) subjects {
	switch about := s.About.(type) {
	case *subject.Annealings:
		return a.annealings(s, about)
	case *samplers.Chains:
		return chainsOf("setting up problems", about, samplers.Selection.Problems)
	case *policy.Selection:
		return policyPairs(about)
	case *policy.TwistSelection:
		return twists(about)
	case *sbc.Samplers:
		return a.samplersOf(about)
	}
	return noSubjects()
}

// annealings are annealings that flags name.
func (a *app) annealings(s *study.Declaration, about *subject.Annealings) subjects {
	about.Factored = s.Factored
	return subjects{
		what: "setting up annealings",
		flags: func(c *cobra.Command) {
			switch {
			case s.Crossed:
				addCrossed(c, &about.Crossed, about.Default)
			case about.Unscheduled:
				addProblem(c, &about.Selection, about.Default)
			default:
				addSelection(c, &about.Selection, about.Default)
			}
		},
		build: func(ctx context.Context, in subject.Reader, progress func(int)) (any, error) {
			all := about.Crossed
			all.Reader = in
			all.Progress = progress
			if s.Crossed {
				return all.Cases(ctx)
			}
			return all.Selection.Cases(ctx)
		},
	}
}

// chainsOf are what build makes of the chains that flags name.
func chainsOf[On any](what string, about *samplers.Chains,
	build func(samplers.Selection, context.Context) ([]On, error)) subjects {
	s := &about.Selection
	var toys *toyList
	return subjects{
		what: what,
		flags: func(c *cobra.Command) {
			toys = addSamplers(c, s)
			addStart(c, s)
			if about.OfFunctions {
				addFunctions(c, s)
			}
			if about.OfAverages {
				addAverages(c, s)
			}
		},
		build: func(ctx context.Context, in subject.Reader, progress func(int)) (any, error) {
			s.Reader = in
			s.Progress = progress
			if toys.changed {
				s.Corpus = "" // the default; addAverages refuses a corpus beside a toy
			} else if s.Corpus != "" {
				s.Toys = nil // the default
			}
			return build(*s, ctx)
		},
	}
}

// noSubjects are the subjects of a study whose options say all that it is about.
func noSubjects() subjects {
	return subjects{
		flags: func(*cobra.Command) {},
		build: func(context.Context, subject.Reader, func(int)) (any, error) {
			return []study.NoSubjects(nil), nil
		},
	}
}

// derived is the command of a study, of which the catalogue says all.
type derived struct {
	*cobra.Command
	study *study.Declaration
	about subjects
	o     any // what the flags of the options are read into
	how   study.How
	view  reports.View
}

// derived returns the command of the study of this name.
func (a *app) derived(name string) *cobra.Command { return a.derive(name).Command }

// derive returns the command of the study of this name, for one that has more flags or arguments.
func (a *app) derive(name string) *derived {
	s := a.studyOf(name)
	return a.deriveOn(s, a.subjectsOf(s))
}

// studyOf returns the study of this name.
func (a *app) studyOf(name string) *study.Declaration {
	all := a.studies()
	return all[slices.IndexFunc(all, func(s *study.Declaration) bool { return s.Name == name })]
}

// deriveOn is derive for a study whose subjects no selection names.
func (a *app) deriveOn(s *study.Declaration, about subjects) *derived {
	d := &derived{study: s, about: about, o: s.NewOptions(), view: s.Show}
	d.Command = &cobra.Command{
		Use:         s.Name[strings.LastIndexByte(s.Name, ' ')+1:],
		Short:       s.Asks,
		Long:        s.Help,
		Example:     s.Examples,
		Args:        subcommandsOnly,
		RunE:        func(c *cobra.Command, _ []string) error { return a.answer(c.Context(), d) },
		Annotations: annotations(s),
	}
	if s.Unswept != "" {
		d.Long += " It cannot be swept: " + s.Unswept + "."
	}
	about.flags(d.Command)
	addOptions(d.Command, s, d.o)
	if s.Workers {
		addWorkers(d.Flags(), &d.how.Workers)
	}
	switch s.About.(type) {
	case *subject.Annealings, *samplers.Chains, *policy.Selection, *policy.TwistSelection:
		addTime(d.Flags(), &d.how.Time)
	}
	if s.Size != nil {
		a.addUntil(d)
	}
	for _, second := range a.studies() {
		if b := second.Behind; b != nil && b.Command == s.Name && b.Select != nil {
			a.addSecond(d, second)
		}
	}
	return d
}

// addSecond has the command of a study answer a second one, if the flag of that is given.
func (a *app) addSecond(d *derived, s *study.Declaration) {
	second := &derived{study: s, about: d.about, o: s.NewOptions(), view: s.Show}
	addOptions(d.Command, s, second.o)
	behind := s.Behind
	ask := d.RunE
	d.RunE = func(c *cobra.Command, args []string) error {
		given := c.Flags().Changed
		if !given(behind.Flag) {
			return ask(c, args)
		}
		if err := behind.Select(&d.study.About.(*subject.Annealings).Selection, given); err != nil {
			return badInput(err)
		}
		if behind.Take != nil {
			behind.Take(second.o, d.o)
		}
		second.how = d.how
		return a.answer(c.Context(), second)
	}
	if d.study.Size != nil {
		exclude(d.Command, "until", behind.Flag)
	}
}

// addOptions adds the flags of the options of a study.
func addOptions(c *cobra.Command, s *study.Declaration, o any) {
	for _, option := range s.Options {
		v := option.Value(o)
		f := c.Flags().VarPF(v, option.Name, option.Letter, option.Doc)
		if v.Type() == "bool" {
			f.NoOptDefVal = "true"
		}
	}
}

// answer answers the question of a study and shows the rows, with the figures that the study
// declares.
func (a *app) answer(ctx context.Context, d *derived) error {
	rows, err := a.answered(ctx, d)
	s := d.study
	plotting := reports.Plotting(s.Columns, s.Plots, d.view)
	return a.showRows(ctx, rows, err, func(rows any) *reports.Report {
		return plotting(rows).Begin(s.Says, s.Columns, rows)
	})
}

// answered answers the question of a study.
func (a *app) answered(ctx context.Context, d *derived) (rows any, err error) {
	s := d.study
	about := d.about
	o := d.o
	how := d.how
	how.Columns = a.output.wanted(s.Columns, s.Quick...)
	free := freeMemory()
	for _, option := range s.Options {
		memory, is := option.Value(o).(study.Bytes)
		switch {
		case !is || *memory.Limit <= free:
		case a.output.given(option.Name):
			return nil, badInput(errs.New("--%s is %.3g GB, and %.3g GB are free here; give at most that",
				option.Name, *memory.Limit/1e9, free/1e9))
		default: // the standard limit is also that of a machine with less
			*memory.Limit = max(1, free)
		}
	}
	var cost subject.Cost
	add, done := a.progress(about.what, -1)
	in := a.reader
	in.Most, in.Check = s.Most, s.Affords(o, how, free, &cost)
	in.Chains = s.Sampled != nil && s.Sampled(o)
	on, err := about.build(ctx, in, add)
	done()
	var plan study.Accepted
	var failed subject.Failures
	n, _ := columns.Rows(on)
	err = failed.KeepBeside(ctx, n, err)
	if err == nil {
		err = how.Validate()
	}
	if err == nil && s.Idle != nil {
		err = idle(a.output.given, s.Idle(on, o)...)
	}
	if err == nil {
		plan, err = s.Accept(ctx, on, o)
		err = cmp.Or(err, cost.Late)
	}
	if err != nil {
		// it may be a fault: schedules may use the kernel, and programs write their first line
		return nil, studyFailure(err)
	}
	if err := a.makeFolder(ctx); err != nil {
		return nil, err
	}
	cost.Seconds += plan.Seconds
	a.foretell(cost.Time())
	return during(a, s.Counts, plan.Steps, func(progress func(int)) (any, error) {
		how.Progress = progress
		how.Figures = a.output.files != nil
		rows, err := plan.Run(ctx, how)
		n, _ := columns.Rows(rows)
		return rows, failed.With(ctx, n, err)
	})
}

// idle refuses those of the named flags that are given, which change nothing.
func idle(given func(flag string) bool, names ...string) error {
	if i := slices.IndexFunc(names, given); i >= 0 {
		return errs.New("--%s changes nothing here, since nothing that is asked for depends on it; leave it out",
			names[i])
	}
	return nil
}

// smaller is the annotation of a command with what answers something near where the subject is too
// large (see study.Declaration).
const smaller = "smaller"

// annotations returns the annotations of the command of a study.
func annotations(s *study.Declaration) map[string]string {
	return map[string]string{smaller: s.Smaller}
}
