package reports

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/reports/figure"
)

// maxBandPanels is the largest number of panels of a figure, so that it stays readable.
const maxBandPanels = 12

// bandPanel is a panel with a mean and a band of one standard deviation, against a number on a logarithmic axis, above the
// floor that the mean comes down to.
type bandPanel struct {
	title    string
	floor    float64
	n        []int
	mean, sd []float64
}

// add adds a point, unless its mean cannot be drawn.
func (b *bandPanel) add(n int, mean, sd float64) {
	if finite(mean) && !slices.Contains(b.n, n) {
		b.n, b.mean, b.sd = append(b.n, n), append(b.mean, mean), append(b.sd, sd)
	}
}

// bandFigure draws panels in rows of three, with one legend.
func bandFigure(name, x, y string, panels []bandPanel) (*figure.Figure, error) {
	var legend figure.Legend
	line := draw.LineStyle{Color: figure.Color(0), Width: vg.Points(1.5)}
	floor := draw.LineStyle{Color: color.Black, Width: vg.Points(1), Dashes: figure.Dashes()}
	legend.Add("mean", figure.Full(0))
	legend.Add("one sd", figure.Swatch{Color: figure.Translucent(figure.Color(0))})
	legend.Add("J", &plotter.Line{LineStyle: floor})
	var plots []*figure.Panel
	for i := range panels {
		p, err := panels[i].plot(x, y, line, floor)
		if err != nil {
			return nil, err
		}
		plots = append(plots, p)
	}
	return figure.Tiles(name, min(3, len(plots)), plots, legend), nil
}

// plot draws one panel.
func (b *bandPanel) plot(x, y string, line, floor draw.LineStyle) (*figure.Panel, error) {
	p := figure.NewPanel(b.title, x, y)
	p.X.Tick.Marker = figure.Decades{}
	order := make([]int, len(b.n))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return b.n[i] - b.n[j] })
	var mean, band plotter.XYs
	for _, i := range order {
		mean = append(mean, plotter.XY{X: math.Log10(float64(b.n[i])), Y: b.mean[i]})
	}
	for k, i := range order {
		if finite(b.sd[i]) {
			band = append(band, plotter.XY{X: mean[k].X, Y: b.mean[i] + b.sd[i]})
		}
	}
	for k, i := range slices.Backward(order) {
		if finite(b.sd[i]) {
			band = append(band, plotter.XY{X: mean[k].X, Y: b.mean[i] - b.sd[i]})
		}
	}
	if len(band) > 0 {
		area, err := plotter.NewPolygon(band)
		if err != nil {
			return nil, err
		}
		area.Color, area.LineStyle.Width = figure.Translucent(line.Color), 0
		p.Add(area)
		p.Record("one sd", band)
	}
	if finite(b.floor) {
		ends := plotter.XYs{{X: mean[0].X, Y: b.floor}, {X: mean[len(mean)-1].X, Y: b.floor}}
		if err := figure.AddLine(p, "J", ends, floor); err != nil {
			return nil, err
		}
	}
	_, err := figure.Curve(p, "mean", mean, figure.Full(0))
	p.RoomAround(0.03, 0.04)
	return p, err
}
