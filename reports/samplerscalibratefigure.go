package reports

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/chains"
	"breadboard/chains/diagnostics"
	"breadboard/experiments/samplers/diagnose"
	"breadboard/reports/figure"
)

// SamplersCalibrateFigure draws RESS against ESS on logarithmic axes: a row for each estimate, with the exact expectations on the left and
// simulated chains on the right, one colour a kernel, the diagonal and the region of Eq. 9. Numbers that are not finite are left out.
func SamplersCalibrateFigure(rows []diagnose.CalibrateRow, chainsEach int) (*figure.Figure, error) {
	low, high := diagnostics.Region(chainsEach, diagnose.Level)
	names := &marks{}
	for i := range rows {
		if !slices.Contains(names.all, rows[i].Kernel) {
			names.all = append(names.all, rows[i].Kernel)
		}
	}
	var plots []*figure.Panel
	for _, e := range diagnose.Estimates() {
		for _, k := range diagnose.Kinds(rows) {
			p := figure.NewPanel(fmt.Sprintf("%s, %s", e.Name, panelTitle(k, chainsEach)), "ESS of a chain", "RESS of the "+e.Name)
			if err := addCalibration(p, rows, e, k, names); err != nil {
				return nil, err
			}
			plots = append(plots, p)
		}
	}
	if !oneScale(plots) {
		return nil, chains.NewAdvice("nothing to draw: no ESS and RESS are finite")
	}
	diagonal, edge := greyLine(), greyLine()
	diagonal.Dashes, edge.Dashes = figure.Dashes(), []vg.Length{vg.Points(1.5), vg.Points(2)}
	diagonal.Color, edge.Color = color.Black, color.Black
	diagonal.Width, edge.Width = vg.Points(0.8), vg.Points(0.8)
	for _, p := range plots {
		addSlope(p, 0, diagonal)
		addSlope(p, math.Log10(low), edge)
		addSlope(p, math.Log10(high), edge)
	}
	legend := names.dots(func(l *figure.Legend) {
		l.Add("RESS = ESS", &plotter.Line{LineStyle: diagonal})
		l.Add("95% region", &plotter.Line{LineStyle: edge})
	})
	return figure.Grid(samplersCalibrate, len(diagnose.Kinds(rows)), plots, legend), nil
}

// panelTitle says of what chains a panel is.
func panelTitle(k diagnose.Kind, chains int) string {
	if k == diagnose.Drawn {
		return fmt.Sprintf("K = %d simulated chains", chains)
	}
	return "exact"
}

// addCalibration adds the points of one estimate and kind, those of each kernel in its colour.
func addCalibration(p *figure.Panel, rows []diagnose.CalibrateRow, e diagnose.Estimate, k diagnose.Kind, names *marks) error {
	for _, kernel := range names.all {
		var points plotter.XYs
		for i := range rows {
			if s := rows[i].Scores(k); rows[i].Kernel == kernel {
				if x, y := math.Log10(s.ESS), math.Log10(e.RESS(s)); finite(x) && finite(y) {
					points = append(points, plotter.XY{X: x, Y: y})
				}
			}
		}
		if len(points) == 0 {
			continue
		}
		glyph := names.of(kernel).Glyph
		glyph.Radius, glyph.Color = vg.Points(1.8), figure.Translucent(glyph.Color)
		if err := figure.AddDots(p, kernel, points, glyph); err != nil {
			return err
		}
	}
	return nil
}

// oneScale gives all plots the same two axes. It reports whether there is anything on them.
func oneScale(plots []*figure.Panel) bool {
	for _, of := range []func(*figure.Panel) *plot.Axis{func(p *figure.Panel) *plot.Axis { return &p.X }, func(p *figure.Panel) *plot.Axis { return &p.Y }} {
		low, high := math.Inf(1), math.Inf(-1)
		for _, p := range plots {
			low, high = min(low, of(p).Min), max(high, of(p).Max)
		}
		if !finite(low) || !finite(high) {
			return false
		}
		room := 0.04*(high-low) + 0.05
		for _, p := range plots {
			a := of(p)
			a.Min, a.Max, a.Tick.Marker = low-room, high+room, figure.Decades{}
		}
	}
	return true
}

// addSlope adds the part of the line y = x + by that lies on a plot.
func addSlope(p *figure.Panel, by float64, style draw.LineStyle) {
	from, to := max(p.X.Min, p.Y.Min-by), min(p.X.Max, p.Y.Max-by)
	if from < to {
		p.Add(&plotter.Line{XYs: plotter.XYs{{X: from, Y: from + by}, {X: to, Y: to + by}}, LineStyle: style})
	}
}
