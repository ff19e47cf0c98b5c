package main

import (
	"cmp"
	"context"
	"errors"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"breadboard/chains/errs"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports"
)

// searched builds what searches of a command are about, once for all sizes.
func (a *app) searched(ctx context.Context, d *derived) ([]study.SubjectsAt, error) {
	if d.study.Size.Option == "" { // the size is T
		return a.lengths(ctx, &d.study.About.(*subject.Annealings).Selection)
	}
	add, done := a.progress(d.about.what, -1)
	defer done()
	on, err := d.about.build(ctx, a.reader, add)
	return d.study.AskedOf(on), err
}

// lengths are searches about the annealings of a selection, of which the size is T, on one toy
// each. If there are none on some toys it returns those on the others, with the error
// subject.Failures.
func (a *app) lengths(ctx context.Context, s *subject.Selection) (list []study.SubjectsAt, err error) {
	s.Reader = a.reader
	own, err := s.OwnLength()
	if own {
		return nil,
			errs.New("schedule %s fixes T, so {until} cannot search for it; leave {until} out, or give a "+
				"schedule for any T, such as linear",
				s.Schedule)
	}
	at := func(ctx context.Context, T int64, toys []string) ([]subject.Case, error) {
		some := *s
		some.Toys = toys
		some.Distributions = []int{int(T)}
		return some.Cases(ctx)
	}
	if err == nil {
		// what is wrong with a toy, or between several, shows before anything is computed
		_, err = at(ctx, 2, s.Toys)
	}
	if !subject.Usable(err) {
		return nil, err
	}
	for _, toy := range s.Toys {
		one := []string{toy}
		if err != nil {
			if _, own := at(ctx, 2, one); own != nil {
				continue
			}
		}
		list = append(list, func(ctx context.Context, T int64) (any, error) { return at(ctx, T, one) })
	}
	return list, err
}

// addUntil gives the command of a study the flag --until, with which it looks for the smallest size
// that meets a goal, and those that bound the search.
func (a *app) addUntil(d *derived) {
	c, s := d.Command, d.study
	g := study.Goal{Most: s.Size.Most, Within: study.DefaultWithin}
	name := s.Size.Name()
	show := func() string {
		if g.Column == "" {
			return ""
		}
		return g.String()
	}
	_, example, _ := strings.Cut(s.Examples, "--until ")
	example, _, _ = strings.Cut(example, "\n")
	size := name // what the flags call it: T, or number of chains
	if len(name) > 1 {
		size = "number of " + name
	}
	f := c.Flags()
	f.Var(textFlag{"GOAL", show, g.Parse}, "until", ": "+size+", as in "+example)
	f.Var(study.Whole(&g.Most, "N", float64(s.Size.Least), math.Min(float64(s.Size.Most)*1e6, maxCount)),
		"most", "that --until tries")
	option := cmp.Or(s.Size.Option, "distributions")
	ask := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		switch given := c.Flags().Changed; {
		case g.Column == "" && given("most"):
			return badInput(errors.New("--most bounds the search of --until; give it, as in --until " +
				example + ", or leave it out"))
		case g.Column == "":
			return ask(c, args)
		case given(option):
			return badInput(s.Size.Given())
		}
		if c.Flags().Changed("time") {
			g.Within = d.how.Time
		}
		return a.until(c.Context(), d, g)
	}
}

// until looks for the smallest sizes that meet a goal, and shows the rows at these.
func (a *app) until(ctx context.Context, d *derived, g study.Goal) error {
	s := d.study
	o := d.o
	how := d.how
	if err := how.Validate(); err != nil {
		return badInput(err)
	}
	list, err := a.searched(ctx, d)
	var failed subject.Failures
	err = failed.KeepBeside(ctx, len(list), err)
	if err == nil {
		// what is wrong with the input shows before anything long is computed
		err = s.CheckUntil(ctx, &g, list, o)
	}
	if err != nil {
		return studyFailure(err)
	}
	if err := a.makeFolder(ctx); err != nil {
		return err
	}
	var found []study.SearchResult
	rows, err := during(a, s.Counts, -1, func(progress func(int)) (rows any, err error) {
		how.Progress, how.Figures, how.Columns = progress, a.output.files != nil, a.output.wanted(s.Columns)
		if how.Columns != nil {
			how.Columns = append(how.Columns, g.Column)
		}
		rows, found, err = s.Until(ctx, g, list, o, how)
		return rows, err
	})
	if err != nil {
		return err
	}
	return a.show(ctx, func() *reports.Report {
		r := d.view(rows).Begin(s.Says, s.Columns, rows)
		s.ReportUntil(r, g, rows, found)
		return study.WithFailures(r, failed)
	})
}
