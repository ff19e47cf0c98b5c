package reports

import (
	"errors"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/experiments/ais"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// Sandwich draws the histograms of forward and reverse log weights with their exact means, and log Z_T/Z_1 in
// between. It fails where no log weight is finite.
func Sandwich(r *ais.Row) (*figure.Figure, error) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, sample := range [][]float64{r.Forward.LogW, r.Reverse.LogW} {
		for _, l := range sample {
			if !math.IsInf(l, 0) {
				low, high = min(low, l), max(high, l)
			}
		}
	}
	if low > high {
		return nil, errors.New("nothing to draw: no log weight is finite")
	}
	if low == high {
		low, high = low-0.5, high+0.5
	}
	p := plot.New()
	p.X.Label.Text = "log w (nats)"
	p.Y.Label.Text = "share of chains"
	top := 0.0
	for i, side := range []struct {
		name   string
		sample []float64
		mean   float64
	}{{"forward, with exact mean", r.Forward.LogW, r.Exact.MeanLogWForward}, {"reverse, with exact mean", r.Reverse.LogW, r.Exact.MeanLogWReverse}} {
		h := figure.Histogram(side.sample, low, high)
		for _, bin := range h.Bins {
			top = max(top, bin.Weight)
		}
		c := figure.Color(i)
		h.FillColor = figure.Translucent(c)
		h.LineStyle = draw.LineStyle{Color: c, Width: vg.Points(0.5)}
		p.Add(h)
		line := &figure.Upright{X: side.mean, Top: &top, Style: draw.LineStyle{Color: c, Width: vg.Points(1.2)}}
		if !math.IsInf(side.mean, 0) {
			p.Add(line)
		}
		p.Legend.Add(side.name, h, line)
	}
	z := &figure.Upright{X: r.Exact.LogZRatio, Top: &top, Style: draw.LineStyle{Color: color.Black, Width: vg.Points(1.2), Dashes: figure.Dashes()}}
	p.Add(z)
	p.Legend.Add("log Z_T/Z_1", z)
	figure.Dress(p)
	p.Y.Min, p.Y.Max = 0, top*1.35 // room for the legend
	p.Legend.Top = true
	p.Legend.YOffs = -vg.Points(4)
	name := FileName("sandwich_" + r.Toy.Name + "_T" + table.People(r.Distributions(), 0))
	return figure.OfPlot(name, 13*vg.Centimeter, 8*vg.Centimeter, p), nil
}
