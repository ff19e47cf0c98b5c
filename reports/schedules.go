package reports

import (
	"fmt"
	"strconv"
	"strings"

	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/experiments/tuning"
)

// Schedules returns the table of the schedules that a selector can name.
func Schedules(forms []selector.Description) *Table {
	t := &Table{Columns: []Column{{Key: "selector", Title: "schedule"}, {Key: "formula", Title: "where the distributions sit"}, {Key: "source", Title: "source"}}}
	for _, f := range forms {
		t.Rows = append(t.Rows, []any{f.Syntax, f.Doc, f.Source})
	}
	return t
}

// OptimizedSchedules returns the table of best schedules; files are the names under which their betas are written,
// empty for none.
func OptimizedSchedules(rows []tuning.OptimumRow, files []string) *Table {
	t := &Table{Columns: []Column{
		{Key: "toy", Title: "toy"}, {Key: "T", Title: "T"}, {Key: "path"}, {Key: "initial"}, {Key: "kernel"},
		{Key: "objective", Title: "objective"}, {Key: "value", Title: "best (nats)"}, {Key: "linear", Title: "linear (nats)"},
		{Key: "ratio", Title: "linear/best", Digits: 5}, {Key: "gradient_norm", Title: "gradient", Digits: 2}, {Key: "relative_gradient"},
		{Title: "vanished"}, {Key: "vanished"}, {Key: "kinks"}, {Key: "start", Title: "from"}, {Key: "gradients"},
		{Key: "converged", Title: "converged"}, {Key: "file", Title: "file"}, {Key: "note"},
	}}
	for i := range rows {
		r := &rows[i]
		var vanished any
		if n := len(r.Vanished); n > 0 {
			vanished = fmt.Sprintf("%d of %d", n, r.T-1)
		}
		t.Rows = append(t.Rows, []any{
			r.Toy.Name, r.T, r.Path, r.Initial, r.Kernel,
			string(r.Objective), r.Value, r.Linear, r.Ratio(), r.Gradient, r.Relative,
			vanished, stages(r.Vanished), stages(r.Kinks), r.Start, r.Runs, r.Converged, files[i], r.Reason,
		})
	}
	return t
}

// stages writes a list of stages as text.
func stages(list []int) string {
	return strings.Trim(fmt.Sprint(list), "[]")
}

// BetasCSV returns the betas of a schedule, one a line, so that they read back as themselves.
func BetasCSV(s *chains.Points) []byte {
	var b []byte
	for t := 1; t <= s.Len(); t++ {
		b = append(strconv.AppendFloat(b, s.Beta(t, s.Len()), 'g', -1, 64), '\n')
	}
	return b
}

// ComparedSchedules returns the table of schedules beside the best ones.
func ComparedSchedules(rows []tuning.Row) *Table {
	t := &Table{Columns: []Column{
		{Key: "toy", Title: "toy"}, {Key: "T", Title: "T"}, {Key: "path"}, {Key: "initial"}, {Key: "schedule", Title: "schedule"}, {Key: "kernel"},
		{Key: "B", Title: "B (nats)"}, {Key: "J", Title: "J (nats)"},
		{Key: "B_over_optimum", Title: "B/best", Digits: 5}, {Key: "J_over_optimum", Title: "J/best", Digits: 5},
		{Key: "asymptotic_TB", Title: "T B, T large", Digits: 9}, {Key: "note"},
	}}
	for i := range rows {
		r := &rows[i]
		t.Rows = append(t.Rows, []any{
			r.Toy.Name, r.T, r.Path, r.Initial, r.Schedule, r.Kernel,
			orNil(r.B), orNil(r.J), orNil(r.BOverOptimum), orNil(r.JOverOptimum), orNil(r.AsymptoticTB), r.Note,
		})
	}
	return t
}
