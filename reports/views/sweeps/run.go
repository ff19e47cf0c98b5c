package sweeps

import (
	"fmt"

	"breadboard/chains"
	"breadboard/experiments/sweep"
	"breadboard/reports"
)

// SweepRunReport returns the report of a run of a shard, which ended with an error or nil: how many cells it has solved.
// It has notes only, since the results are in the folder of the sweep, and a Fault where cells of the shard have failed, now or before.
func SweepRunReport(shard sweep.Shard, a sweep.Account, err error) *reports.Report {
	r := &reports.Report{}
	if a.Cut > 0 {
		r.Note("cut %d bytes of an unfinished line from the end of shard %v", a.Cut, shard)
	}
	if a.Cells > 0 || err == nil {
		before := ""
		if a.FailedBefore > 0 {
			before = fmt.Sprintf(" (%d of them failed)", a.FailedBefore)
		}
		r.Note("shard %v: %d cells, %d finished before%s, %d solved now, %d of them failed", shard, a.Cells, a.Finished, before, a.Solved, a.Failed)
	}
	if a.GivenUp > 0 {
		r.Note("%s", givenUp(a.GivenUp))
	}
	if failed := a.FailedBefore + a.Failed; failed > 0 {
		r.Fault = chains.NewFault(fmt.Errorf("%d of the %d cells of shard %v failed", failed, a.Cells, shard))
	}
	return r
}

// SweepExtensionReport returns the report of what becomes of the cells of a folder whose sweep is extended: notes only, and none
// where it is not.
func SweepExtensionReport(e *sweep.Extension) *reports.Report {
	r := &reports.Report{}
	if e == nil {
		return r
	}
	r.Note("the folder held another sweep: %d of its cells are in this one and keep the results that they have, and %d are new", e.Kept, e.New)
	if e.Gone > 0 {
		r.Note("%d cells of it are no longer there, the first of them %s; their results stay in the folder and count no more", e.Gone, e.First)
	}
	return r
}

// givenUp says what becomes of cells that were in progress when a run was interrupted.
func givenUp(cells int) string {
	what := "1 cell in progress was"
	if cells > 1 {
		what = fmt.Sprintf("%d cells in progress were", cells)
	}
	return what + " given up, and the next run begins anew with them: the longest cells are started first"
}
