package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"breadboard/chains/selector"
	"breadboard/experiments/columns"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/views"
)

// subjects says by which flags a command gets the subjects of a study. What they build is a slice
// of subjects.
type subjects struct {
	what  string // what is set up, for progress
	flags func(c *cobra.Command)
	build func(ctx context.Context, progress func(int)) (on any, err error)
}

// annealings are the cases of annealing that flags select, with a default of T.
func (a *app) annealings(T ...int) subjects {
	return a.selected(&subject.Selection{}, T)
}

// selected are annealings whose selection the command reads too.
func (a *app) selected(s *subject.Selection, T []int) subjects {
	return subjects{
		what:  "setting up annealings",
		flags: func(c *cobra.Command) { addSelection(c, s, T) },
		build: func(ctx context.Context, progress func(int)) (any, error) {
			all := *s
			all.Programs, all.Progress = a.programs, progress
			return all.Cases(ctx)
		},
	}
}

// crossed are annealings by all schedules and kernels that flags name.
func (a *app) crossed(s *subject.Crossed, T []int) subjects {
	return subjects{
		what:  "setting up annealings",
		flags: func(c *cobra.Command) { addCrossed(c, s, T) },
		build: func(ctx context.Context, progress func(int)) (any, error) {
			all := *s
			all.Programs, all.Progress = a.programs, progress
			return all.Cases(ctx)
		},
	}
}

// samplersOf are the problems of samplers that flags select, whose defaults are those of the
// selection.
func (a *app) samplersOf(s samplers.Selection, flags ...func(*cobra.Command, *samplers.Selection)) subjects {
	return chainsOf(a, "setting up problems", s, samplers.Selection.Problems, flags...)
}

// chainsOf are what build makes of the selection that flags make of a default one.
func chainsOf[On any](a *app, what string, s samplers.Selection, build func(samplers.Selection, context.Context) ([]On, error),
	flags ...func(*cobra.Command, *samplers.Selection)) subjects {
	var toy *pflag.Flag
	return subjects{
		what: what,
		flags: func(c *cobra.Command) {
			addSamplers(c, &s)
			for _, add := range flags {
				add(c, &s)
			}
			toy = c.Flags().Lookup("toy")
		},
		build: func(ctx context.Context, progress func(int)) (any, error) {
			s.Programs, s.Progress = a.programs, progress
			if toy.Changed {
				s.Corpus = "" // the default; addSamplers refuses a corpus beside a toy
			} else if s.Corpus != "" {
				s.Toys = nil // the default
			}
			return build(s, ctx)
		},
	}
}

// alone are the subjects of a study whose options say all that it is about.
func alone() subjects {
	return subjects{
		flags: func(*cobra.Command) {},
		build: func(context.Context, func(int)) (any, error) { return []study.NoSubjects(nil), nil },
	}
}

// studyCommand returns the command of a study: its flags are those of its subjects and its options,
// and its rows are shown by a view.
func studyCommand[On, O, R any](a *app, s *study.Study[On, O, R], about subjects, view func(rows []R) *reports.Report) *cobra.Command {
	c, _, _ := questionCommand(a, s, about, view)
	return c
}

// questionCommand is studyCommand for a command that answers other questions too: it also returns
// what the flags of the study are read into.
func questionCommand[On, O, R any](
	a *app, s *study.Study[On, O, R], about subjects, view func(rows []R) *reports.Report,
) (c *cobra.Command, o *O, how *study.How) {
	options := s.Declaration.NewOptions()
	c, how = a.declared(s.Declaration, about, options, reports.Untyped(view))
	return c, options.(*O), how
}

// declared is questionCommand for a study without its types, whose flags are read into o.
func (a *app) declared(s *study.Declaration, about subjects, o any, view reports.View) (c *cobra.Command, how *study.How) {
	how = &study.How{}
	c = &cobra.Command{
		Use: s.Name[strings.LastIndexByte(s.Name, ' ')+1:], Short: s.Asks, Long: s.Help, Example: s.Examples,
		Args: cobra.NoArgs, RunE: func(c *cobra.Command, _ []string) error { return a.answer(c.Context(), s, about, o, *how, view) },
		Annotations: said(s),
	}
	if s.Unswept != "" {
		c.Long += "\n\nbreadboard sweep does not take it: " + s.Unswept + "."
	}
	about.flags(c)
	addOptions(c, s, o)
	if s.Workers {
		addWorkers(c.Flags(), &how.Workers)
	}
	return c, how
}

// derived returns the command of the study of annealings of this name, of which the catalogue says
// all.
func (a *app) derived(name string) *cobra.Command {
	s := views.Studies(name)[0]
	selection := subject.Selection{Toys: s.Toys, Kernel: s.Kernel, Factored: s.Factored}
	about := a.selected(&selection, s.Lengths)
	if s.Crossed {
		about = a.crossed(&subject.Crossed{Selection: selection}, s.Lengths)
	}
	c, _ := a.declared(s.Declaration, about, s.NewOptions(), s.View)
	return c
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
func (a *app) answer(ctx context.Context, s *study.Declaration, about subjects, o any, how study.How, view reports.View) error {
	rows, err := a.answered(ctx, s, about, o, how)
	plotting := reports.Plotting(views.TableName(s.Name), s.Columns, s.Plots, view)
	return a.showRows(rows, err, func(rows any) *reports.Report {
		r := plotting(rows)
		if says := s.Says.Of(s.Columns, rows); says != "" {
			r.Parts = slices.Insert(r.Parts, 0, reports.Part(reports.Answer(says)))
		}
		return r
	})
}

// answered answers the question of a study.
func (a *app) answered(ctx context.Context, s *study.Declaration, about subjects, o any, how study.How) (rows any, err error) {
	how.Columns = a.output.wanted(s.Columns, s.Quick...)
	free := freeMemory()
	for _, option := range s.Options {
		if most, err := selector.ParseBytes(option.Value(o).String()); option.Name == "memory" && err == nil && most > free {
			return nil, badInput(fmt.Errorf("--memory is %.3g GB, and %.3g GB are free here; give at most that", most/1e9, free/1e9))
		}
	}
	var cost subject.Cost
	add, done := a.progress(about.what, -1)
	sized := subject.WithMost(subject.WithSizes(ctx, s.Affords(o, how, free, &cost)), s.Most)
	if s.Sampled != nil && s.Sampled(o) {
		sized = subject.WithChains(sized)
	}
	on, err := about.build(sized, add)
	done()
	var plan study.Accepted
	var failed subject.Failures
	n, _ := columns.Rows(on)
	if err = failed.KeepBeside(ctx, n, err); err == nil {
		err = how.Validate()
	}
	if err == nil && s.Idle != nil {
		err = idle(a.output.given, s.Idle(on, o)...)
	}
	if err == nil {
		plan, err = s.Accept(sized, on, o)
	}
	if err != nil {
		return nil, studyFailure(err) // it may be a fault: schedules may use the kernel, and programs write their first line
	}
	if err := a.output.open(a.leftovers); err != nil {
		return nil, err
	}
	a.takes = cost.Time()
	return during(a, s.Counts, plan.Steps, func(progress func(int)) (any, error) {
		how.Progress, how.Figures = progress, a.output.files != nil
		rows, err := plan.Run(ctx, how)
		n, _ := columns.Rows(rows)
		return rows, failed.With(ctx, n, err)
	})
}

// idle refuses those of the named flags that are given, which change nothing.
func idle(given func(flag string) bool, names ...string) error {
	if i := slices.IndexFunc(names, given); i >= 0 {
		return fmt.Errorf("--%s changes nothing here, since nothing that is asked for depends on it; leave it out", names[i])
	}
	return nil
}

// smaller is the annotation of a command with what answers something near where the subject is too
// large (see study.Declaration).
const smaller = "smaller"

// said returns the annotations of the command of a study.
func said(s *study.Declaration) map[string]string { return map[string]string{smaller: s.Smaller} }
