package figure

import (
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// alone returns the figure of one panel, with its legend below.
func alone(name string, width, height vg.Length, p *Panel) *Figure {
	return Sheet{Name: name, Rows: [][]*Panel{{p}}, Width: width, Height: height}.Figure()
}

// drawLine adds a line to a panel as plots do.
func drawLine(p *Panel, name string, points plotter.XYs, style draw.LineStyle) {
	p.Add(&plotter.Line{XYs: simplified(points), LineStyle: style})
	p.Record(name, points)
}

// drawMarks adds a line with a shape at every point.
func drawMarks(p *Panel, name string, points plotter.XYs, m Mark) {
	drawLine(p, name, points, m.Line)
	p.Add(&plotter.Scatter{XYs: points, GlyphStyle: m.Glyph})
}

// kindKey is the entry of a legend for a kind of line that panels have in several colours.
func kindKey(dashes []vg.Length) *plotter.Line {
	return &plotter.Line{LineStyle: draw.LineStyle{Color: KindGrey(), Width: vg.Points(1.5), Dashes: dashes}}
}
