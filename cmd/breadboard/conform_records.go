package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"breadboard/chains/selector"
	"breadboard/experiments/conform/records"
	"breadboard/experiments/samples/files"
	"breadboard/experiments/study"
	"breadboard/reports"
	"breadboard/reports/views/checks"
)

// recordsTask is a task whose records are tested against exact laws.
type recordsTask interface {
	Kinds() []records.Kind
	Laws(ctx context.Context, workers int, progress func(int)) (*records.Laws, error)
	Files() ([]records.File, error)
}

// laws computes the laws of a task.
func (a *app) laws(ctx context.Context, of func(ctx context.Context, workers int, progress func(int)) (*records.Laws, error)) (*records.Laws, error) {
	var refused error
	laws, err := during(a, "computing the laws of every way to get it wrong", -1, func(progress func(int)) (l *records.Laws, err error) {
		l, refused = of(ctx, 0, progress)
		return l, ctx.Err()
	})
	if err == nil && refused != nil {
		err = badInput(refused)
	}
	return laws, err
}

// taskAsked fails where a command that writes the folder of a task is given none, or where the given check of its alpha has failed.
func (a *app) taskAsked(alpha error) error {
	if a.output.dir == "" {
		return badInput(fmt.Errorf("no folder to write the task to; give one, as in --out task"))
	}
	return badInput(alpha)
}

// specify writes the folder of a task, and says how many records find each known way to get it wrong.
func (a *app) specify(ctx context.Context, t recordsTask, alpha float64) error {
	laws, err := a.laws(ctx, t.Laws)
	if err != nil {
		return err
	}
	list, err := t.Files()
	if err != nil {
		return badInput(err)
	}
	return a.show(func() *reports.Report { return checks.RecordsSpecReport(list, laws.Needs(alpha)) })
}

// recordFiles says where the records of each kind come from. The flags for files are called as --stdin names the kinds.
type recordFiles struct {
	names, paths []string
	stdin        string
}

// recordsCheck completes a command that checks the records of a task: its flags are --stdin and those of the kinds, and read reads the folder.
func (a *app) recordsCheck(c *cobra.Command, name string, kinds []string, read func(folder string) (recordsTask, error)) *cobra.Command {
	var o records.Options
	from := recordFiles{names: kinds, paths: make([]string, len(kinds))}
	f := c.Flags()
	for i, kind := range kinds {
		f.StringVar(&from.paths[i], kind, "", "`FILE` of "+kind)
	}
	f.StringVar(&from.stdin, "stdin", "", "`WHAT` standard input holds: "+strings.Join(kinds, ", "))
	completeOne(c, "stdin", among(selector.Plain(kinds)))
	f.Var(study.Whole(&o.Runs, "N", 0, maxCount), "most-runs", "largest number of runs that are read of each source; 0 is all")
	addAlpha(c, &o.Alpha)
	a.addJUnit(f)
	c.Args, c.ValidArgsFunction = cobra.ExactArgs(1), completeFolder
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := o.Validate(); err != nil {
			return badInput(err)
		}
		task, err := read(filepath.Clean(args[0]))
		if err != nil {
			return badInput(err)
		}
		return a.checkRecords(c.Context(), name, task, from, o)
	}
	return c
}

// open opens the sources of all kinds; one that is not there is nil. The caller calls close when it is done.
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
	sources = make([]*records.Source, len(kinds))
	for i, path := range f.paths {
		name := f.names[i]
		piped := f.stdin == name
		if piped && path != "" {
			return sources, close, fmt.Errorf("--stdin %s and --%s %s; give one of them", name, name, path)
		}
		var cells *files.Cells
		switch {
		case piped:
			cells, err = files.StreamCells(ctx, "standard input", a.stdin)
		case path != "":
			cells, err = files.OpenCells(ctx, path)
		default:
			continue
		}
		if err != nil {
			return sources, close, err
		}
		opened = append(opened, cells)
		if sources[i], err = kinds[i].Read(cells); err != nil {
			return sources, close, err
		}
	}
	if len(opened) == 0 {
		return sources, close, fmt.Errorf("nothing to check; give --%s with a file, or --stdin", strings.Join(f.names, " or --"))
	}
	return sources, close, nil
}

// checkRecords tests the records of a task.
func (a *app) checkRecords(ctx context.Context, name string, task recordsTask, from recordFiles, o records.Options) error {
	sources, done, err := from.open(ctx, a, task.Kinds())
	defer done()
	if err != nil {
		return badInput(err)
	}
	laws, err := a.laws(ctx, task.Laws)
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
		if failed := a.writeAnyway(checks.RecordsReport(name, found)); failed != nil {
			return failed
		}
		return err
	}
	return a.show(func() *reports.Report { return checks.RecordsReport(name, found) })
}
