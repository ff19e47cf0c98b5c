package sweeps

import (
	"fmt"
	"math"
	"strings"
	"time"

	"breadboard/experiments"
	"breadboard/experiments/sweep"
	"breadboard/reports"
	"breadboard/reports/table"
)

// SweepPlanReport returns the report of what a sweep will take.
func SweepPlanReport(p sweep.Plan) *reports.Report { return reports.New("sweep_plan", SweepPlan(p)) }

// SweepPlan returns the table of what a sweep will take, in one row.
func SweepPlan(p sweep.Plan) *table.Table {
	return table.New([]table.Field[sweep.Plan]{
		{Column: table.Column{Name: "cells", Type: table.Int, Title: "cells", Meaning: "the number of all cells"}, Of: func(p *sweep.Plan) any { return p.Cells }},
		{Column: table.Column{Name: "grid_cells", Type: table.Int, Spare: 1, Title: "of the grid", Meaning: "the number of cells that are combinations of the grid"}, Of: func(p *sweep.Plan) any { return p.GridCells }},
		{Column: table.Column{Name: "cases", Type: table.Int, Spare: 1, Title: "cases", Meaning: "the number of single cells beside the grid"}, Of: func(p *sweep.Plan) any { return p.Cases }},
		{Column: table.Column{Name: "states", Type: table.Int, Title: "states, at most", Meaning: "the number of states of the largest space"}, Of: func(p *sweep.Plan) any { return p.States }},
		{Column: table.Column{Name: "steps", Type: table.Float, Title: "steps", Digits: 4, Meaning: "the number of steps of all annealings"}, Of: func(p *sweep.Plan) any { return p.Steps }},
		{Column: table.Column{Name: "seconds", Type: table.Float, Title: "time, one core", Unit: "s", Bare: true, Meaning: "the time of all cells on one core"}, Of: func(p *sweep.Plan) any { return table.Both{Machine: p.Time.Seconds(), People: About(p.Time)} }},
		{Column: table.Column{Name: "longest_seconds", Type: table.Float, Title: "longest cell", Unit: "s", Bare: true, Meaning: "the time of the most expensive cell on one core"}, Of: func(p *sweep.Plan) any { return table.Both{Machine: p.Longest.Seconds(), People: About(p.Longest)} }},
		{Column: table.Column{Name: "memory_bytes", Type: table.Float, Title: "memory, one worker", Unit: "bytes", Bare: true, Meaning: "the memory that a process with one worker takes"}, Of: func(p *sweep.Plan) any { return table.Both{Machine: p.Memory, People: bytesText(p.Memory)} }},
		{Column: table.Column{Name: "disk_bytes", Type: table.Float, Title: "disk", Unit: "bytes", Bare: true, Meaning: "the room that results and log take on the disk"}, Of: func(p *sweep.Plan) any { return table.Both{Machine: p.Disk, People: bytesText(p.Disk)} }},
	}, []sweep.Plan{p})
}

// SweepCellsReport returns the report of the cells of a sweep.
func SweepCellsReport(s *sweep.Sweep) *reports.Report {
	return reports.New("sweep_cells", SweepCells(s))
}

// SweepCells returns the table of the cells of a sweep, in their order.
func SweepCells(s *sweep.Sweep) *table.Table {
	cells := make([]sweep.Cell, s.Len())
	for i := range cells {
		cells[i] = s.Cell(i)
	}
	return table.New(CellFields(s.Study(), s.Key), cells)
}

// CellFields returns the fields of the cells of a sweep of a study, with the function that returns the key of a cell.
func CellFields(study *experiments.Study, key func(sweep.Cell) sweep.Key) []table.Field[sweep.Cell] {
	fields := table.Titled(parameterFields(study), experiments.Names(study.Parameters)...)
	return append(fields, table.Field[sweep.Cell]{
		Column: table.Column{Name: "key", Type: table.String, Title: "key", Meaning: "the key of the cell in the files of the sweep"},
		Of:     func(c *sweep.Cell) any { return key(*c).String() },
	})
}

// About writes a time for people, with two units at most.
func About(d time.Duration) string {
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
