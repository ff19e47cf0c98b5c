package sweeps

import (
	"math"
	"strings"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/reports"
	"breadboard/reports/figure"
)

// figure draws the panels, and the names of the series beside them.
func (d *sweepDrawing) figure() *figure.Figure {
	columns := int(math.Ceil(math.Sqrt(float64(len(d.facets)))))
	sheet := figure.Sheet{Name: reports.FileName("sweep_plot_" + d.Y + "_against_" + d.X), Columns: columns, Width: 11 * vg.Centimeter, Height: 8.5 * vg.Centimeter, Beside: true}
	if len(d.facets) > 1 {
		sheet.Width, sheet.Height = 8*vg.Centimeter, 6.5*vg.Centimeter
	}
	var panels []*figure.Panel
	for k := range d.facets {
		panels = append(panels, d.panel(k))
	}
	sheet.Rows = [][]*figure.Panel{panels}
	if len(d.Series) > 0 {
		sheet.Legend.Title = shorten(strings.Join(d.Series, ", "))
		for i, name := range d.series {
			mark := d.mark(i)
			if d.x.names != nil {
				mark.Line.Width = 0
			}
			sheet.Legend.Add(shorten(name), mark)
		}
	}
	return sheet.Figure()
}

// panel returns the plot of one facet.
func (d *sweepDrawing) panel(k int) *figure.Panel {
	p := figure.NewPanel("", "", "")
	for i := range d.series {
		p.Add(d.bands(p, k, i)...)
		points := d.points[[2]int{k, i}]
		if len(points) == 0 {
			continue
		}
		name := d.series[i]
		if d.over != nil {
			name = d.bandName(i, d.over.statistics[d.over.main].name)
		}
		p.Record(name, points)
		if d.x.names == nil { // else nothing lies between the points
			p.Add(&plotter.Line{XYs: points, LineStyle: d.mark(i).Line})
		}
		p.Add(&plotter.Scatter{XYs: points, GlyphStyle: d.mark(i).Glyph})
	}
	d.x.style(&p.X)
	d.y.style(&p.Y)
	if d.x.names != nil && len(strings.Join(d.x.names, "")) > 36 {
		p.Slanted()
	}
	if d.Facet != "" {
		p.Title.Text = d.Facet + " = " + shorten(shownValue(d.parameter(d.Facet), d.facets[k]))
	}
	return p
}

// mark returns the mark of the i-th series.
func (d *sweepDrawing) mark(i int) figure.Mark {
	return figure.Mark{Line: seriesLine(i), Glyph: seriesDot(i)}
}

func seriesLine(i int) draw.LineStyle {
	patterns := [][]vg.Length{nil, figure.Dashes(), {vg.Points(1.5), vg.Points(2)}, {vg.Points(8), vg.Points(2), vg.Points(2), vg.Points(2)}}
	return draw.LineStyle{Color: figure.Color(i), Width: vg.Points(1.5), Dashes: patterns[i/figure.Colors%len(patterns)]}
}

func seriesDot(i int) draw.GlyphStyle { return figure.Full(i).Glyph }

// shorten cuts a name that would not fit.
func shorten(name string) string {
	const most = 32
	if r := []rune(name); len(r) > most {
		return string(r[:most-3]) + "..."
	}
	return name
}
