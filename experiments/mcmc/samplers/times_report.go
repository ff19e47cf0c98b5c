package samplers

import (
	"cmp"
	"fmt"
	"slices"

	"breadboard/experiments/curves"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// timesReport returns the report of the mixing and burn-in times of samplers, with a figure
// for each target where the rows have curves.
func timesReport(rows []TimesRow) *reports.Report {
	r := reports.New("samplers_times", timesTable(rows))
	plotForgetting(r, rows)
	var lines []string
	for i := range rows {
		row := &rows[i]
		about := row.Problem.Name()
		if row.Mixing.Note != "" {
			lines = append(lines, about+": mixing: "+row.Mixing.Note)
		}
		if row.BurnIn.Note != "" {
			lines = append(lines, about+", start "+row.Start.Name+": burn-in: "+row.BurnIn.Note)
		}
	}
	r.NotesOnce(lines)
	return r
}

// timesTable returns the table of the times, a row for each kernel on a target and each start.
func timesTable(rows []TimesRow) *table.Table {
	fields := Times().Declaration.Columns
	if len(rows) == 0 {
		return table.New(fields, rows)
	}
	titles := map[string]string{"mixing_mi": fmt.Sprintf("MI <= %v nats after", rows[0].MI),
		"burn_in_tv": fmt.Sprintf("TV <= %v after", rows[0].TV)}
	for i := range fields {
		fields[i] = fields[i].Titled(cmp.Or(titles[fields[i].Name], fields[i].Title))
	}
	return table.New(fields, rows)
}

// plotForgetting adds the figures of how chains on a target forget where they began: the mutual
// information of the state after k moves with the first, which chains on classes do not have and
// the start has no part in, and beside it the distance of its distribution from the target, with
// the limits and, as dots, the times. They stand against the work, or against the moves if a kernel
// does not say what a move takes.
func plotForgetting(r *reports.Report, rows []TimesRow) {
	var cells [][]any
	work := !slices.ContainsFunc(rows, func(r TimesRow) bool { return !(r.Evaluations > 0) })
	label := "moves k"
	if work {
		label = "evaluations of log f"
	}
	add := func(row *TimesRow, column int, values []float64, bound, time float64) {
		point := func(column int, moves, value float64) {
			if work {
				moves = row.Work(int64(moves) + 1)
			}
			at := []any{
				row.Toy.Name, row.Kernel, "from " + row.Start.Name, nil, nil, moves, nil, nil, nil, nil}
			if moves > 0 {
				// a panel without points has no bound
				at[column/2], at[column], cells = bound, value, append(cells, at)
			}
		}
		least := bound / shownBelow
		before := 0.0
		for i, v := range values {
			k := float64(row.Curve.Moves[i])
			if i > 0 && k == before+1 { // nothing changes until the move is made
				point(column, k, values[i-1])
				v = max(v, least)
			}
			if before < time && time <= k {
				point(column, time, bound)
			}
			if !(v >= least) || !figure.Finite(v) {
				break
			}
			point(column, k, v)
			before = k
			if v == least {
				break
			}
		}
		if figure.Finite(time) {
			point(column+1, time, bound)
		}
	}
	mixed := map[string]bool{}
	for i := range rows {
		row := &rows[i]
		if row.Curve == nil {
			continue
		}
		if about := row.Problem.Name(); !mixed[about] {
			mixed[about] = true
			add(row, 6, row.Curve.MI, row.MI, row.Mixing.Moves)
		}
		add(row, 8, row.Curve.TV, row.TV, row.BurnIn.Moves)
	}
	if cells != nil {
		r.Plots(curves.Cells(cells, "toy", "kernel", "start", "bound of MI", "bound of TV", label, "mixing",
			"the time", "burn-in", "burn-in time"), columns.Plot{
			Name:  "samplers_times",
			Title: "Mixing and burn-in",
			Each:  columns.Split{Always: []string{"toy"}},
			Parts: []columns.Part{{
				X:      label,
				XLabel: label,
				XScale: columns.Decades,
				Y:      []string{"mixing", "the time"},
				YLabel: "MI(x_{k}; x_{0}) (nats)",
				YScale: columns.Decades,
				Level:  []string{"bound of MI"},
			}, {
				Y:      []string{"burn-in", "burn-in time"},
				YLabel: "TV(distribution of x_{k}, target)",
				YScale: columns.Decades,
				Level:  []string{"bound of TV"},
			}},
			By:    []string{"kernel", "start"},
			Dots:  []string{"the time", "burn-in time"},
			Lines: true,
			Steps: true,
			Free:  true,
			Kinds: []string{"", "the time"},
		})
	}
}
