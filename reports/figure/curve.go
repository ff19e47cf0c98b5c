package figure

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Mark distinguishes one series from others: a line, and a shape at every point.
type Mark struct {
	Line  draw.LineStyle
	Glyph draw.GlyphStyle
}

// Thumbnail implements plot.Thumbnailer: the entry of the series in a legend.
func (m Mark) Thumbnail(c *draw.Canvas) {
	middle := c.Center()
	if m.Line.Width > 0 {
		c.StrokeLine2(m.Line, c.Min.X, middle.Y, c.Max.X, middle.Y)
	}
	c.DrawGlyph(m.Glyph, middle)
}

// Full is the mark of the i-th series: a full line in its colour, with filled shapes of its own.
func Full(i int) Mark { return FullIn(Color(i), i) }

// FullIn is the mark of a series in a colour, with the shapes of the i-th.
func FullIn(c color.Color, i int) Mark {
	shapes := []draw.GlyphDrawer{
		draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, diamondGlyph{}, dropGlyph{}}
	return Mark{
		Line:  draw.LineStyle{Color: c, Width: vg.Points(1.5)},
		Glyph: draw.GlyphStyle{Color: c, Radius: vg.Points(2.2), Shape: shapes[i%len(shapes)]},
	}
}

// Open is the mark to show beside a full one: the same colour, dashes, and open shapes.
func (m Mark) Open() Mark {
	m.Line.Dashes = Dashes()
	m.Glyph.Shape = OpenGlyph{m.Glyph.Shape}
	m.Glyph.Radius = vg.Points(2.6)
	return m
}

// KindGrey is the colour in which a legend shows a kind of mark that panels have in several
// colours.
func KindGrey() color.Color { return color.Gray{0x40} }

// Dashes returns the pattern of a dashed line.
func Dashes() []vg.Length { return []vg.Length{vg.Points(5), vg.Points(3)} }

// Guide draws a straight line that helps to read others and is not data.
func Guide(p *Panel, from, to plotter.XY, style draw.LineStyle) {
	p.Add(&plotter.Line{XYs: plotter.XYs{from, to}, LineStyle: style})
}

// OpenGlyph is the outline of a shape, filled with white.
type OpenGlyph struct{ Of draw.GlyphDrawer }

// DrawGlyph implements draw.GlyphDrawer.
func (g OpenGlyph) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) {
	g.Of.DrawGlyph(c, style, at)
	c.SetColor(color.White)
	style.Color = color.White
	style.Radius *= 0.62
	g.Of.DrawGlyph(c, style, at)
}

// diamondGlyph is a square that stands on a corner.
type diamondGlyph struct{}

// DrawGlyph implements draw.GlyphDrawer.
func (diamondGlyph) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) {
	r := style.Radius * 1.25
	c.FillPolygon(style.Color, []vg.Point{
		{X: at.X - r, Y: at.Y}, {X: at.X, Y: at.Y + r}, {X: at.X + r, Y: at.Y}, {X: at.X, Y: at.Y - r}})
}

// dropGlyph is a triangle that stands on a corner.
type dropGlyph struct{}

// DrawGlyph implements draw.GlyphDrawer.
func (dropGlyph) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) {
	r := style.Radius * 1.15
	c.FillPolygon(style.Color, []vg.Point{
		{X: at.X, Y: at.Y - r}, {X: at.X + 0.87*r, Y: at.Y + r/2}, {X: at.X - 0.87*r, Y: at.Y + r/2}})
}

// Swatch is the entry of a filled area in a legend.
type Swatch struct{ color.Color }

// Thumbnail implements plot.Thumbnailer.
func (s Swatch) Thumbnail(c *draw.Canvas) { c.FillPolygon(s.Color, Corners(c.Rectangle)) }

var _ plot.Thumbnailer = Swatch{}

// GreyLine returns the style of lines that help to read others.
func GreyLine() draw.LineStyle { return draw.LineStyle{Color: color.Gray{0x90}, Width: vg.Points(1.5)} }

// Band is the grey area between two curves.
func Band(low, high plotter.XYs) *plotter.Polygon {
	around := slices.Clone(low)
	for _, at := range slices.Backward(high) {
		around = append(around, at)
	}
	return &plotter.Polygon{XYs: []plotter.XYs{around}, Color: color.Gray{0xe2}}
}

// Finite reports whether a number is neither infinite nor NaN.
func Finite(v float64) bool { return !math.IsInf(v, 0) && !math.IsNaN(v) }

// Across draws a horizontal grey line across a plot, if its axis reaches y.
func Across(p *Panel, y float64) {
	if !Finite(p.X.Min) || y < p.Y.Min || y > p.Y.Max {
		return
	}
	p.Add(&plotter.Line{XYs: plotter.XYs{{X: p.X.Min, Y: y}, {X: p.X.Max, Y: y}}, LineStyle: GreyLine()})
}

// CutTo cuts a name that is wider than room.
func CutTo(name string, style draw.TextStyle, room vg.Length) string {
	letters := []rune(name)
	for n := len(letters) - 1; n > 0 && style.Width(name) > room; n-- {
		name = string(letters[:n]) + "."
	}
	return name
}
