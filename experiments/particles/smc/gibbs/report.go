package gibbs

import (
	"fmt"
	"math"

	"breadboard/chains/selector"
	"breadboard/experiments/curves"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/reports/table"
)

// report returns the report of particle Gibbs, with a figure of the autocorrelation time of
// each hidden state.
func report(rows []Row) *reports.Report {
	r := reports.New("smc_gibbs", table.New(Columns(), rows))
	var cells [][]any
	for i := range rows {
		for t, tau := range rows[i].Times {
			cells = append(cells, []any{rows[i].Way(), selector.Count(rows[i].Observations, "observation"),
				rows[i].Particles, t + 1, tau})
		}
	}
	r.Plots(curves.Cells(cells, "way", "of", "P", "t", "tau"), columns.Plot{
		Name:  "smc_gibbs_times",
		Title: "Autocorrelation time of each hidden state under particle Gibbs",
		Parts: []columns.Part{{
			X:      "t",
			XLabel: "time t",
			Y:      []string{"tau"},
			YLabel: "autocorrelation time (steps)",
			YScale: columns.Decades,
		}},
		By:     []string{"P"},
		Panels: []string{"way", "of"},
		Free:   true,
	})
	var lines []string
	for _, run := range reports.Grouped(rows, gibbsSeries) {
		best := -1
		for i := range run {
			if run[i].Note != "" {
				lines = append(
					lines,
					fmt.Sprintf("%s, P = %d: %s", gibbsSeries(&run[i]), run[i].Particles, run[i].Note),
				)
			}
			if cost := run[i].Cost(); !math.IsNaN(cost) && (best < 0 || cost < run[best].Cost()) {
				best = i
			}
		}
		if len(run) > 1 && best >= 0 {
			lines = append(lines, fmt.Sprintf("%s: %d particles take the least work per independent draw",
				gibbsSeries(&run[0]), run[best].Particles))
		}
	}
	r.NotesOnce(lines)
	return r
}

// gibbsSeries names the rows that differ only in the number of particles.
func gibbsSeries(r *Row) string {
	return selector.Count(r.Observations, "observation") + ", " + r.Way()
}
