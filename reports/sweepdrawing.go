package reports

import (
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/reports/figure"
)

// figure draws the panels, and the names of the series beside them.
func (d *sweepDrawing) figure() *figure.Figure {
	columns := int(math.Ceil(math.Sqrt(float64(len(d.facets)))))
	rows := (len(d.facets) + columns - 1) / columns
	size := vg.Point{X: 11 * vg.Centimeter, Y: 8.5 * vg.Centimeter}
	if len(d.facets) > 1 {
		size = vg.Point{X: 8 * vg.Centimeter, Y: 6.5 * vg.Centimeter}
	}
	legend := d.legendWidth()
	height := max(float64(size.Y)*float64(rows), float64(vg.Points(14))*float64(len(d.series)+2))
	return figure.New(FileName("sweep_plot_"+d.Y+"_against_"+d.X), size.X*vg.Length(columns)+legend, vg.Length(height), func(c draw.Canvas) {
		c.FillPolygon(color.White, figure.Corners(c.Rectangle))
		panels := make([][]*plot.Plot, rows)
		for i := range panels {
			panels[i] = make([]*plot.Plot, columns)
			for j := range panels[i] {
				if k := i*columns + j; k < len(d.facets) {
					panels[i][j] = d.panel(k)
				}
			}
		}
		margin := 0.25 * vg.Centimeter
		figure.DrawPanels(draw.Crop(c, margin, -legend-margin, margin, -margin), panels)
		d.drawLegend(draw.Crop(c, c.Max.X-c.Min.X-legend, 0, 0, 0))
	})
}

// panel returns the plot of one facet.
func (d *sweepDrawing) panel(k int) *plot.Plot {
	p := plot.New()
	p.Add(figure.GridLines())
	for i := range d.series {
		points := d.points[[2]int{k, i}]
		if len(points) == 0 {
			continue
		}
		line, dots, err := plotter.NewLinePoints(points)
		if err != nil {
			panic(err) // every number is finite
		}
		line.LineStyle, dots.GlyphStyle = seriesLine(i), seriesDot(i)
		if d.x.names == nil { // else nothing lies between the points
			p.Add(line)
		}
		p.Add(dots)
	}
	figure.Dress(p)
	d.x.style(&p.X)
	d.y.style(&p.Y)
	if d.x.names != nil && len(strings.Join(d.x.names, "")) > 36 {
		p.X.Tick.Label.Rotation = math.Pi / 6
		p.X.Tick.Label.XAlign, p.X.Tick.Label.YAlign = text.XRight, text.YCenter
	}
	if d.Facet != "" {
		figure.Titled(p, d.Facet+" = "+shorten(d.facets[k]))
	}
	return p
}

func seriesLine(i int) draw.LineStyle {
	patterns := [][]vg.Length{nil, figure.Dashes(), {vg.Points(1.5), vg.Points(2)}, {vg.Points(8), vg.Points(2), vg.Points(2), vg.Points(2)}}
	return draw.LineStyle{Color: figure.Color(i), Width: vg.Points(1.5), Dashes: patterns[i/figure.Colors%len(patterns)]}
}

func seriesDot(i int) draw.GlyphStyle {
	shapes := []draw.GlyphDrawer{draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.TriangleGlyph{}}
	return draw.GlyphStyle{Color: figure.Color(i), Radius: vg.Points(1.8), Shape: shapes[i/figure.Colors%len(shapes)]}
}

// legendWidth returns the room for the names of the series: none where there is one without a name.
func (d *sweepDrawing) legendWidth() vg.Length {
	if len(d.Series) == 0 {
		return 0
	}
	style := figure.Label(vg.Points(9), text.XLeft, text.YCenter)
	width := vg.Length(0)
	for _, name := range append(slices.Clone(d.series), strings.Join(d.Series, ", ")) {
		width = max(width, style.Width(shorten(name)))
	}
	return width + vg.Points(44)
}

func (d *sweepDrawing) drawLegend(c draw.Canvas) {
	if len(d.Series) == 0 {
		return
	}
	style := figure.Label(vg.Points(9), text.XLeft, text.YCenter)
	x, y := c.Min.X+vg.Points(6), c.Max.Y-vg.Points(16)
	c.FillText(style, vg.Point{X: x, Y: y}, shorten(strings.Join(d.Series, ", ")))
	for i, name := range d.series {
		y -= vg.Points(14)
		if d.x.names == nil {
			c.StrokeLine2(seriesLine(i), x, y, x+vg.Points(26), y)
		}
		c.DrawGlyph(seriesDot(i), vg.Point{X: x + vg.Points(13), Y: y})
		c.FillText(style, vg.Point{X: x + vg.Points(32), Y: y}, shorten(name))
	}
}

// shorten cuts a name that would not fit.
func shorten(name string) string {
	const most = 32
	if r := []rune(name); len(r) > most {
		return string(r[:most-3]) + "..."
	}
	return name
}
