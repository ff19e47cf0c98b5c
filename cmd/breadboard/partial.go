package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"breadboard/experiments"
	"breadboard/reports"
)

// partialTime is the time that a run which has been interrupted takes to show what is done. It is within the grace of an interruption.
const partialTime = 500 * time.Millisecond

// showRows shows the report of the rows of a study, which has ended with an error or with none. Where the run has been interrupted it
// shows those rows that are finished, as partial, before it returns the error.
func showRows[R any](a *app, rows []R, err error, report func([]R) *reports.Report) error {
	if err == nil {
		return a.show(func() *reports.Report { return report(rows) })
	}
	return a.orPartial(err, len(rows), func() *reports.Report { return report(rows) })
}

// orPartial returns the error of a study. Where that is an interruption, and some rows are finished, it shows them first: the tables,
// without figures, in files whose names say that they are partial. It takes no longer than partialTime, and what it has not shown by then
// is lost.
func (a *app) orPartial(err error, finished int, report func() *reports.Report) error {
	if a.ctx.Err() == nil || finished == 0 {
		return err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(a.ctx), partialTime)
	defer cancel()
	var r *reports.Report
	if a.within(ctx, func() error { r = report().Partial(); return nil }) != nil {
		return err
	}
	names := &a.output.names
	names.Parameters = strings.TrimPrefix(names.Parameters+"_partial", "_")
	if a.writeWithin(ctx, r, true) == nil {
		a.note("partial: the run was interrupted, and these are the rows that were finished, %s; figures are left out", howMany(finished, err))
	}
	return err
}

// howMany says how many rows are finished, and of how many where the error of the study says so. A study may have several rows for each of
// its jobs.
func howMany(rows int, err error) string {
	u, known := errors.AsType[experiments.Unfinished](err)
	switch {
	case !known:
		return fmt.Sprintf("%d in all", rows)
	case rows == u.Finished:
		return fmt.Sprintf("%d of %d", rows, u.Jobs)
	}
	return fmt.Sprintf("%d in all, of %d of %d parts", rows, u.Finished, u.Jobs)
}
