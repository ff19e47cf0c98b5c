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

// mark distinguishes one series from others: a line, and a shape at every point.
type mark struct {
	Line  draw.LineStyle
	Glyph draw.GlyphStyle
}

// Thumbnail implements plot.Thumbnailer: the entry of the series in a legend.
func (m mark) Thumbnail(c *draw.Canvas) {
	middle := c.Center()
	if m.Line.Width > 0 {
		c.StrokeLine2(m.Line, c.Min.X, middle.Y, c.Max.X, middle.Y)
	}
	c.DrawGlyph(m.Glyph, middle)
}

// full is the mark of the i-th series: a full line in its colour, with filled shapes of its own.
func full(i int) mark {
	shapes := []draw.GlyphDrawer{
		draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, polygonGlyph(4), polygonGlyph(3)}
	return mark{
		Line:  draw.LineStyle{Color: Color(i), Width: vg.Points(1.5), Dashes: dashesOf(i / Colors)},
		Glyph: draw.GlyphStyle{Color: Color(i), Radius: vg.Points(2.2), Shape: shapes[i%len(shapes)]},
	}
}

// open is the k-th mark beside a full one: the same colour, dashes, and open shapes.
func (m mark) open(k int) mark {
	if k > 0 {
		m.Line.Dashes = dashesOf(1 + (k-1)%3)
		m.Glyph.Shape = openGlyph{m.Glyph.Shape}
		m.Glyph.Radius = vg.Points(2.6)
	}
	return m
}

// dashesOf returns the i-th pattern of lines, the first of which is full. Those of the first eleven
// differ also without colours.
func dashesOf(i int) []vg.Length {
	patterns := [][]vg.Length{nil, {5, 3}, {1.5, 2}, {8, 2, 2, 2}, nil, {10, 2}, {3, 1.5}, {12, 2, 2, 2},
		{5, 1.5, 1.5, 1.5}, {14, 3}, {6, 1.5}}
	return patterns[i%len(patterns)]
}

// openGlyph is the outline of a shape, filled with white.
type openGlyph struct{ of draw.GlyphDrawer }

// DrawGlyph implements draw.GlyphDrawer.
func (g openGlyph) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) {
	g.of.DrawGlyph(c, style, at)
	c.SetColor(color.White)
	style.Color = color.White
	style.Radius *= 0.62
	g.of.DrawGlyph(c, style, at)
}

// polygonGlyph is a regular polygon of that many corners, one of which is at the bottom.
type polygonGlyph int

// DrawGlyph implements draw.GlyphDrawer.
func (n polygonGlyph) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) {
	corners := make([]vg.Point, n)
	for i := range corners {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		r := 1.2 * style.Radius
		corners[i] = at.Add(vg.Point{X: r * vg.Length(sin), Y: -r * vg.Length(cos)})
	}
	c.FillPolygon(style.Color, corners)
}

// KindGrey is the colour in which a legend shows a kind of mark that panels have in several
// colours.
func KindGrey() color.Color { return color.Gray{0x40} }

// greyLine is the style of lines that help to read others.
func greyLine() draw.LineStyle {
	return draw.LineStyle{Color: color.Gray{0x78}, Width: vg.Points(1), Dashes: []vg.Length{vg.Points(1), vg.Points(2)}}
}

// thinStyle is that of thin dotted lines behind those of a series.
func thinStyle(of color.Color) draw.LineStyle {
	return draw.LineStyle{Color: of, Width: vg.Points(0.8), Dashes: dashesOf(2)}
}

// levelStyle is that of the i-th of the lines across a panel, by which others are read: greys of
// their own, as dashes tell columns apart.
func levelStyle(i int) draw.LineStyle {
	return []draw.LineStyle{
		{Color: color.Gray{0x60}, Width: vg.Points(1)},
		{Color: color.Gray{0xb0}, Width: vg.Points(2.2)},
		{Color: color.Gray{0x78}, Width: vg.Points(0.5)},
	}[i%3]
}

// area is a filled area, and its entry in a legend.
func area(fill color.Color, around plotter.XYs) *plotter.Polygon {
	return &plotter.Polygon{XYs: []plotter.XYs{around}, Color: fill}
}

// shade returns a colour for areas, through which lines and other areas show: that of the bands of
// the k-th pair of columns. Those of the second are darker than those of the first.
func shade(of color.Color, k int) color.Color { return withOpacity(of, []uint8{0x38, 0x70}[k%2]) }

// translucent returns the colour of bars and of thin lines, through which others are seen.
func translucent(c color.Color) color.Color { return withOpacity(c, 0x60) }

func withOpacity(c color.Color, a uint8) color.Color {
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	n.A = a
	return n
}

// Bar is a bar of a chart, from one place of its axis to another.
type Bar struct{ From, To, Height float64 }

// addBars draws bars that stand on the lower end of the axis. Those that touch one another are one
// shape, so that no viewer shows seams between them.
func (p *Panel) addBars(name string, bars []Bar, c color.Color) {
	var outline plotter.XYs
	for i, b := range bars {
		p.drawn = append(p.drawn, recorded{series: name, x: b.From, to: b.To, foot: math.Inf(-1), y: b.Height})
		if i == 0 || !touching(bars[i-1], b) {
			outline = plotter.XYs{{X: b.From, Y: p.Y.Min}}
		}
		outline = append(outline, plotter.XY{X: b.From, Y: b.Height}, plotter.XY{X: b.To, Y: b.Height})
		if i == len(bars)-1 || !touching(b, bars[i+1]) {
			shape := area(translucent(c), append(outline, plotter.XY{X: b.To, Y: p.Y.Min}))
			shape.LineStyle = draw.LineStyle{Color: c, Width: vg.Points(0.6)}
			p.Add(shape)
		}
	}
}

// touching reports whether a bar begins where the one before it ends.
func touching(a, b Bar) bool { return math.Abs(b.From-a.To) <= 1e-9*(b.To-a.From) }

// thinned returns the points of a line that are seen: those that are not nearer to the one before
// than a part of the width and height of the panel. A line with a thousand steps else makes most of
// the bytes of a figure.
func (p *Panel) thinned(points plotter.XYs) (out plotter.XYs) {
	const seen = 1.0 / 500
	for i, at := range points {
		if last := len(out) - 1; i > 0 && i < len(points)-1 &&
			math.Hypot(p.X.Norm(at.X)-p.X.Norm(out[last].X), p.Y.Norm(at.Y)-p.Y.Norm(out[last].Y)) < seen {
			continue
		}
		out = append(out, at)
	}
	return out
}

// between returns the area between two curves.
func between(low, high plotter.XYs, fill color.Color) *plotter.Polygon {
	around := slices.Clone(low)
	for _, at := range slices.Backward(high) {
		around = append(around, at)
	}
	return area(fill, around)
}

// Finite reports whether a number can be drawn.
func Finite(v float64) bool { return !math.IsInf(v, 0) && !math.IsNaN(v) }

var _ plot.Thumbnailer = mark{}
