package mcmc

import (
	"fmt"
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
// coupling of that lag, and the bounds of the couplings above them. What is between the first two is what the triangle inequality loses, and the
// rest what the coupling loses.
func CoupleFigure(rows []couple.Row) (*figure.Figure, error) {
	var panels []*figure.Panel
	var legend figure.Legend
	tv := draw.LineStyle{Color: figure.KindGrey(), Width: vg.Points(2)}
	lagged := draw.LineStyle{Color: figure.KindGrey(), Width: vg.Points(1.5), Dashes: figure.Dashes()}
	legend.Add("TV", &plotter.Line{LineStyle: tv})
	legend.Add("D, by the best coupling with this lag", &plotter.Line{LineStyle: lagged})
	for _, run := range reports.Grouped(rows, func(r *couple.Row) string { return fmt.Sprint(r.Lag) }) {
		p := figure.NewLogPanel(fmt.Sprintf("lag L = %d", run[0].Lag), "moves t + 1", "distance and bounds")
		first := len(panels) == 0
		for i, coupling := range reports.Grouped(run, func(r *couple.Row) string { return r.Coupling }) {
			curve := coupling[0].Curve
			if i == 0 {
				if err := addPoints(p, "TV", curve, tv, func(c *meeting.Point) float64 { return c.TV }); err != nil {
					return nil, err
				}
				if err := addPoints(p, "D", curve, lagged, func(c *meeting.Point) float64 { return c.LagTV }); err != nil {
					return nil, err
				}
			}
			style := draw.LineStyle{Color: figure.Color(i), Width: vg.Points(1.4)}
			if err := addPoints(p, coupling[0].Coupling, curve, style, func(c *meeting.Point) float64 { return c.Bound }); err != nil {
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

// addPoints adds one quantity of a curve to a panel with logarithmic axes, down to leastShown.
func addPoints(p *figure.Panel, name string, curve []meeting.Point, style draw.LineStyle, of func(*meeting.Point) float64) error {
	var points plotter.XYs
	for i := range curve {
		if v := of(&curve[i]); v >= leastShown && figure.Finite(v) {
			points = append(points, plotter.XY{X: math.Log10(float64(curve[i].T + 1)), Y: math.Log10(v)})
		}
	}
	return figure.AddLine(p, name, points, style)
}

// CoupleUnbiasedReport returns the report of the unbiased estimator.
func CoupleUnbiasedReport(rows []couple.UnbiasedRow) *reports.Report {
	return reports.New("couple_unbiased", CoupleUnbiased(rows))
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
	return r
}

// CoupleBest returns the table of couplings beside the best one.
func CoupleBest(rows []couple.BestRow) *table.Table { return table.New(couple.BestColumns(), rows) }
