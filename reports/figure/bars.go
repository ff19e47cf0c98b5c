package figure

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Bar is a bar of a chart, from one place of its axis to another.
type Bar struct{ From, To, Height float64 }

// Bars draws bars that stand on the lower end of the vertical axis. Bars that touch one another are
// one shape, so that no viewer shows seams between them.
type Bars struct {
	Bars []Bar
	Fill color.Color
	Edge draw.LineStyle // drawn around the shapes if it has a width
}

// AddBars adds bars to a panel under the name of their series.
func AddBars(p *Panel, name string, b *Bars) {
	p.Add(b)
	p.recordBars(name, b.Bars)
}

// Plot implements plot.Plotter.
func (b *Bars) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	var outline []vg.Point
	finish := func() {
		if len(outline) > 0 {
			outline = append(outline, vg.Point{X: outline[len(outline)-1].X, Y: c.Min.Y})
			c.FillPolygon(b.Fill, c.ClipPolygonX(outline))
			if b.Edge.Width > 0 {
				c.StrokeLines(b.Edge, c.ClipLinesX(outline)...)
			}
		}
		outline = nil
	}
	for i, bar := range b.Bars {
		height := min(bar.Height, p.Y.Max)
		if i > 0 && !touching(b.Bars[i-1], bar) || !(height > p.Y.Min) {
			finish()
		}
		if !(height > p.Y.Min) {
			continue
		}
		if outline == nil {
			outline = append(outline, vg.Point{X: x(bar.From), Y: c.Min.Y})
		}
		outline = append(outline, vg.Point{X: x(bar.From), Y: y(height)}, vg.Point{X: x(bar.To), Y: y(height)})
	}
	finish()
}

// touching reports whether a bar begins where the one before it ends.
func touching(a, b Bar) bool { return math.Abs(b.From-a.To) <= 1e-9*(b.To-a.From) }

// DataRange implements plot.DataRanger.
func (b *Bars) DataRange() (xmin, xmax, ymin, ymax float64) {
	xmin = math.Inf(1)
	xmax = math.Inf(-1)
	ymax = math.Inf(-1)
	for _, bar := range b.Bars {
		xmin = min(xmin, bar.From)
		xmax = max(xmax, bar.To)
		ymax = max(ymax, bar.Height)
	}
	return xmin, xmax, 0, ymax
}

// Thumbnail implements plot.Thumbnailer.
func (b *Bars) Thumbnail(c *draw.Canvas) { Swatch{b.Fill}.Thumbnail(c) }

// Stems draws numbers at single places as vertical lines with a dot at their upper ends.
type Stems struct {
	plotter.XYs
	Mark
}

// Plot implements plot.Plotter.
func (s *Stems) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	glyph := s.Glyph
	if len(s.XYs) > 1 { // so that dots do not touch their neighbours
		each := (c.Max.X - c.Min.X) / vg.Length(len(s.XYs))
		glyph.Radius = min(glyph.Radius, max(vg.Points(0.7), 0.4*each))
	}
	for _, at := range s.XYs {
		foot := vg.Point{X: x(at.X), Y: c.Min.Y}
		top := vg.Point{X: x(at.X), Y: y(at.Y)}
		if !c.ContainsX(foot.X) {
			continue
		}
		c.StrokeLine2(s.Line, foot.X, foot.Y, top.X, top.Y)
		c.DrawGlyph(glyph, top)
	}
}

// DataRange implements plot.DataRanger.
func (s *Stems) DataRange() (xmin, xmax, ymin, ymax float64) { return plotter.XYRange(s.XYs) }

// Thumbnail implements plot.Thumbnailer.
func (s *Stems) Thumbnail(c *draw.Canvas) { s.Mark.Thumbnail(c) }

// Histogram returns the bars that show the shares of a sample in bins of equal width from low to
// high. Numbers that are not finite are in no bin, but count as part of the sample.
func Histogram(sample []float64, low, high float64, bins int) []Bar {
	width := (high - low) / float64(bins)
	bars := make([]Bar, bins)
	for i := range bars {
		bars[i] = Bar{From: low + float64(i)*width, To: low + float64(i+1)*width}
	}
	for _, v := range sample {
		if !math.IsInf(v, 0) {
			bars[max(0, min(bins-1, int((v-low)/width)))].Height += 1 / float64(len(sample))
		}
	}
	return bars
}
