package sweeps

import (
	"breadboard/experiments/sweep"
	"breadboard/reports"
	"breadboard/reports/table"
)

// maxFailures is how many failed cells are named.
const maxFailures = 20

// SweepStatusReport returns the report of how far a sweep has come, which names the cells that failed.
func SweepStatusReport(s *sweep.Status) *reports.Report {
	r := reports.New("sweep_status", SweepStatus(s))
	for i, row := range s.Failures {
		if i == maxFailures {
			r.Note("and %d more", len(s.Failures)-maxFailures)
			break
		}
		r.Note("failed: %s", reports.OneLine(row.Cell.String()+": "+row.Error))
	}
	return r
}

// shardRow is how far a shard has come, or the whole sweep.
type shardRow struct {
	folder         any // nil for the whole sweep
	shard          string
	cells          any // nil where it is not known
	done, failed   int
	missing        any // nil where it is not known
	state, process string
}

func shardFields() []table.Field[shardRow] {
	return []table.Field[shardRow]{
		{Column: table.Column{Name: "folder", Type: table.String, Meaning: "the folder of the shard; empty in the row of the whole sweep"}, Of: func(r *shardRow) any { return r.folder }},
		{Column: table.Column{Name: "shard", Type: table.String, Title: "shard", Meaning: "the shard, as i/n, or all for the whole sweep"}, Of: func(r *shardRow) any { return r.shard }},
		{Column: table.Column{Name: "cells", Type: table.Int, Title: "cells", Meaning: "the number of cells of the shard; empty where that is not known"}, Of: func(r *shardRow) any { return r.cells }},
		{Column: table.Column{Name: "done", Type: table.Int, Title: "done", Meaning: "the number of cells that have a result, failed ones among them"}, Of: func(r *shardRow) any { return r.done }},
		{Column: table.Column{Name: "failed", Type: table.Int, Title: "failed", Meaning: "the number of cells that failed"}, Of: func(r *shardRow) any { return r.failed }},
		{Column: table.Column{Name: "missing", Type: table.Int, Title: "missing", Meaning: "the number of cells that have no result yet; empty where that is not known"}, Of: func(r *shardRow) any { return r.missing }},
		{Column: table.Column{Name: "state", Type: table.String, Title: "state", Meaning: "what has become of the shard, such as complete or running"}, Of: func(r *shardRow) any { return r.state }},
		{Column: table.Column{Name: "process", Type: table.String, Title: "process", Meaning: "the process that works on the shard, where there is one"}, Of: func(r *shardRow) any { return r.process }},
	}
}

// SweepStatus returns the table of how far each shard has come, and in the last row the sweep.
func SweepStatus(s *sweep.Status) *table.Table {
	var rows []shardRow
	for _, one := range s.Shards {
		row := shardRow{folder: one.Dir, shard: one.Shard.String(), done: one.Done, failed: one.Failed, state: string(one.State), process: one.Process}
		if one.Cells > 0 || one.State == sweep.Complete && one.Done == 0 { // else nobody has said how many fall to it
			row.cells, row.missing = one.Cells, max(0, one.Cells-one.Done)
		}
		rows = append(rows, row)
	}
	all := shardRow{shard: "all", cells: s.Cells, done: s.Done, failed: s.Failed, missing: s.Missing(), state: string(sweep.Complete)}
	if s.Missing() > 0 {
		all.state = "incomplete"
	}
	return table.New(shardFields(), append(rows, all))
}
