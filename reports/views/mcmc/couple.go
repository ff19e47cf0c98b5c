package mcmc

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/exact/meeting"
	"breadboard/experiments/couple"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// CoupleReport returns the report of coupled chains, with a figure of the bounds for each target, kernel and start.
func CoupleReport(rows []couple.Row) *reports.Report {
	r := reports.New("couple", Couple(rows))
	var lines []string
	for _, run := range reports.Grouped(rows, func(r *couple.Row) string { return r.Name() + ", start " + r.Start.Name }) {
		about := run[0].Name() + ", start " + run[0].Start.Name
		if run[0].Curve != nil {
			r.Add(reports.Figure{
				Title: "Distance and its bound: " + about, Missing: about + ": no figure",
				Draw: func() (*figure.Figure, error) { return CoupleFigure(run) },
			}, reports.Figure{
				Title: "How many times the distance its bound is: " + about, Missing: about + ": no figure of d/TV",
				Draw: func() (*figure.Figure, error) { return CoupleLoosenessFigure(run) },
			})
		}
		if run[0].FromMode != nil {
			r.Add(reports.Figure{
				Title: "From where chains meet one at the mode late: " + run[0].Name(), Missing: run[0].Name() + ": no map of meeting times",
				Draw: func() (*figure.Figure, error) { return CoupleMapFigure(run) },
			})
		}
		for i := range run {
			for _, note := range run[i].Notes() {
				lines = append(lines, fmt.Sprintf("%s, coupling %s: %s", about, run[i].Coupling, note))
			}
		}
	}
	r.NotesOnce(lines)
	return r
}

// Couple returns the table of coupled chains.
func Couple(rows []couple.Row) *table.Table { return table.New(couple.Columns(), rows) }

// CoupleFigure draws, for each lag, the distance of the law after t moves from the target, the sum of distances that bounds it with the best
// coupling of that lag, and the bounds of the couplings above them. What is between the first two is what the triangle inequality loses, and up to
// a bound what its coupling loses; both are shaded, this for the first coupling.
func CoupleFigure(rows []couple.Row) (*figure.Figure, error) {
	var panels []*figure.Panel
	var legend figure.Legend
	tv := draw.LineStyle{Color: figure.KindGrey(), Width: vg.Points(2)}
	lagged := draw.LineStyle{Color: figure.KindGrey(), Width: vg.Points(1.5), Dashes: figure.Dashes()}
	legend.Add("TV", &plotter.Line{LineStyle: tv})
	legend.Add("D, by the best coupling with this lag", &plotter.Line{LineStyle: lagged})
	of := func(c []meeting.Point, y func(*meeting.Point) float64) plotter.XYs {
		return coupleCurve(c, leastShown, y)
	}
	tvOf, lagTVOf, boundOf := func(c *meeting.Point) float64 { return c.TV }, func(c *meeting.Point) float64 { return c.LagTV }, func(c *meeting.Point) float64 { return c.Bound }
	triangle, coupled := figure.Swatch{Color: color.Gray{0xd0}}, figure.Swatch{Color: figure.Translucent(figure.Color(0))}
	legend.Add("what the triangle inequality loses", triangle)
	legend.Add("what coupling "+rows[0].Coupling+" loses", coupled)
	for _, run := range reports.Grouped(rows, func(r *couple.Row) string { return fmt.Sprint(r.Lag) }) {
		p := figure.NewLogPanel(fmt.Sprintf("lag L = %d", run[0].Lag), "moves t + 1", "distance and bounds")
		first := len(panels) == 0
		for i, coupling := range reports.Grouped(run, func(r *couple.Row) string { return r.Coupling }) {
			curve := coupling[0].Curve
			if i == 0 {
				addBand(p, of(curve, tvOf), of(curve, lagTVOf), triangle)
				addBand(p, of(curve, lagTVOf), of(curve, boundOf), coupled)
				if err := figure.AddLine(p, "TV", of(curve, tvOf), tv); err != nil {
					return nil, err
				}
				if err := figure.AddLine(p, "D", of(curve, lagTVOf), lagged); err != nil {
					return nil, err
				}
			}
			style := draw.LineStyle{Color: figure.Color(i), Width: vg.Points(1.4)}
			if err := figure.AddLine(p, coupling[0].Coupling, of(curve, boundOf), style); err != nil {
				return nil, err
			}
			if first {
				legend.Add("d, coupling "+coupling[0].Coupling, &plotter.Line{LineStyle: style})
			}
		}
		figure.RoomAround(p)
		figure.Across(p, math.Log10(run[0].Within))
		panels = append(panels, p)
	}
	legend.Add("limit of the mixing time", &plotter.Line{LineStyle: figure.GreyLine()})
	name := reports.FileName(fmt.Sprintf("couple_%s_%s_%s", rows[0].Toy.Name, rows[0].Kernel, rows[0].Start.Name))
	return figure.Grid(name, min(3, len(panels)), panels, legend), nil
}

// leastShown is the least distance that figures of couplings show.
const leastShown = 1e-4

// coupleCurve returns one quantity of a curve on logarithmic axes, from t = 0 at 1 on, as far as it is not below a limit.
func coupleCurve(curve []meeting.Point, least float64, of func(*meeting.Point) float64) (points plotter.XYs) {
	for i := range curve {
		if v := of(&curve[i]); v >= least && figure.Finite(v) {
			points = append(points, plotter.XY{X: math.Log10(float64(curve[i].T + 1)), Y: math.Log10(v)})
		}
	}
	return points
}

// addBand shades what is between two curves. Where the lower one has ended the band goes on above the least that is shown.
func addBand(p *figure.Panel, low, high plotter.XYs, shade figure.Swatch) {
	if len(high) == 0 {
		return
	}
	for _, at := range high[min(len(low), len(high)):] {
		low = append(low, plotter.XY{X: at.X, Y: math.Log10(leastShown)})
	}
	band := figure.Band(low, high)
	band.Color, band.LineStyle.Width = shade.Color, 0
	p.Add(band)
}

// CoupleUnbiasedReport returns the report of the unbiased estimator, with a figure of its loss for each target, kernel, start, function,
// coupling and m.
func CoupleUnbiasedReport(rows []couple.UnbiasedRow) *reports.Report {
	r := reports.New("couple_unbiased", CoupleUnbiased(rows))
	for _, run := range reports.Grouped(rows, func(r *couple.UnbiasedRow) string {
		return fmt.Sprintf("%s, start %s, %s, coupling %s, m = %d", r.Name(), r.Start.Name, r.Function.Name, r.Coupling, r.M)
	}) {
		if run[0].Every != nil {
			about := fmt.Sprintf("%s, start %s, %s, coupling %s, m = %d", run[0].Name(), run[0].Start.Name, run[0].Function.Name, run[0].Coupling, run[0].M)
			r.Add(reports.Figure{Title: "Loss of the unbiased estimator: " + about, Missing: about + ": no figure", Draw: func() (*figure.Figure, error) { return CoupleLossFigure(run) }})
		}
	}
	return r
}

// CoupleUnbiased returns the table of the unbiased estimator.
func CoupleUnbiased(rows []couple.UnbiasedRow) *table.Table {
	return table.New(couple.UnbiasedColumns(), rows)
}

// CoupleBestReport returns the report of couplings beside the best one.
func CoupleBestReport(rows []couple.BestRow) *reports.Report {
	r := reports.New("couple_best", CoupleBest(rows))
	var lines []string
	for i := range rows {
		if rows[i].Note != "" {
			lines = append(lines, fmt.Sprintf("%s, coupling %s: %s", rows[i].Name(), rows[i].Coupling, rows[i].Note))
		}
	}
	r.NotesOnce(lines)
	r.Add(reports.Figure{Title: "Mean meeting times of couplings", Missing: "no figure of couplings", Draw: func() (*figure.Figure, error) { return CoupleBestFigure(rows) }})
	return r
}

// CoupleBest returns the table of couplings beside the best one.
func CoupleBest(rows []couple.BestRow) *table.Table { return table.New(couple.BestColumns(), rows) }
