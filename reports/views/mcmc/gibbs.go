package mcmc

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/plotter"

	"breadboard/experiments/gibbs"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// GibbsReport returns the report of particle Gibbs, with a figure of how many particles it takes and one of where it is slow.
func GibbsReport(rows []gibbs.Row) *reports.Report {
	r := reports.New("smc_gibbs", Gibbs(rows))
	r.Add(
		reports.Figure{Title: "How many particles: autocorrelation times and their cost", Missing: "how many particles: no figure", Draw: func() (*figure.Figure, error) { return GibbsFigure(rows) }},
		reports.Figure{Title: "Where particle Gibbs is slow: the autocorrelation time of each hidden state", Missing: "where it is slow: no figure", Draw: func() (*figure.Figure, error) { return GibbsTimesFigure(rows) }})
	var lines []string
	for _, run := range reports.Grouped(rows, gibbsSeries) {
		best := -1
		for i := range run {
			if run[i].Note != "" {
				lines = append(lines, fmt.Sprintf("%s, P = %d: %s", gibbsSeries(&run[i]), run[i].Particles, run[i].Note))
			}
			if cost := run[i].Cost(); !math.IsNaN(cost) && (best < 0 || cost < run[best].Cost()) {
				best = i
			}
		}
		if len(run) > 1 && best >= 0 {
			lines = append(lines, fmt.Sprintf("%s: of these, %d particles take the least work for an independent draw", gibbsSeries(&run[0]), run[best].Particles))
		}
	}
	r.NotesOnce(lines)
	return r
}

// Gibbs returns the table of particle Gibbs.
func Gibbs(rows []gibbs.Row) *table.Table { return table.New(gibbs.Columns(), rows) }

// gibbsSeries names the rows that differ in the number of particles alone.
func gibbsSeries(r *gibbs.Row) string {
	return reports.CountOf(r.Observations, "observation") + ", " + r.Way()
}

// GibbsFigure draws the largest autocorrelation time, and the particles that are moved for an independent draw, against the number of
// particles.
func GibbsFigure(rows []gibbs.Row) (*figure.Figure, error) {
	marks := figure.Marks{Names: reports.Names(rows, gibbsSeries)}
	time := figure.NewLogPanel("Slowest hidden state", "particles P", "autocorrelation time, moves")
	cost := figure.NewLogPanel("Work for an independent draw", "particles P", "particles moved")
	for _, run := range reports.Grouped(rows, gibbsSeries) {
		name := gibbsSeries(&run[0])
		for p, of := range map[*figure.Panel]func(r *gibbs.Row) float64{time: func(r *gibbs.Row) float64 { tau, _ := r.Worst(); return tau }, cost: (*gibbs.Row).Cost} {
			var points plotter.XYs
			for i := range run {
				if v := of(&run[i]); v > 0 && figure.Finite(v) {
					points = append(points, plotter.XY{X: math.Log10(float64(run[i].Particles)), Y: math.Log10(v)})
				}
			}
			if len(points) == 0 {
				continue
			}
			if err := figure.AddMarked(p, name, points, marks.Of(name)); err != nil {
				return nil, err
			}
		}
	}
	figure.RoomAround(time)
	figure.RoomAround(cost)
	return figure.Grid("smc_gibbs", 2, []*figure.Panel{time, cost}, marks.Legend(func(*figure.Legend) {})), nil
}

// GibbsTimesFigure draws the autocorrelation time of each hidden state, by the number of particles, in a panel for each way and each
// number of observations.
func GibbsTimesFigure(rows []gibbs.Row) (*figure.Figure, error) {
	particles := func(r *gibbs.Row) string { return fmt.Sprintf("P = %d", r.Particles) }
	marks := figure.Marks{Names: reports.Names(rows, particles)}
	var panels []*figure.Panel
	for _, run := range reports.Grouped(rows, gibbsSeries) {
		p := figure.NewPanel(run[0].Way(), fmt.Sprintf("time t of %d", run[0].Observations), "autocorrelation time, moves")
		p.Y.Tick.Marker = figure.Decades{}
		drawn := false
		for i := range run {
			var points plotter.XYs
			for t, tau := range run[i].Times {
				if tau > 0 && figure.Finite(tau) {
					points = append(points, plotter.XY{X: float64(t + 1), Y: math.Log10(tau)})
				}
			}
			if len(points) == 0 {
				continue
			}
			drawn = true
			if err := figure.AddMarked(p, particles(&run[i]), points, marks.Of(particles(&run[i]))); err != nil {
				return nil, err
			}
		}
		if drawn {
			figure.RoomAround(p)
			panels = append(panels, p)
		}
	}
	return figure.Grid("smc_gibbs_times", min(2, len(panels)), panels, marks.Legend(func(*figure.Legend) {})), nil
}
