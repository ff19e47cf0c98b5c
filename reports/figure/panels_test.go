package figure

import (
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// alone returns the figure of one panel.
func alone(name string, width, height vg.Length, p *Panel) *Figure {
	s := &Sheet{Rows: [][]*Panel{{p}}, Width: width, Height: height}
	f := New(name, func(Style) *Sheet { return s })
	f.Title = titleOf(s.panels())
	return f
}

// drawLine adds a line to a panel as plots do, whose axes reach it.
func drawLine(p *Panel, name string, points plotter.XYs, style draw.LineStyle) {
	p.Plot.Add(&plotter.Line{XYs: points, LineStyle: style})
	p.record(name, points)
}

// drawMarks adds a line with a shape at every point.
func drawMarks(p *Panel, name string, points plotter.XYs, m mark) {
	drawLine(p, name, points, m.Line)
	p.Add(&plotter.Scatter{XYs: points, GlyphStyle: m.Glyph})
}
