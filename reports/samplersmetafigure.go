package reports

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/experiments/samplers/meta"
	"breadboard/reports/figure"
)

// SamplersMetaFigure draws the mean squared error of each method and beside it its negative log density less that of the Gaussian process
// of all features, with bars of one standard error of the difference from that process on either side. A dashed line marks the process.
func SamplersMetaFigure(result *meta.Result) (*figure.Figure, error) {
	var panels []*plot.Plot
	for _, axis := range []struct {
		label     string
		of, error func(*meta.Row) float64
	}{
		{metaLabel(result.Rows), func(r *meta.Row) float64 { return r.MSE }, func(r *meta.Row) float64 { return r.MSEError }},
		{"NLL relative to GP (nats)", func(r *meta.Row) float64 { return r.NLL }, func(r *meta.Row) float64 { return r.NLLError }},
	} {
		p := plot.New()
		p.Y.Label.Text = axis.label
		p.Add(figure.GridLines())
		if err := addMethods(p, result.Rows, axis.of, axis.error); err != nil {
			return nil, err
		}
		panels = append(panels, p)
	}
	return sideBySide(samplersMeta, panels), nil
}

// barPoints are points with bars.
type barPoints struct {
	plotter.XYs
	plotter.YErrors
}

// addMethods adds a point with a bar for each method.
func addMethods(p *plot.Plot, rows []meta.Row, of, error func(*meta.Row) float64) error {
	var points barPoints
	var ticks plot.ConstantTicks
	for i := range rows {
		e := error(&rows[i])
		if math.IsNaN(e) {
			e = 0
		}
		points.XYs = append(points.XYs, plotter.XY{X: float64(i), Y: of(&rows[i])})
		points.YErrors = append(points.YErrors, struct{ Low, High float64 }{e, e})
		ticks = append(ticks, plot.Tick{Value: float64(i), Label: rows[i].Method})
	}
	bars, err := plotter.NewYErrorBars(points)
	if err != nil {
		return err
	}
	dots, err := plotter.NewScatter(points.XYs)
	if err != nil {
		return err
	}
	shade := figure.Color(0)
	bars.LineStyle = draw.LineStyle{Color: shade, Width: vg.Points(1.2)}
	bars.CapWidth = vg.Points(6)
	dots.GlyphStyle = draw.GlyphStyle{Color: shade, Radius: vg.Points(2.8), Shape: draw.CircleGlyph{}}
	p.Add(bars, dots)
	figure.Style(p)
	roomAround(p)
	p.X.Min, p.X.Max, p.X.Tick.Marker = -0.5, float64(len(rows))-0.5, ticks
	process := greyLine()
	process.Dashes = figure.Dashes()
	p.Add(&plotter.Line{XYs: plotter.XYs{{X: p.X.Min, Y: of(&rows[0])}, {X: p.X.Max, Y: of(&rows[0])}}, LineStyle: process})
	return nil
}
