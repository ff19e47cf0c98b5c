package adaptive

import (
	"fmt"
	"math"

	"breadboard/chains/selector"
	"breadboard/experiments/curves"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/reports/table"
)

// report returns the report of schedules placed by the particles: its table, a figure of
// the bias against the number of particles, and the notes of the rows, each once.
func report(rows []Row) *reports.Report {
	r := reports.New("smc_adaptive", table.New(Study().Declaration.Columns, rows))
	plotAdaptive(r, rows)
	var notes []string
	for i := range rows {
		for _, n := range rows[i].Notes() {
			notes = append(notes, fmt.Sprintf("%s, %s: %s", rows[i].Toy.Name, selector.Count(rows[i].Particles, "particle"), n))
		}
	}
	r.NotesOnce(notes)
	return r
}

// plotAdaptive adds the figure of |E Zhat/Z - 1| against the number of particles, by exact numbers
// and by estimates with bars of two standard errors, and a line that falls like 1/P from the first
// exact number of each series. Zeros are omitted.
func plotAdaptive(r *reports.Report, rows []Row) {
	positive := func(v float64) any { return columns.AtLeast(1e-15, math.Abs(v)) }
	slopes := map[string]float64{}
	var cells [][]any
	for i := range rows {
		row := &rows[i]
		series := fmt.Sprint(row.Key(), row.Rho, row.Scheme, row.Threshold)
		if b := positive(row.Bias); b != nil && slopes[series] == 0 {
			slopes[series] = b.(float64) * float64(row.Particles)
		}
		at := []any{row.Toy.Name, row.Rho, row.Scheme.String(), row.Threshold, row.Particles,
			positive(row.Bias), nil, nil,
			positive(slopes[series] / float64(row.Particles))}
		if row.Estimates != nil {
			at[6], at[7] = positive(row.Estimates.Bias.Value), positive(2*row.Estimates.Bias.StandardError)
		}
		cells = append(cells, at)
	}
	r.Plots(curves.Cells(cells, "toy", "rho", "resample", "threshold", "particles", "exact", "estimated",
		"error", "1/P"), columns.Plot{
		Name:  "smc_adaptive",
		Title: "Bias of Zhat by number of particles",
		Parts: []columns.Part{{
			X:      "particles",
			XLabel: "number of particles P",
			XScale: columns.Decades,
			Y:      []string{"exact", "estimated"},
			YLabel: "size of E Zhat/Z - 1",
			YScale: columns.Decades,
			Errors: "error",
			Thin:   []string{"1/P"},
		}},
		By:   []string{"toy", "rho", "resample", "threshold"},
		Dots: []string{"estimated"},
	})
}
