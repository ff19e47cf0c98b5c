package sweep

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/reports/table"
)

// MergedReport returns the report of the merged results of a sweep. It has a Fault if cells have
// failed. If files have the rows, people read a summary.
func MergedReport(m *Merged, inFiles bool) *reports.Report {
	r := &reports.Report{}
	t := reports.Table{Name: "sweep", Table: Table(m)}
	if inFiles {
		t.Brief = table.New(sweepFields(m.Sweep), []Row(nil))
		t.Summary = func(func(string) string) string {
			return fmt.Sprintf("%d of %d cells of %s have results\n", m.Sweep.Len()-m.Missing, m.Sweep.Len(),
				m.Sweep.Study().Name)
		}
	}
	r.Add(t)
	failed := 0
	first := ""
	for _, row := range m.Rows {
		if row.Error == "" {
			continue
		}
		failed++
		if failed == 1 {
			first = reports.OneLine(row.Cell.String() + ": " + row.Error)
		}
	}
	if failed > 0 {
		r.Fault = chains.NewFault(
			errs.New("%d of %d cells failed, and the column error says why; the first of them is %s",
				failed, m.Sweep.Len(), first),
		)
	}
	return r
}

// Table returns the table of merged results. For machines it has every parameter and every value of
// the study, a note, and why a cell failed; for people the parameters that vary, the values that
// the study shows, and errors.
func Table(m *Merged) *table.Table { return table.New(sweepFields(m.Sweep), m.Rows) }

func sweepFields(s *Sweep) columns.List {
	fields := MergedFields(s.studies.Forms, s.Study())
	for i := range s.Study().Parameters {
		if name := fields[i].Name; name == "toy" || name == "T" || len(s.Values(name)) > 1 {
			fields[i] = fields[i].Titled(name)
		}
	}
	return fields
}

// MergedFields returns the fields of the results of a study, those of its parameters first and
// without titles.
func MergedFields(forms subject.Forms, study *subject.Question) columns.List {
	parameters := columns.Lift(parameterFields(forms, study), func(r *Row) *Cell { return &r.Cell })
	return slices.Concat(parameters, valueFields(study), columns.List{
		columns.Note(func(r *Row) string {
			if r.Values == nil {
				return ""
			}
			return r.Note
		}),
		columns.Of("error", "error", "why the cell failed; empty if it did not",
			func(r *Row) string { return r.Error }).OrEmpty().Answer().Prose(),
	})
}

// valueFields returns the fields of the values of a study, nil if a cell failed.
func valueFields(study *subject.Question) columns.List {
	fields := make(columns.List, len(study.Values))
	for i, v := range study.Values {
		fields[i] = columns.ForPeople("", func(r *Row) any {
			if r.Error != "" {
				return nil
			}
			if v.Missing {
				return columns.OrEmpty(r.Get(v.Name))
			}
			return r.Get(v.Name)
		})
		c := valueColumn(v)
		fields[i].Column = &c
	}
	return fields
}

// valueColumn returns the column of a value of a study, which people see where its study says so.
func valueColumn(v subject.Value) table.Column {
	c := v.Column
	c.Type = table.Float
	if !v.Shown {
		c.Title = ""
	} else if c.Title == "" {
		c.Title = strings.ReplaceAll(v.Name, "_", " ")
	}
	return c
}

// parameterFields returns the fields of the parameters of a cell, which are for machines.
func parameterFields(forms subject.Forms, study *subject.Question) columns.List {
	var fields columns.List
	for _, name := range subject.ColumnOrder(subject.Names(study.Parameters)) {
		p, _ := subject.FindParameter(study.Parameters, name)
		f := columns.Any(name, "", subject.TypeOf(p), p.Doc, func(c *Cell) any {
			return forms.CellOf(p, c.Get(name))
		})
		fields = append(fields, f)
	}
	return fields
}

// PlanReport returns the report of what a sweep will take.
func PlanReport(p Plan) *reports.Report { return reports.New("sweep_plan", PlanTable(p)) }

// PlanTable returns the table of what a sweep will take, in one row.
func PlanTable(p Plan) *table.Table {
	return table.New(columns.List{
		columns.Of("cells", "cells", "the number of all cells", func(p *Plan) int { return p.Cells }),
		columns.Of("grid_cells", "of the grid", "the number of cells that are combinations of the grid",
			func(p *Plan) int { return p.GridCells }),
		columns.Of("cases", "cases", "the number of single cells beside the grid",
			func(p *Plan) int { return p.Cases }),
		columns.Of("states", "states, at most", "the number of states of the largest space",
			func(p *Plan) int { return p.States }),
		columns.Of("steps", "steps", "the number of steps of all annealings",
			func(p *Plan) float64 { return p.Steps }).Digits(4),
		columns.Of("seconds", "(s)", "the time of all cells on one core",
			func(p *Plan) float64 { return p.Time.Seconds() }),
		columns.ForPeople("time, one core", func(p *Plan) any { return WriteTime(p.Time) }),
		columns.Of("longest_seconds", "(s)", "the time of the most expensive cell on one core",
			func(p *Plan) float64 { return p.Longest.Seconds() }),
		columns.ForPeople("longest cell", func(p *Plan) any { return WriteTime(p.Longest) }),
		columns.Of("memory_bytes", "(bytes)", "the memory that a process with one worker takes",
			func(p *Plan) float64 { return p.Memory }),
		columns.ForPeople("memory, one worker", func(p *Plan) any { return bytesText(p.Memory) }),
		columns.Of("disk_bytes", "(bytes)", "what results and log take on the disk",
			func(p *Plan) float64 { return p.Disk }),
		columns.ForPeople("disk", func(p *Plan) any { return bytesText(p.Disk) }),
	}, []Plan{p})
}

// WriteTime writes a time for people, with two units at most.
func WriteTime(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return "under 1ms"
	case d < time.Second:
		return d.Round(time.Millisecond).String()
	case d < time.Minute:
		return d.Round(time.Second / 10).String()
	case d < time.Hour:
		return d.Round(time.Second).String()
	case d < 48*time.Hour:
		return strings.TrimSuffix(d.Round(time.Minute).String(), "0s")
	}
	return fmt.Sprintf("%.1f days", d.Hours()/24)
}

// bytesText writes a number of bytes for people.
func bytesText(v float64) string {
	units := []string{"B", "kB", "MB", "GB", "TB"}
	k := max(0, min(len(units)-1, int(number.Log10(max(1, v))/3)))
	return fmt.Sprintf("%.3g %s", v/math.Pow10(3*k), units[k])
}

// maxFailures is how many failed cells are named.
const maxFailures = 20

// StatusReport returns the report of how far a sweep has come, which names the cells that
// failed.
func StatusReport(s *Status) *reports.Report {
	r := reports.New("sweep_status", StatusTable(s))
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
	cells          any // nil if it is not known
	done, failed   int
	missing        any // nil if it is not known
	state, process string
}

// StatusTable returns the table of how far each shard has come, and in the last row the sweep.
func StatusTable(s *Status) *table.Table {
	var rows []shardRow
	for _, one := range s.Shards {
		row := shardRow{
			folder:  one.Dir,
			shard:   one.Shard.String(),
			done:    one.Done,
			failed:  one.Failed,
			state:   string(one.State),
			process: one.Process,
		}
		if one.Cells > 0 || one.State == Complete && one.Done == 0 {
			// else it is not known how many fall to it
			row.cells = one.Cells
			row.missing = max(0, one.Cells-one.Done)
		}
		rows = append(rows, row)
	}
	all := shardRow{
		shard:   "all",
		cells:   s.Cells,
		done:    s.Done,
		failed:  s.Failed,
		missing: s.Missing(),
		state:   string(Complete),
	}
	if s.Missing() > 0 {
		all.state = "incomplete"
	}
	return table.New(columns.List{
		columns.Any("folder", "", columns.String, "the folder of the shard; empty in the row of the whole sweep",
			func(r *shardRow) any { return r.folder }),
		columns.Of("shard", "shard", "the shard, as i/n, or all for the whole sweep",
			func(r *shardRow) string { return r.shard }),
		columns.Any("cells", "cells", columns.Int, "the number of cells of the shard; empty if that is not known",
			func(r *shardRow) any { return r.cells }),
		columns.Of("done", "done", "the number of cells that have a result, failed ones among them",
			func(r *shardRow) int { return r.done }),
		columns.Of("failed", "failed", "the number of cells that failed", func(r *shardRow) int { return r.failed }),
		columns.Any("missing", "missing", columns.Int,
			"the number of cells that have no result yet; empty if that is not known",
			func(r *shardRow) any { return r.missing }),
		columns.Of("state", "state", "what has become of the shard, such as complete or running",
			func(r *shardRow) string { return r.state }),
		columns.Of("process", "process", "the process that works on the shard, if there is one",
			func(r *shardRow) string { return r.process }),
	}, append(rows, all))
}

// RunReport returns the report of a run of a shard, which ended with an error or nil: how many
// cells it has solved. It has notes only, since the results are in the folder of the sweep, and a
// Fault if cells of the shard have failed, now or before.
func RunReport(shard Shard, a Account, err error) *reports.Report {
	r := &reports.Report{}
	if a.Cut > 0 {
		r.Note("cut %d bytes of an unfinished line from the end of shard %v", a.Cut, shard)
	}
	if a.Cells > 0 || err == nil {
		before := ""
		if a.FailedBefore > 0 {
			before = fmt.Sprintf(" (%d of them failed)", a.FailedBefore)
		}
		r.Note("shard %v: %d cells, %d finished before%s, %d solved now, %d of them failed", shard, a.Cells,
			a.Finished, before, a.Solved, a.Failed)
	}
	if a.GivenUp > 0 {
		r.Note("%s", givenUp(a.GivenUp))
	}
	if failed := a.FailedBefore + a.Failed; failed > 0 {
		r.Fault = chains.NewFault(fmt.Errorf("%d of the %d cells of shard %v failed", failed, a.Cells, shard))
	}
	return r
}

// ExtensionReport returns the report of the cells of a folder whose sweep is extended: only
// notes, and none if it is not extended.
func ExtensionReport(e *Extension) *reports.Report {
	r := &reports.Report{}
	if e == nil {
		return r
	}
	r.Note("the folder held another sweep: %d of its cells are in this one and keep the results that they "+
		"have, and %d are new",
		e.Kept, e.New)
	if e.Gone > 0 {
		r.Note("%d cells of it are no longer there, the first of them %s; their results stay in the "+
			"folder and count no more",
			e.Gone, e.First)
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
