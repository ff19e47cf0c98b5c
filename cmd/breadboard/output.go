package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"breadboard/chains/errs"
	"breadboard/chains/work"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/reports/table"
)

// output says where results are written, and in which format: it holds the flags --format and
// --out.
type output struct {
	format table.Format
	dir    string
	called string // the name of the run, from --name; empty for none
	files  *reports.Directory
	figureFlags
	tableFlags
	required []table.Condition // the conditions of --check-that
	plots    []columns.Plot    // those of --plot
	junit    junit
	names    reports.FileNames // how the tables and figures of the run are called there

	notes    []string    // about the input, said when there are results
	recorded bool        // whether the run is recorded there
	claims   bool        // whether its files have a name that no other run has there
	run      reports.Run // the run, for the record
	inputs   []input     // what it reads
	began    time.Time
	given    func(flag string) bool // whether the run was given a flag
}

func (o *output) addFlags(c *cobra.Command) {
	o.format = table.Text
	flags := c.PersistentFlags()
	flags.Var(parsed(&o.format, "FORMAT", func(f table.Format) string { return string(f) },
		table.ParseFormat), "format", ": "+
		strings.Join(table.Formats(), ", "))
	flags.StringVar(&o.dir, "out", "", "; run.json says how they were made")
	flags.Var(parsed(&o.called, "RUN", asIs, reports.ParseRun), "name", "")
	flags.Var(conditions(&o.required), "check-that", "")
	flags.Var(plotList{&o.plots}, "plot", "")
	o.tableFlags.addFlags(c)
	o.figureFlags.addFlags(c)
}

// wanted returns which of the columns of a table, and of others, are wanted: those of --columns and
// --check-that. All are where files are written, since figures show others as well.
func (o *output) wanted(all columns.List, others ...string) columns.Wanted {
	if len(o.columns) == 0 || o.dir != "" {
		return nil
	}
	names := slices.Clone(o.columns)
	for _, c := range o.required {
		names = append(names, c.Column)
	}
	return columns.WantedOf(all, names, others...)
}

// makeFolder makes the directory --out, and fails if nothing can be written to it. It is called
// when the input is known to be good and before anything is computed. Files of the run then have
// their names.
func (a *app) makeFolder(ctx context.Context) (err error) {
	o := &a.output
	if info, err := os.Stat(o.dir); err == nil && !info.IsDir() {
		return ioFailure(errs.New("--out %s is a file; give a directory", o.dir))
	}
	if o.dir != "" {
		open := reports.OpenDirectory
		if o.recorded {
			open = reports.OpenRecorded
		}
		o.files, err = open(o.dir)
		if err == nil {
			a.leftovers.addCleanup(o.files.Abandon)
		}
	}
	if err == nil && o.dir != "" && o.claims {
		err = a.claimName(ctx)
	}
	if _, bad := errors.AsType[reports.BadRecord](err); bad {
		return badInput(err)
	}
	return ioFailure(err)
}

// claimName numbers the run, if the folder has files of another one of the command.
func (a *app) claimName(ctx context.Context) (err error) {
	o := &a.output
	stop := a.sayWaiting(o.files.Path(reports.RunRecordName))
	o.names.Number, err = o.files.Claim(ctx, o.names.Study, o.names.Question)
	stop()
	if err != nil {
		return err
	}
	o.run.Name = o.names.NameOf("")
	if o.names.Number > 1 {
		a.note("%s has other files called %s; this run calls its own %s", o.dir, o.names.Study, o.run.Name)
	}
	return nil
}

// inTime does work that writes to standard output only, and abandons it if the run is interrupted.
// It is shown where it takes long.
func (a *app) inTime(ctx context.Context, job func() error) error {
	_, done := a.progress("making the output", -1)
	defer done()
	return a.within(ctx, job)
}

// within does what inTime does, for a context of its own.
func (a *app) within(ctx context.Context, job func() error) error {
	var err error
	if ended := work.Unless(ctx, func() { err = job() }); ended != nil {
		return ended
	}
	return err
}

// show makes a report and writes it. It returns the report's Fault with its exit code. A report
// that takes long to make is abandoned if the run is interrupted.
func (a *app) show(ctx context.Context, make func() *reports.Report) error {
	var r *reports.Report
	if err := a.inTime(ctx, func() error { r = make(); return nil }); err != nil {
		return err
	}
	var refused error // what the results show to be wrong input, which takes none of them away
	if len(a.output.required) > 0 {
		if err := r.Require(a.output.required); err != nil {
			refused = fmt.Errorf("--check-that: %w", err)
		}
	}
	for _, p := range a.output.plots {
		if err := addPlot(r, p); err != nil {
			refused = cmp.Or(refused, fmt.Errorf("--plot: %w", err))
		}
	}
	if err := errors.Join(a.writeJUnit(r), a.write(ctx, r)); err != nil {
		return err
	}
	if refused != nil && r.Fault != nil {
		refused = fmt.Errorf("%w; %w", refused, r.Fault)
	}
	if refused != nil {
		return badInput(refused)
	}
	return studyFailure(r.Fault)
}

// present opens the output, and makes and shows a report.
func (a *app) present(ctx context.Context, make func() *reports.Report) error {
	if err := a.makeFolder(ctx); err != nil {
		return err
	}
	return a.show(ctx, make)
}

// showFixed opens the output and shows a report that needs no computation.
func (a *app) showFixed(ctx context.Context, r *reports.Report) error {
	return a.present(ctx, func() *reports.Report { return r })
}

// write writes a report to standard output and standard error, and to --out.
func (a *app) write(ctx context.Context, r *reports.Report) error {
	return a.writeWithin(ctx, r, false)
}

// writeAnyway writes a report although the run has been interrupted. The program ends shortly
// afterwards, whether or not there is a reader.
func (a *app) writeAnyway(ctx context.Context, r *reports.Report) error {
	return a.writeWithin(context.WithoutCancel(ctx), r, true)
}

// writeWithin writes a report and the record of the run, which is partial if the run has been
// interrupted.
func (a *app) writeWithin(ctx context.Context, r *reports.Report, partial bool) error {
	for _, n := range a.output.notes {
		a.noteInput(n)
	}
	run := &a.output.run
	var late error // what only the results can refuse, which takes none of them away
	if a.output.table != "" {
		if err := r.Only(run.Study, a.output.table); err != nil {
			late = badInput(fmt.Errorf("--table: %w", err))
		}
	}
	run.Notes = append(run.Notes, a.output.notes...)
	a.output.notes = nil
	out := reports.Output{
		Results:       a.stdout,
		Messages:      a.stderr,
		Width:         widthOf(a.stderr),
		Terminal:      a.terminal(a.stdout),
		Format:        a.output.format,
		Files:         a.output.files,
		Names:         a.output.names,
		Words:         inFlags,
		Doubt:         a.getenv("BREADBOARD_DOUBT"),
		Tables:        a.tableStyle(),
		Columns:       a.output.columns,
		Style:         a.output.style,
		FigureFormats: a.output.formats,
	}
	err := out.Write(ctx, r)
	run.Notes = append(run.Notes, out.Said()...)
	if r.Fault != nil {
		run.Fault = errs.InWords(r.Fault, inFlags)
	}
	if _, failed := errors.AsType[reports.WriteError](err); failed {
		return ioFailure(err)
	}
	if err != nil && ctx.Err() != nil && a.output.files != nil && a.output.files.Written() > 0 {
		// the run has ended, and there is nothing more to do where this fails
		_ = a.record(context.WithoutCancel(ctx), true)
	}
	if err != nil {
		return err
	}
	return cmp.Or(a.record(ctx, partial), late)
}

// addDetail adds the flags of a check that say where its findings are shown: -v, for inDetail, and
// --junit.
func (a *app) addDetail(f *pflag.FlagSet, verbose *bool) {
	a.addJUnit(f)
	f.BoolVarP(verbose, "verbose", "v", false, "")
	onlyPresents(f, "verbose")
}

// inDetail returns a report with its whole tables if the user has asked for them, and else as it
// is, with what people need first.
func inDetail(r *reports.Report, verbose bool) *reports.Report {
	if verbose {
		return r.ShowWhole()
	}
	return r
}

// partialTime is the time that a run which has been interrupted takes to show what is done. It is
// within the grace of an interruption.
const partialTime = 500 * time.Millisecond

// showRows shows the report of the rows of a study, which has ended with an error or with none.
// Where only some subjects have failed, the report says so in their places. If the run has been
// interrupted it shows those rows that are finished, as partial, before it returns the error.
func showRows[R any](ctx context.Context, a *app, rows []R, err error, report func([]R) *reports.Report) error {
	return a.showRows(ctx, rows, err, reports.Untyped(report))
}

// showRows is that for rows without their type.
func (a *app) showRows(ctx context.Context, rows any, err error, report reports.View) error {
	var failed subject.Failures
	n, _ := columns.Rows(rows)
	err = failed.KeepBeside(ctx, n, err)
	if err == nil {
		return a.show(ctx, func() *reports.Report { return study.WithFailures(report(rows), failed) })
	}
	return a.orPartial(ctx, err, n, func() *reports.Report { return report(rows) })
}

// orPartial returns the error of a study. If that is an interruption, and some rows are finished,
// it shows them first: the tables, without figures, in files whose names say that they are partial.
// It takes no longer than partialTime, and what it has not shown by then is lost.
func (a *app) orPartial(ctx context.Context, err error, finished int, report func() *reports.Report) error {
	if ctx.Err() == nil || finished == 0 {
		return err
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	go func() {
		select {
		case <-a.after(partialTime):
			cancel()
		case <-ctx.Done():
		}
	}()
	var r *reports.Report
	if a.within(ctx, func() error { r = report().Partial(); return nil }) != nil {
		return err
	}
	names := &a.output.names
	names.Partial = true
	if a.writeWithin(ctx, r, true) == nil {
		a.note("partial: the run was interrupted, and these are the rows that were finished, %s; figures are left out",
			howMany(finished, err))
	}
	return err
}

// howMany says how many rows are finished, and of how many where the error of the study says so. A
// study may have several rows for each of its jobs.
func howMany(rows int, err error) string {
	u, known := errors.AsType[subject.Unfinished](err)
	switch {
	case !known:
		return fmt.Sprintf("%d in all", rows)
	case rows == u.Finished:
		return fmt.Sprintf("%d of %d", rows, u.Jobs)
	}
	return fmt.Sprintf("%d in all, of %d of %d parts", rows, u.Finished, u.Jobs)
}
