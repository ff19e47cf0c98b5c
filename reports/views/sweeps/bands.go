package sweeps

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/reports/figure"
)

// bands returns what is drawn behind a line of a plot over a parameter: shaded bands, or bars where nothing lies between the places,
// and thin lines. There is nothing where the plot is over none. What is drawn is recorded in the panel, each end of a band for itself.
func (d *sweepDrawing) bands(p *figure.Panel, panel, series int) (out []plot.Plotter) {
	if d.over == nil {
		return nil
	}
	here := [2]int{panel, series}
	for _, band := range d.over.bands {
		var low, high plotter.XYs
		for _, s := range d.over.summaries {
			a, b := d.over.ends(band, s)
			if s.at == here && figure.Finite(a) && figure.Finite(b) {
				x := d.placeOf(s)
				low, high = append(low, plotter.XY{X: x, Y: d.y.place(a)}), append(high, plotter.XY{X: x, Y: d.y.place(b)})
			}
		}
		bottom, top := d.over.endNames(band)
		p.Record(d.bandName(series, bottom), low)
		p.Record(d.bandName(series, top), high)
		if d.x.names != nil || len(low) == 1 {
			out = append(out, uprights(low, high, series)...)
		} else if len(low) > 1 {
			out = append(out, shaded(low, high, series))
		}
	}
	for k, i := range d.over.lines {
		var points plotter.XYs
		for _, s := range d.over.summaries {
			if s.at == here && figure.Finite(s.stats[i]) {
				points = append(points, plotter.XY{X: d.placeOf(s), Y: d.y.place(s.stats[i])})
			}
		}
		p.Record(d.bandName(series, d.over.statistics[i].name), points)
		style := draw.LineStyle{Color: figure.Color(series), Width: vg.Points(0.8), Dashes: []vg.Length{vg.Points(float64(1 + k%4)), vg.Points(2)}}
		if d.x.names == nil && len(points) > 1 {
			out = append(out, &plotter.Line{XYs: points, LineStyle: style})
		} else if len(points) > 0 {
			out = append(out, &plotter.Scatter{XYs: points, GlyphStyle: draw.GlyphStyle{Color: style.Color, Radius: vg.Points(1.5), Shape: draw.RingGlyph{}}})
		}
	}
	return out
}

// bandName returns the name of a statistic of a series in the data of the figure.
func (d *sweepDrawing) bandName(series int, statistic string) string {
	if d.series[series] == "" {
		return statistic
	}
	return d.series[series] + ", " + statistic
}

// shaded returns the area between two lines.
func shaded(low, high plotter.XYs, series int) plot.Plotter {
	around := append(plotter.XYs{}, high...)
	for i := len(low) - 1; i >= 0; i-- {
		around = append(around, low[i])
	}
	area, err := plotter.NewPolygon(around)
	if err != nil {
		panic(err) // every number is finite
	}
	area.Color, area.LineStyle.Width = pale(series), 0
	return area
}

// uprights returns an upright line between each two points.
func uprights(low, high plotter.XYs, series int) (out []plot.Plotter) {
	for i := range low {
		style := draw.LineStyle{Color: pale(series), Width: vg.Points(5)}
		out = append(out, &plotter.Line{XYs: plotter.XYs{low[i], high[i]}, LineStyle: style})
	}
	return out
}

// pale returns the colour of a series for areas, through which lines and other areas show.
func pale(series int) color.Color {
	r, g, b, _ := figure.Color(series).RGBA()
	return color.NRGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 0x38}
}
