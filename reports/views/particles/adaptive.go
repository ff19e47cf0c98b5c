package particles

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/vg"

	"breadboard/chains"
	"breadboard/experiments/columns"
	"breadboard/experiments/particles/smc/adaptive"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
	"breadboard/reports/views/internal/curves"
)

// AdaptiveReport returns the report of schedules that the particles place: its table, a figure of the bias against the number of
// particles, and the notes of the rows, each once.
func AdaptiveReport(rows []adaptive.Row) *reports.Report {
	r := reports.New("smc_adaptive", table.New(adaptive.Study().Declaration.Columns, rows))
	r.Add(curves.Figure("The bias of Zhat against the number of particles", "the bias against the number of particles: no figure", rows, adaptiveFigure))
	var notes []string
	for i := range rows {
		for _, n := range rows[i].Notes() {
			notes = append(notes, fmt.Sprintf("%s, %s: %s", rows[i].Toy.Name, smcParticles(rows[i].Particles), n))
		}
	}
	r.NotesOnce(notes)
	return r
}

// adaptiveFigure draws |E Zhat/Z - 1| against the number of particles, by exact numbers and by estimates with bars of two standard errors, and a line that
// falls as 1/P from the first exact number of each series. Zeros are left out.
func adaptiveFigure(rows []adaptive.Row) (*figure.Figure, error) {
	positive := func(v float64) any {
		if v = math.Abs(v); v > 1e-15 {
			return v
		}
		return nil
	}
	name := func(r *adaptive.Row) string { return fmt.Sprint(r.Key(), r.Rho, r.Scheme, r.Threshold) }
	slopes := map[string]float64{}
	for i := range rows {
		if b := positive(rows[i].Bias); b != nil && !math.IsNaN(rows[i].Bias) && slopes[name(&rows[i])] == 0 {
			slopes[name(&rows[i])] = b.(float64) * float64(rows[i].Particles)
		}
	}
	estimate := func(of func(*adaptive.Estimates) float64) func(*adaptive.Row) any {
		return func(r *adaptive.Row) any {
			if r.Estimates == nil {
				return nil
			}
			return positive(of(r.Estimates))
		}
	}
	fields := append(adaptive.Study().Declaration.Columns,
		curves.Column("exact", func(r *adaptive.Row) any { return positive(r.Bias) }),
		curves.Column("estimated", estimate(func(e *adaptive.Estimates) float64 { return e.Bias.Value })),
		curves.Column("error", estimate(func(e *adaptive.Estimates) float64 { return 2 * e.Bias.StandardError })),
		curves.Column("slope", func(r *adaptive.Row) any { return positive(slopes[name(r)] / float64(r.Particles)) }))
	return curves.Drawn(curves.Plot(fields, rows, columns.Plot{
		Name: "smc_adaptive", Log: "xy", X: "particles", Y: "exact+estimated", Errors: "error", Thin: "slope", By: "toy+rho+resample+threshold",
		XLabel: "number of particles P", YLabel: "size of E Zhat/Z - 1, dotted: 1/P", Kinds: "exact|estimated", Dots: "estimated",
		Why: chains.NewAdvice("nothing to draw: no bias is known and different from zero; give {particles} 2,3 or {chains}"),
	}, 12*vg.Centimeter, 9*vg.Centimeter))
}
