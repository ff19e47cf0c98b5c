package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"breadboard/chains/selector"
	"breadboard/experiments/checks/conform/records"
	"breadboard/experiments/draws/files"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/views/checks"
)

// samplerCommand returns the commands that check a kind of samplers.
func (a *app) samplerCommand(s records.Sampler) *cobra.Command {
	c := &cobra.Command{
		Use: s.Name, Short: s.Asks, Args: cobra.NoArgs,
		Long: s.Help +
			" spec writes a folder that says what to implement on a small target; check reads the runs that the implementation has made. They are tested against the exact distribution " +
			s.Tests + ", and the report also has the odds of each known way to get it wrong. " + s.More,
		Example: fmt.Sprintf("  breadboard conform %s spec --out task\n  breadboard conform %[1]s check task --%s %[2]s.csv", s.Name, s.Files[0]),
		RunE:    func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(annotate(a.samplerSpec(&s), keepsNames), annotate(a.samplerCheck(&s), pathArguments))
	return c
}

// laws computes the distributions of a task.
func (a *app) laws(ctx context.Context, t records.Task) (*records.Laws, error) {
	laws, err := during(a, "computing the distributions of every way to get it wrong", -1,
		func(progress func(int)) (*records.Laws, error) { return t.Laws(ctx, 0, progress) })
	return laws, badInput(err)
}

// taskAsked fails if a command that writes the folder of a task is given none, or if the given
// check of its alpha has failed.
func (a *app) taskAsked(alpha error) error {
	if a.output.dir == "" {
		return badInput(fmt.Errorf("no folder to write the task to; give one, as in --out task"))
	}
	return badInput(alpha)
}

// samplerSpec returns the command that writes the folder of a task, and says how many records find
// each known way to get it wrong.
func (a *app) samplerSpec(s *records.Sampler) *cobra.Command {
	alpha, q := 0.0, s.Begin()
	c := &cobra.Command{
		Use: "spec", Short: "Write a folder that says what to implement", Args: cobra.NoArgs,
		Long: "spec writes the folder --out: README.md says what to do, and task.json has every number. It also says how many runs find and name each known way to get " +
			s.Is + " wrong, with a probability of about 0.99, by all columns. " + s.Sizes,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := a.taskAsked(records.ValidateAlpha(alpha)); err != nil {
				return err
			}
			t, err := a.taskOf(c, q)
			if err != nil {
				return err
			}
			return a.specify(c.Context(), s, t, alpha)
		},
	}
	for _, options := range s.Specs {
		c.Example += fmt.Sprintf("  breadboard conform %s spec %s--out task\n", s.Name, options)
	}
	c.Example = strings.TrimSuffix(c.Example, "\n")
	if q.Lengths != nil {
		addSelection(c, &q.Annealing, q.Lengths)
	}
	for _, f := range q.Flags {
		addOption(c, f.Name, "", f.Doc, f.Value, f.Complete)
	}
	addAlpha(c, &alpha)
	return c
}

// taskOf returns the task that the flags ask for, and opens the folder for it. Flags of an
// annealing are refused if the task is made of none.
func (a *app) taskOf(c *cobra.Command, q *records.Question) (records.Task, error) {
	if q.Instead == "" || !c.Flags().Changed(q.Instead) {
		cases, err := a.cases(subject.WithMost(c.Context(), q.Most), q.Annealing, one)
		if err != nil {
			return nil, err
		}
		t, err := q.Make(c.Context(), cases[0])
		return t, badInput(err)
	}
	for _, name := range selectionFlags() {
		if c.Flags().Changed(name) {
			return nil, badInput(fmt.Errorf("--%s and --%s: the one is of an annealing, and the other stands in place of one; give one of them", name, q.Instead))
		}
	}
	t, err := q.Model()
	if err != nil {
		return nil, badInput(err)
	}
	return t, a.output.open(a.leftovers)
}

// specify writes the folder of a task.
func (a *app) specify(ctx context.Context, s *records.Sampler, t records.Task, alpha float64) error {
	laws, err := a.laws(ctx, t)
	if err != nil {
		return err
	}
	list, err := s.Folder(t)
	if err != nil {
		return badInput(err)
	}
	return a.show(func() *reports.Report { return checks.RecordsSpecReport(list, laws.Needs(alpha)) })
}

// recordFiles says where the records of each kind come from. The flags for files are called as
// --stdin names the kinds.
type recordFiles struct {
	names []string
	paths [][]string // of each kind, the files that are read one after another
	stdin string
}

// samplerCheck returns the command that checks the records of a task.
func (a *app) samplerCheck(s *records.Sampler) *cobra.Command {
	var o records.Options
	strict := false
	from := recordFiles{names: s.Files, paths: make([][]string, len(s.Files))}
	c := &cobra.Command{
		Use: "check TASK", Short: "Test runs in files, or from standard input, against their exact distribution",
		Long: "check reads runs that an implementation of a task has made: CSV with a row a run, whose columns stand in the README of the task. " + s.Reads +
			` It reads until a fault is certain and can be named, or until the rows end.

The tests are e-processes: over all of them, and however often one looks, a false alarm has at most the probability
--alpha. Runs are taken to be independent of each other, which is not tested. A test that has read too few runs to find anything is
open, and no pass. The exit code is 1 if there is a fault, or if all tests are open, or, with --strict, if any is.`,
		Example: fmt.Sprintf(
			"  breadboard conform %s check task %s\n  python3 my_%s.py --task task --runs 100000 | breadboard conform %[1]s check task --stdin %[4]s", s.Name,
			s.CheckAll(), s.Example, s.Files[0]),
		Args: cobra.ExactArgs(1), ValidArgsFunction: completeFolder,
		RunE: func(c *cobra.Command, args []string) error {
			if err := o.Validate(); err != nil {
				return badInput(err)
			}
			task, err := s.ReadFolder(filepath.Clean(args[0]))
			if err != nil {
				return badInput(err)
			}
			return a.checkRecords(c.Context(), task, from, o, func(found *records.Outcome) *reports.Report { return checks.RecordsReport(s.Name, found, strict) })
		},
	}
	f := c.Flags()
	for i, kind := range s.Files {
		f.StringArrayVar(&from.paths[i], kind, nil, "")
	}
	f.StringVar(&from.stdin, "stdin", "", ": "+strings.Join(s.Files, ", "))
	completeOne(c, "stdin", among(selector.Plain(s.Files)))
	f.Var(study.Whole(&o.Runs, "N", 0, maxCount), "most", "of runs that are read of each source; 0 is all")
	addAlpha(c, &o.Alpha)
	f.BoolVar(&strict, "strict", false, "if some tests are open")
	a.addJUnit(f)
	return c
}

// open opens the sources of all kinds; one that is not there is nil. The caller calls close when it
// is done.
func (f *recordFiles) open(ctx context.Context, a *app, kinds []records.Kind) (sources []*records.Source, close func(), err error) {
	var opened []*files.Cells
	close = func() {
		for _, c := range opened {
			c.Close()
		}
	}
	if f.stdin != "" && !slices.Contains(f.names, f.stdin) {
		return sources, close, selector.UnknownError("--stdin", f.stdin, f.names)
	}
	for i, name := range f.names[len(kinds):] {
		if f.stdin == name || f.paths[len(kinds)+i] != nil {
			return sources, close, fmt.Errorf("--%s: the distribution of so large a task is known of its %s alone; give --%s", name, f.names[0], f.names[0])
		}
	}
	sources = make([]*records.Source, len(kinds))
	read := func(i int, cells *files.Cells, err error) error {
		if err != nil {
			return err
		}
		opened = append(opened, cells)
		source, err := kinds[i].Read(cells)
		if err == nil {
			sources[i], err = sources[i].Then(source)
		}
		return err
	}
	for i, paths := range f.paths {
		name := f.names[i]
		if f.stdin == name {
			if paths != nil {
				return sources, close, fmt.Errorf("--stdin %s and --%s %s; give one of them", name, name, paths[0])
			}
			cells, err := files.StreamCells(ctx, "standard input", a.stdin)
			if err = read(i, cells, err); err != nil {
				return sources, close, err
			}
		}
		for _, path := range paths {
			cells, err := files.OpenCells(ctx, path)
			if err = read(i, cells, err); err != nil {
				return sources, close, err
			}
		}
	}
	if len(opened) == 0 {
		return sources, close, fmt.Errorf("nothing to check; give --%s with a file, or --stdin", strings.Join(f.names, " or --"))
	}
	return sources, close, nil
}

// checkRecords tests the records of a task.
func (a *app) checkRecords(ctx context.Context, task records.Task, from recordFiles, o records.Options, report func(*records.Outcome) *reports.Report) error {
	sources, done, err := from.open(ctx, a, task.Kinds())
	defer done()
	if err != nil {
		return badInput(err)
	}
	laws, err := a.laws(ctx, task)
	if err != nil {
		return err
	}
	if err := a.output.open(a.leftovers); err != nil {
		return err
	}
	add, stop := a.progress("runs that are read", -1)
	o.Progress = add
	found, err := laws.Check(ctx, sources, o)
	stop()
	if found == nil {
		return studyFailure(err)
	}
	if err != nil {
		a.note("interrupted: what follows is about the runs that were read until then")
		if failed := a.writeAnyway(report(found)); failed != nil {
			return failed
		}
		return err
	}
	return a.show(func() *reports.Report { return report(found) })
}
