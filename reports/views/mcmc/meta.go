package mcmc

import (
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/experiments/samplers/diagnose"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// SamplersMetaFile is the name of the table and of the figure of the meta-analysis.
const SamplersMetaFile = "samplers_meta"

// SamplersMetaReport returns the report of how well diagnostics predict, together, how far the mean of a chain is off.
func SamplersMetaReport(rows []diagnose.MetaRow) *reports.Report {
	r, from := reports.New(SamplersMetaFile, SamplersMeta(rows)), rows[0].From
	r.Add(reports.Figure{Title: "How well each method predicts the real effective sample size", Missing: "no figure of the features", File: SamplersMetaFile, Draw: func() (*figure.Figure, error) { return SamplersMetaFigure(rows) }})
	r.Note("%d points of %d targets; each of %d splits holds out %d targets; standard errors and p-values are of the difference from GP over the splits, "+
		"which share targets, so that p is too small rather than too large", from.Points, from.Targets, from.Repeats, from.Held)
	if from.Repeats == 1 {
		r.Note("one split has no standard errors and no p-values; give {repeats} 10")
	}
	for _, o := range from.Omitted {
		r.Note("left out %v", o)
	}
	if len(from.Constant) > 0 {
		r.Note("the same at every point, so that nothing can be learned from it: %s", strings.Join(from.Constant, ", "))
	}
	return r
}

// SamplersMeta returns the table of the meta-analysis, as Table 2 of Turner and Neal 2017.
func SamplersMeta(rows []diagnose.MetaRow) *table.Table {
	return table.New(diagnose.Meta().Columns, rows)
}

// SamplersMetaFigure draws the mean squared error of each method and beside it its negative log density less that of the Gaussian process
// of all features, with bars of one standard error of the difference from that process on either side. A dashed line marks the process.
func SamplersMetaFigure(rows []diagnose.MetaRow) (*figure.Figure, error) {
	var panels []*figure.Panel
	for _, axis := range []struct {
		label     string
		of, error func(*diagnose.MetaRow) float64
	}{
		{"MSE of " + rows[0].Label.Column(), func(r *diagnose.MetaRow) float64 { return r.MSE }, func(r *diagnose.MetaRow) float64 { return r.MSEError }},
		{"NLL relative to GP (nats)", func(r *diagnose.MetaRow) float64 { return r.NLL }, func(r *diagnose.MetaRow) float64 { return r.NLLError }},
	} {
		p := figure.NewPanel("", axis.label, "")
		if err := addMethods(p, rows, axis.of, axis.error); err != nil {
			return nil, err
		}
		panels = append(panels, p)
	}
	height := 2.5*vg.Centimeter + vg.Length(len(rows))*0.55*vg.Centimeter
	return figure.Sheet{Name: SamplersMetaFile, Rows: [][]*figure.Panel{panels}, Width: 9 * vg.Centimeter, Height: height, Least: 24, Lines: true}.Figure(), nil
}

// barPoints are points with bars.
type barPoints struct {
	plotter.XYs
	plotter.XErrors
}

// addMethods adds a point with a bar for each method, the first one at the top.
func addMethods(p *figure.Panel, rows []diagnose.MetaRow, of, error func(*diagnose.MetaRow) float64) error {
	var points plotter.XYs
	var bars barPoints
	var ticks plot.ConstantTicks
	for i := range rows {
		at := plotter.XY{X: of(&rows[i]), Y: -float64(i)}
		points = append(points, at)
		ticks = append(ticks, plot.Tick{Value: at.Y, Label: rows[i].Method})
		if e := error(&rows[i]); e > 0 {
			bars.XYs, bars.XErrors = append(bars.XYs, at), append(bars.XErrors, struct{ Low, High float64 }{e, e})
		}
	}
	dots, err := plotter.NewScatter(points)
	if err != nil {
		return err
	}
	shade := figure.Color(0)
	dots.GlyphStyle = draw.GlyphStyle{Color: shade, Radius: vg.Points(2.8), Shape: draw.CircleGlyph{}}
	process := figure.GreyLine()
	process.Dashes, process.Width = figure.Dashes(), vg.Points(0.8)
	low, high := -float64(len(rows))+0.4, 0.6
	p.Add(&plotter.Line{XYs: plotter.XYs{{X: points[0].X, Y: low}, {X: points[0].X, Y: high}}, LineStyle: process})
	if len(bars.XYs) > 0 {
		drawn, err := plotter.NewXErrorBars(bars)
		if err != nil {
			return err
		}
		drawn.LineStyle = draw.LineStyle{Color: shade, Width: vg.Points(1.2)}
		drawn.CapWidth = vg.Points(6)
		p.Add(drawn)
	}
	p.Add(dots)
	for i, at := range points {
		p.Record(rows[i].Method, plotter.XYs{at})
	}
	figure.RoomAround(p)
	p.Y.Min, p.Y.Max, p.Y.Tick.Marker = low, high, ticks
	return nil
}
