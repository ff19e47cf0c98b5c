package mcmc

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/experiments/columns"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/particles/smc/gibbs"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
	"breadboard/reports/views/internal/curves"
)

// SamplerTimesReport returns the report of the mixing and burn-in times of samplers, with a figure for each target where the rows have curves.
func SamplerTimesReport(rows []samplers.TimesRow) *reports.Report {
	r := reports.New("samplers_times", SamplerTimes(rows))
	for _, run := range reports.Grouped(rows, func(r *samplers.TimesRow) string { return r.Toy.Name }) {
		if run[0].Curve != nil {
			r.Add(curves.Figure("Mixing and burn-in on "+run[0].Toy.Name, "toy "+run[0].Toy.Name+": no figure", run, SamplerTimesFigure))
		}
	}
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

// SamplerTimes returns the table of the times, a row for each kernel on a target and each start.
func SamplerTimes(rows []samplers.TimesRow) *table.Table {
	fields := samplers.Times().Columns
	if len(rows) == 0 {
		return table.New(fields, rows)
	}
	titles := map[string]string{"mixing_mi": fmt.Sprintf("MI <= %v nats after", rows[0].MI), "burn_in_tv": fmt.Sprintf("TV <= %v after", rows[0].TV)}
	for i := range fields {
		fields[i] = fields[i].Titled(cmp.Or(titles[fields[i].Name], fields[i].Title))
	}
	return table.New(fields, rows)
}

// SamplerTimesFigure draws how chains on one target forget where they began: the mutual information of the state after k moves with the
// first, which chains on classes do not have, and beside it the distance of its law from the target, a colour for each kernel and dashes for each start, with the bounds and,
// as dots, the times. It fails where no row has a curve.
func SamplerTimesFigure(rows []samplers.TimesRow) (*figure.Figure, error) {
	if len(rows) == 0 || rows[0].Curve == nil {
		return nil, chains.NewAdvice("nothing to draw: the rows have no curves")
	}
	mi := figure.NewLogPanel(rows[0].Toy.Name+": mixing", "moves k", "MI(x_{k}; x_{0}) (nats)")
	tv := figure.NewLogPanel(rows[0].Toy.Name+": burn-in", "moves k", "TV(law of x_{k}, target)")
	var legend figure.Legend
	var pen curves.Pen
	starts := 0
	for i, kernel := range reports.Grouped(rows, func(r *samplers.TimesRow) string { return r.Kernel }) {
		style := draw.LineStyle{Color: figure.Color(i), Width: vg.Points(1.4)}
		legend.Add(kernel[0].Kernel, curves.Key(style))
		addForgetting(&pen, mi, kernel[0].Kernel, kernel[0].Curve.Moves, kernel[0].Curve.MI, kernel[0].MI, kernel[0].Mixing.Moves, style)
		for s := range kernel {
			style.Dashes = startDashes(s)
			addForgetting(&pen, tv, kernel[s].Kernel+", from "+kernel[s].Start.Name, kernel[s].Curve.Moves, kernel[s].Curve.TV, kernel[s].TV, kernel[s].BurnIn.Moves, style)
		}
		starts = max(starts, len(kernel))
	}
	if starts > 1 {
		for s := range starts {
			legend.Add("from "+rows[s].Start.Name, figure.Key(startDashes(s)))
		}
	}
	panels, bounds := []*figure.Panel{mi, tv}, []float64{rows[0].MI, rows[0].TV}
	if rows[0].Curve.MI == nil {
		panels, bounds = panels[1:], bounds[1:]
	}
	for i, p := range panels {
		figure.RoomAround(p)
		figure.Across(p, number.Log10(bounds[i]))
	}
	legend.Add("bound", curves.Key(figure.GreyLine()))
	return pen.Done(figure.Grid(reports.FileName("samplers_times_"+rows[0].Toy.Name), len(panels), panels, legend))
}

// startDashes returns the dashes of the i-th start.
func startDashes(i int) []vg.Length {
	all := [][]vg.Length{nil, figure.Dashes(), {vg.Points(1.5), vg.Points(2)}, {vg.Points(6), vg.Points(2), vg.Points(1.5), vg.Points(2)}}
	return all[i%len(all)]
}

// shownBelowBound is how far below a bound a curve is drawn, in decades: what is far below says nothing of the time.
const shownBelowBound = 1

// addForgetting adds a curve that falls with the number of moves to a plot with logarithmic axes, and a dot where it meets its bound.
func addForgetting(pen *curves.Pen, p *figure.Panel, name string, moves []int64, values []float64, bound, time float64, style draw.LineStyle) {
	var points plotter.XYs
	for i, v := range values {
		at := number.Log10(v)
		if !figure.Finite(at) || at < number.Log10(bound)-shownBelowBound {
			break
		}
		points = append(points, plotter.XY{X: number.Log10(float64(moves[i])), Y: at})
	}
	pen.Line(p, name, points, style)
	if at := number.Log10(time); figure.Finite(at) {
		dot := draw.GlyphStyle{Color: style.Color, Radius: vg.Points(2.6), Shape: draw.CircleGlyph{}}
		pen.Dots(p, name+", time", plotter.XYs{{X: at, Y: number.Log10(bound)}}, dot)
	}
}

// GibbsReport returns the report of particle Gibbs, with a figure of how many particles it takes and one of where it is slow.
func GibbsReport(rows []gibbs.Row) *reports.Report {
	r := reports.New("smc_gibbs", table.New(gibbs.Columns(), rows))
	r.Add(
		curves.Figure("How many particles: autocorrelation times and their cost", "how many particles: no figure", rows, gibbsFigure),
		curves.Figure("Where particle Gibbs is slow: the autocorrelation time of each hidden state", "where it is slow: no figure", rows, gibbsTimesFigure))
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

// gibbsSeries names the rows that differ in the number of particles alone.
func gibbsSeries(r *gibbs.Row) string {
	return selector.Count(r.Observations, "observation") + ", " + r.Way()
}

// gibbsFigure draws the largest autocorrelation time, and the particles that are moved for an independent draw, against the number of particles.
func gibbsFigure(rows []gibbs.Row) (*figure.Figure, error) {
	type row = gibbs.Row
	d, err := curves.Plot(columns.List{
		curves.Column("P", func(r *row) any { return r.Particles }),
		curves.Column("series", func(r *row) any { return gibbsSeries(r) }),
		curves.Column("time", func(r *row) any { tau, _ := r.Worst(); return tau }),
		curves.Column("cost", func(r *row) any { return r.Cost() }),
	}, rows, columns.Plot{
		Name: "smc_gibbs", Log: "xy", X: "P", Y: "time|cost", By: "series", XLabel: "particles P", YLabel: "autocorrelation time, moves|particles moved",
	}, 7*vg.Centimeter, 6*vg.Centimeter, chains.NewAdvice("nothing to draw: no autocorrelation time is known"))
	if err == nil {
		panels := d.Sheet.Rows[0]
		panels[0].Title.Text, panels[1].Title.Text = "Slowest hidden state", "Work for an independent draw"
		d.Sheet.Beside = true
	}
	return curves.Drawn(d, err)
}

// gibbsTimesFigure draws the autocorrelation time of each hidden state, by the number of particles, in a panel for each way and each
// number of observations.
func gibbsTimesFigure(rows []gibbs.Row) (*figure.Figure, error) {
	particles := func(r *gibbs.Row) string { return fmt.Sprintf("P = %d", r.Particles) }
	marks := figure.Marks{Names: reports.Names(rows, particles)}
	var panels []*figure.Panel
	var pen curves.Pen
	for _, run := range reports.Grouped(rows, gibbsSeries) {
		p := figure.NewPanel(run[0].Way(), fmt.Sprintf("time t of %d", run[0].Observations), "autocorrelation time, moves")
		p.Y.Tick.Marker = figure.Decades{}
		drawn := false
		for i := range run {
			var points plotter.XYs
			for t, tau := range run[i].Times {
				if tau > 0 && figure.Finite(tau) {
					points = append(points, plotter.XY{X: float64(t + 1), Y: number.Log10(tau)})
				}
			}
			if len(points) > 0 {
				drawn = true
				pen.Marked(p, particles(&run[i]), points, marks.Of(particles(&run[i])))
			}
		}
		if drawn {
			figure.RoomAround(p)
			panels = append(panels, p)
		}
	}
	return pen.Done(figure.Grid("smc_gibbs_times", min(2, len(panels)), panels, marks.Legend(func(*figure.Legend) {})))
}
