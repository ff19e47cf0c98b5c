package study

import (
	"slices"
	"strconv"

	"breadboard/chains"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/table"
)

// WithFailures adds a note that says why subjects have failed, and a row for each of them at the
// end of the first table, which has only the subject and the reason. So the failure is in every
// format. The first, or if one is a fault that, becomes the report's Fault. It returns the report.
func WithFailures(r *reports.Report, failed subject.Failures) *reports.Report {
	if len(failed) == 0 {
		return r
	}
	for i, p := range r.Parts {
		if t, is := p.(reports.Table); is && t.Place == reports.AmongResults {
			t.Table = withRows(t.Content(), failed)
			if t.Machines != nil {
				t.Machines = withRows(t.Machines, failed)
			}
			r.Parts[i] = t
			break
		}
	}
	first := max(0, slices.IndexFunc(failed, func(f subject.Failure) bool { return chains.IsFault(f) }))
	for i, f := range failed {
		named := func(other subject.Failure) string { return other.Named().Error() }
		switch {
		case slices.ContainsFunc(failed[:i], func(other subject.Failure) bool { return named(other) == named(f) }):
		case r.Fault == nil && i == first:
			r.Fault = f.Named()
		default:
			r.Note("%w", f.Named())
		}
	}
	return r
}

// withRows returns the table with a row for each failure, where a column shows the first thing that
// tells its subject from others: the cells that do, and the note.
func withRows(t *table.Table, failed subject.Failures) *table.Table {
	out := *t
	out.Rows = slices.Clip(out.Rows)
	for _, f := range failed {
		row := make([]any, len(t.Columns))
		seen := false
		for i, c := range t.Columns {
			if c.Name == "note" {
				row[i] = f.Error()
			} else if value := f.Of.Get(c.Name); value != "" && c.Name != "" {
				row[i], seen = cell(c.Type, value), seen || c.Title != "" && c.Name == f.Of[0].Name
			}
		}
		if seen {
			out.Rows = append(out.Rows, row)
		}
	}
	return &out
}

// cell returns the value of a parameter as a cell of a type, and an empty cell where it is none.
func cell(t table.Type, value string) any {
	switch t {
	case table.Int:
		if n, err := strconv.Atoi(value); err == nil {
			return n
		}
	case table.Float:
		if v, err := strconv.ParseFloat(value, 64); err == nil {
			return v
		}
	case table.String:
		return value
	}
	return nil
}
