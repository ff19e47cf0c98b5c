package reports

import (
	"fmt"
	"math"
	"strings"
	"time"

	"breadboard/exact"
	"breadboard/experiments/sweep"
	"breadboard/experiments/tightness"
)

// Sweep returns the table of merged results: for machines the fields of the tightness table, less what is printed
// of them, and why a cell failed; for people the parameters that vary, J, B and errors.
func Sweep(m *sweep.Merged) *Table {
	t := &Table{}
	order := sweepOrder()
	for _, name := range order {
		c := Column{Key: name, Like: ""}
		if name == "T" {
			c.Like = 0
		}
		if name == "toy" || name == "T" || len(m.Sweep.Values(name)) > 1 {
			c.Title = name
		}
		t.Columns = append(t.Columns, c)
	}
	for _, q := range measures() {
		t.Columns = append(t.Columns, Column{Key: q.key, Title: q.title, Digits: q.digits, Like: 0.0})
	}
	t.Columns = append(t.Columns, Column{Key: "note", Like: ""}, Column{Key: "error", Title: "error", Like: ""})
	t.Rows = make([][]any, len(m.Rows))
	for i := range m.Rows {
		t.Rows[i] = sweepRow(&m.Rows[i], order)
	}
	return t
}

// sweepOrder returns the names of the parameters as the tightness table has them: T is the second.
func sweepOrder() []string {
	order := []string{"toy", "T"}
	for _, name := range sweep.Parameters() {
		if name != "toy" && name != "T" {
			order = append(order, name)
		}
	}
	return order
}

// cellParameters returns the parameters of a cell, with room for what follows in its row.
func cellParameters(c sweep.Cell, order []string) []any {
	cells := make([]any, 0, len(order)+len(measures())+2)
	for _, name := range order {
		if name == "T" {
			cells = append(cells, c.Distributions())
		} else {
			cells = append(cells, c.Get(name))
		}
	}
	return cells
}

func sweepRow(r *sweep.Row, order []string) []any {
	cells := cellParameters(r.Cell, order)
	for _, q := range measures() {
		if r.Error != "" {
			cells = append(cells, nil)
			continue
		}
		v := q.of(r)
		if q.key == "dominant_mode_mass" {
			cells = append(cells, orNil(v))
		} else {
			cells = append(cells, v)
		}
	}
	var failure any
	if r.Error != "" {
		failure = r.Error
	}
	return append(cells, r.Note, failure)
}

// measure is a number of a merged row.
type measure struct {
	key, title string
	digits     int
	of         func(*sweep.Row) float64
}

// measures lists them in the order of the tightness table.
func measures() []measure {
	ratios := func(r *sweep.Row) *tightness.Row {
		return &tightness.Row{Solution: &exact.Solution{J: float64(r.J), B: float64(r.B)}}
	}
	return []measure{
		{"J", "J (nats)", 0, func(r *sweep.Row) float64 { return float64(r.J) }},
		{"B", "B (nats)", 0, func(r *sweep.Row) float64 { return float64(r.B) }},
		{"kl_q_p", "", 0, func(r *sweep.Row) float64 { return float64(r.KLQP) }},
		{"kl_p_q", "", 0, func(r *sweep.Row) float64 { return float64(r.KLPQ) }},
		{"mean_log_w_forward", "", 0, func(r *sweep.Row) float64 { return float64(r.MeanLogWForward) }},
		{"mean_log_w_reverse", "", 0, func(r *sweep.Row) float64 { return float64(r.MeanLogWReverse) }},
		{"log_z_ratio", "", 0, func(r *sweep.Row) float64 { return float64(r.LogZRatio) }},
		{"B_over_J", "B/J", 5, func(r *sweep.Row) float64 { return ratios(r).Ratio() }},
		{"relative_gap", "", 0, func(r *sweep.Row) float64 { return ratios(r).RelativeGap() }},
		{"relative_gap_rounded", "", 0, func(r *sweep.Row) float64 { return ratios(r).RoundedGap() }},
		{"dominant_mode_mass", "", 0, func(r *sweep.Row) float64 { return float64(r.DominantModeMass) }},
	}
}

// SweepPlan returns the table of what a sweep will take, in one row.
func SweepPlan(p sweep.Plan) *Table {
	return &Table{
		Columns: []Column{
			{Key: "cells", Title: "cells"}, {Key: "grid_cells", Title: "of the grid"}, {Key: "cases", Title: "cases"},
			{Key: "states", Title: "states, at most"}, {Key: "steps", Title: "steps", Digits: 4},
			{Key: "seconds"}, {Title: "time, one core"}, {Key: "longest_seconds"}, {Title: "longest cell"},
			{Key: "memory_bytes"}, {Title: "memory, one worker"}, {Key: "disk_bytes"}, {Title: "disk"},
		},
		Rows: [][]any{{
			p.Cells, p.GridCells, p.Cases, p.States, p.Steps,
			p.Time.Seconds(), about(p.Time), p.Longest.Seconds(), about(p.Longest),
			p.Memory, bytesText(p.Memory), p.Disk, bytesText(p.Disk),
		}},
	}
}

// SweepCells returns the table of the cells of a sweep, in their order.
func SweepCells(s *sweep.Sweep) *Table {
	t := &Table{}
	order := sweepOrder()
	for _, name := range order {
		t.Columns = append(t.Columns, Column{Key: name, Title: name})
	}
	t.Columns = append(t.Columns, Column{Key: "key", Title: "key"})
	for i := range s.Len() {
		c := s.Cell(i)
		t.Rows = append(t.Rows, append(cellParameters(c, order), s.Key(c).String()))
	}
	return t
}

// SweepStatus returns the table of how far each shard has come, and in the last row the sweep.
func SweepStatus(s *sweep.Status) *Table {
	t := &Table{Columns: []Column{
		{Key: "folder"}, {Key: "shard", Title: "shard"}, {Key: "cells", Title: "cells"}, {Key: "done", Title: "done"},
		{Key: "failed", Title: "failed"}, {Key: "missing", Title: "missing"}, {Key: "state", Title: "state"}, {Key: "process", Title: "process"},
	}}
	for _, one := range s.Shards {
		var cells, missing any
		if one.Cells > 0 || one.State == sweep.Complete {
			cells, missing = one.Cells, max(0, one.Cells-one.Done)
		}
		t.Rows = append(t.Rows, []any{one.Dir, one.Shard.String(), cells, one.Done, one.Failed, missing, string(one.State), one.Process})
	}
	state := sweep.Complete
	if s.Missing() > 0 {
		state = "incomplete"
	}
	t.Rows = append(t.Rows, []any{nil, "all", s.Cells, s.Done, s.Failed, s.Missing(), string(state), ""})
	return t
}

// about writes a time for people, with two units at most.
func about(d time.Duration) string {
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
	k := max(0, min(len(units)-1, int(math.Log10(max(1, v))/3)))
	return fmt.Sprintf("%.3g %s", v/math.Pow10(3*k), units[k])
}
